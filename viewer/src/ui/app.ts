import type { Run } from "../data/run";
import { download, el } from "./dom";
import { fileName } from "./format";
import { Help } from "./help";
import { actionOf, type Action } from "./keys";
import { ModelPanel } from "./model_panel";
import { inWords, Notices } from "./notices";
import { PlotsPanel } from "./plots_panel";
import { Recorder } from "./recorder";
import { RunsLegend } from "./runs_legend";
import { ForcesLegend } from "./forces_legend";
import type { SceneView } from "./scene_view";
import { SelectionPill } from "./selection_pill";
import type { Session } from "./session";
import type { SettingsStore } from "./settings";
import type { ThemeSwitch } from "./theme";
import { Timeline } from "./timeline";
import { Toolbar } from "./toolbar";

/** Below this width there is room for one panel only [px]. */
const ROOM_FOR_TWO = 1000;
/** Below this one, panels are sheets; the same as in style.css [px]. */
const SHEETS = 760;

/** While a scene at rest is recorded [ms]. */
const REDRAW_EVERY = 100;

/** The whole page: it puts the parts in their places and does what keys ask for. */
export class App {
  readonly plots: PlotsPanel;
  readonly #session: Session;
  readonly #settings: SettingsStore;
  readonly #theme: ThemeSwitch;
  readonly #root: HTMLElement;
  readonly #notices = new Notices();
  readonly #recorder = new Recorder();
  readonly #help = new Help();
  readonly #toolbar: Toolbar;
  readonly #model: ModelPanel;
  readonly #pill: SelectionPill;
  readonly #told = new Map<Run, string>();

