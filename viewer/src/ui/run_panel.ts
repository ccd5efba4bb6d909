import type { Run } from "../data/run";
import { el } from "./dom";
import { formatNumber, formatPercent } from "./format";
import type { Session } from "./session";

/** What was run, with what, and what came out; of the primary run. */
export class RunPanel {
  readonly root: HTMLElement;
  readonly #session: Session;
  #shown = "";

  constructor(session: Session) {
    this.#session = session;
    this.root = el("div", { class: "run-panel", attrs: { id: "run-info" } });
    for (const signal of [session.onData, session.onRuns]) {
      signal.on(() => {
        this.#show();
      });
    }
    this.#show();
  }

  #show(): void {
    const run = this.#session.primary;
    const key = JSON.stringify([
      this.#session.primaryIndex,
      run.state,
      run.message,
      run.summary,
      run.rows,
      run.done,
    ]);
    if (key === this.#shown) return;
    this.#shown = key;
    const { header } = run;
    const { scene } = header;
    this.root.replaceChildren(
      el("h2", { text: header.label }),
      el("p", { class: `state ${run.state}`, text: stateInWords(run) }),
      ...(run.message === "" ? [] : [el("p", { class: `note ${run.state}`, text: run.message })]),
      ...list("Summary", run.summary),
      ...list("What was run", [
        ["model", header.model],
        ["method", header.method],
        ["time", `${formatNumber(header.time[0])} to ${formatNumber(header.time[1])} s`],
        ["version", header.version],
      ]),
      ...list("Options", header.options),
      ...list("Model", [
        ["name", scene.name],
        ["bodies", String(Math.max(0, scene.bodies.length - 1))],
        ["joints", String(scene.joints.length)],
        ["closing loops", String(scene.joints.filter((j) => j.closesLoop).length)],
        ["constraints", String(scene.constraints.length)],
        ["gravity", `${scene.gravity.map((g) => formatNumber(g)).join(", ")} m/s²`],
      ]),
    );
  }
}

export function stateInWords(run: Run): string {
  const [, until] = run.timeRange();
  const rows = `${run.rows.toLocaleString("en")} ${run.rows === 1 ? "row" : "rows"}`;
  switch (run.state) {
    case "running":
      return `Running: ${formatPercent(run.done)}, ${rows} so far`;
    case "finished":
      return `Finished: ${rows}`;
    case "failed":
      return run.rows > 0
        ? `Stopped at ${formatNumber(until)} s; ${rows} until then`
        : "Stopped before its first row";
  }
}

function list(title: string, entries: readonly (readonly [string, string])[]): HTMLElement[] {
  if (entries.length === 0) return [];
  return [
    el("h3", { text: title }),
    el(
      "dl",
      { class: "facts" },
      entries.flatMap(([name, value]) => [
        el("dt", { text: name }),
        el("dd", { text: value === "" ? "–" : value }),
      ]),
    ),
  ];
}
