import type { Run } from "../data/run";
import type { PlotSpec } from "./curves";
import { rowsToDraw } from "./decimate";

/** One run's part of a plot: times, then one list of values for every curve of the plot. */
export interface RunCurves {
  times: number[];
  values: (number | undefined)[][];
}

/** What is drawn of a run between two times, on about so many pixels. */
export function curvesOf(
  run: Run,
  spec: PlotSpec,
  range: readonly [number, number],
  pixels: number,
): RunCurves {
  const known = new Set(run.header.columns.map((c) => c.name));
  const columns = spec.curves.map((c) => (known.has(c.column) ? run.column(c.column) : null));
  const present = columns.filter((c) => c !== null);
  if (present.length === 0 || run.rows === 0) return { times: [], values: spec.curves.map(() => []) };
  const times = run.column("t");
  const rows = rowsToDraw(times, present, range[0], range[1], pixels);
  return {
    times: rows.map((r) => times[r] ?? 0),
    values: columns.map((column) => {
      const start = spec.fromStart ? (column?.[0] ?? 0) : 0;
      return rows.map((r) => (column === null ? undefined : (column[r] ?? 0) - start));
    }),
  };
}

/**
 * A logarithmic axis has no place for zero. An error of exactly zero is drawn at the least one that is not; where all are zero there
 * is nothing to draw, and true is returned so that the page can say so.
 */
export function liftZeros(tables: readonly RunCurves[]): boolean {
  let least = Infinity;
  for (const { values } of tables) {
    for (const y of values.flat()) if (y !== undefined && y > 0 && y < least) least = y;
  }
  for (const { values } of tables) {
    for (const curve of values) {
      curve.forEach((y, i) => {
        if (y !== undefined && !(y > 0)) curve[i] = Number.isFinite(least) ? least : undefined;
      });
    }
  }
  return !Number.isFinite(least);
}

/**
 * All runs on one list of times, as uPlot wants them: undefined where a run has no row at a time, over which its line is drawn on. Of
 * rows with equal times (events) the later holds.
 */
export function align(tables: readonly RunCurves[]): [number[], ...(number | undefined)[][]] {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return [only.times, ...only.values];
  const times = [...new Set(tables.flatMap((t) => t.times))].sort((a, b) => a - b);
  const place = new Map(times.map((t, i) => [t, i]));
  const aligned = tables.flatMap((table) =>
    table.values.map((curve) => {
      const whole = new Array<number | undefined>(times.length).fill(undefined);
      table.times.forEach((t, i) => {
        whole[place.get(t) ?? 0] = curve[i];
      });
      return whole;
    }),
  );
  return [times, ...aligned];
}
