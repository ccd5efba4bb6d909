import type { Body, Joint } from "../data/scene";
import { button, el, setPressed, setText } from "./dom";
import { formatNumber, formatSteady, inDegrees, prettyUnit } from "./format";
import { icon } from "./icons";
import { valueOf, type Session } from "./session";
import type { Part } from "./tree";

/** Names of a path that are shown before the middle is left out. */
const PATH_SHOWN = 5;
/** Children shown before the rest is only counted. */
const CHILDREN_SHOWN = 6;

/** What is selected: its name, place in the tree, and values now. Built when the selection changes; only texts change with time. */
export class Inspector {
  readonly root: HTMLElement;
  readonly #session: Session;
  #live: (() => void)[] = [];

  constructor(session: Session) {
    this.#session = session;
    this.root = el("section", { class: "inspector", attrs: { "aria-label": "Selection", id: "inspector" } });
    session.onSelection.on(() => {
      this.#build();
    });
    session.onRuns.on(() => {
      this.#build();
    });
    session.onChosen.on(() => {
      this.#build();
    });
    session.onTime.on(() => {
      this.#refresh();
    });
    this.#build();
  }

  #refresh(): void {
    if (this.root.offsetParent === null) return;
    for (const update of this.#live) update();
  }

  #build(): void {
    const { selection, first } = this.#session;
    this.#live = [];
    const scene = first.header.scene;
    if (selection === null) {
      this.root.replaceChildren(
        el("p", { class: "hint", text: "Select a body or joint, in the scene or above, to see its values." }),
      );
      return;
    }
    const content =
      selection.kind === "body"
        ? this.#body(selection, scene.bodies[selection.index])
        : this.#joint(selection, scene.joints[selection.index]);
    this.root.replaceChildren(...content);
    for (const update of this.#live) update();
  }