  constructor(root: HTMLElement, session: Session, settings: SettingsStore, theme: ThemeSwitch) {
    this.#root = root;
    this.#session = session;
    this.#settings = settings;
    this.#theme = theme;
    this.#toolbar = new Toolbar({
      session,
      theme,
      recorder: this.#recorder,
      act: (action) => {
        this.act(action);
      },
    });
    this.#model = new ModelPanel(session, () => {
      this.#showPanels(false, this.#plotsOpen);
    });
    this.plots = new PlotsPanel(session, () => {
      this.#showPanels(this.#modelOpen, false);
    });
    this.#pill = new SelectionPill(session, () => {
      this.#model.show("model");
      this.#showPanels(true, this.#plotsOpen, "model");
    });
    const timeline = new Timeline(session, (loop) => {
      this.#setLoop(loop);
    });
    const sceneBox = el("div", { class: "scene", attrs: { id: "scene" } });
    const center = el("main", { class: "center" }, [
      sceneBox,
      new RunsLegend(session).root,
      new ForcesLegend(session).root,
      this.#notices.root,
      this.#pill.root,
    ]);
    root.className = "app";
    root.replaceChildren(this.#toolbar.root, this.#model.root, center, this.plots.root, timeline.root);
    document.body.append(this.#help.root);
    const { modelPanel, plotsPanel, loop } = settings.values;
    const wide = window.innerWidth >= ROOM_FOR_TWO;
    const sheets = window.innerWidth < SHEETS;
    this.#showPanels(modelPanel && wide, plotsPanel && !sheets, "plots", false);
    session.setLoop(loop);
    theme.onChange.on(() => {
      session.view?.setDark(theme.dark);
      this.plots.rebuild();
    });
    session.onData.on(() => {
      this.#tellMessages();
    });
    this.#tellMessages();
    document.addEventListener("keydown", (event) => {
      this.#key(event);
    });
    window.addEventListener("resize", () => {
      if (window.innerWidth < ROOM_FOR_TWO && this.#modelOpen && this.#plotsOpen) {
        this.#showPanels(true, false, "model", false);
      }
    });
  }

  /** Makes the 3D scene in its place; without one, says why in words. */
  stage(make: (parent: HTMLElement) => SceneView): void {
    const box = this.#root.querySelector<HTMLElement>("#scene");
    if (box === null) return;
    try {
      const view = make(box);
      view.canvas.setAttribute("role", "img");
      view.canvas.setAttribute("aria-label", "The mechanism in three dimensions");
      view.setDark(this.#theme.dark);
      this.#session.attach(view);
    } catch (problem) {
      box.replaceChildren(
        el("div", { class: "no-scene", attrs: { role: "alert" } }, [
          el("h2", { text: "The scene cannot be drawn" }),
          el("p", { text: inWords(problem) }),
          el("p", {
            class: "muted",
            text: "Plots, values and the tree work without it.",
          }),
        ]),
      );
    }
    this.#session.onLayers.emit();
  }

  act(action: Action): void {
    const session = this.#session;
    const { view } = session;
    switch (action) {
      case "toggle-play":
        session.togglePlay();
        break;
      case "step-forward":
        session.step(1);
        break;
      case "step-back":
        session.step(-1);
        break;
      case "leap-forward":
        session.leap(0.05);
        break;
      case "leap-back":
        session.leap(-0.05);
        break;
      case "to-start":
        session.seek(session.clock.start);
        break;
      case "to-end":
        session.seek(session.clock.end);
        break;
      case "faster":
        session.changeSpeed(true);
        break;
      case "slower":
        session.changeSpeed(false);
        break;
      case "real-time":
        session.setSpeed(1);
        break;
      case "toggle-loop":
        this.#setLoop(!session.clock.loop);
        break;
      case "fit":
        view?.fit();
        break;
      case "view-front":
        view?.look("front");
        break;
      case "view-side":
        view?.look("side");
        break;
      case "view-top":
        view?.look("top");
        break;
      case "view-corner":
        view?.look("corner");
        break;
      case "follow":
        this.#follow();
        break;
      case "layers":
        if (view !== null) this.#toolbar.toggleLayers();
        break;
      case "theme":
        this.#theme.next();
        this.#notices.say(
          this.#theme.theme === "system"
            ? "Light or dark as the system"
            : this.#theme.dark
              ? "Dark"
              : "Light",
        );
        break;
      case "picture":
        void this.#picture();
        break;
      case "record":
        this.#record();
        break;
      case "model-panel":
        this.#showPanels(!this.#modelOpen, this.#plotsOpen, "model");
        break;
      case "plots-panel":
        this.#showPanels(this.#modelOpen, !this.#plotsOpen, "plots");
        break;
      case "info":
        this.#showInfo();
        break;
      case "search":
        this.#model.show("model");
        this.#showPanels(true, this.#plotsOpen, "model");
        this.#model.tree.search.focus();
        break;
      case "zoom-in":
      case "zoom-out":
        session.changeWindow((w) => {
          w.zoom(action === "zoom-in" ? 0.5 : 2, session.time);
        });
        break;
      case "zoom-reset":
        session.changeWindow((w) => {
          w.reset();
        });
        break;
      case "help":
        this.#help.toggle();
        break;
      case "escape":
        session.select(null);
        break;
    }
  }

  get #modelOpen(): boolean {
    return !this.#model.root.hidden;
  }

  get #plotsOpen(): boolean {
    return !this.plots.root.hidden;
  }

  /** Where there is room for one only, `wanted` is the one that stays. */
  #showPanels(model: boolean, plots: boolean, wanted: "model" | "plots" = "model", remember = true): void {
    const narrow = window.innerWidth < ROOM_FOR_TWO;
    const both = model && plots && narrow;
    this.#model.root.hidden = !model || (both && wanted === "plots");
    this.plots.root.hidden = !plots || (both && wanted === "model");
    this.#toolbar.showPanels(this.#modelOpen, this.#plotsOpen);
    this.#pill.setCovered(this.#modelOpen);
    // What was put away did not follow the time.
    this.#session.onTime.emit();
    // What a small window made room for is not a wish for large ones.
    if (remember && !narrow) this.#settings.set({ modelPanel: model, plotsPanel: plots });
  }

  #showInfo(): void {
    const shown = this.#modelOpen && this.#model.tab === "run";
    this.#model.show(shown ? "model" : "run");
    this.#showPanels(true, this.#plotsOpen, "model");
  }

  #setLoop(loop: boolean): void {
    this.#session.setLoop(loop);
    this.#settings.set({ loop });
  }

  #follow(): void {
    const body = this.#session.selectedBody;
    if (this.#session.followed !== null && (body === null || body === this.#session.followed)) {
      this.#session.follow(null);
    } else if (body === null || body === 0) {
      this.#notices.say("Select a body first; then C follows it.");
    } else {
      this.#session.follow(body);
    }
  }

  /** What the engine says about its runs, each message once; failures stay. */
  #tellMessages(): void {
    for (const run of this.#session.runs) {
      const failed = run.state === "failed";
      const text = failed && run.message === "" ? "The run failed and did not say why." : run.message;
      if (text === "" || this.#told.get(run) === text) continue;
      this.#told.set(run, text);
      const said = this.#session.runs.length > 1 ? `${run.header.label}: ${text}` : text;
      if (failed) this.#notices.warn(said);
      else this.#notices.say(said);
    }
  }

  #file(extension: string): string {
    const { first, time, timeDecimals } = this.#session;
    const name = first.header.scene.name === "" ? first.header.model : first.header.scene.name;
    return fileName(name, time, timeDecimals, extension);
  }

  async #picture(): Promise<void> {
    const { view } = this.#session;
    if (view === null) {
      this.#notices.say("There is no scene to take a picture of.");
      return;
    }
    const name = this.#file("png");
    try {
      download(await view.picture(), name);
      this.#notices.say(`Picture: ${name}`);
    } catch (problem) {
      this.#notices.warn(`The picture could not be taken: ${inWords(problem)}`);
    }
  }

  #record(): void {
    if (this.#recorder.recording) {
      this.#recorder.stop();
      return;
    }
    const { view } = this.#session;
    if (view === null) {
      this.#notices.say("There is no scene to record.");
      return;
    }
    const name = this.#file("webm");
    try {
      this.#recorder.start(
        view.canvas,
        (video) => {
          download(video, name);
          this.#notices.say(`Video: ${name}`);
        },
        (why) => {
          this.#notices.warn(why);
        },
      );
      // A scene that rests is not drawn, and what is not drawn is not recorded.
      const redraw = setInterval(() => {
        if (this.#recorder.recording) view.show(this.#session.time);
        else clearInterval(redraw);
      }, REDRAW_EVERY);
    } catch (problem) {
      this.#notices.warn(inWords(problem));
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || this.#help.root.open) {
      if (event.key === "?" && this.#help.root.open) this.#help.root.close();
      return;
    }
    const action = actionOf(event);
    if (action === null) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target !== null && action !== "escape" && takesKey(target, event.key)) return;
    event.preventDefault();
    if (action === "escape" && this.#closeSomething(target)) return;
    this.act(action);
  }

  /** Escape closes what is open before it deselects. */
  #closeSomething(target: HTMLElement | null): boolean {
    const popover = document.querySelector<HTMLElement>(".popover:not([hidden])");
    if (popover !== null) {
      document.querySelector<HTMLElement>(`[aria-controls="${popover.id}"]`)?.click();
      return true;
    }
    if (target !== null && target !== document.body && target.matches("input, select")) {
      target.blur();
      return true;
    }
    return false;
  }
}

/** Keys that what has the focus needs for itself. */
function takesKey(target: HTMLElement, key: string): boolean {
  if (target.matches('input[type="checkbox"]')) return key === " ";
  if (target.matches("input, select, textarea")) return true;
  return key === " " && target.matches("button, summary, a");
}
