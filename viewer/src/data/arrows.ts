import type { Run } from "./run";
import type { Vec3 } from "./scene";

/** A force that the run has columns of (docs/stream.md): on a point of a body, or a tension between two frames. */
export type Arrow = {
  name: string;
  kind: "reaction" | "force";
  unit: string;
  /** Names of columns: x, y, z in Ground axes, or the tension. */
  columns: string[];
} & ({ body: number; point: Vec3 } | { frames: [number, number] });

/** Sizes of a run's forces, as far as it was received. */
export class ForceSizes {
  /** By arrow [N]. */
  readonly largest: number[];
  private seen = 0;

  constructor(private readonly run: Run) {
    this.largest = (run.header.arrows ?? []).map(() => 0);
  }

  /** Takes in new rows; gives the largest of all. */
  update(): number {
    const arrows = this.run.header.arrows ?? [];
    arrows.forEach((arrow, i) => {
      const columns = arrow.columns.map((name) => this.run.column(name));
      let most = this.largest[i] ?? 0;
      for (let row = this.seen; row < this.run.rows; ++row) {
        const size = Math.hypot(...columns.map((column) => column[row] ?? 0));
        if (size > most) most = size;
      }
      this.largest[i] = most;
    });
    this.seen = this.run.rows;
    return this.most();
  }

  /** The largest of one kind, or of all; 0 where there is none. */
  most(kind?: Arrow["kind"]): number {
    return (this.run.header.arrows ?? []).reduce(
      (most, arrow, i) =>
        kind === undefined || arrow.kind === kind ? Math.max(most, this.largest[i] ?? 0) : most,
      0,
    );
  }
}

/** The force at a time, in Ground axes, or the tension. */
export function forceAt(run: Run, arrow: Arrow, t: number): number[] {
  return arrow.columns.map((name) => run.valueAt(name, t));
}
