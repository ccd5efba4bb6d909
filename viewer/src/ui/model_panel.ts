import { button, el } from "./dom";
import { Inspector } from "./inspector";
import { RunPanel } from "./run_panel";
import type { Session } from "./session";
import { TreePanel } from "./tree_panel";

type Tab = "model" | "run";

const TABS: readonly { id: Tab; label: string }[] = [
  { id: "model", label: "Model" },
  { id: "run", label: "Run" },
];

/** The panel on the left: the tree with what is selected in it, and what was run. */
export class ModelPanel {
  readonly root: HTMLElement;
  readonly tree: TreePanel;
  readonly #pages: Record<Tab, HTMLElement>;
  readonly #tabs: HTMLButtonElement[];
  #tab: Tab = "model";

  constructor(session: Session, onClose: () => void) {
    this.tree = new TreePanel(session);
    this.#pages = {
      model: el("div", { class: "page", attrs: { role: "tabpanel", id: "page-model" } }, [
        this.tree.root,
        new Inspector(session).root,
      ]),
      run: el("div", { class: "page", attrs: { role: "tabpanel", id: "page-run" } }, [
        new RunPanel(session).root,
      ]),
    };
    this.#tabs = TABS.map(({ id, label }) => {
      const tab = button({
        label: "",
        text: label,
        class: "tab",
        tip: "none",
        onClick: () => {
          this.show(id);
        },
      });
      tab.id = `tab-${id}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `page-${id}`);
      this.#pages[id].setAttribute("aria-labelledby", tab.id);
      return tab;
    });
    const tabs = el(
      "div",
      { class: "tabs", attrs: { role: "tablist", "aria-label": "Model and run" } },
      this.#tabs,
    );
    tabs.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      this.show(this.#tab === "model" ? "run" : "model");
      this.#tabs.find((t) => t.tabIndex === 0)?.focus();
      event.preventDefault();
      event.stopPropagation();
    });
    const close = button({ icon: "close", label: "Close panel", onClick: onClose });
    close.classList.add("sheet-only");
    this.root = el(
      "aside",
      { class: "panel model-panel", attrs: { "aria-label": "Model", id: "model-panel" } },
      [
        el("header", { class: "panel-header" }, [tabs, el("div", { class: "grow" }), close]),
        this.#pages.model,
        this.#pages.run,
      ],
    );
    this.show("model");
  }

  get tab(): Tab {
    return this.#tab;
  }

  show(tab: Tab): void {
    this.#tab = tab;
    TABS.forEach(({ id }, i) => {
      const selected = id === tab;
      this.#pages[id].hidden = !selected;
      this.#tabs[i]?.setAttribute("aria-selected", String(selected));
      const node = this.#tabs[i];
      if (node !== undefined) node.tabIndex = selected ? 0 : -1;
    });
  }
}
