import type { Session } from "./session";

/** The hues of Okabe and Ito, which people with colour-blindness tell apart, ordered by contrast with either background. */
const ON_LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b87f00", "#3b94cc"];
const ON_DARK = ["#56b4e9", "#e69f00", "#2bc295", "#cc79a7", "#f0e442", "#e8743b"];

/** Dashes tell the curves of one run apart where colours tell the runs. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [9, 3, 2, 3]];

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

export function curveColor(curve: number): string {
  const colors = isDark() ? ON_DARK : ON_LIGHT;
  return colors[curve % colors.length] ?? "currentColor";
}

export function curveDash(curve: number): number[] {
  return [...(DASHES[curve % DASHES.length] ?? [])];
}

/** The scene's colour of a run, so that curves and ghosts agree. */
export function runColor(session: Session, run: number): string {
  return session.view?.runColor(run) ?? curveColor(run);
}
