import type { RunHeader } from "../data/run";

/** One line of a plot, of every run that has the column. */
export interface Curve {
  column: string;
  label: string;
}

export interface PlotSpec {
  id: string;
  title: string;
  unit: string;
  curves: Curve[];
  /** Values less the one at the start. */
  fromStart: boolean;
  logarithmic: boolean;
  /** Chosen by the person, who can take it away again. */
  chosen: boolean;
}

export interface Column {
  name: string;
  unit: string;
  kind: "coordinate" | "speed" | "other";
}

/** Columns that the page itself plots; all others are coordinates, speeds or tracked frames. */
const ENERGIES = ["kinetic", "potential", "energy"];
const AXES = ["x", "y", "z"];

/** The columns of all runs, each once, in the order of the first that has it. */
export function columnsOf(headers: readonly RunHeader[]): Column[] {
  const found = new Map<string, Column>();
  for (const header of headers) {
    const coordinates = new Set(header.scene.joints.flatMap((j) => j.coordinates));
    const speeds = new Set(header.scene.joints.flatMap((j) => j.speeds));
    for (const { name, unit } of header.columns) {
      if (name === "t" || found.has(name)) continue;
      const kind = coordinates.has(name) ? "coordinate" : speeds.has(name) ? "speed" : "other";
      found.set(name, { name, unit, kind });
    }
  }
  return [...found.values()];
}

/** What is plotted without being asked, as far as the runs have it. A change of the energy is a drift only where it should be kept. */
export function standardPlots(columns: readonly Column[], keepsEnergy: boolean): PlotSpec[] {
  const plots: PlotSpec[] = [];
  const add = (
    id: string,
    title: string,
    curves: Curve[],
    how: { fromStart?: boolean; logarithmic?: boolean } = {},
  ): void => {
    const present = curves.filter((c) => columns.some((column) => column.name === c.column));
    const unit = columns.find((column) => column.name === present[0]?.column)?.unit ?? "";
    if (present.length === 0) return;
    const { fromStart = false, logarithmic = false } = how;
    plots.push({ id, title, unit, curves: present, fromStart, logarithmic, chosen: false });
  };
  const components = (of: string): Curve[] => AXES.map((axis) => ({ column: `${of}.${axis}`, label: axis }));
  add(
    "energy",
    "Energy",
    ENERGIES.map((name) => ({ column: name, label: name === "energy" ? "total" : name })),
  );
  const change = keepsEnergy ? "drift" : "change";
  add("drift", `Energy ${change}`, [{ column: "energy", label: change }], { fromStart: true });
  add("momentum", "Momentum", components("momentum"));
  add("angular-momentum", "Angular momentum", components("angular-momentum"));
  add("constraint", "Constraint error", [{ column: "constraint", label: "largest" }], { logarithmic: true });
  return plots;
}

/** Chosen columns, one plot for each unit: curves of different units do not share an axis. */
export function chosenPlots(chosen: readonly string[], columns: readonly Column[]): PlotSpec[] {
  const plots = new Map<string, PlotSpec>();
  for (const name of chosen) {
    const column = columns.find((c) => c.name === name);
    if (column === undefined) continue;
    let plot = plots.get(column.unit);
    if (plot === undefined) {
      plot = {
        id: `chosen ${column.unit}`,
        title: "",
        unit: column.unit,
        curves: [],
        fromStart: false,
        logarithmic: false,
        chosen: true,
      };
      plots.set(column.unit, plot);
    }
    plot.curves.push({ column: name, label: name });
  }
  for (const plot of plots.values()) {
    const kinds = new Set(plot.curves.map((c) => columns.find((column) => column.name === c.column)?.kind));
    const [kind] = kinds;
    plot.title = kinds.size > 1 || kind === "other" ? "Chosen" : kind === "speed" ? "Speeds" : "Coordinates";
  }
  return [...plots.values()];
}

/** Columns whose name has every word of the query; those that begin with it first. */
export function searchColumns(columns: readonly Column[], query: string): Column[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return [...columns];
  const found = columns.filter((c) => {
    const text = `${c.name} ${c.kind}`.toLowerCase();
    return words.every((w) => text.includes(w));
  });
  const rank = (c: Column): number => (c.name.toLowerCase().startsWith(first) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}

/**
 * Limits of an axis about values from min to max. Where they differ by rounding only, the axis says so by being flat, instead of
 * showing noise as if it were motion.
 */
export function paddedRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size === 0) return [-1, 1];
  const span = max - min;
  if (span <= 1e-12 * size) return [min - 0.1 * size, max + 0.1 * size];
  return [min - 0.06 * span, max + 0.06 * span];
}

/** Whole decades about the positive values from min to max. */
export function decadeRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0) || !Number.isFinite(max)) return [1e-16, 1];
  const low = 10 ** Math.floor(Math.log10(min) + 1e-9);
  const high = 10 ** Math.ceil(Math.log10(max) - 1e-9);
  return high > low ? [low, high] : [low, low * 10];
}
