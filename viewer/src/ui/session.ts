import type { Run } from "../data/run";
import type { Pose } from "../data/scene";
import { Clock, stepTime } from "./clock";
import { columnsOf, type Column } from "./curves";
import { decimalsFor } from "./format";
import { later } from "./pending";
import type { Layer, SceneView } from "./scene_view";
import { Signal } from "./signal";
import { samePart, TreeModel, type Part } from "./tree";
import { TimeWindow } from "./time_window";

/** Rows may come many times in a frame; the page looks at them this often [ms]. */
const REFRESH = 120;

/**
 * What is shown: which runs, at which time, what is selected. Panels change it here and listen to its signals; the scene follows. The
 * first run's scene is the one that selections refer to; other runs are asked by name.
 */
export class Session {
  readonly runs: readonly Run[];
  readonly clock = new Clock();
  readonly window = new TimeWindow();
  readonly tree: TreeModel;
  readonly columns: Column[];

  readonly onTime = new Signal();
  readonly onPlayback = new Signal();
  readonly onSelection = new Signal();
  /** Rows or states. */
  readonly onData = new Signal();
  readonly onRuns = new Signal();
  readonly onLayers = new Signal();
  readonly onWindow = new Signal();
  readonly onChosen = new Signal();

  #view: SceneView | null = null;
  #selection: Part | null = null;
  #followed: number | null = null;
  #primary = 0;
  #visible: boolean[];
  #tracked = new Set<number>();
  #chosen: string[] = [];
  #refreshing = false;
  #frame: number | null = null;
  #lastFrame = 0;

