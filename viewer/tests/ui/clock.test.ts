import { describe, expect, it } from "vitest";
import { Clock, rowAt, SPEEDS, stepTime } from "../../src/ui/clock";

function playing(start: number, end: number, live = false): Clock {
  const clock = new Clock();
  clock.setRange(start, end, live);
  clock.play();
  return clock;
}

describe("Clock", () => {
  it("advances by the speed times what passed", () => {
    const clock = playing(0, 10);
    clock.setSpeed(2);
    expect(clock.advance(0.125)).toBe(true);
    expect(clock.time).toBe(0.25);
  });

  it("does not move while paused", () => {
    const clock = playing(0, 10);
    clock.pause();
    expect(clock.advance(0.1)).toBe(false);
    expect(clock.time).toBe(0);
  });

  it("begins at the start of a run that does not start at zero", () => {
    expect(playing(3, 5).time).toBe(3);
  });

  it("stops at the end, and plays from the start again", () => {
    const clock = playing(0, 0.1);
    clock.advance(0.2);
    expect(clock.time).toBe(0.1);
    expect(clock.playing).toBe(false);
    clock.play();
    expect(clock.time).toBe(0);
  });

  it("keeps what is over when it loops", () => {
    const clock = playing(1, 2);
    clock.loop = true;
    clock.setSpeed(10);
    clock.advance(0.125);
    expect(clock.time).toBe(1.25);
    expect(clock.playing).toBe(true);
  });

  it("waits at the end of a run that still grows, and goes on when rows come", () => {
    const clock = playing(0, 0.1, true);
    clock.loop = true;
    clock.advance(0.2);
    expect(clock.waiting).toBe(true);
    expect(clock.time).toBe(0.1);
    clock.setRange(0, 1, true);
    expect(clock.waiting).toBe(false);
    clock.advance(0.25);
    expect(clock.time).toBeCloseTo(0.35, 12);
  });

  it("does not jump after a tab was asleep", () => {
    const clock = playing(0, 1000);
    clock.advance(60);
    expect(clock.time).toBe(0.25);
  });

  it("stays inside its range and ignores what is not a number", () => {
    const clock = playing(0, 5);
    clock.seek(9);
    expect(clock.time).toBe(5);
    clock.seek(Number.NaN);
    expect(clock.time).toBe(5);
    clock.seek(-1);
    expect(clock.time).toBe(0);
  });

  it("goes through every speed up and down and stops at the last", () => {
    const clock = new Clock();
    for (let i = 0; i < 20; i += 1) clock.faster();
    expect(clock.speed).toBe(100);
    const seen = [clock.speed];
    for (let i = 0; i < 20; i += 1) {
      clock.slower();
      seen.push(clock.speed);
    }
    expect(clock.speed).toBe(0.01);
    expect(new Set(seen)).toEqual(new Set(SPEEDS));
  });
});

describe("Steps by rows", () => {
  const times = [0, 0.1, 0.2, 0.2, 0.3];

  it("finds the last row that is not after a time", () => {
    expect([-1, 0, 0.15, 0.2, 9].map((t) => rowAt(times, t))).toEqual([0, 0, 1, 3, 4]);
  });

  it("goes to the next and the previous row", () => {
    expect(stepTime(times, 0, 1)).toBe(0.1);
    expect(stepTime(times, 0.1, -1)).toBe(0);
  });

  it("lands on the row just passed when stepping back from between two", () => {
    expect(stepTime(times, 0.15, -1)).toBe(0.1);
    expect(stepTime(times, 0.15, 1)).toBe(0.2);
  });

  it("takes two rows of one time as one step", () => {
    expect(stepTime(times, 0.2, 1)).toBe(0.3);
    expect(stepTime(times, 0.3, -1)).toBe(0.2);
    expect(stepTime(times, 0.2, -1)).toBe(0.1);
  });

  it("stays at the ends", () => {
    expect(stepTime(times, 0.3, 3)).toBe(0.3);
    expect(stepTime(times, 0, -3)).toBe(0);
    expect(stepTime([], 0.5, 1)).toBe(0.5);
  });
});
