import type { Arrow } from "./arrows";
import { blend } from "./blend";
import type { Scene } from "./scene";

/** What a run says about itself before its first row. */
export interface RunHeader {
  /** Short and telling the runs of one page apart: the method, or the file's name. */
  label: string;
  model: string;
  method: string;
  version: string;
  /** As they were in force. */
  options: [name: string, value: string][];
  /** Time at the start, and when it is meant to end [s]. */
  time: [number, number];
  /** Nothing in the model feeds or takes energy, so that any change of it is an error of the method. */
  keepsEnergy: boolean;
  /**
   * Those of the table that `polhode run --out` writes (t, coordinates, speeds, kinetic, potential, energy, constraint), then
   * momentum.x, .y, .z and angular-momentum.x, .y, .z, then what was recorded.
   */
  columns: { name: string; unit: string }[];
  /** Of the columns, those that are forces to draw; none where nothing was recorded. */
  arrows?: Arrow[];
  scene: Scene;
}

export type RunState = "running" | "finished" | "failed";

/** What a STAT block says. */
export interface RunStatus {
  state: RunState;
  done: number;
  message: string;
  summary: [name: string, value: string][];
}

/** Numbers in a pose: x y z qw qx qy qz. */
export const poseSize = 7;

/** Poses are kept in pages, so that a long run never has to be copied to make room. About a mebibyte each. */
const pageBytes = 1 << 20;

/** A run as far as it was received. Rows are only ever added. */
export class Run {
  readonly header: RunHeader;
  /** Bodies whose poses are in the rows: all but Ground. */
  readonly bodies: number;
  /** [bytes], of one row in a ROWS block. */
  readonly rowBytes: number;
  state: RunState = "running";
  done = 0;
  message = "";
  summary: [string, string][] = [];
  rows = 0;

  private readonly columns: Float64Array[];
  private readonly indices = new Map<string, number>();
  private readonly timeIndex: number;
  private readonly pages: Float32Array[] = [];
  private readonly rowsPerPage: number;
  private readonly listeners = new Set<() => void>();

  constructor(header: RunHeader) {
    this.header = header;
    this.bodies = Math.max(0, header.scene.bodies.length - 1);
    this.rowBytes = 8 * header.columns.length + 4 * poseSize * this.bodies;
    this.rowsPerPage = Math.max(1, Math.floor(pageBytes / Math.max(1, 4 * poseSize * this.bodies)));
    this.columns = header.columns.map(() => new Float64Array(64));
    header.columns.forEach((column, i) => this.indices.set(column.name, i));
    this.timeIndex = this.indexOf("t");
  }

  /** A view of what was received, valid until the next rows come. */
  column(name: string): Float64Array {
    return this.storage(this.indexOf(name)).subarray(0, this.rows);
  }

  timeRange(): [number, number] {
    if (this.rows === 0) return [this.header.time[0], this.header.time[0]];
    const t = this.storage(this.timeIndex);
    return [t[0] ?? 0, t[this.rows - 1] ?? 0];
  }

  /** The last row whose time is at most t; the first if there is none. */
  rowAt(t: number): number {
    const times = this.storage(this.timeIndex);
    let below = 0;
    let above = this.rows;
    while (above - below > 1) {
      const middle = (below + above) >> 1;
      if ((times[middle] ?? 0) <= t) below = middle;
      else above = middle;
    }
    return below;
  }

  /** The pose of one body of the scene (Ground is 0 and never moves) between the rows around t. */
  poseAt(t: number, body: number, out: Float32Array, offset: number): void {
    if (body <= 0 || this.rows === 0) {
      writeIdentity(out, offset);
      return;
    }
    const row = this.rowAt(t);
    this.poseBetween(row, this.fraction(row, t), body - 1, out, offset);
  }

  /** The poses of all bodies but Ground, one after the other. */
  posesAt(t: number, out: Float32Array): void {
    if (this.rows === 0) {
      for (let b = 0; b < this.bodies; ++b) writeIdentity(out, poseSize * b);
      return;
    }
    const row = this.rowAt(t);
    const fraction = this.fraction(row, t);
    for (let b = 0; b < this.bodies; ++b) this.poseBetween(row, fraction, b, out, poseSize * b);
  }

  /** The pose of one body of the scene in a row that was received. */
  poseInRow(row: number, body: number, out: Float32Array, offset: number): void {
    if (body <= 0 || row < 0 || row >= this.rows) writeIdentity(out, offset);
    else this.poseBetween(row, 0, body - 1, out, offset);
  }

