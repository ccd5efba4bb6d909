import uPlot from "uplot";
import { button, el, setPressed, setText } from "./dom";
import { decadeRange, paddedRange, type PlotSpec } from "./curves";
import { formatNumber, formatPowers, formatSteady, formatTicks, prettyUnit } from "./format";
import { icon } from "./icons";
import { curveColor, curveDash, runColor } from "./palette";
import { align, curvesOf, liftZeros, type RunCurves } from "./plot_data";
import { PlotPointer } from "./plot_pointer";
import { valueOf, type Session } from "./session";

/** Runs whose values fit beside each other. */
const VALUES_SHOWN = 3;

const LOGARITHMIC: uPlot.Scale = {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- its enum is in uPlot's types only, not in its code
  distr: 3,
  log: 10,
  range: (_, min, max) => decadeRange(min, max),
};

/** One plot: curves of all visible runs, their values now, and a line where time is. */
export class PlotCard {
  readonly root: HTMLElement;
  readonly spec: PlotSpec;
  readonly #session: Session;
  readonly #chart: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #chartBox: HTMLElement;
  readonly #line = el("div", { class: "now-line" });
  readonly #hidden = new Set<string>();
  #values: { cell: HTMLElement; run: number; column: string }[] = [];
  #plot: uPlot | null = null;
  #width = 0;
  #height = 0;
  #open = true;

