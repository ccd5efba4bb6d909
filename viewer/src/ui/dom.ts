import { icon, type IconName } from "./icons";
import { shownKeys, type Action } from "./keys";

interface Props {
  class?: string;
  text?: string;
  attrs?: Record<string, string>;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  children: readonly (Node | null)[] = [],
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (props.class !== undefined) node.className = props.class;
  if (props.text !== undefined) node.textContent = props.text;
  for (const [name, value] of Object.entries(props.attrs ?? {})) node.setAttribute(name, value);
  for (const child of children) if (child !== null) node.append(child);
  return node;
}

export interface ButtonProps {
  icon?: IconName;
  /** What it does; shown as a tooltip where there is no text. */
  label: string;
  /** Shown in the button itself. */
  text?: string;
  action?: Action;
  class?: string;
  /** Which way the tooltip opens. */
  tip?: "below" | "above" | "none";
  onClick: (event: MouseEvent) => void;
}

/**
 * A button with a text alternative. A click with the mouse leaves the keyboard's focus where it was, so that the space bar goes on
 * meaning play.
 */
export function button(props: ButtonProps): HTMLButtonElement {
  const node = el("button", {
    class: `button ${props.text === undefined ? "icon-button" : ""} ${props.class ?? ""}`.trim(),
    attrs: { type: "button" },
  });
  if (props.icon !== undefined) node.append(icon(props.icon));
  if (props.text !== undefined) node.append(el("span", { text: props.text }));
  else node.setAttribute("aria-label", props.label);
  if (props.tip !== "none") setTip(node, props.label, props.action, props.tip);
  if (props.action !== undefined) node.setAttribute("aria-keyshortcuts", shownKeys(props.action));
  node.addEventListener("mousedown", (event) => {
    event.preventDefault();
  });
  node.addEventListener("click", props.onClick);
  return node;
}

export function setTip(
  node: HTMLElement,
  label: string,
  action?: Action,
  where: "below" | "above" = "below",
): void {
  const keys = action === undefined ? "" : shownKeys(action);
  node.dataset.tip = keys === "" ? label : `${label}  ·  ${keys}`;
  node.dataset.tipWhere = where;
}

/** Another picture and name on a button that does one thing or its opposite. */
export function relabel(node: HTMLButtonElement, name: IconName, label: string, action?: Action): void {
  if (node.getAttribute("aria-label") === label) return;
  node.querySelector("svg")?.replaceWith(icon(name));
  node.setAttribute("aria-label", label);
  setTip(node, label, action, node.dataset.tipWhere === "above" ? "above" : "below");
}

/** Writes only what is new: the browser lays out again even for the same text. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function setPressed(node: HTMLElement, pressed: boolean): void {
  node.setAttribute("aria-pressed", String(pressed));
}

let ids = 0;

/** An id for ARIA references. */
export function freshId(prefix: string): string {
  ids += 1;
  return `${prefix}-${ids}`;
}

/** Gives the browser a file to save. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = el("a", { attrs: { href: url, download: name } });
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads the blob after this task.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
