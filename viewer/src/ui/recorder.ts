import { Signal } from "./signal";

/** VP8 first: it leaves more time for drawing. */
const FORMATS = ["video/webm;codecs=vp8", "video/webm;codecs=vp9", "video/webm"];

/** Records what the canvas shows as a WebM video. */
export class Recorder {
  readonly onChange = new Signal();
  #recorder: MediaRecorder | null = null;
  #started = 0;
  #timer: number | null = null;

  get recording(): boolean {
    return this.#recorder !== null;
  }

  /** [s] */
  get elapsed(): number {
    return this.recording ? (performance.now() - this.#started) / 1000 : 0;
  }

  /** Calls `done` with the video when it is stopped. Throws with words for people where the browser cannot record. */
  start(canvas: HTMLCanvasElement, done: (video: Blob) => void, failed: (why: string) => void): void {
    if (this.#recorder !== null) return;
    if (typeof MediaRecorder === "undefined" || typeof canvas.captureStream !== "function") {
      throw new Error("This browser cannot record video. Chrome, Edge and Firefox can.");
    }
    const mimeType = FORMATS.find((f) => MediaRecorder.isTypeSupported(f));
    if (mimeType === undefined) {
      throw new Error("This browser cannot record WebM video. Chrome, Edge and Firefox can.");
    }
    const stream = canvas.captureStream(60);
    const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 12_000_000 });
    const pieces: Blob[] = [];
    recorder.addEventListener("dataavailable", (event) => {
      if (event.data.size > 0) pieces.push(event.data);
    });
    recorder.addEventListener("error", () => {
      failed("The browser stopped recording.");
    });
    recorder.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      this.#ended();
      if (pieces.length > 0) done(new Blob(pieces, { type: "video/webm" }));
      else failed("The browser recorded nothing.");
    });
    recorder.start(1000);
    this.#recorder = recorder;
    this.#started = performance.now();
    this.#timer = window.setInterval(() => {
      this.onChange.emit();
    }, 500);
    this.onChange.emit();
  }

  stop(): void {
    if (this.#recorder?.state === "recording") this.#recorder.stop();
  }

  #ended(): void {
    this.#recorder = null;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.onChange.emit();
  }
}