  constructor(session: Session, spec: PlotSpec, onFold: () => void) {
    this.#session = session;
    this.spec = spec;
    this.#chart = el("div", {
      class: "chart",
      attrs: { role: "img", "aria-label": `${spec.title} over time` },
    });
    this.#legend = el("div", { class: "plot-legend" });
    this.#empty = el("p", { class: "hint plot-empty" });
    this.#chartBox = el("div", { class: "chart-box" }, [this.#chart, this.#empty]);
    this.root = el("section", { class: "card", attrs: { "data-plot": spec.id, "aria-label": spec.title } }, [
      this.#header(onFold),
      this.#legend,
      this.#chartBox,
    ]);
  }

  /** The curves as they are drawn, for scripts. */
  get drawn(): { id: string; labels: string[]; data: uPlot.AlignedData } {
    const labels = this.#plot?.series.slice(1).map((s) => (typeof s.label === "string" ? s.label : "")) ?? [];
    return { id: this.spec.id, labels, data: this.#plot?.data ?? [[]] };
  }

  get open(): boolean {
    return this.#open;
  }

  /** [px], of all but the chart. */
  get frameHeight(): number {
    return this.root.offsetHeight - (this.#open ? this.#chartBox.offsetHeight : 0);
  }

  resize(width: number, height: number): void {
    if (width <= 0 || (width === this.#width && height === this.#height)) return;
    this.#width = width;
    this.#height = height;
    this.#chartBox.style.height = `${height}px`;
    this.rebuild();
  }

  /** After a change of runs, theme, or of which curves are shown. */
  rebuild(): void {
    this.#plot?.destroy();
    this.#plot = null;
    this.#buildLegend();
    if (!this.#open || this.#width === 0) return;
    this.#plot = new uPlot(this.#options(), this.#data(), this.#chart);
    this.#plot.over.append(this.#line);
    new PlotPointer(this.#plot, this.#session);
    this.showValues();
  }

  /** After rows came, or another part of time is shown. */
  refresh(): void {
    this.#plot?.setData(this.#data());
  }

  moveLine(): void {
    const plot = this.#plot;
    if (plot === null) return;
    const x = plot.valToPos(this.#session.time, "x");
    const seen = x >= -1 && x <= plot.bbox.width / uPlot.pxRatio + 1;
    this.#line.style.visibility = seen ? "visible" : "hidden";
    if (seen) this.#line.style.transform = `translateX(${x}px)`;
  }

  showValues(): void {
    for (const { cell, run, column } of this.#values) {
      setText(cell, this.#valueNow(run, column));
    }
  }

  dispose(): void {
    this.#plot?.destroy();
    this.root.remove();
  }

  #valueNow(index: number, column: string): string {
    const run = this.#session.runs[index];
    const value = run === undefined ? null : valueOf(run, column, this.#session.time);
    if (run === undefined || value === null) return "–";
    // A drift is small beside any fixed number of decimals.
    if (this.spec.fromStart) return formatNumber(value - (run.column(column)[0] ?? 0), 3);
    return formatSteady(value, 4);
  }

  #header(onFold: () => void): HTMLElement {
    const unit = prettyUnit(this.spec.unit);
    const fold = el("button", { class: "card-title", attrs: { type: "button", "aria-expanded": "true" } }, [
      icon("chevron"),
      el("span", { text: this.spec.title }),
      el("span", { class: "unit", text: unit }),
    ]);
    fold.addEventListener("mousedown", (event) => {
      event.preventDefault();
    });
    fold.addEventListener("click", () => {
      this.#open = !this.#open;
      fold.setAttribute("aria-expanded", String(this.#open));
      this.root.classList.toggle("folded", !this.#open);
      this.rebuild();
      onFold();
    });
    const close = button({
      icon: "close",
      label: "Take this plot away",
      class: "small",
      onClick: () => {
        for (const { column } of this.spec.curves) this.#session.setChosen(column, false);
      },
    });
    return el("header", { class: "card-header" }, [fold, this.spec.chosen ? close : null]);
  }

  #shownRuns(): number[] {
    return this.#session.runs.map((_, i) => i).filter((i) => this.#session.runVisible(i));
  }

  /** One run: names in a row, by colour. Several: a line for every curve, a column for every run. */
  #buildLegend(): void {
    this.#values = [];
    const several = this.#session.runs.length > 1;
    const shown = this.#shownRuns();
    // More do not fit beside each other; the run chosen for values stands for all.
    const runs = shown.length > VALUES_SHOWN ? [this.#session.primaryIndex] : shown;
    this.#legend.classList.toggle("table", several);
    this.#legend.style.setProperty("--runs", String(runs.length));
    const cells: HTMLElement[] = [];
    this.spec.curves.forEach((curve, c) => {
      const name = this.#curveButton(curve.column, curve.label, c, several);
      const values = runs.map((run) => {
        const cell = el("span", { class: "value" });
        if (several) cell.style.setProperty("--run", runColor(this.#session, run));
        this.#values.push({ cell, run, column: curve.column });
        return cell;
      });
      if (several) cells.push(name, ...values);
      else cells.push(el("span", { class: "plot-legend-item" }, [name, ...values]));
    });
    this.#legend.replaceChildren(...cells);
    this.showValues();
  }

  #curveButton(column: string, label: string, c: number, several: boolean): HTMLButtonElement {
    const name = button({
      label: "",
      text: label,
      class: "curve",
      tip: "none",
      onClick: () => {
        if (this.#hidden.has(column)) this.#hidden.delete(column);
        else this.#hidden.add(column);
        this.rebuild();
      },
    });
    name.prepend(sample(several ? "currentColor" : curveColor(c), several ? curveDash(c) : []));
    setPressed(name, !this.#hidden.has(column));
    return name;
  }

  #data(): uPlot.AlignedData {
    const runs = this.#shownRuns().flatMap((i) => this.#session.runs[i] ?? []);
    const { range } = this.#session.window;
    const tables: RunCurves[] = runs.map((run) =>
      curvesOf(run, this.spec, range, Math.max(100, this.#width)),
    );
    const nothing = tables.every((t) => t.times.length === 0);
    const zero = !nothing && this.spec.logarithmic && liftZeros(tables);
    setText(this.#empty, nothing ? "No rows yet" : zero ? "Exactly zero throughout" : "");
    this.#empty.hidden = !nothing && !zero;
    return align(tables);
  }

  #options(): uPlot.Options {
    const style = getComputedStyle(this.#chart);
    // As large as small text elsewhere: the root's size grows on large screens.
    const size = 0.6875 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${size}px ${style.fontFamily}`;
    const faint = style.getPropertyValue("--grid").trim();
    const text = style.getPropertyValue("--text-2").trim();
    const grid = { stroke: faint, width: 1 };
    const several = this.#session.runs.length > 1;
    const series: uPlot.Series[] = this.#shownRuns().flatMap((run) =>
      this.spec.curves.map((curve, c): uPlot.Series => {
        const label = this.#session.runs[run]?.header.label ?? "";
        return {
          label: several ? `${label}: ${curve.label}` : curve.label,
          stroke: several ? runColor(this.#session, run) : curveColor(c),
          dash: several ? curveDash(c) : [],
          width: 1.5,
          // Rounded to whole pixels, slow curves would have steps.
          pxAlign: 0,
          show: !this.#hidden.has(curve.column),
          points: { show: false },
        };
      }),
    );
    const log = this.spec.logarithmic;
    const yAxis: uPlot.Axis = {
      stroke: text,
      font,
      grid,
      ticks: { show: false },
      gap: 6,
      space: 2.1 * size,
      size: (_, labels) => axisWidth(labels, size),
      values: log ? (_, v) => formatPowers(v) : (_, v, __, ___, step) => formatTicks(v, step),
    };
    if (log) {
      yAxis.splits = (_, __, min, max) => decades(min, max);
      yAxis.filter = (_, splits) => splits;
    }
    return {
      width: this.#width,
      height: this.#height,
      padding: [8, 1.3 * size, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      // Only when it has been drawn does uPlot know where times are.
      hooks: {
        draw: [
          () => {
            this.moveLine();
          },
        ],
      },
      scales: {
        x: { time: false, range: () => this.#session.window.range },
        y: log ? LOGARITHMIC : { range: (_, min, max) => paddedRange(min, max) },
      },
      axes: [
        {
          stroke: text,
          font,
          grid,
          ticks: { show: false },
          gap: 4,
          size: 2 * size,
          space: 5.5 * size,
          values: (_, v, __, ___, step) => formatTicks(v, step),
        },
        yAxis,
      ],
      series: [{}, ...series],
    };
  }
}

/** About as wide as the longest label, so that plots below each other differ little. */
function axisWidth(labels: readonly string[] | null, size: number): number {
  const longest = Math.max(4, ...(labels ?? []).map((l) => l.length));
  return Math.max(5 * size, longest * 0.55 * size + 12);
}

/** At most five decades named. */
function decades(min: number, max: number): number[] {
  const low = Math.round(Math.log10(min));
  const high = Math.round(Math.log10(max));
  const every = Math.max(1, Math.ceil((high - low) / 4));
  const named: number[] = [];
  for (let e = low; e <= high; e += every) named.push(10 ** e);
  return named;
}

/** A piece of the curve's line beside its name. */
function sample(color: string, dash: readonly number[]): SVGSVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("class", "sample");
  svg.setAttribute("viewBox", "0 0 20 8");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(ns, "path");
  line.setAttribute("d", "M0 4h20");
  line.setAttribute("stroke", color);
  line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}
