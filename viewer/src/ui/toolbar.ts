import { button, el, relabel, setPressed, setText } from "./dom";
import { formatElapsed, formatPercent } from "./format";
import { icon, type IconName } from "./icons";
import type { Action } from "./keys";
import { Popover } from "./popover";
import type { Recorder } from "./recorder";
import { LAYER_NAMES, LAYERS } from "./scene_view";
import type { Session } from "./session";
import type { ThemeSwitch } from "./theme";

export interface ToolbarParts {
  session: Session;
  theme: ThemeSwitch;
  recorder: Recorder;
  /** Does what a key would do. */
  act: (action: Action) => void;
}

/** The bar at the top: whose run this is, how far it is, and what can be done with the scene. */
export class Toolbar {
  readonly root: HTMLElement;
  readonly #parts: ToolbarParts;
  readonly #model: HTMLButtonElement;
  readonly #plots: HTMLButtonElement;
  readonly #layers: Popover;

  constructor(parts: ToolbarParts) {
    this.#parts = parts;
    this.#model = this.#action("tree", "Model panel", "model-panel");
    this.#plots = this.#action("plots", "Plots", "plots-panel");
    const layers = button({ icon: "layers", label: "Layers", action: "layers", onClick: () => undefined });
    this.#layers = new Popover(layers, this.#layerList(), "Layers");
    const views = button({ icon: "view", label: "Views", onClick: () => undefined });
    const viewList = this.#menu([
      ["fit", "Fit everything", "fit"],
      ["view", "Front", "view-front"],
      ["view", "Side", "view-side"],
      ["view", "Top", "view-top"],
      ["view", "Corner", "view-corner"],
    ]);
    const viewMenu = new Popover(views, viewList, "Views");
    closeOnChoice(viewList, viewMenu);
    const more = button({ icon: "more", label: "More", class: "narrow-only", onClick: () => undefined });
    const moreList = this.#menu([
      ["camera", "Take a picture", "picture"],
      ["record", "Record a video", "record"],
      ["sun", "Light, dark or system", "theme"],
      ["info", "What was run", "info"],
      ["help", "Keys", "help"],
    ]);
    const moreMenu = new Popover(more, moreList, "More");
    closeOnChoice(moreList, moreMenu);
    for (const needsScene of [layers, views]) {
      const show = (): void => {
        needsScene.disabled = parts.session.view === null;
      };
      parts.session.onLayers.on(show);
      show();
    }
    const wide = [
      this.#action("camera", "Take a picture", "picture"),
      this.#recordButton(),
      this.#themeButton(),
      this.#action("info", "What was run", "info"),
      this.#action("help", "Keys", "help"),
    ];
    for (const node of wide) node.classList.add("wide-only");
    this.root = el("header", { class: "toolbar", attrs: { "aria-label": "Tools" } }, [
      this.#model,
      this.#title(),
      this.#status(),
      el("div", { class: "grow" }),
      this.#recordingBadge(),
      views,
      layers,
      ...wide,
      more,
      this.#plots,
    ]);
  }

  toggleLayers(): void {
    this.#layers.toggle();
  }

  showPanels(model: boolean, plots: boolean): void {
    setPressed(this.#model, model);
    setPressed(this.#plots, plots);
  }

  #action(name: IconName, label: string, action: Action): HTMLButtonElement {
    return button({
      icon: name,
      label,
      action,
      onClick: () => {
        this.#parts.act(action);
      },
    });
  }

  #menu(entries: readonly [IconName, string, Action][]): HTMLElement {
    return el(
      "div",
      { class: "menu" },
      entries.map(([name, text, action]) => {
        const item = button({
          icon: name,
          label: text,
          text,
          action,
          tip: "none",
          onClick: () => {
            this.#parts.act(action);
          },
        });
        item.append(el("kbd", { text: item.getAttribute("aria-keyshortcuts") ?? "" }));
        return item;
      }),
    );
  }

  #title(): HTMLElement {
    const { header } = this.#parts.session.first;
    const name = header.scene.name === "" ? header.model : header.scene.name;
    return el("h1", { class: "model-name", text: name, attrs: { title: header.model } });
  }

  /** Progress while runs go on; a word when one has failed; nothing when all is well. */
  #status(): HTMLElement {
    const { session } = this.#parts;
    const text = el("span");
    const status = el("button", { class: "status", attrs: { type: "button", id: "status" } }, [text]);
    status.addEventListener("mousedown", (event) => {
      event.preventDefault();
    });
    status.addEventListener("click", () => {
      this.#parts.act("info");
    });
    const show = (): void => {
      const running = session.runs.filter((r) => r.state === "running");
      const failed = session.runs.filter((r) => r.state === "failed").length;
      const ended =
        failed === 0
          ? "Finished"
          : session.runs.length > 1
            ? `${failed} of ${session.runs.length} failed`
            : "Failed";
      const done =
        session.runs.reduce((sum, r) => sum + (r.state === "running" ? r.done : 1), 0) / session.runs.length;
      status.hidden = running.length === 0 && failed === 0;
      status.classList.toggle("failed", running.length === 0 && failed > 0);
      status.style.setProperty("--done", String(done));
      setText(text, running.length > 0 ? `Running ${formatPercent(done)}` : ended);
    };
    session.onData.on(show);
    show();
    return status;
  }

  #layerList(): HTMLElement {
    const { session } = this.#parts;
    const boxes = LAYERS.map((layer) => {
      const box = el("input", { attrs: { type: "checkbox", "data-layer": layer } });
      box.addEventListener("change", () => {
        session.setLayer(layer, box.checked);
      });
      return { layer, box };
    });
    const show = (): void => {
      for (const { layer, box } of boxes) box.checked = session.view?.layers().get(layer) ?? false;
    };
    session.onLayers.on(show);
    show();
    return el(
      "div",
      { class: "layer-list" },
      boxes.map(({ layer, box }) =>
        el("label", { class: "check" }, [box, el("span", { class: "name", text: LAYER_NAMES[layer] })]),
      ),
    );
  }

  #recordButton(): HTMLButtonElement {
    const { recorder } = this.#parts;
    const node = this.#action("record", "Record a video", "record");
    recorder.onChange.on(() => {
      if (recorder.recording) relabel(node, "stop", "Stop recording", "record");
      else relabel(node, "record", "Record a video", "record");
      node.classList.toggle("recording", recorder.recording);
    });
    return node;
  }

  #recordingBadge(): HTMLElement {
    const { recorder } = this.#parts;
    const time = el("span");
    const badge = el(
      "button",
      { class: "recording-badge", attrs: { type: "button", "aria-label": "Stop recording" } },
      [el("span", { class: "dot" }), time],
    );
    badge.hidden = true;
    badge.addEventListener("click", () => {
      recorder.stop();
    });
    recorder.onChange.on(() => {
      badge.hidden = !recorder.recording;
      setText(time, formatElapsed(recorder.elapsed));
    });
    return badge;
  }

  #themeButton(): HTMLButtonElement {
    const { theme } = this.#parts;
    const node = this.#action("system", "Theme", "theme");
    const show = (): void => {
      if (theme.theme === "system") relabel(node, "system", "Light or dark as the system", "theme");
      else relabel(node, theme.dark ? "moon" : "sun", theme.dark ? "Dark" : "Light", "theme");
    };
    theme.onChange.on(show);
    show();
    return node;
  }
}

function closeOnChoice(list: HTMLElement, menu: Popover): void {
  list.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("button")) menu.close();
  });
}

/** While the first run is awaited. */
export function waitingPage(): HTMLElement {
  return el("main", { class: "failure", attrs: { role: "status" } }, [
    icon("system"),
    el("p", { text: "Waiting for the run …" }),
  ]);
}
