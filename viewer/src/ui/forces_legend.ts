import { ForceSizes, type Arrow } from "../data/arrows";
import { el, setText } from "./dom";
import { formatNumber } from "./format";
import type { Session } from "./session";

const NAMES: Record<Arrow["kind"], string> = { reaction: "Reactions", force: "Forces" };

/** What the arrows over the scene are, with the largest of each kind; the longest arrow is the largest of all. */
export class ForcesLegend {
  readonly root: HTMLElement;

  constructor(session: Session) {
    const run = session.first;
    const arrows = run.header.arrows ?? [];
    const sizes = new ForceSizes(run);
    const kinds = (["reaction", "force"] as const).filter((kind) => arrows.some((a) => a.kind === kind));
    this.root = el("div", { class: "forces-legend", attrs: { role: "note", "aria-label": "Arrows" } });
    const lines = kinds.map((kind) => {
      const text = el("span");
      const unit = arrows.find((a) => a.kind === kind)?.unit ?? "";
      this.root.append(
        el("div", { class: `forces-line ${kind}` }, [
          el("span", { class: "arrow", text: "→", attrs: { "aria-hidden": "true" } }),
          text,
        ]),
      );
      return { kind, text, unit };
    });
    const show = (): void => {
      this.root.hidden = kinds.length === 0 || session.view?.layers().get("forces") === false;
      if (this.root.hidden) return;
      sizes.update();
      for (const { kind, text, unit } of lines)
        setText(text, `${NAMES[kind]}, largest ${formatNumber(sizes.most(kind))} ${unit}`);
    };
    session.onData.on(show);
    session.onLayers.on(show);
    show();
  }
}