  constructor(runs: readonly Run[]) {
    const first = runs[0];
    if (first === undefined) throw new Error("There is no run to show.");
    this.runs = runs;
    this.tree = new TreeModel(first.header.scene);
    this.columns = columnsOf(runs.map((r) => r.header));
    this.#visible = runs.map(() => true);
    for (const run of runs) {
      run.onChange(() => {
        if (this.#refreshing) return;
        this.#refreshing = true;
        later(() => {
          this.#refreshing = false;
          this.#takeRows();
        }, REFRESH);
      });
    }
    this.#takeRows();
  }

  get first(): Run {
    return this.runs[0] as Run;
  }

  get primary(): Run {
    return this.runs[this.#primary] ?? this.first;
  }

  get primaryIndex(): number {
    return this.#primary;
  }

  get view(): SceneView | null {
    return this.#view;
  }

  get time(): number {
    return this.clock.time;
  }

  get selection(): Part | null {
    return this.#selection;
  }

  get followed(): number | null {
    return this.#followed;
  }

  get tracked(): ReadonlySet<number> {
    return this.#tracked;
  }

  get chosen(): readonly string[] {
    return this.#chosen;
  }

  get running(): boolean {
    return this.runs.some((r) => r.state === "running");
  }

  /** What the timeline spans: until when the runs are meant to go while they go on, and what there is when they have ended. */
  get span(): [number, number] {
    const ends = this.runs.map((r) => (r.state === "running" ? r.header.time[1] : r.timeRange()[1]));
    const end = Math.max(this.clock.end, ...ends.filter(Number.isFinite));
    return [this.clock.start, end > this.clock.start ? end : this.clock.start + 1];
  }

  /** Decimals with which times of these rows are told. */
  get timeDecimals(): number {
    const [start, end] = this.primary.timeRange();
    const rows = this.primary.rows;
    return rows > 1 ? decimalsFor((end - start) / (rows - 1)) : 3;
  }

  attach(view: SceneView): void {
    this.#view = view;
    view.onSelect((part) => {
      this.select(part);
    });
    view.show(this.time);
    this.onLayers.emit();
    this.onRuns.emit();
  }

  seek(t: number): void {
    this.#takeRange();
    this.clock.seek(t);
    this.#timeChanged();
  }

  step(rows: number): void {
    this.pause();
    this.seek(stepTime(this.primary.column("t"), this.time, rows));
  }

  /** By a part of what the plots show, so that it leaps less where one looks closer. */
  leap(fraction: number): void {
    const [from, to] = this.window.range;
    this.seek(this.time + fraction * (to - from));
  }

  play(): void {
    this.#takeRange();
    this.clock.play();
    this.#lastFrame = 0;
    if (this.#frame === null) this.#frame = requestAnimationFrame(this.#tick);
    this.onPlayback.emit();
  }

  pause(): void {
    if (!this.clock.playing) return;
    this.clock.pause();
    this.onPlayback.emit();
  }

  togglePlay(): void {
    if (this.clock.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.clock.setSpeed(speed);
    this.onPlayback.emit();
  }

  changeSpeed(up: boolean): void {
    if (up) this.clock.faster();
    else this.clock.slower();
    this.onPlayback.emit();
  }

  setLoop(loop: boolean): void {
    this.clock.loop = loop;
    this.onPlayback.emit();
  }

  select(part: Part | null): void {
    if (samePart(part, this.#selection)) return;
    this.#selection = part;
    if (part !== null) this.tree.reveal(part);
    this.#view?.select(part);
    this.onSelection.emit();
  }

  /** The body that is selected, or the one that the selected joint holds. */
  get selectedBody(): number | null {
    const part = this.#selection;
    if (part === null) return null;
    return part.kind === "body" ? part.index : (this.first.header.scene.joints[part.index]?.child ?? null);
  }

  follow(body: number | null): void {
    this.#followed = body === 0 ? null : body;
    this.#view?.follow(this.#followed);
    this.onSelection.emit();
  }

  setPrimary(run: number): void {
    if (this.runs[run] === undefined) return;
    this.#primary = run;
    this.onRuns.emit();
    this.onTime.emit();
  }

  runVisible(run: number): boolean {
    return this.#visible[run] ?? false;
  }

  setRunVisible(run: number, visible: boolean): void {
    this.#visible[run] = visible;
    this.#view?.setRunVisible(run, visible);
    this.onRuns.emit();
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.#view?.setLayer(layer, visible);
    this.onLayers.emit();
  }

  setTracked(frame: number, tracked: boolean): void {
    if (tracked) this.#tracked.add(frame);
    else this.#tracked.delete(frame);
    this.#view?.setTracked([...this.#tracked]);
    if (tracked) this.setLayer("traces", true);
    this.onSelection.emit();
  }

  setChosen(column: string, chosen: boolean): void {
    this.#chosen = this.#chosen.filter((c) => c !== column);
    if (chosen) this.#chosen.push(column);
    this.onChosen.emit();
  }

  changeWindow(change: (window: TimeWindow) => void): void {
    change(this.window);
    this.onWindow.emit();
  }

  /** The pose in the primary run of a body of the first run's scene; null where that run has no such body. */
  poseOf(body: number): Pose | null {
    const name = this.first.header.scene.bodies[body]?.name;
    const index =
      this.primary === this.first ? body : this.primary.header.scene.bodies.findIndex((b) => b.name === name);
    if (name === undefined || index < 0 || this.primary.rows === 0) return null;
    const pose = new Float32Array(7);
    this.primary.poseAt(this.time, index, pose, 0);
    return [...pose] as Pose;
  }

  /** Rows that came since the page last looked can be gone to at once. */
  #takeRange(): void {
    const ranges = this.runs.filter((r) => r.rows > 0).map((r) => r.timeRange());
    if (ranges.length > 0) {
      const start = Math.min(...ranges.map((r) => r[0]));
      const end = Math.max(...ranges.map((r) => r[1]));
      this.clock.setRange(start, end, this.running);
      this.window.setWhole(...this.span);
    }
  }

  #takeRows(): void {
    this.#takeRange();
    this.onData.emit();
    this.#timeChanged();
  }

  #timeChanged(): void {
    this.#view?.show(this.time);
    if (this.window.follow(this.time)) this.onWindow.emit();
    this.onTime.emit();
  }

  readonly #tick = (now: number): void => {
    this.#frame = null;
    const passed = this.#lastFrame === 0 ? 0 : (now - this.#lastFrame) / 1000;
    this.#lastFrame = now;
    if (this.clock.advance(passed)) this.#timeChanged();
    if (this.clock.playing) this.#frame = requestAnimationFrame(this.#tick);
    // `advance` pauses at the end.
    else this.onPlayback.emit();
  };
}

/** The value of a column in a run at a time; null where the run has no such column or no row yet. */
export function valueOf(run: Run, column: string, t: number): number | null {
  if (run.rows === 0 || !run.header.columns.some((c) => c.name === column)) return null;
  return run.valueAt(column, t);
}
