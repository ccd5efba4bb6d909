/** Speeds that a person can choose; 1 is real time. */
export const SPEEDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** A tab that was in the background must not jump: no frame counts for more than this [s]. */
const LONGEST_FRAME = 0.25;

/** Time in the run while it is played. Knows nothing of frames or pages; someone calls `advance`. */
export class Clock {
  playing = false;
  loop = false;
  #time = 0;
  #start = 0;
  #end = 0;
  #live = false;
  #speed = 1;

  get time(): number {
    return this.#time;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get speed(): number {
    return this.#speed;
  }

  /** True where the engine is still ahead of us: playing has reached the last row, but more will come. */
  get waiting(): boolean {
    return this.playing && this.#live && this.#time >= this.#end;
  }

  /** What can be shown: from the first row to the last so far; live while more rows are to come. */
  setRange(start: number, end: number, live: boolean): void {
    const first = this.#end === this.#start;
    this.#start = start;
    this.#end = Math.max(start, end);
    this.#live = live;
    if (first && this.#time === 0) this.#time = start;
    this.seek(this.#time);
  }

  seek(t: number): void {
    if (Number.isFinite(t)) this.#time = Math.min(Math.max(t, this.#start), this.#end);
  }

  /** From the start again where playing had come to the end. */
  play(): void {
    if (this.#time >= this.#end && !this.#live) this.#time = this.#start;
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
  }

  setSpeed(speed: number): void {
    const slowest = SPEEDS[0] ?? 1;
    const fastest = SPEEDS.at(-1) ?? 1;
    if (Number.isFinite(speed)) this.#speed = Math.min(Math.max(speed, slowest), fastest);
  }

  faster(): void {
    this.setSpeed(SPEEDS.find((s) => s > this.#speed) ?? this.#speed);
  }

  slower(): void {
    this.setSpeed(SPEEDS.findLast((s) => s < this.#speed) ?? this.#speed);
  }

  /** Lets `seconds` of the viewer's time pass. True where the time shown has changed. */
  advance(seconds: number): boolean {
    if (!this.playing) return false;
    const before = this.#time;
    const length = this.#end - this.#start;
    let t = before + Math.min(Math.max(seconds, 0), LONGEST_FRAME) * this.#speed;
    if (t >= this.#end) {
      if (this.#live) {
        t = this.#end;
      } else if (this.loop && length > 0) {
        t = this.#start + ((t - this.#start) % length);
      } else {
        t = this.#end;
        this.playing = false;
      }
    }
    this.#time = t;
    return t !== before;
  }
}

/** The last row whose time is not after t; 0 where t is before all. */
export function rowAt(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= t) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/**
 * The time `by` rows after t (before, where negative). Between two rows, one step back is the row just passed. Rows of equal time
 * (events) are one step, for nothing that is shown would change between them.
 */
export function stepTime(times: ArrayLike<number>, t: number, by: number): number {
  if (times.length === 0) return t;
  let row = rowAt(times, t);
  const at = (i: number): number => times[i] ?? t;
  const last = times.length - 1;
  let left = Math.abs(by);
  if (by < 0 && at(row) < t) left -= 1;
  if (by > 0 && t < at(0)) left -= 1;
  while (left > 0) {
    const here = at(row);
    if (by > 0) {
      while (row < last && at(row) <= here) row += 1;
    } else {
      while (row > 0 && at(row) >= here) row -= 1;
    }
    left -= 1;
  }
  return at(row);
}
