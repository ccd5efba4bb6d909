/** Work of the whole page that a timer has put off and that is still to be done. */
let count = 0;

export function pendingWork(): number {
  return count;
}

/** Does the work after `ms`; until then it counts as pending. */
export function later(work: () => void, ms: number): void {
  ++count;
  setTimeout(() => {
    try {
      work();
    } finally {
      --count;
    }
  }, ms);
}
