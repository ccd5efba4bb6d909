import { describe, expect, it } from "vitest";
import { ForceSizes, forceAt, type Arrow } from "../../src/data/arrows";
import { checkHeader } from "../../src/data/header";
import { Run, type RunHeader } from "../../src/data/run";

const arrow: Arrow = {
  name: "pin",
  kind: "reaction",
  unit: "N",
  columns: ["x", "y", "z"],
  body: 0,
  point: [0, 0, 0],
};

function header(arrows: unknown[]): RunHeader {
  return {
    label: "",
    model: "",
    method: "",
    version: "",
    options: [],
    time: [0, 1],
    keepsEnergy: true,
    columns: ["t", "x", "y", "z"].map((name) => ({ name, unit: "" })),
    arrows: arrows as Arrow[],
    scene: {
      name: "",
      gravity: [0, 0, 0],
      bodies: [{ name: "ground", parent: -1, mass: 0, com: [0, 0, 0], ellipsoid: null, shapes: [] }],
      joints: [],
      frames: [{ name: "ground", body: 0, pose: [0, 0, 0, 1, 0, 0, 0] }],
      constraints: [],
      springs: [],
    },
  };
}

function rows(...list: number[][]): Uint8Array {
  return new Uint8Array(new Float64Array(list.flat()).buffer);
}

describe("forces of a run", () => {
  it("have the size of the largest row so far", () => {
    const run = new Run(header([arrow]));
    const sizes = new ForceSizes(run);
    expect(sizes.update()).toBe(0);
    run.append(rows([0, 3, 0, 4], [1, 1, 0, 0]));
    expect(sizes.update()).toBe(5);
    run.append(rows([2, 0, -13, 0]));
    expect(sizes.update()).toBe(13);
    expect(sizes.most("force")).toBe(0);
  });

  it("go straight from row to row", () => {
    const run = new Run(header([arrow]));
    run.append(rows([0, 2, 0, 0], [1, 4, 8, 0]));
    expect(forceAt(run, arrow, 0.5)).toEqual([3, 4, 0]);
  });

  it("are refused where they name what is not there", () => {
    expect(() => checkHeader(header([arrow]))).not.toThrow();
    expect(() => checkHeader(header([{ ...arrow, columns: ["x", "y", "w"] }]))).toThrow(/"w"/);
    expect(() => checkHeader(header([{ ...arrow, columns: ["x"] }]))).toThrow(/three columns/);
    expect(() => checkHeader(header([{ ...arrow, body: 7 }]))).toThrow(/body of arrow 0/);
    expect(() => checkHeader(header([{ ...arrow, kind: "torque" }]))).toThrow(/kind/);
  });
});
