import { SPEEDS } from "./clock";
import { button, el, relabel, setPressed, setText } from "./dom";
import { formatSpeed, formatTime } from "./format";
import type { Session } from "./session";

/** The bar at the bottom: play, step, scrub, speed, loop, and the time. */
export class Timeline {
  readonly root: HTMLElement;
  readonly #session: Session;
  readonly #play: HTMLButtonElement;
  readonly #loop: HTMLButtonElement;
  readonly #speed: HTMLSelectElement;
  readonly #track: HTMLElement;
  readonly #received: HTMLElement;
  readonly #elapsed: HTMLElement;
  readonly #thumb: HTMLElement;
  readonly #now: HTMLElement;
  readonly #end: HTMLElement;

  constructor(session: Session, onLoop: (loop: boolean) => void) {
    this.#session = session;
    this.#play = button({
      icon: "play",
      label: "Play",
      action: "toggle-play",
      tip: "above",
      class: "primary",
      onClick: () => {
        session.togglePlay();
      },
    });
    const step = (rows: number): HTMLButtonElement =>
      button({
        icon: rows < 0 ? "step-back" : "step-forward",
        label: rows < 0 ? "One row back" : "One row forward",
        action: rows < 0 ? "step-back" : "step-forward",
        tip: "above",
        onClick: () => {
          session.step(rows);
        },
      });
    this.#loop = button({
      icon: "loop",
      label: "Loop",
      action: "toggle-loop",
      tip: "above",
      onClick: () => {
        onLoop(!session.clock.loop);
      },
    });
    this.#speed = this.#makeSpeeds();
    this.#received = el("div", { class: "received" });
    this.#elapsed = el("div", { class: "elapsed" });
    this.#thumb = el("div", { class: "thumb" });
    this.#track = el(
      "div",
      { class: "scrubber", attrs: { role: "slider", tabindex: "0", "aria-label": "Time", id: "scrubber" } },
      [el("div", { class: "rail" }, [this.#received, this.#elapsed]), this.#thumb],
    );
    this.#now = el("span", { class: "now" });
    this.#end = el("span", { class: "end" });
    this.root = el("footer", { class: "timeline", attrs: { "aria-label": "Playback" } }, [
      el("div", { class: "transport" }, [step(-1), this.#play, step(1)]),
      this.#track,
      el("div", { class: "time", attrs: { id: "time" } }, [this.#now, this.#end]),
      el("div", { class: "pace" }, [this.#speed, this.#loop]),
    ]);
    this.#listenToPointer();
    session.onTime.on(() => {
      this.#showTime();
    });
    session.onData.on(() => {
      this.#showTime();
    });
    session.onPlayback.on(() => {
      this.#showPlayback();
    });
    this.#showTime();
    this.#showPlayback();
  }

  #makeSpeeds(): HTMLSelectElement {
    const select = el(
      "select",
      { class: "speed", attrs: { "aria-label": "Speed", id: "speed" } },
      SPEEDS.map((s) => el("option", { text: formatSpeed(s), attrs: { value: String(s) } })),
    );
    select.addEventListener("change", () => {
      this.#session.setSpeed(Number(select.value));
      select.blur();
    });
    return select;
  }

  #listenToPointer(): void {
    let resume = false;
    const seek = (event: PointerEvent): void => {
      const rail = this.#track.getBoundingClientRect();
      const [from, to] = this.#session.span;
      this.#session.seek(from + ((event.clientX - rail.left) / rail.width) * (to - from));
    };
    this.#track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.#track.setPointerCapture(event.pointerId);
      // A time that runs away from the finger cannot be set.
      resume = this.#session.clock.playing;
      this.#session.pause();
      seek(event);
    });
    this.#track.addEventListener("pointermove", (event) => {
      if (this.#track.hasPointerCapture(event.pointerId)) seek(event);
    });
    this.#track.addEventListener("lostpointercapture", () => {
      if (resume) this.#session.play();
      resume = false;
    });
  }

  #showTime(): void {
    const { clock, span, timeDecimals, time } = this.#session;
    const [from, to] = span;
    const part = (t: number): number => (t - from) / (to - from);
    this.#received.style.transform = `scaleX(${part(clock.end)})`;
    this.#elapsed.style.transform = `scaleX(${part(time)})`;
    this.#thumb.style.left = `${part(time) * 100}%`;
    const now = formatTime(time, timeDecimals);
    setText(this.#now, now);
    setText(this.#end, ` / ${formatTime(to, to >= 100 ? 1 : 2)} s`);
    this.#track.setAttribute("aria-valuemin", String(from));
    this.#track.setAttribute("aria-valuemax", String(to));
    this.#track.setAttribute("aria-valuenow", String(time));
    this.#track.setAttribute("aria-valuetext", `${now} seconds`);
    this.root.classList.toggle("waiting", clock.waiting);
  }

  #showPlayback(): void {
    const { clock } = this.#session;
    if (clock.playing) relabel(this.#play, "pause", "Pause", "toggle-play");
    else relabel(this.#play, "play", "Play", "toggle-play");
    setPressed(this.#loop, clock.loop);
    this.#speed.value = String(clock.speed);
    this.root.classList.toggle("waiting", clock.waiting);
  }
}
