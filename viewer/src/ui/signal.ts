/** Tells those who listen that something has changed; they read what it is where it is kept. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    for (const listener of this.#listeners) listener();
  }
}
