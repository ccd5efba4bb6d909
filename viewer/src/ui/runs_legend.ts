import { button, el, relabel, setPressed } from "./dom";
import { runColor } from "./palette";
import type { Session } from "./session";

/** Which colour is which run, over the scene. The name makes a run the one whose values are shown; the eye hides it. */
export class RunsLegend {
  readonly root: HTMLElement;

  constructor(session: Session) {
    this.root = el("div", { class: "legend", attrs: { role: "group", "aria-label": "Runs" } });
    this.root.hidden = session.runs.length < 2;
    const lines = session.runs.map((run, i) => {
      const name = button({
        label: "",
        text: run.header.label,
        class: "legend-name",
        tip: "none",
        onClick: () => {
          session.setPrimary(i);
        },
      });
      name.prepend(el("span", { class: "swatch" }));
      name.append(el("span", { class: "tag", text: "values" }));
      name.title = `Show the values of ${run.header.label}`;
      const eye = button({
        icon: "eye",
        label: `Hide ${run.header.label}`,
        onClick: () => {
          session.setRunVisible(i, !session.runVisible(i));
        },
      });
      const line = el("div", { class: "legend-line" }, [name, eye]);
      return { line, name, eye, run, i };
    });
    this.root.append(...lines.map((l) => l.line));
    const show = (): void => {
      for (const { line, name, eye, run, i } of lines) {
        const visible = session.runVisible(i);
        line.style.setProperty("--run", runColor(session, i));
        line.classList.toggle("off", !visible);
        line.classList.toggle("failed", run.state === "failed");
        setPressed(name, session.primaryIndex === i);
        relabel(eye, visible ? "eye" : "eye-off", `${visible ? "Hide" : "Show"} ${run.header.label}`);
      }
    };
    session.onRuns.on(show);
    session.onData.on(show);
    show();
  }
}
