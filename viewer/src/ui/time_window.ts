/** The part of time that plots show: all of it, or what was zoomed to. */
export class TimeWindow {
  #whole: [number, number] = [0, 1];
  #zoomed: [number, number] | null = null;

  get range(): [number, number] {
    return this.#zoomed ?? this.#whole;
  }

  get zoomed(): boolean {
    return this.#zoomed !== null;
  }

  /** While a run streams in, the whole grows; what was zoomed to stays. */
  setWhole(start: number, end: number): void {
    this.#whole = [start, end > start ? end : start + 1];
  }

  /** A factor below 1 shows less; `about` keeps its place on the screen. */
  zoom(factor: number, about: number): void {
    const [from, to] = this.range;
    const [start, end] = this.#whole;
    const span = (to - from) * factor;
    if (span >= end - start) {
      this.reset();
      return;
    }
    // Below this, neighbouring doubles would be pixels apart.
    if (span < 1e-9 * Math.max(1e-3, Math.abs(about))) return;
    const at = Math.min(Math.max(about, from), to);
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }

  /** Exactly this part, moved inside the whole. */
  show(from: number, to: number): void {
    const [start, end] = this.#whole;
    const span = Math.min(Math.abs(to - from), end - start);
    if (!(span > 0)) return;
    const first = Math.min(Math.max(Math.min(from, to), start), end - span);
    this.#zoomed = span < end - start ? [first, first + span] : null;
  }

  reset(): void {
    this.#zoomed = null;
  }

  /** Turns the page when time has left the window. True where it moved. */
  follow(t: number): boolean {
    if (this.#zoomed === null) return false;
    const [from, to] = this.#zoomed;
    if (t >= from && t <= to) return false;
    const lead = 0.1 * (to - from);
    const back = t < from;
    this.show(back ? t - (to - from) + lead : t - lead, back ? t + lead : t - lead + (to - from));
    return true;
  }
}
