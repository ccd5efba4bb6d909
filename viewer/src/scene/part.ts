import type { Matrix } from "./math";

export const layers = [
  "bodies",
  "joints",
  "frames",
  "constraints",
  "springs",
  "forces",
  "ground",
  "gravity",
  "com",
  "traces",
  "links",
  "inertia",
] as const;
export type Layer = (typeof layers)[number];

/** Forms of unit size that everything rigid is put together from; those with an axis have it along z. */
export type Form =
  | "ball"
  | "box"
  | "cylinder"
  | "rod"
  | "ring"
  | "socket"
  | "thread"
  | "nut"
  | "foot"
  | "wheel"
  | "mark"
  | "triad"
  | `mesh ${number}`;

/** What a part is for; the palette makes a colour of it. */
export type Role =
  "even" | "odd" | "fixed" | "metal" | "pin" | "loop" | "tie" | "plane" | "inertia" | "axes" | "given";

/** Bodies are picked as their index, joints as what is below zero. */
export const pickNothing = -(2 ** 30);
export const pickJoint = (joint: number): number => -1 - joint;

/** Something rigid on a body. */
export interface Part {
  layer: Layer;
  form: Form;
  body: number;
  /** From the unit form to the body's frame. */
  matrix: Matrix;
  role: Role;
  pick: number;
  /** Given by the model; the role's otherwise. */
  color?: [number, number, number];
  /** 1 unless said otherwise. */
  opacity?: number;
}

/** Parts that are drawn with one call: as many as there are different keys, however many bodies there are. */
export function batchKey(part: Part): string {
  return `${part.layer}|${part.form}|${part.opacity ?? 1}`;
}
