import { button, el } from "./dom";
import { icon } from "./icons";

/** What a person should know now, over the scene, read out by screen readers. */
export class Notices {
  readonly root = el("div", { class: "notices", attrs: { role: "status", "aria-live": "polite" } });

  /** Goes away by itself. */
  say(text: string): void {
    const note = this.#add(text, "note");
    setTimeout(() => {
      note.remove();
    }, 4000);
  }

  /** Stays until it is closed. */
  warn(text: string): void {
    this.#add(text, "problem").setAttribute("role", "alert");
  }

  #add(text: string, kind: "note" | "problem"): HTMLElement {
    const note: HTMLElement = el("div", { class: `notice ${kind}` }, [
      kind === "problem" ? icon("warning") : null,
      el("p", { text }),
      button({
        icon: "close",
        label: "Close this message",
        tip: "none",
        class: "small",
        onClick: () => {
          note.remove();
        },
      }),
    ]);
    this.root.append(note);
    return note;
  }
}

/** Instead of the page where there is nothing to show: what is wrong, and what to do. */
export function failurePage(title: string, reason: string, advice: string): HTMLElement {
  return el("main", { class: "failure", attrs: { role: "alert" } }, [
    icon("warning"),
    el("h1", { text: title }),
    el("p", { text: reason }),
    el("p", { class: "muted", text: advice }),
  ]);
}

export function inWords(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
