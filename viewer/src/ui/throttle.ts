import { later } from "./pending";

/** Calls `work` at most every `ms`, the last time not before things are quiet: what is shown in the end is the end. */
export function throttle(work: () => void, ms: number): () => void {
  let last = -Infinity;
  let waiting = false;
  return () => {
    const now = performance.now();
    if (now - last >= ms) {
      last = now;
      work();
    } else if (!waiting) {
      waiting = true;
      later(
        () => {
          waiting = false;
          last = performance.now();
          work();
        },
        ms - (now - last),
      );
    }
  };
}
