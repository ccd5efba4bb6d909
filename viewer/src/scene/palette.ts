import type { Role } from "./part";

/** After Okabe and Ito: told apart by people with any colour vision. The first is the solid run's. */
export const runColors = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#8A7F00",
] as const;

export interface Palette {
  background: string;
  grid: string;
  horizon: string;
  roles: Record<Role, string>;
  wire: string;
  /** Of what is too far away to be more than a line. */
  line: string;
  spring: string;
  gravity: string;
  forces: Record<"reaction" | "force", string>;
  selection: string;
  shadow: number;
  /** Strength of light from the sky and from the lamp. */
  sky: number;
  lamp: number;
}

const light: Palette = {
  background: "#f6f7f8",
  grid: "#9aa5ad",
  horizon: "#dfe4e8",
  roles: {
    even: "#7fa3bf",
    odd: "#c3d0d9",
    fixed: "#6b757d",
    metal: "#b4bbc1",
    pin: "#4b5863",
    loop: "#d9743a",
    tie: "#b5638d",
    plane: "#b5638d",
    inertia: "#56B4E9",
    axes: "#ffffff",
    given: "#ffffff",
  },
  wire: "#4a545c",
  line: "#4f7794",
  spring: "#2f9077",
  gravity: "#7a858d",
  forces: { reaction: "#b5123f", force: "#0b6e4f" },
  selection: "#f0a30a",
  shadow: 0.16,
  sky: 1.9,
  lamp: 1.9,
};

const dark: Palette = {
  background: "#15191d",
  grid: "#5b6670",
  horizon: "#2a3138",
  roles: {
    even: "#6f9dc0",
    odd: "#b9c8d3",
    fixed: "#7a858e",
    metal: "#98a2aa",
    pin: "#3a454e",
    loop: "#e0804a",
    tie: "#cc86ab",
    plane: "#cc86ab",
    inertia: "#56B4E9",
    axes: "#ffffff",
    given: "#ffffff",
  },
  wire: "#c4ccd2",
  line: "#8fb6d3",
  spring: "#3fb294",
  gravity: "#8e99a2",
  forces: { reaction: "#ff7a9c", force: "#4fd6a4" },
  selection: "#ffb726",
  shadow: 0.35,
  sky: 1.5,
  lamp: 1.9,
};

export function paletteFor(isDark: boolean): Palette {
  return isDark ? dark : light;
}
