import { button, el, setPressed, setText } from "./dom";
import type { Session } from "./session";

/** What is selected, over the scene, where no panel shows it. */
export class SelectionPill {
  readonly root: HTMLElement;
  readonly #session: Session;
  readonly #name = el("span", { class: "name" });
  readonly #follow: HTMLButtonElement;
  #covered = false;

  constructor(session: Session, onValues: () => void) {
    this.#session = session;
    this.#follow = button({
      icon: "follow",
      label: "Follow with the camera",
      action: "follow",
      tip: "above",
      onClick: () => {
        const body = session.selectedBody;
        session.follow(session.followed === body ? null : body);
      },
    });
    this.root = el("div", { class: "pill" }, [
      this.#name,
      button({ label: "", text: "Values", class: "outlined", tip: "none", onClick: onValues }),
      this.#follow,
      button({
        icon: "close",
        label: "Select nothing",
        tip: "above",
        onClick: () => {
          session.select(null);
        },
      }),
    ]);
    session.onSelection.on(() => {
      this.#show();
    });
    this.#show();
  }

  /** A panel tells the same already. */
  setCovered(covered: boolean): void {
    this.#covered = covered;
    this.#show();
  }

  #show(): void {
    const { selection, followed, selectedBody } = this.#session;
    this.root.hidden = selection === null || this.#covered;
    if (selection === null) return;
    setText(this.#name, this.#session.tree.nameOf(selection));
    this.#follow.hidden = selectedBody === null || selectedBody === 0 || this.#session.view === null;
    setPressed(this.#follow, followed !== null && followed === selectedBody);
  }
}
