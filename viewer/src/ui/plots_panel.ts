import { ColumnPicker } from "./column_picker";
import { chosenPlots, standardPlots, type PlotSpec } from "./curves";
import { button, el, isHidden } from "./dom";
import { PlotCard } from "./plot_card";
import { Popover } from "./popover";
import type { Session } from "./session";
import { throttle } from "./throttle";

/** Texts that change faster cannot be read [ms]. */
const VALUES_EVERY = 80;
/** While the wheel turns [ms]. */
const ZOOM_EVERY = 30;
/** Charts share the height of the panel, as far as they stay readable and calm [px]. */
const LOWEST = 120;
const HIGHEST = 300;
/** While a run streams in, curves grow this often [ms]. */
const CURVES_EVERY = 250;

/** All plots, one below the other, over the same part of time. */
export class PlotsPanel {
  readonly root: HTMLElement;
  readonly #session: Session;
  readonly #list: HTMLElement;
  readonly #standard: PlotCard[];
  #chosen: PlotCard[] = [];

  constructor(session: Session, onClose: () => void) {
    this.#session = session;
    const keepsEnergy = session.runs.every((run) => run.header.keepsEnergy);
    this.#standard = standardPlots(session.columns, keepsEnergy).map((spec) => this.#card(spec));
    this.#list = el("div", { class: "plot-list" });
    this.root = el(
      "aside",
      { class: "panel plots-panel", attrs: { "aria-label": "Plots", id: "plots-panel" } },
      [this.#header(onClose), this.#list],
    );
    this.#list.append(...this.#standard.map((c) => c.root));
    new ResizeObserver(() => {
      this.#resize();
    }).observe(this.#list);
    session.onTime.on(() => {
      if (!this.#visible) return;
      for (const card of this.#cards) card.moveLine();
    });
    session.onTime.on(
      throttle(() => {
        if (!this.#visible) return;
        for (const card of this.#cards) card.showValues();
      }, VALUES_EVERY),
    );
    const refresh = (): void => {
      for (const card of this.#cards) card.refresh();
    };
    session.onData.on(throttle(refresh, CURVES_EVERY));
    session.onWindow.on(throttle(refresh, ZOOM_EVERY));
    session.onRuns.on(() => {
      this.rebuild();
    });
    session.onChosen.on(() => {
      this.#showChosen();
    });
  }

  get #visible(): boolean {
    return !isHidden(this.root);
  }

  get #cards(): PlotCard[] {
    return [...this.#chosen, ...this.#standard];
  }

  get drawn(): PlotCard["drawn"][] {
    return this.#cards.map((c) => c.drawn);
  }

  /** Colours are read when curves are made. */
  rebuild(): void {
    for (const card of this.#cards) card.rebuild();
  }

  #card(spec: PlotSpec): PlotCard {
    return new PlotCard(this.#session, spec, () => {
      this.#resize();
    });
  }

  #resize(): void {
    const open = this.#cards.filter((c) => c.open);
    const frames = this.#cards.reduce((sum, c) => sum + c.frameHeight, 0);
    const share = (this.#list.clientHeight - frames - 16) / Math.max(1, open.length);
    const height = Math.floor(Math.min(Math.max(share, LOWEST), HIGHEST));
    const box = this.#list.querySelector<HTMLElement>(".card:not(.folded) .chart-box");
    for (const c of open) c.resize(Math.floor(box?.clientWidth ?? 0), height);
  }

  #showChosen(): void {
    for (const card of this.#chosen) card.dispose();
    this.#chosen = chosenPlots(this.#session.chosen, this.#session.columns).map((spec) => this.#card(spec));
    this.#list.prepend(...this.#chosen.map((c) => c.root));
    this.#resize();
  }

  #header(onClose: () => void): HTMLElement {
    const { window } = this.#session;
    const zoom = (factor: number) => () => {
      this.#session.changeWindow((w) => {
        w.zoom(factor, this.#session.time);
      });
    };
    const out = button({ icon: "zoom-out", label: "Zoom out in time", action: "zoom-out", onClick: zoom(2) });
    const into = button({
      icon: "zoom-in",
      label: "Zoom in at the time shown",
      action: "zoom-in",
      onClick: zoom(0.5),
    });
    const reset = button({
      icon: "reset",
      label: "Show the whole run",
      action: "zoom-reset",
      onClick: () => {
        this.#session.changeWindow((w) => {
          w.reset();
        });
      },
    });
    const show = (): void => {
      reset.disabled = !window.zoomed;
      out.disabled = !window.zoomed;
    };
    this.#session.onWindow.on(show);
    show();
    const add = button({
      icon: "plus",
      label: "",
      text: "Add",
      class: "outlined",
      tip: "none",
      onClick: () => undefined,
    });
    add.setAttribute("aria-label", "Add coordinates, speeds or other columns to the plots");
    add.id = "add-plot";
    new Popover(add, new ColumnPicker(this.#session).root, "Columns to plot");
    const close = button({ icon: "close", label: "Close plots", action: "plots-panel", onClick: onClose });
    close.classList.add("sheet-only");
    return el("header", { class: "panel-header" }, [
      el("h2", { text: "Plots" }),
      el("div", { class: "grow" }),
      add,
      out,
      into,
      reset,
      close,
    ]);
  }
}
