import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttle } from "../../src/ui/throttle";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("Throttle", () => {
  it("works at once, then not too often, and always after the last call", () => {
    const work = vi.fn();
    const often = throttle(work, 100);
    often();
    expect(work).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 5; i += 1) {
      vi.advanceTimersByTime(10);
      often();
    }
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(work).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
