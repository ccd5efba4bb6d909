import { describe, expect, it } from "vitest";
import { actionOf, KEY_GROUPS, shownKeys } from "../../src/ui/keys";

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe("Keys", () => {
  it("mean one thing each", () => {
    const seen = new Set<string>();
    for (const { bindings } of KEY_GROUPS) {
      for (const { keys, shift } of bindings) {
        for (const key of keys) {
          for (const s of shift === undefined ? [false, true] : [shift]) {
            const id = `${key} ${s}`;
            expect(seen.has(id), id).toBe(false);
            seen.add(id);
          }
        }
      }
    }
  });

  it("do different things with and without shift only where bound so", () => {
    expect(actionOf({ ...plain, key: "ArrowRight" })).toBe("step-forward");
    expect(actionOf({ ...plain, key: "ArrowRight", shiftKey: true })).toBe("leap-forward");
    expect(actionOf({ ...plain, key: "F", shiftKey: true })).toBe("fit");
    expect(actionOf({ ...plain, key: "?", shiftKey: true })).toBe("help");
    expect(actionOf({ ...plain, key: "+", shiftKey: true })).toBe("faster");
  });

  it("belong to the browser with control, command or alt", () => {
    expect(actionOf({ ...plain, key: "p", ctrlKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "r", metaKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "ArrowLeft", altKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "Tab" })).toBeNull();
  });

  it("are told in tooltips", () => {
    expect(shownKeys("leap-back")).toBe("Shift+←");
    expect(shownKeys("toggle-play")).toBe("Space");
  });
});
