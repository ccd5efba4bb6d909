import { button, el } from "./dom";
import { KEY_GROUPS } from "./keys";

const POINTER: readonly [string, string][] = [
  ["Drag", "turn the scene"],
  ["Right drag, or two fingers", "move it"],
  ["Wheel, or pinch", "nearer or farther"],
  ["Click", "select a body or joint"],
  ["Drag in a plot", "scrub"],
  ["Shift and drag in a plot", "zoom to that part"],
  ["Ctrl and wheel in a plot", "zoom"],
  ["Double click in a plot", "the whole run"],
];

/** All keys on one sheet. */
export class Help {
  readonly root: HTMLDialogElement;

  constructor() {
    const close = button({
      icon: "close",
      label: "Close",
      tip: "none",
      onClick: () => {
        this.root.close();
      },
    });
    this.root = el("dialog", { class: "help", attrs: { "aria-labelledby": "help-title", id: "help" } }, [
      el("header", { class: "panel-header" }, [
        el("h2", { text: "Keys and pointer", attrs: { id: "help-title" } }),
        el("div", { class: "grow" }),
        close,
      ]),
      el("div", { class: "help-columns" }, [...KEY_GROUPS.map(keyGroup), pointerGroup()]),
    ]);
    this.root.addEventListener("click", (event) => {
      // The backdrop belongs to the dialog itself; anything in it is a child.
      if (event.target === this.root) this.root.close();
    });
  }

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}

function keyGroup({ title, bindings }: (typeof KEY_GROUPS)[number]): HTMLElement {
  return el("section", {}, [
    el("h3", { text: title }),
    ...bindings.map((b) =>
      el("div", { class: "help-line" }, [
        el("span", { text: b.help }),
        el(
          "span",
          { class: "caps" },
          b.shown.map((k) => el("kbd", { text: k })),
        ),
      ]),
    ),
  ]);
}

function pointerGroup(): HTMLElement {
  return el("section", {}, [
    el("h3", { text: "Mouse and touch" }),
    ...POINTER.map(([what, does]) =>
      el("div", { class: "help-line" }, [
        el("span", { text: what }),
        el("span", { class: "muted", text: does }),
      ]),
    ),
  ]);
}
