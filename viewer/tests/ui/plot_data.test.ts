import { describe, expect, it } from "vitest";
import type { PlotSpec } from "../../src/ui/curves";
import { align, curvesOf, liftZeros } from "../../src/ui/plot_data";
import { sampleRun } from "../support/sample";

function spec(columns: string[], how: Partial<PlotSpec> = {}): PlotSpec {
  const curves = columns.map((column) => ({ column, label: column }));
  return {
    id: "p",
    title: "p",
    unit: "",
    curves,
    fromStart: false,
    logarithmic: false,
    chosen: false,
    ...how,
  };
}

describe("Curves of a run", () => {
  const run = sampleRun({ rows: 50 });

  it("are its rows where there is room for all", () => {
    const { times, values } = curvesOf(run, spec(["kinetic"]), [0, 1], 1000);
    expect(times).toEqual([...run.column("t")]);
    expect(values[0]).toEqual([...run.column("kinetic")]);
  });

  it("begin at zero where they are told from the start", () => {
    const { values } = curvesOf(run, spec(["shoulder"], { fromStart: true }), [0, 1], 1000);
    const angle = run.column("shoulder");
    expect(values[0]?.[0]).toBe(0);
    expect(values[0]?.[20]).toBe((angle[20] ?? 0) - (angle[0] ?? 0));
  });

  it("are told from the start of the run, not of what is zoomed to", () => {
    const { times, values } = curvesOf(run, spec(["shoulder"], { fromStart: true }), [0.5, 0.6], 1000);
    const angle = run.column("shoulder");
    const row = run.rowAt(times[0] ?? 0);
    expect(values[0]?.[0]).toBe((angle[row] ?? 0) - (angle[0] ?? 0));
  });

  it("are absent, and do not fail, for columns that this run lacks", () => {
    const { times, values } = curvesOf(run, spec(["kinetic", "knee"]), [0, 1], 1000);
    expect(times).toHaveLength(50);
    expect(values[1]?.every((y) => y === undefined)).toBe(true);
    expect(curvesOf(run, spec(["knee"]), [0, 1], 1000).times).toEqual([]);
  });
});

describe("Zeros on a logarithmic axis", () => {
  it("are drawn at the least value that is not zero", () => {
    const table = { times: [0, 1, 2], values: [[0, 1e-9, 1e-3]] };
    expect(liftZeros([table])).toBe(false);
    expect(table.values).toEqual([[1e-9, 1e-9, 1e-3]]);
  });

  it("are told where there is nothing else", () => {
    const table = { times: [0, 1], values: [[0, 0]] };
    expect(liftZeros([table])).toBe(true);
    expect(table.values).toEqual([[undefined, undefined]]);
  });
});

describe("Several runs", () => {
  it("share one list of times, each with values at its own", () => {
    const data = align([
      { times: [0, 1, 2], values: [[1, 2, 3]] },
      { times: [0, 1.5], values: [[7, 8]] },
    ]);
    expect(data).toEqual([
      [0, 1, 1.5, 2],
      [1, 2, undefined, 3],
      [7, undefined, 8, undefined],
    ]);
  });

  it("take the later of two rows at one time", () => {
    const [times, first] = align([
      { times: [0, 1, 1], values: [[1, 2, 3]] },
      { times: [0], values: [[0]] },
    ]);
    expect(times).toEqual([0, 1]);
    expect(first).toEqual([1, 3]);
  });

  it("can be none", () => {
    expect(align([])).toEqual([[]]);
  });
});