  valueAt(name: string, t: number): number {
    const values = this.storage(this.indexOf(name));
    if (this.rows === 0) return NaN;
    const row = this.rowAt(t);
    const fraction = this.fraction(row, t);
    const value = values[row] ?? NaN;
    return fraction === 0 ? value : value + fraction * ((values[row + 1] ?? NaN) - value);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Adds the rows of a ROWS block. */
  append(payload: Uint8Array): void {
    if (this.rowBytes === 0 || payload.byteLength % this.rowBytes !== 0) {
      throw new Error(
        `${payload.byteLength} bytes of rows are not a whole number of rows of ${this.rowBytes} bytes`,
      );
    }
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const added = payload.byteLength / this.rowBytes;
    this.reserve(this.rows + added);
    let at = 0;
    for (let i = 0; i < added; ++i) {
      for (const column of this.columns) {
        column[this.rows] = view.getFloat64(at, true);
        at += 8;
      }
      this.appendPoses(view, at);
      at += 4 * poseSize * this.bodies;
      ++this.rows;
    }
    if (added > 0) this.changed();
  }

  /** Takes what a STAT block says. */
  report(status: RunStatus): void {
    this.state = status.state;
    this.done = status.done;
    this.message = status.message;
    this.summary = status.summary;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private indexOf(name: string): number {
    const index = this.indices.get(name);
    if (index === undefined) {
      const names = this.header.columns.map((column) => column.name).join(", ");
      throw new Error(`The run has no column "${name}" (columns: ${names}).`);
    }
    return index;
  }

  private storage(index: number): Float64Array {
    return this.columns[index] ?? new Float64Array(0);
  }

  private reserve(rows: number): void {
    const capacity = this.storage(this.timeIndex).length;
    if (rows > capacity) {
      const grown = Math.max(rows, 2 * capacity);
      this.columns.forEach((column, i) => {
        const larger = new Float64Array(grown);
        larger.set(column);
        this.columns[i] = larger;
      });
    }
    while (this.bodies > 0 && this.pages.length * this.rowsPerPage < rows) {
      this.pages.push(new Float32Array(this.rowsPerPage * poseSize * this.bodies));
    }
  }

  /** A pose that is no pose (the engine sends none) would spoil everything drawn with it: the body then stays where it was. */
  private appendPoses(view: DataView, at: number): void {
    const page = this.pages[Math.floor(this.rows / this.rowsPerPage)];
    if (!page) return;
    const start = (this.rows % this.rowsPerPage) * poseSize * this.bodies;
    for (let b = 0; b < this.bodies; ++b) {
      const to = start + poseSize * b;
      const from = at + 4 * poseSize * b;
      let sum = 0;
      let norm = 0;
      for (let k = 0; k < poseSize; ++k) {
        const x = view.getFloat32(from + 4 * k, true);
        page[to + k] = x;
        sum += x;
        if (k > 2) norm += x * x;
      }
      if (!Number.isFinite(sum) || !(norm > 0.5)) this.poseInRow(this.rows - 1, b + 1, page, to);
    }
  }

  /** How far t is from the row to the next, from 0 to less than 1; 0 before the first and after the last. */
  private fraction(row: number, t: number): number {
    const times = this.storage(this.timeIndex);
    const t0 = times[row] ?? 0;
    if (row + 1 >= this.rows || !(t > t0)) return 0;
    return (t - t0) / ((times[row + 1] ?? t0) - t0);
  }

  private poseBetween(row: number, fraction: number, b: number, out: Float32Array, offset: number): void {
    const page = this.pages[Math.floor(row / this.rowsPerPage)];
    if (!page) return;
    const stride = poseSize * this.bodies;
    const from = (row % this.rowsPerPage) * stride + poseSize * b;
    const next = fraction > 0 ? this.pages[Math.floor((row + 1) / this.rowsPerPage)] : undefined;
    if (!next) {
      for (let k = 0; k < poseSize; ++k) out[offset + k] = page[from + k] ?? 0;
      return;
    }
    blend(page, from, next, ((row + 1) % this.rowsPerPage) * stride + poseSize * b, fraction, out, offset);
  }
}

function writeIdentity(out: Float32Array, offset: number): void {
  out.fill(0, offset, offset + poseSize);
  out[offset + 3] = 1;
}
