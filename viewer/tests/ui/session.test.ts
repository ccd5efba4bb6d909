import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Run } from "../../src/data/run";
import { RunDecoder } from "../../src/data/stream";
import type { SceneView } from "../../src/ui/scene_view";
import { Session, valueOf } from "../../src/ui/session";
import type { Part } from "../../src/ui/tree";
import { head, rows, status } from "../support/encode";
import { sampleHeader, sampleRows, sampleRun } from "../support/sample";

/** A scene that remembers what it was told. */
function fakeView() {
  let tell: (part: Part | null) => void = () => undefined;
  const shown: number[] = [];
  const selected: (Part | null)[] = [];
  const followed: (number | null)[] = [];
  const view = {
    show: (t: number) => shown.push(t),
    select: (part: Part | null) => selected.push(part),
    onSelect: (listener: typeof tell) => (tell = listener),
    follow: (body: number | null) => followed.push(body),
    setLayer: () => undefined,
    setRunVisible: () => undefined,
    setTracked: () => undefined,
  } as unknown as SceneView;
  return {
    view,
    shown,
    selected,
    followed,
    click: (part: Part | null): void => {
      tell(part);
    },
  };
}

/** A run of which half the rows have come. */
function growing(): { run: Run; finish: () => void; fail: (message: string) => void } {
  const decoder = new RunDecoder();
  const all = sampleRows({ rows: 101 });
  decoder.push(head(sampleHeader({ rows: 101 })));
  decoder.push(rows(all.slice(0, 51)));
  if (decoder.run === null) throw new Error("no header");
  return {
    run: decoder.run,
    finish: () => {
      decoder.push(rows(all.slice(51)));
      decoder.push(status({ state: "finished", done: 1, message: "", summary: [] }));
    },
    fail: (message) => {
      decoder.push(status({ state: "failed", done: 0.5, message, summary: [] }));
    },
  };
}

let frames: ((now: number) => void)[] = [];

function frame(now: number): void {
  const due = frames;
  frames = [];
  for (const f of due) f(now);
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (f: (now: number) => void) => frames.push(f));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("Session", () => {
  it("needs a run", () => {
    expect(() => new Session([])).toThrow("no run");
  });

  it("shows every new time in the scene", () => {
    const session = new Session([sampleRun()]);
    const { view, shown } = fakeView();
    session.attach(view);
    session.seek(1.25);
    expect(shown.at(-1)).toBe(1.25);
  });

  it("goes to rows that came since it last looked", () => {
    const { run, finish } = growing();
    const session = new Session([run]);
    finish();
    session.seek(1.5);
    expect(session.time).toBe(1.5);
  });

  it("plays by what passes between frames, and stops asking for them when paused", () => {
    const session = new Session([sampleRun()]);
    session.play();
    frame(1000);
    frame(1100);
    expect(session.time).toBeCloseTo(0.1, 12);
    session.pause();
    frame(1200);
    expect(session.time).toBeCloseTo(0.1, 12);
    expect(frames).toHaveLength(0);
  });

  it("does not count the pause when playing again", () => {
    const session = new Session([sampleRun()]);
    session.play();
    frame(1000);
    session.pause();
    frame(1016);
    session.play();
    frame(9000);
    expect(session.time).toBe(0);
  });

  it("tells when it has played to the end", () => {
    const session = new Session([sampleRun({ rows: 3 })]);
    session.play();
    const heard = vi.fn();
    session.onPlayback.on(heard);
    frame(1000);
    frame(1200);
    expect(session.clock.playing).toBe(false);
    expect(heard).toHaveBeenCalled();
  });

  it("steps by rows of the primary run, and pauses", () => {
    const session = new Session([sampleRun(), sampleRun({ every: 0.5, rows: 9 })]);
    session.play();
    session.step(1);
    expect(session.clock.playing).toBe(false);
    expect(session.time).toBe(0.02);
    session.seek(0);
    session.setPrimary(1);
    session.step(1);
    expect(session.time).toBe(0.5);
  });

  it("spans what a run is meant to reach while it goes on, and what it reached when it failed", () => {
    const { run, fail } = growing();
    const session = new Session([run]);
    expect(session.span).toEqual([0, 2]);
    expect(session.clock.end).toBe(1);
    fail("Newton stopped");
    vi.runAllTimers();
    expect(session.span).toEqual([0, 1]);
    session.seek(0.5);
    expect(session.time).toBe(0.5);
  });

  it("takes rows that come later", () => {
    const { run, finish } = growing();
    const session = new Session([run]);
    const heard = vi.fn();
    session.onData.on(heard);
    finish();
    vi.runAllTimers();
    expect(session.clock.end).toBe(2);
    expect(session.running).toBe(false);
    // Rows and status came at once: the page looks once.
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("spans the longest of several runs", () => {
    const session = new Session([sampleRun({ rows: 11 }), sampleRun({ rows: 101 })]);
    expect(session.span).toEqual([0, 2]);
  });

  it("selects both ways, and tells once", () => {
    const session = new Session([sampleRun()]);
    const { view, selected, click } = fakeView();
    session.attach(view);
    const heard = vi.fn();
    session.onSelection.on(heard);
    click({ kind: "body", index: 2 });
    click({ kind: "body", index: 2 });
    expect(session.selection).toEqual({ kind: "body", index: 2 });
    expect(heard).toHaveBeenCalledTimes(1);
    session.select(null);
    expect(selected.at(-1)).toBeNull();
  });

  it("follows the body that a selected joint holds, but never Ground", () => {
    const session = new Session([sampleRun()]);
    const { view, followed } = fakeView();
    session.attach(view);
    session.select({ kind: "joint", index: 1 });
    expect(session.selectedBody).toBe(2);
    session.follow(session.selectedBody);
    session.follow(0);
    expect(followed).toEqual([2, null]);
  });

  it("has values and poses of the primary run", () => {
    const session = new Session([sampleRun({ angle: 1 }), sampleRun({ angle: 0.5 })]);
    expect(valueOf(session.primary, "shoulder", 0)).toBe(1);
    session.setPrimary(1);
    expect(valueOf(session.primary, "shoulder", 0)).toBe(0.5);
    // Turned about y by the angle: the quaternion's scalar is the cosine of its half.
    expect(session.poseOf(1)?.[3]).toBeCloseTo(Math.cos(0.25), 6);
    expect(valueOf(session.primary, "no such column", 0)).toBeNull();
  });

  it("has no values before the first row", () => {
    const session = new Session([new Run(sampleHeader())]);
    expect(valueOf(session.primary, "shoulder", 0)).toBeNull();
    expect(session.poseOf(1)).toBeNull();
    session.step(1);
    expect(session.time).toBe(0);
  });

  it("works where there is no scene", () => {
    const session = new Session([sampleRun()]);
    session.seek(1);
    session.select({ kind: "body", index: 1 });
    session.follow(1);
    session.setLayer("joints", false);
    expect(session.time).toBe(1);
  });
});
