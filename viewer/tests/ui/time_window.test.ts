import { describe, expect, it } from "vitest";
import { TimeWindow } from "../../src/ui/time_window";

function whole(start: number, end: number): TimeWindow {
  const window = new TimeWindow();
  window.setWhole(start, end);
  return window;
}

describe("Window of time", () => {
  it("is the whole run until zoomed, and grows with it", () => {
    const window = whole(0, 4);
    expect(window.range).toEqual([0, 4]);
    window.setWhole(0, 5);
    expect(window.range).toEqual([0, 5]);
  });

  it("keeps the place of what is zoomed about", () => {
    const window = whole(0, 8);
    window.zoom(0.5, 2);
    const [from, to] = window.range;
    expect(to - from).toBe(4);
    // 2 was at a quarter of the width, and still is.
    expect((2 - from) / (to - from)).toBe(0.25);
  });

  it("stays where it was zoomed to while the run grows", () => {
    const window = whole(0, 8);
    window.show(2, 3);
    window.setWhole(0, 100);
    expect(window.range).toEqual([2, 3]);
  });

  it("does not leave the run", () => {
    const window = whole(0, 8);
    window.show(7, 9);
    expect(window.range).toEqual([6, 8]);
    window.show(3, -1);
    expect(window.range).toEqual([0, 4]);
  });

  it("is whole again when zoomed out far enough", () => {
    const window = whole(0, 8);
    window.zoom(0.5, 4);
    expect(window.zoomed).toBe(true);
    window.zoom(3, 4);
    expect(window.zoomed).toBe(false);
  });

  it("turns the page when time leaves it, forwards and backwards", () => {
    const window = whole(0, 100);
    window.show(10, 20);
    expect(window.follow(15)).toBe(false);
    expect(window.follow(20.5)).toBe(true);
    expect(window.range).toEqual([19.5, 29.5]);
    expect(window.follow(10)).toBe(true);
    expect(window.range).toEqual([1, 11]);
  });

  it("can be shown for a run of no length", () => {
    expect(whole(2, 2).range).toEqual([2, 3]);
  });
});