  #body(part: Part, body: Body | undefined): HTMLElement[] {
    if (body === undefined) return [];
    const { scene } = this.#session.first.header;
    const content = [
      this.#title(part, body.name, part.index === 0 ? "fixed body" : "body"),
      this.#path(part),
    ];
    if (part.index > 0) {
      content.push(
        group("Body", [
          fixed("mass", formatNumber(body.mass), "kg"),
          this.#vector("centre of mass", () => body.com, "m", "in its own frame"),
        ]),
        group("Pose now", [
          this.#vector("position", () => this.#session.poseOf(part.index)?.slice(0, 3) ?? null, "m"),
          this.#vector("quaternion", () => this.#session.poseOf(part.index)?.slice(3) ?? null, ""),
        ]),
      );
      const joint = scene.joints[part.index - 1];
      if (joint !== undefined) content.push(this.#jointValues(joint, `Joint ${joint.name}`));
    }
    const frames = scene.frames.flatMap((f, i) => (f.body === part.index ? [{ name: f.name, i }] : []));
    if (frames.length > 0) {
      content.push(
        group(
          "Frames",
          frames.map((f) => this.#frame(f.name, f.i)),
        ),
      );
    }
    const children = this.#session.tree.childrenOf(part.index);
    if (children.length > 0) content.push(group("Holds", [this.#children(children)]));
    return content;
  }

  #joint(part: Part, joint: Joint | undefined): HTMLElement[] {
    if (joint === undefined) return [];
    const kind = joint.closesLoop ? "joint that closes a loop" : joint.implicit ? "implied joint" : "joint";
    const between = el("div", { class: "pair" }, [
      this.#link({ kind: "body", index: joint.parent }),
      el("span", { class: "muted", text: "holds" }),
      this.#link({ kind: "body", index: joint.child }),
    ]);
    return [
      this.#title(part, joint.name, `${joint.type} ${kind}`),
      this.#path(part),
      group("Between", [between]),
      this.#jointValues(joint, "Values now"),
    ];
  }

  #title(part: Part, name: string, kind: string): HTMLElement {
    const body = this.#session.selectedBody;
    const following = body !== null && this.#session.followed === body;
    const follow = button({
      icon: "follow",
      label: following ? "Stop following" : "Follow with the camera",
      action: "follow",
      onClick: () => {
        this.#session.follow(following ? null : body);
      },
    });
    setPressed(follow, following);
    follow.hidden = body === null || body === 0 || this.#session.view === null;
    const close = button({
      icon: "close",
      label: "Select nothing",
      onClick: () => {
        this.#session.select(null);
      },
    });
    return el("header", { class: "inspector-title" }, [
      icon(part.kind),
      el("div", { class: "grow" }, [
        el("h2", { text: name, attrs: { id: "selection-name" } }),
        el("p", { class: "muted", text: kind }),
      ]),
      follow,
      close,
    ]);
  }

  /** Where it is in the tree, as links; of a long path the ends. */
  #path(part: Part): HTMLElement {
    const path = this.#session.tree.pathTo(part);
    const nav = el("nav", { class: "path", attrs: { "aria-label": "Position in the tree" } });
    const left = path.length > PATH_SHOWN ? path.length - PATH_SHOWN : 0;
    path.forEach((step, i) => {
      if (left > 0 && i >= 2 && i < 2 + left) {
        if (i === 2) nav.append(el("span", { class: "muted", text: `… ${left} more …` }), icon("chevron"));
        return;
      }
      if (i === path.length - 1) nav.append(el("span", { text: this.#session.tree.nameOf(step) }));
      else nav.append(this.#link(step), icon("chevron"));
    });
    return nav;
  }

  #link(part: Part): HTMLElement {
    return button({
      label: "",
      text: this.#session.tree.nameOf(part),
      class: "link",
      tip: "none",
      onClick: () => {
        this.#session.select(part);
      },
    });
  }

  #children(children: Part[]): HTMLElement {
    const shown = children.slice(0, CHILDREN_SHOWN).map((c) => this.#link(c));
    const rest = children.length - shown.length;
    return el("div", { class: "pair" }, [
      ...shown,
      rest > 0 ? el("span", { class: "muted", text: `and ${rest} more` }) : null,
    ]);
  }

  #jointValues(joint: Joint, title: string): HTMLElement {
    const columns = [...joint.coordinates, ...joint.speeds];
    if (columns.length === 0) {
      const why = joint.closesLoop
        ? "Closes a loop, so it has no coordinates of its own."
        : "It cannot move.";
      return group(title, [el("p", { class: "hint", text: why })]);
    }
    return group(
      title,
      columns.map((name) => this.#column(name)),
    );
  }

  #column(name: string): HTMLElement {
    const unit = this.#session.columns.find((c) => c.name === name)?.unit ?? "";
    const value = el("span", { class: "value" });
    const degrees = el("span", { class: "muted degrees" });
    this.#live.push(() => {
      const x = valueOf(this.#session.primary, name, this.#session.time);
      setText(value, x === null ? "–" : formatSteady(x));
      setText(degrees, x === null ? "" : (inDegrees(x, unit) ?? ""));
    });
    const chosen = this.#session.chosen.includes(name);
    const plot = button({
      icon: "plots",
      label: chosen ? `Take ${name} off the plots` : `Plot ${name}`,
      class: "small",
      onClick: () => {
        this.#session.setChosen(name, !chosen);
      },
    });
    setPressed(plot, chosen);
    return el("div", { class: "entry", attrs: { "data-column": name } }, [
      el("span", { class: "key", text: name }),
      degrees,
      value,
      el("span", { class: "unit", text: prettyUnit(unit) }),
      plot,
    ]);
  }

  #vector(name: string, read: () => ArrayLike<number> | null, unit: string, note = ""): HTMLElement {
    const cells = el("span", { class: "value vector" });
    this.#live.push(() => {
      const v = read();
      const texts = v === null ? ["–"] : Array.from(v, (x) => formatSteady(Math.abs(x) < 5e-8 ? 0 : x, 4));
      if (cells.childElementCount !== texts.length) cells.replaceChildren(...texts.map(() => el("span")));
      texts.forEach((text, i) => {
        const cell = cells.children[i];
        if (cell !== undefined) setText(cell, text);
      });
    });
    return el("div", { class: "entry stacked" }, [
      el("span", { class: "key" }, [
        el("span", { text: name }),
        note === "" ? null : el("span", { class: "muted", text: ` ${note}` }),
      ]),
      cells,
      el("span", { class: "unit", text: unit }),
    ]);
  }

  #frame(name: string, frame: number): HTMLElement {
    const tracked = this.#session.tracked.has(frame);
    const trace = button({
      icon: "trace",
      label: tracked ? `Stop tracing ${name}` : `Trace ${name}`,
      class: "small",
      onClick: () => {
        this.#session.setTracked(frame, !tracked);
      },
    });
    setPressed(trace, tracked);
    trace.hidden = this.#session.view === null;
    return el("div", { class: "entry" }, [
      el("span", { class: "key", text: name }),
      el("span", { class: "value" }),
      trace,
    ]);
  }
}

function group(title: string, entries: HTMLElement[]): HTMLElement {
  return el("div", { class: "group" }, [el("h3", { text: title }), ...entries]);
}

function fixed(name: string, value: string, unit: string): HTMLElement {
  return el("div", { class: "entry" }, [
    el("span", { class: "key", text: name }),
    el("span", { class: "value", text: value }),
    el("span", { class: "unit", text: unit }),
  ]);
}
