import { searchColumns, type Column } from "./curves";
import { el } from "./dom";
import { prettyUnit } from "./format";
import { icon } from "./icons";
import type { Session } from "./session";

/** Lines shown at once; a chain of a thousand bodies has thousands of columns. */
const SHOWN = 80;

/** Finds columns by name and puts them on the plots. */
export class ColumnPicker {
  readonly root: HTMLElement;
  readonly #session: Session;
  readonly #search: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #rest: HTMLElement;

  constructor(session: Session) {
    this.#session = session;
    this.#search = el("input", {
      class: "field",
      attrs: {
        type: "search",
        placeholder: `Search ${session.columns.length} columns`,
        "aria-label": "Search columns",
        autocomplete: "off",
        spellcheck: "false",
        id: "column-search",
      },
    });
    this.#list = el("div", { class: "picker-list", attrs: { role: "group", "aria-label": "Columns" } });
    this.#rest = el("p", { class: "hint" });
    this.root = el("div", { class: "picker" }, [
      el("div", { class: "search" }, [icon("search"), this.#search]),
      this.#list,
      this.#rest,
    ]);
    this.#search.addEventListener("input", () => {
      this.#show();
    });
    this.root.addEventListener("keydown", (event) => {
      this.#key(event);
    });
    session.onChosen.on(() => {
      this.#show();
    });
    this.#show();
  }

  #show(): void {
    const found = searchColumns(this.#session.columns, this.#search.value);
    const focused =
      document.activeElement instanceof HTMLInputElement ? document.activeElement.dataset.column : undefined;
    this.#list.replaceChildren(...found.slice(0, SHOWN).map((c) => this.#line(c)));
    const rest = found.length - SHOWN;
    this.#rest.hidden = rest <= 0 && found.length > 0;
    this.#rest.textContent =
      found.length === 0 ? "No column has that name." : `${rest} more: type a part of the name.`;
    // Choosing draws the lines anew; the keyboard must not lose its place.
    if (focused !== undefined) {
      this.#list.querySelector<HTMLElement>(`[data-column="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #line(column: Column): HTMLElement {
    const box = el("input", { attrs: { type: "checkbox", "data-column": column.name } });
    box.checked = this.#session.chosen.includes(column.name);
    box.addEventListener("change", () => {
      this.#session.setChosen(column.name, box.checked);
    });
    return el("label", { class: "check" }, [
      box,
      el("span", { class: "name", text: column.name }),
      el("span", { class: "unit", text: prettyUnit(column.unit) }),
    ]);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const boxes = [...this.#list.querySelectorAll<HTMLInputElement>("input")];
    const at = boxes.findIndex((b) => b === document.activeElement);
    const to = event.key === "ArrowDown" ? boxes[at + 1] : (boxes[at - 1] ?? this.#search);
    to?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
