import type uPlot from "uplot";
import { el } from "./dom";
import type { Session } from "./session";

/** What the pointer does in a plot: drag scrubs, Shift and drag zooms to a part, Ctrl and wheel zooms, a double click shows all. */
export class PlotPointer {
  readonly #plot: uPlot;
  readonly #session: Session;
  readonly #area = el("div", { class: "zoom-area" });
  #from: number | null = null;

  constructor(plot: uPlot, session: Session) {
    this.#plot = plot;
    this.#session = session;
    const { over } = plot;
    this.#area.hidden = true;
    over.append(this.#area);
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      if (event.shiftKey) this.#from = this.#place(event);
      else session.seek(this.#timeAt(event));
    });
    over.addEventListener("pointermove", (event) => {
      if (!over.hasPointerCapture(event.pointerId)) return;
      if (this.#from === null) session.seek(this.#timeAt(event));
      else this.#drawArea(this.#from, this.#place(event));
    });
    over.addEventListener("pointerup", (event) => {
      if (this.#from !== null) this.#zoomTo(this.#from, this.#place(event));
    });
    over.addEventListener("lostpointercapture", () => {
      this.#from = null;
      this.#area.hidden = true;
    });
    over.addEventListener("dblclick", () => {
      session.changeWindow((w) => {
        w.reset();
      });
    });
    over.addEventListener(
      "wheel",
      (event) => {
        // Without Ctrl the wheel scrolls the panel; a pinch on a touchpad comes with it.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const about = this.#timeAt(event);
        session.changeWindow((w) => {
          w.zoom(Math.exp(Math.min(Math.max(event.deltaY, -100), 100) * 0.004), about);
        });
      },
      { passive: false },
    );
  }

  #place(event: MouseEvent): number {
    const box = this.#plot.over.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - box.left, 0), box.width);
  }

  #timeAt(event: MouseEvent): number {
    return this.#plot.posToVal(this.#place(event), "x");
  }

  #drawArea(a: number, b: number): void {
    this.#area.hidden = false;
    this.#area.style.left = `${Math.min(a, b)}px`;
    this.#area.style.width = `${Math.abs(b - a)}px`;
  }

  #zoomTo(a: number, b: number): void {
    if (Math.abs(b - a) < 4) return;
    const [from, to] = [this.#plot.posToVal(a, "x"), this.#plot.posToVal(b, "x")];
    this.#session.changeWindow((w) => {
      w.show(from, to);
    });
  }
}
