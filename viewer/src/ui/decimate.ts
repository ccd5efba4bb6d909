import { rowAt } from "./clock";

/**
 * The rows worth drawing between two times: for every slice of time about as wide as a pixel, where each curve is least and where it
 * is greatest, so that no peak is lost however short it was. Every point drawn is a row of the run; nothing is averaged. One row on
 * either side of the window is kept, so that the lines reach its edges.
 */
export function rowsToDraw(
  times: ArrayLike<number>,
  curves: readonly ArrayLike<number>[],
  from: number,
  to: number,
  pixels: number,
): number[] {
  const count = times.length;
  if (count === 0) return [];
  const first = rowAt(times, from);
  let last = Math.min(count - 1, rowAt(times, to) + 1);
  if (last < first) last = first;
  const all = last - first + 1;
  if (all <= 2 * pixels) return Array.from({ length: all }, (_, i) => first + i);

  const width = sliceWidth((times[last] ?? 0) - (times[first] ?? 0), pixels);
  const rows: number[] = [];
  const extremes = new Array<number>(2 * curves.length);
  let row = first;
  while (row <= last) {
    const slice = Math.floor((times[row] ?? 0) / width);
    const begin = row;
    while (row <= last && Math.floor((times[row] ?? 0) / width) === slice) row += 1;
    if (row - begin <= 2) {
      for (let r = begin; r < row; r += 1) rows.push(r);
      continue;
    }
    curves.forEach((curve, c) => {
      let least = begin;
      let greatest = begin;
      for (let r = begin + 1; r < row; r += 1) {
        const y = curve[r] ?? 0;
        if (y < (curve[least] ?? 0)) least = r;
        if (y > (curve[greatest] ?? 0)) greatest = r;
      }
      extremes[2 * c] = least;
      extremes[2 * c + 1] = greatest;
    });
    extremes.sort((a, b) => a - b);
    if (begin === first) rows.push(first);
    for (const r of extremes) if (r !== rows.at(-1)) rows.push(r);
  }
  if (rows.at(-1) !== last) rows.push(last);
  return rows;
}

/** A power of two, so that the slices of a run that grows stay where they are and the curve does not flicker. */
function sliceWidth(span: number, pixels: number): number {
  return span > 0 ? 2 ** Math.floor(Math.log2(span / pixels)) : 1;
}
