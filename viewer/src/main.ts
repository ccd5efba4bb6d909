import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./style_layout.css";
import "./style_panels.css";
import type uPlot from "uplot";
import type { Run } from "./data/run";
import type { Pose } from "./data/scene";
import { openRuns } from "./data/source";
import { Stage } from "./scene/stage";
import { App } from "./ui/app";
import { failurePage, inWords } from "./ui/notices";
import { pendingWork } from "./ui/pending";
import type { Layer } from "./ui/scene_view";
import { Session } from "./ui/session";
import { browserStorage, SettingsStore } from "./ui/settings";
import { ThemeSwitch } from "./ui/theme";
import { waitingPage } from "./ui/toolbar";

/** The page for tests and scripts. */
export interface PolhodePage {
  /** When the scene is there; rejects with words for people where there is no run to show. */
  readonly ready: Promise<void>;
  readonly runs: readonly Run[];
  /** Nothing is put off: panels and plots show all that was received, and the scene is drawn as it is to be. */
  readonly settled: boolean;
  /** [s], of what is shown. */
  time: number;
  play(): void;
  pause(): void;
  readonly playing: boolean;
  /** A body or joint by its name. */
  select(name: string | null): void;
  readonly selection: string | null;
  /** Drawn in the scene: all but Ground. */
  bodies(): string[];
  /** As drawn now. */
  poseOf(name: string): Pose;
  /** [ms], of the last frames that were drawn. */
  frameTimes(): number[];
  layers(): ReadonlyMap<Layer, boolean>;
  setLayer(layer: Layer, visible: boolean): void;
  /** The curves as they are drawn: times, then one list for every label. */
  plots(): { id: string; labels: string[]; data: uPlot.AlignedData }[];
  /** Null until ready, and where the browser has no WebGL. */
  readonly stage: Stage | null;
}

declare global {
  interface Window {
    polhode: PolhodePage;
  }
}

/** Frames whose times are kept. */
const FRAMES_KEPT = 600;

class Page implements PolhodePage {
  readonly ready: Promise<void>;
  readonly #root: HTMLElement;
  #session: Session | null = null;
  #app: App | null = null;
  #stage: Stage | null = null;
  #frames: number[] = [];

  constructor(root: HTMLElement) {
    this.#root = root;
    this.ready = this.#open();
    // The page itself tells what went wrong.
    this.ready.catch(() => undefined);
  }

  get runs(): readonly Run[] {
    return this.#session?.runs ?? [];
  }

  get settled(): boolean {
    return this.#session !== null && pendingWork() === 0 && (this.#stage?.resting ?? true);
  }

  get time(): number {
    return this.#session?.time ?? 0;
  }

  set time(t: number) {
    this.#session?.seek(t);
  }

  play(): void {
    this.#session?.play();
  }

  pause(): void {
    this.#session?.pause();
  }

  get playing(): boolean {
    return this.#session?.clock.playing ?? false;
  }

  select(name: string | null): void {
    const part = name === null ? null : (this.#session?.tree.find(name) ?? null);
    if (name !== null && part === null) throw new Error(`There is no body or joint "${name}".`);
    this.#session?.select(part);
  }

  get selection(): string | null {
    const part = this.#session?.selection ?? null;
    return part === null ? null : (this.#session?.tree.nameOf(part) ?? null);
  }

  bodies(): string[] {
    return this.#session?.first.header.scene.bodies.slice(1).map((b) => b.name) ?? [];
  }

  poseOf(name: string): Pose {
    const body = this.#session?.first.header.scene.bodies.findIndex((b) => b.name === name) ?? -1;
    if (body < 0 || this.#stage === null) throw new Error(`There is no body "${name}" in the scene.`);
    return this.#stage.poseOf(body);
  }

  frameTimes(): number[] {
    return [...this.#frames];
  }

  layers(): ReadonlyMap<Layer, boolean> {
    return this.#stage?.layers() ?? new Map();
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.#session?.setLayer(layer, visible);
  }

  plots(): { id: string; labels: string[]; data: uPlot.AlignedData }[] {
    return this.#app?.plots.drawn ?? [];
  }

  get stage(): Stage | null {
    return this.#stage;
  }

  async #open(): Promise<void> {
    const settings = new SettingsStore(browserStorage());
    const theme = new ThemeSwitch(settings);
    this.#root.replaceChildren(waitingPage());
    try {
      const runs = await openRuns();
      this.#session = new Session(runs);
      this.#app = new App(this.#root, this.#session, settings, theme);
      this.#app.stage((parent) => {
        this.#stage = new Stage(parent, runs);
        return this.#stage;
      });
    } catch (problem) {
      const advice = "Start polhode view again, or open a page that polhode view --export wrote.";
      this.#root.className = "";
      this.#root.replaceChildren(failurePage("There is no run to show", inWords(problem), advice));
      throw problem;
    }
    document.title = `${this.#session.first.header.scene.name} – Polhode`;
    this.#stage?.onFrame((milliseconds) => {
      this.#frames.push(milliseconds);
      if (this.#frames.length > FRAMES_KEPT) this.#frames = this.#frames.slice(-FRAMES_KEPT / 2);
    });
  }
}

const root = document.getElementById("app");
if (root === null) throw new Error("The page has no place for the viewer.");
window.polhode = new Page(root);
