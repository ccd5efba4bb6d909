import { describe, expect, it } from "vitest";
import { blend } from "../../src/data/blend";
import { Run } from "../../src/data/run";
import { rows, type Row } from "../support/encode";
import { sampleHeader, samplePoses, sampleRows, sampleRun } from "../support/sample";

const payload = (list: Row[]) => rows(list).subarray(8);

/** Single precision keeps 24 bits; a few operations lose a few of them. */
const single = 1e-6;

function runWithTimes(times: number[]): Run {
  const run = new Run(sampleHeader());
  const values = new Array<number>(sampleHeader().columns.length - 1).fill(0);
  run.append(payload(times.map((t, i) => ({ values: [t, ...values], poses: samplePoses(0.1 * i) }))));
  return run;
}

describe("A run", () => {
  it("keeps all rows while it grows", () => {
    // Pieces of 1, 2, 3 ... rows, past several doublings of the columns.
    const all = sampleRows({ rows: 1000 });
    const run = new Run(sampleHeader());
    for (let from = 0, n = 1; from < all.length; from += n, ++n)
      run.append(payload(all.slice(from, from + n)));
    expect(run.rows).toBe(1000);
    expect(Array.from(run.column("shoulder'"))).toEqual(all.map((row) => row.values[4]));
    const pose = new Float32Array(7);
    for (const i of [0, 63, 64, 511, 999]) {
      run.poseInRow(i, 3, pose, 0);
      expect(Array.from(pose)).toEqual(Array.from(Float32Array.from(all[i]?.poses.slice(14) ?? [])));
    }
  });

  it("takes a hundred thousand rows, over many pages of poses", () => {
    const run = new Run(sampleHeader());
    const few = sampleRows({ rows: 100 });
    for (let k = 0; k < 1000; ++k) {
      run.append(payload(few.map((row, i) => ({ ...row, values: [100 * k + i, ...row.values.slice(1)] }))));
    }
    expect(run.rows).toBe(100_000);
    expect(run.timeRange()).toEqual([0, 99_999]);
    expect(run.rowAt(54_321.5)).toBe(54_321);
    const pose = new Float32Array(7);
    run.poseAt(54_321, 1, pose, 0);
    expect(Array.from(pose)).toEqual(Array.from(Float32Array.from(few[21]?.poses.slice(0, 7) ?? [])));
  });

  it("finds the last row whose time is not later, and at an event the later row", () => {
    const run = runWithTimes([0, 1, 1, 1, 2, 3]);
    const expected: [number, number][] = [
      [-1, 0],
      [0, 0],
      [0.5, 0],
      [1, 3],
      [1.5, 3],
      [2, 4],
      [2.9, 4],
      [3, 5],
      [99, 5],
    ];
    for (const [t, row] of expected) expect(run.rowAt(t), `t = ${t}`).toBe(row);
  });

  it("finds the same row as a search from the start", () => {
    const times = [0];
    // Steps that are sometimes zero, from a fixed recurrence.
    for (let i = 1, seed = 7; i < 300; ++i) {
      seed = (seed * 16807) % 2147483647;
      times.push((times[i - 1] ?? 0) + (seed % 4) / 8);
    }
    const run = runWithTimes(times);
    for (let t = 0; t <= (times.at(-1) ?? 0); t += 0.0625) {
      let last = 0;
      times.forEach((time, i) => {
        if (time <= t) last = i;
      });
      expect(run.rowAt(t)).toBe(last);
    }
  });

  it("is where its rows say at their times, and between them in between", () => {
    const run = sampleRun();
    const list = sampleRows();
    const poses = new Float32Array(21);
    run.posesAt(list[50]?.values[0] ?? 0, poses);
    expect(Array.from(poses)).toEqual(Array.from(Float32Array.from(list[50]?.poses ?? [])));
    // The crank turns about y: halfway in time it is halfway in angle.
    const [a = 0, b = 0] = [list[50]?.values[1], list[51]?.values[1]];
    run.posesAt(50.5 * 0.02, poses);
    expect(poses[5]).toBeCloseTo(Math.sin((a + b) / 4), 6);
    expect(run.valueAt("shoulder", 50.5 * 0.02)).toBeCloseTo((a + b) / 2, 12);
  });

  it("stands still before its first and after its last row", () => {
    const run = sampleRun({ rows: 10 });
    const [before, first, after, last] = [0, 1, 2, 3].map(() => new Float32Array(21)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    run.posesAt(-5, before);
    run.posesAt(0, first);
    run.posesAt(1e9, after);
    run.posesAt(0.18, last);
    expect(before).toEqual(first);
    expect(after).toEqual(last);
    expect(run.valueAt("t", -5)).toBe(0);
  });

  it("without rows has all bodies at the origin and no values", () => {
    const run = new Run(sampleHeader());
    const poses = new Float32Array(21).fill(9);
    run.posesAt(1, poses);
    expect(Array.from(poses.subarray(7, 14))).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(run.valueAt("energy", 0)).toBeNaN();
    expect(run.column("energy")).toHaveLength(0);
    expect(run.timeRange()).toEqual([0, 0]);
    expect(run.rowAt(3)).toBe(0);
  });

  it("holds a body where it was when a pose is no pose", () => {
    const run = new Run(sampleHeader());
    const [first, second] = sampleRows({ rows: 2 });
    if (!first || !second) throw new Error("two rows were asked for");
    second.poses[8] = NaN;
    run.append(payload([first, second]));
    const pose = new Float32Array(7);
    run.poseInRow(1, 2, pose, 0);
    expect(Array.from(pose)).toEqual(Array.from(Float32Array.from(first.poses.slice(7, 14))));
  });

  it("names its columns when asked for one that it lacks", () => {
    expect(() => sampleRun().column("enrgy")).toThrow(/no column "enrgy" \(columns: t, shoulder/);
  });

  it("tells its listeners until they leave", () => {
    const run = new Run(sampleHeader());
    let calls = 0;
    const leave = run.onChange(() => ++calls);
    run.append(payload(sampleRows({ rows: 1 })));
    run.report({ state: "finished", done: 1, message: "", summary: [] });
    leave();
    run.report({ state: "finished", done: 1, message: "", summary: [] });
    expect(calls).toBe(2);
  });
});

describe("The sample", () => {
  it("keeps its energy", () => {
    // Steps of 5 ms on a swing of about 4 rad/s: the fourth-order error per second is below (4 * 0.005)^4 = 2e-7 of about 10 J.
    const energy = sampleRun().column("energy");
    for (const e of energy) expect(Math.abs(e - (energy[0] ?? 0))).toBeLessThan(1e-5);
  });
});

describe("Slerp", () => {
  const about = (axis: number, angle: number) => {
    const pose = new Float32Array([0, 0, 0, Math.cos(angle / 2), 0, 0, 0]);
    pose[4 + axis] = Math.sin(angle / 2);
    return pose;
  };

  it("turns about one axis at constant rate", () => {
    for (const angle of [1e-5, 1e-3, 0.5, 2, 3]) {
      for (const u of [0, 0.25, 0.5, 0.9, 1]) {
        const out = new Float32Array(7);
        blend(about(1, 0.3), 0, about(1, 0.3 + angle), 0, u, out, 0);
        const expected = about(1, 0.3 + u * angle);
        for (let k = 3; k < 7; ++k) expect(Math.abs((out[k] ?? 0) - (expected[k] ?? 0))).toBeLessThan(single);
      }
    }
  });

  it("takes the shorter way when the signs of the quaternions differ", () => {
    const to = about(2, 0.8).map((x, k) => (k > 2 ? -x : x));
    const out = new Float32Array(7);
    blend(about(2, 0.2), 0, to, 0, 0.5, out, 0);
    const expected = about(2, 0.5);
    for (let k = 3; k < 7; ++k) expect(Math.abs((out[k] ?? 0) - (expected[k] ?? 0))).toBeLessThan(single);
  });

  it("gives a unit quaternion", () => {
    const out = new Float32Array(7);
    for (let u = 0; u <= 1; u += 0.1) {
      blend(about(0, 3.1), 0, about(1, -2.9), 0, u, out, 0);
      expect(Math.hypot(...out.subarray(3))).toBeCloseTo(1, 6);
    }
  });
});
