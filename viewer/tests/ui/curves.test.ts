import { describe, expect, it } from "vitest";
import type { RunHeader } from "../../src/data/run";
import {
  chosenPlots,
  columnsOf,
  decadeRange,
  paddedRange,
  searchColumns,
  standardPlots,
} from "../../src/ui/curves";

const still: [number, number, number, number, number, number, number] = [0, 0, 0, 1, 0, 0, 0];

function header(columns: [string, string][]): RunHeader {
  return {
    label: "a",
    model: "m",
    method: "tree-variational",
    version: "1",
    options: [],
    keepsEnergy: true,
    time: [0, 1],
    columns: columns.map(([name, unit]) => ({ name, unit })),
    scene: {
      name: "m",
      gravity: [0, 0, 0],
      bodies: [],
      joints: [
        {
          name: "hip",
          type: "revolute",
          parent: 0,
          child: 1,
          parentFrame: still,
          childFrame: still,
          coordinates: ["hip"],
          speeds: ["hip'"],
          closesLoop: false,
          implicit: false,
        },
      ],
      frames: [],
      constraints: [],
      springs: [],
    },
  };
}

const full = header([
  ["t", "s"],
  ["hip", "rad"],
  ["hip'", "rad/s"],
  ["kinetic", "J"],
  ["potential", "J"],
  ["energy", "J"],
  ["constraint", "m"],
  ["momentum.x", "kg m/s"],
  ["momentum.y", "kg m/s"],
  ["momentum.z", "kg m/s"],
  ["foot.x", "m"],
]);

describe("Columns", () => {
  it("of all runs are listed once, without time", () => {
    const names = columnsOf([
      full,
      header([
        ["t", "s"],
        ["knee", "rad"],
        ["hip", "rad"],
      ]),
    ]).map((c) => c.name);
    expect(names.filter((n) => n === "hip")).toHaveLength(1);
    expect(names).toContain("knee");
    expect(names).not.toContain("t");
  });

  it("are known as coordinates and speeds by the joints that have them", () => {
    const kinds = new Map(columnsOf([full]).map((c) => [c.name, c.kind]));
    expect(kinds.get("hip")).toBe("coordinate");
    expect(kinds.get("hip'")).toBe("speed");
    expect(kinds.get("energy")).toBe("other");
  });

  it("are found by words, those that begin with them first", () => {
    const columns = columnsOf([full]);
    expect(searchColumns(columns, "MOM y").map((c) => c.name)).toEqual(["momentum.y"]);
    expect(searchColumns(columns, "speed").map((c) => c.name)).toEqual(["hip'"]);
    expect(searchColumns(columns, "")).toHaveLength(columns.length);
  });
});

describe("Plots", () => {
  it("are made of what the runs have", () => {
    const ids = standardPlots(columnsOf([full]), true).map((p) => p.id);
    expect(ids).toEqual(["energy", "drift", "momentum", "constraint"]);
    expect(standardPlots(columnsOf([header([["t", "s"]])]), true)).toEqual([]);
  });

  it("show drift from the start and constraint errors by decades", () => {
    const plots = standardPlots(columnsOf([full]), true);
    expect(plots.find((p) => p.id === "drift")?.fromStart).toBe(true);
    expect(plots.find((p) => p.id === "constraint")?.logarithmic).toBe(true);
  });

  it("call a change of the energy a drift only where nothing feeds or takes any", () => {
    const named = (keepsEnergy: boolean) => {
      const plot = standardPlots(columnsOf([full]), keepsEnergy).find((p) => p.id === "drift");
      return [plot?.title, plot?.curves[0]?.label];
    };
    expect(named(true)).toEqual(["Energy drift", "drift"]);
    expect(named(false)).toEqual(["Energy change", "change"]);
  });

  it("of chosen columns share an axis only where they share a unit", () => {
    const plots = chosenPlots(["hip", "hip'", "foot.x", "unknown"], columnsOf([full]));
    expect(plots.map((p) => [p.title, p.unit])).toEqual([
      ["Coordinates", "rad"],
      ["Speeds", "rad/s"],
      ["Chosen", "m"],
    ]);
  });
});

describe("Limits of an axis", () => {
  it("leave room about the values", () => {
    const [low, high] = paddedRange(0, 10);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(10);
  });

  it("show rounding errors of a constant as flat", () => {
    const [low, high] = paddedRange(12, 12 + 2e-15);
    expect(high - low).toBeGreaterThan(1);
  });

  it("show small values on their own scale", () => {
    const [low, high] = paddedRange(-1e-15, 1e-15);
    expect(high - low).toBeLessThan(1e-14);
  });

  it("are there without any value", () => {
    expect(paddedRange(null, null)).toEqual([-1, 1]);
    expect(decadeRange(null, null)).toEqual([1e-16, 1]);
  });

  it("are whole decades on a logarithmic axis", () => {
    const [low, high] = decadeRange(2e-13, 3e-10);
    expect(low).toBeCloseTo(1e-13, 25);
    expect(high).toBeCloseTo(1e-9, 20);
    const [one, ten] = decadeRange(1e-3, 1e-3);
    expect(ten / one).toBeCloseTo(10, 9);
  });
});
