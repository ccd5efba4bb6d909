import { describe, expect, it } from "vitest";
import { nextTheme, SettingsStore, type Storage } from "../../src/ui/settings";

function memory(initial: Record<string, string> = {}): Storage {
  const values = new Map(Object.entries(initial));
  return { getItem: (k) => values.get(k) ?? null, setItem: (k, v) => void values.set(k, v) };
}

describe("Settings", () => {
  it("are remembered by the next page", () => {
    const storage = memory();
    new SettingsStore(storage).set({ theme: "dark", plotsPanel: false });
    const { values } = new SettingsStore(storage);
    expect(values.theme).toBe("dark");
    expect(values.plotsPanel).toBe(false);
    expect(values.modelPanel).toBe(true);
  });

  it("take nothing that is not valid from the store", () => {
    const bad = JSON.stringify({ theme: "pink", loop: 3, modelPanel: false });
    const { values } = new SettingsStore(memory({ "polhode.settings": bad }));
    expect(values).toEqual({ theme: "system", modelPanel: false, plotsPanel: true, loop: false });
    expect(new SettingsStore(memory({ "polhode.settings": "{" })).values.theme).toBe("system");
    expect(new SettingsStore(memory({ "polhode.settings": "null" })).values.theme).toBe("system");
  });

  it("hold for the visit where the browser stores nothing", () => {
    const refuses: Storage = {
      getItem: () => null,
      setItem: () => {
        throw new Error("quota");
      },
    };
    for (const storage of [null, refuses]) {
      const store = new SettingsStore(storage);
      store.set({ theme: "light" });
      expect(store.values.theme).toBe("light");
    }
  });
});

describe("Theme", () => {
  it("changes what is seen at the first press, and comes back to the system's in three", () => {
    expect(nextTheme("system", true)).toBe("light");
    expect(nextTheme("system", false)).toBe("dark");
    for (const dark of [true, false]) {
      expect(nextTheme(nextTheme(nextTheme("system", dark), dark), dark)).toBe("system");
    }
  });
});
