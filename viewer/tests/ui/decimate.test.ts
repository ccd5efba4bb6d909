import { describe, expect, it } from "vitest";
import { rowsToDraw } from "../../src/ui/decimate";

const ROWS = 100_000;
const times = Float64Array.from({ length: ROWS }, (_, i) => i * 1e-3);

describe("Decimation", () => {
  it("draws every row where there is a pixel for it", () => {
    expect(rowsToDraw([0, 1, 2], [[5, 6, 7]], 0, 2, 100)).toEqual([0, 1, 2]);
  });

  it("keeps a peak one row wide, upwards and downwards", () => {
    const y = new Float64Array(ROWS);
    y[33_333] = 1;
    y[77_777] = -1;
    const rows = rowsToDraw(times, [y], 0, 100, 500);
    expect(rows).toContain(33_333);
    expect(rows).toContain(77_777);
  });

  it("keeps the peaks of every curve", () => {
    const a = new Float64Array(ROWS);
    const b = new Float64Array(ROWS);
    a[5_001] = 1;
    b[5_002] = 1;
    const rows = rowsToDraw(times, [a, b], 0, 100, 500);
    expect(rows).toContain(5_001);
    expect(rows).toContain(5_002);
  });

  it("draws few rows, in order, each once, with the first and the last", () => {
    const y = times.map((t) => Math.sin(50 * t));
    const rows = rowsToDraw(times, [y], 0, 100, 500);
    // A slice is between half a pixel and one; two extremes in each, and the two ends.
    expect(rows.length).toBeLessThanOrEqual(2 * 2 * 500 + 2 + 4);
    expect(rows[0]).toBe(0);
    expect(rows.at(-1)).toBe(ROWS - 1);
    expect(rows.every((r, i) => i === 0 || r > (rows[i - 1] ?? 0))).toBe(true);
  });

  it("reaches beyond the window by a row on either side", () => {
    const rows = rowsToDraw(times, [times], 10.0005, 10.0045, 500);
    expect(rows).toEqual([10_000, 10_001, 10_002, 10_003, 10_004, 10_005]);
  });

  it("leaves the slices of a growing run where they were", () => {
    const y = times.map((t) => Math.sin(50 * t));
    const early = rowsToDraw(times.subarray(0, 80_000), [y.subarray(0, 80_000)], 0, 80, 500);
    const later = rowsToDraw(times.subarray(0, 81_000), [y.subarray(0, 81_000)], 0, 81, 500);
    const inside = early.filter((r) => r < 79_000);
    expect(later.slice(0, inside.length)).toEqual(inside);
  });

  it("has nothing to draw of nothing", () => {
    expect(rowsToDraw([], [[]], 0, 1, 100)).toEqual([]);
  });
});
