import { el, freshId } from "./dom";
import { icon } from "./icons";
import type { Session } from "./session";
import { samePart, type Part, type TreeRow } from "./tree";

/** Rows drawn above and below what is seen, so that scrolling does not show gaps. */
const SPARE = 8;
/** Deeper levels are not indented further: a chain of a thousand must not leave its panel. */
const DEEPEST = 6;

/** The tree of bodies and joints. Only the rows in view are in the page, so that a thousand bodies cost as much as twenty. */
export class TreePanel {
  readonly root: HTMLElement;
  readonly search: HTMLInputElement;
  readonly #session: Session;
  readonly #list: HTMLElement;
  readonly #space: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #id = freshId("tree");
  #rows: TreeRow[] = [];
  #active = 0;
  #rowHeight = 28;

  constructor(session: Session) {
    this.#session = session;
    this.search = el("input", {
      class: "field",
      attrs: {
        type: "search",
        placeholder: "Search bodies and joints",
        "aria-label": "Search bodies and joints",
        "aria-controls": this.#id,
        autocomplete: "off",
        spellcheck: "false",
        id: "tree-search",
      },
    });
    this.#space = el("div", { class: "tree-space", attrs: { role: "none" } });
    this.#empty = el("p", { class: "hint", text: "Nothing has that name." });
    this.#list = el(
      "div",
      {
        class: "tree",
        attrs: { role: "tree", tabindex: "0", "aria-label": "Bodies and joints", id: this.#id },
      },
      [this.#space],
    );
    this.root = el("div", { class: "tree-panel" }, [
      el("div", { class: "search" }, [icon("search"), this.search]),
      this.#list,
      this.#empty,
    ]);
    this.search.addEventListener("input", () => {
      this.#active = 0;
      this.#list.scrollTop = 0;
      this.refresh();
    });
    this.search.addEventListener("keydown", (event) => {
      this.#searchKey(event);
    });
    this.#list.addEventListener("keydown", (event) => {
      this.#treeKey(event);
    });
    this.#list.addEventListener("scroll", () => {
      this.#draw();
    });
    this.#list.addEventListener("click", (event) => {
      this.#clicked(event);
    });
    new ResizeObserver(() => {
      this.#measure();
      // The values of what was just selected may have pushed its line out of sight.
      if (samePart(this.#rows[this.#active]?.part ?? null, session.selection)) this.#scrollTo(this.#active);
      this.#draw();
    }).observe(this.#list);
    session.onSelection.on(() => {
      this.#showSelection();
    });
    this.refresh();
  }

  refresh(): void {
    this.#rows = this.#session.tree.rows(this.search.value);
    this.#active = Math.min(this.#active, Math.max(0, this.#rows.length - 1));
    this.#empty.hidden = this.#rows.length > 0;
    this.#list.hidden = this.#rows.length === 0;
    this.#draw();
  }

  #measure(): void {
    const height = parseFloat(getComputedStyle(this.#list).getPropertyValue("--row-height"));
    if (height > 0) this.#rowHeight = height;
  }

  #draw(): void {
    this.#space.style.height = `${this.#rows.length * this.#rowHeight}px`;
    const top = this.#list.scrollTop;
    const first = Math.max(0, Math.floor(top / this.#rowHeight) - SPARE);
    const seen = Math.ceil(this.#list.clientHeight / this.#rowHeight);
    const last = Math.min(this.#rows.length, first + seen + 2 * SPARE);
    const lines: HTMLElement[] = [];
    for (let i = first; i < last; i += 1) {
      const row = this.#rows[i];
      if (row !== undefined) lines.push(this.#line(row, i));
    }
    this.#space.replaceChildren(...lines);
    const active = this.#rows[this.#active];
    if (active === undefined) this.#list.removeAttribute("aria-activedescendant");
    else this.#list.setAttribute("aria-activedescendant", this.#lineId(active.part));
  }

  #lineId(part: Part): string {
    return `${this.#id}-${part.kind}-${part.index}`;
  }

  #line(row: TreeRow, i: number): HTMLElement {
    const selected = samePart(row.part, this.#session.selection);
    const twist = el("span", { class: "twist" }, [row.expanded === null ? null : icon("chevron")]);
    const line = el(
      "div",
      {
        class: `tree-row ${row.part.kind}`,
        attrs: {
          role: "treeitem",
          id: this.#lineId(row.part),
          "data-row": String(i),
          "aria-level": String(row.level),
          "aria-posinset": String(row.position),
          "aria-setsize": String(row.siblings),
          "aria-selected": String(selected),
          "aria-label": row.detail === "" ? row.name : `${row.name}, ${row.detail}`,
        },
      },
      [
        twist,
        icon(row.part.kind),
        el("span", { class: "name", text: row.name }),
        el("span", {
          class: "detail",
          text: row.level > DEEPEST + 1 ? `${row.detail} ${row.level - 1}` : row.detail,
        }),
      ],
    );
    if (row.expanded !== null) line.setAttribute("aria-expanded", String(row.expanded));
    line.classList.toggle("active", i === this.#active);
    line.style.top = `${i * this.#rowHeight}px`;
    line.style.setProperty("--level", String(Math.min(row.level - 1, DEEPEST)));
    return line;
  }

  #clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const line = target?.closest<HTMLElement>(".tree-row");
    const row = this.#rows[Number(line?.dataset.row ?? -1)];
    if (row === undefined) return;
    this.#active = this.#rows.indexOf(row);
    if (target?.closest(".twist") && row.expanded !== null) this.#expand(row, !row.expanded);
    else this.#session.select(row.part);
    this.#draw();
  }

  #expand(row: TreeRow, expanded: boolean): void {
    this.#session.tree.setExpanded(row.part.index, expanded);
    this.refresh();
  }

  #showSelection(): void {
    const { selection } = this.#session;
    this.refresh();
    if (selection === null) return;
    const found = this.#rows.findIndex((r) => samePart(r.part, selection));
    if (found < 0) return;
    this.#active = found;
    this.#scrollTo(found);
    this.#draw();
  }

  #scrollTo(i: number): void {
    const top = i * this.#rowHeight;
    const { scrollTop, clientHeight } = this.#list;
    if (top < scrollTop) this.#list.scrollTop = top;
    else if (top + this.#rowHeight > scrollTop + clientHeight) {
      this.#list.scrollTop = top + this.#rowHeight - clientHeight;
    }
  }

  #searchKey(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") this.#list.focus();
    else if (event.key === "Enter" && this.#rows[0] !== undefined) this.#session.select(this.#rows[0].part);
    else if (event.key === "Escape" && this.search.value !== "") {
      this.search.value = "";
      this.refresh();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keys of a tree as ARIA describes them. Handled here, they do not move time. */
  #treeKey(event: KeyboardEvent): void {
    const row = this.#rows[this.#active];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const page = Math.max(1, Math.floor(this.#list.clientHeight / this.#rowHeight) - 1);
    switch (event.key) {
      case "ArrowDown":
        this.#move(this.#active + 1);
        break;
      case "ArrowUp":
        this.#move(this.#active - 1);
        break;
      case "PageDown":
        this.#move(this.#active + page);
        break;
      case "PageUp":
        this.#move(this.#active - page);
        break;
      case "Home":
        this.#move(0);
        break;
      case "End":
        this.#move(this.#rows.length - 1);
        break;
      case "ArrowRight":
        if (row.expanded === false) this.#expand(row, true);
        else if (row.expanded === true) this.#move(this.#active + 1);
        break;
      case "ArrowLeft":
        if (row.expanded === true) this.#expand(row, false);
        else this.#toParent(row);
        break;
      case "Enter":
      case " ":
        this.#session.select(row.part);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #toParent(row: TreeRow): void {
    for (let i = this.#active - 1; i >= 0; i -= 1) {
      if ((this.#rows[i]?.level ?? 0) < row.level) {
        this.#move(i);
        return;
      }
    }
  }

  #move(to: number): void {
    this.#active = Math.min(Math.max(to, 0), this.#rows.length - 1);
    this.#scrollTo(this.#active);
    this.#draw();
  }
}
