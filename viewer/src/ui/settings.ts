export type Theme = "system" | "light" | "dark";

/** What the page remembers between visits. */
export interface Settings {
  theme: Theme;
  modelPanel: boolean;
  plotsPanel: boolean;
  loop: boolean;
}

const DEFAULTS: Settings = { theme: "system", modelPanel: true, plotsPanel: true, loop: false };
const KEY = "polhode.settings";

/** The part of `localStorage` that is used; pages opened from disk may have none. */
export interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Settings that survive a reload where the browser lets them, and work without where it does not. */
export class SettingsStore {
  #values: Settings;
  readonly #storage: Storage | null;

  constructor(storage: Storage | null) {
    this.#storage = storage;
    this.#values = { ...DEFAULTS, ...read(storage) };
  }

  get values(): Readonly<Settings> {
    return this.#values;
  }

  set(change: Partial<Settings>): void {
    this.#values = { ...this.#values, ...change };
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Full or forbidden: the choice holds until the page is closed.
    }
  }
}

/** Takes only what is valid, for another version may have written it. */
function read(storage: Storage | null): Partial<Settings> {
  let stored: unknown;
  try {
    stored = JSON.parse(storage?.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
  if (typeof stored !== "object" || stored === null) return {};
  const found = stored as Record<string, unknown>;
  const values: Partial<Settings> = {};
  if (found.theme === "system" || found.theme === "light" || found.theme === "dark")
    values.theme = found.theme;
  for (const name of ["modelPanel", "plotsPanel", "loop"] as const) {
    const value = found[name];
    if (typeof value === "boolean") values[name] = value;
  }
  return values;
}

/** The browser's store, or null where even asking for it throws. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** From the system's choice to the other one first, so that the first press always changes what is seen. */
export function nextTheme(theme: Theme, systemIsDark: boolean): Theme {
  const order: Theme[] = systemIsDark ? ["system", "light", "dark"] : ["system", "dark", "light"];
  return order[(order.indexOf(theme) + 1) % order.length] ?? "system";
}
