import { nextTheme, type SettingsStore, type Theme } from "./settings";
import { Signal } from "./signal";

/** Light or dark: what the person chose, or else what the system has. */
export class ThemeSwitch {
  readonly onChange = new Signal();
  readonly #settings: SettingsStore;
  readonly #system = window.matchMedia("(prefers-color-scheme: dark)");

  constructor(settings: SettingsStore) {
    this.#settings = settings;
    this.#system.addEventListener("change", () => {
      this.#apply();
    });
    this.#apply();
  }

  get theme(): Theme {
    return this.#settings.values.theme;
  }

  get dark(): boolean {
    return this.theme === "system" ? this.#system.matches : this.theme === "dark";
  }

  next(): void {
    this.#settings.set({ theme: nextTheme(this.theme, this.#system.matches) });
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.onChange.emit();
  }
}
