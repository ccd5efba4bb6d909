import { Color, Group } from "three";
import { poseSize, type Run } from "../data/run";
import { Lines } from "./lines";

/** Rows that a trace goes back, and room for as many again before they are moved to the front. */
const reach = 2000;
const capacity = 2 * reach + 2;

/** The way of one frame up to now, fading into the past. Going on by a row writes one point. */
export class Trace {
  readonly lines = new Lines(capacity, 3, 2);
  private readonly pose = new Float32Array(poseSize);
  /** Rows that are in the buffer, the first at its start. */
  private first = 0;
  private last = -1;

  constructor(
    private readonly run: Run,
    private readonly body: number,
    private readonly point: readonly [number, number, number],
  ) {
    this.lines.mesh.renderOrder = 5;
  }

  show(t: number): void {
    if (this.run.rows === 0) return;
    const row = this.run.rowAt(t);
    const from = Math.max(0, row - reach);
    const goesOn = row >= this.last && from <= this.last && this.first <= from;
    if (!goesOn) {
      this.first = from;
      this.last = from - 1;
    }
    if (row - this.first + 2 > capacity) {
      this.lines.points.copyWithin(0, 3 * (from - this.first), 3 * (this.last - this.first + 1));
      this.first = from;
    }
    for (let r = this.last + 1; r <= row; ++r) {
      this.run.poseInRow(r, this.body, this.pose, 0);
      this.put(r - this.first);
    }
    this.last = row;
    // The end is where the frame is now, between rows.
    this.run.poseAt(t, this.body, this.pose, 0);
    this.put(row - this.first + 1);
    const segments = row - this.first + 1;
    this.lines.show(segments, Math.min(segments, reach));
  }

  /** The frame's origin, x + R(q) p, as point i. */
  private put(i: number): void {
    const [px, py, pz] = this.point;
    const { pose } = this;
    const w = pose[3] as number;
    const a = pose[4] as number;
    const b = pose[5] as number;
    const c = pose[6] as number;
    const tx = 2 * (b * pz - c * py);
    const ty = 2 * (c * px - a * pz);
    const tz = 2 * (a * py - b * px);
    const { points } = this.lines;
    points[3 * i] = (pose[0] as number) + px + w * tx + b * tz - c * ty;
    points[3 * i + 1] = (pose[1] as number) + py + w * ty + c * tx - a * tz;
    points[3 * i + 2] = (pose[2] as number) + pz + w * tz + a * ty - b * tx;
  }
}

/** The traces of all tracked frames of all runs. */
export class Traces {
  readonly group = new Group();
  private traces: { trace: Trace; color: string }[] = [];
  private dark = false;

  /** The frames of the first run's scene; other runs show their frames of the same name. */
  set(frames: number[], runs: { run: Run; color: string; visible: boolean }[]): void {
    this.clear();
    const names = new Set(frames.map((index) => runs[0]?.run.header.scene.frames[index]?.name));
    for (const { run, color, visible } of runs) {
      if (!visible) continue;
      for (const frame of run.header.scene.frames) {
        if (!names.has(frame.name)) continue;
        const trace = new Trace(run, frame.body, [frame.pose[0], frame.pose[1], frame.pose[2]]);
        this.traces.push({ trace, color });
        this.group.add(trace.lines.mesh);
      }
    }
    this.paint(this.dark);
  }

  show(t: number): void {
    for (const { trace } of this.traces) trace.show(t);
  }

  /** Thin lines need more light on a dark ground than surfaces do. */
  paint(dark: boolean): void {
    this.dark = dark;
    const white = new Color("#ffffff");
    for (const { trace, color } of this.traces) {
      trace.lines.paint(new Color(color).lerp(white, dark ? 0.3 : 0), 0.9);
    }
  }

  clear(): void {
    for (const { trace } of this.traces) trace.lines.dispose();
    this.traces = [];
    this.group.clear();
  }
}
