import { freshId } from "./dom";

const GAP = 8;

/** A small sheet that a button opens beside itself. Closes on Escape, on a press elsewhere, and when the focus leaves. */
export class Popover {
  readonly root: HTMLElement;
  readonly #anchor: HTMLButtonElement;
  #open = false;

  constructor(anchor: HTMLButtonElement, content: HTMLElement, label: string) {
    this.#anchor = anchor;
    this.root = content;
    content.classList.add("popover");
    content.id = freshId("popover");
    content.hidden = true;
    content.setAttribute("role", content.getAttribute("role") ?? "group");
    content.setAttribute("aria-label", label);
    anchor.setAttribute("aria-expanded", "false");
    anchor.setAttribute("aria-controls", content.id);
    anchor.addEventListener("click", () => {
      this.toggle();
    });
    content.addEventListener("focusout", (event) => {
      const to = event.relatedTarget;
      if (to instanceof Node && !content.contains(to) && to !== anchor) this.close();
    });
    document.body.append(content);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  toggle(): void {
    if (this.#open) this.close();
    else this.open();
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.root.hidden = false;
    this.#anchor.setAttribute("aria-expanded", "true");
    this.#place();
    document.addEventListener("pointerdown", this.#pressed, true);
    window.addEventListener("resize", this.#resized);
    this.root.querySelector<HTMLElement>("input, [aria-checked=true], button, select")?.focus();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    const held = this.root.contains(document.activeElement);
    this.root.hidden = true;
    this.#anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", this.#pressed, true);
    window.removeEventListener("resize", this.#resized);
    if (held) this.#anchor.focus({ preventScroll: true });
  }

  readonly #resized = (): void => {
    this.close();
  };

  readonly #pressed = (event: PointerEvent): void => {
    const target = event.target;
    if (target instanceof Node && (this.root.contains(target) || this.#anchor.contains(target))) return;
    this.close();
  };

  /** Below the button where there is room, else above; never outside of the window. */
  #place(): void {
    const at = this.#anchor.getBoundingClientRect();
    const width = this.root.offsetWidth;
    const left = Math.min(Math.max(GAP, at.right - width), window.innerWidth - width - GAP);
    const below = window.innerHeight - at.bottom - 2 * GAP;
    const above = at.top - 2 * GAP;
    this.root.style.left = `${left}px`;
    if (below >= this.root.offsetHeight || below >= above) {
      this.root.style.top = `${at.bottom + GAP}px`;
      this.root.style.bottom = "auto";
      this.root.style.maxHeight = `${below}px`;
    } else {
      this.root.style.top = "auto";
      this.root.style.bottom = `${window.innerHeight - at.top + GAP}px`;
      this.root.style.maxHeight = `${above}px`;
    }
  }
}
