import type { Vec3 } from "../data/scene";
import { along, columns, type Matrix } from "./math";
import type { Form, Role } from "./part";

/** A piece of a joint's glyph, on the parent in the axes of F or on the child in those of M. */
export interface Piece {
  on: "F" | "M";
  form: Form;
  matrix: Matrix;
  /** Pieces that belong to the parent's or child's link are coloured like it. */
  role: Role | "parent" | "child";
}

export interface GlyphInput {
  /** Radius of a hinge [m]; all else is drawn in proportion. */
  size: number;
  /** Where the origin of M has been in F so far. */
  low: Vec3;
  high: Vec3;
  /** Direction in F from the joint to the child's body. */
  towardsChild: Vec3;
}

const aliases: Record<string, string> = {
  pin: "revolute",
  hinge: "revolute",
  slider: "prismatic",
  translational: "prismatic",
  helical: "screw",
  cylinder: "cylindrical",
  cardan: "universal",
  hooke: "universal",
  "u-joint": "universal",
  polar: "bend-stretch",
  ball: "spherical",
  cartesian: "translation",
  fixed: "weld",
  rigid: "weld",
  floating: "free",
};

/** The name that a joint's type is drawn by. */
export function glyphType(type: string): string {
  const lower = type.toLowerCase();
  return aliases[lower] ?? lower;
}

export function glyphOf(type: string, input: GlyphInput): Piece[] {
  const draw = glyphs[glyphType(type)] ?? unknown;
  return draw(input);
}

type Draw = (input: GlyphInput) => Piece[];

/** Something of unit length along z, from one height to another. */
function shaft(from: number, to: number, radius: number): Matrix {
  return along([0, 0, 1], [0, 0, (from + to) / 2], radius, Math.max(to - from, 1e-9));
}

function block(x: number, y: number, z: number, centre: Vec3 = [0, 0, 0]): Matrix {
  return columns([x, 0, 0], [0, y, 0], [0, 0, z], centre);
}

/** A barrel on the child between two cheeks on the parent, and the pin through all three. */
const revolute: Draw = ({ size: g }) => [
  { on: "M", form: "cylinder", matrix: shaft(-0.85 * g, 0.85 * g, g), role: "child" },
  { on: "F", form: "cylinder", matrix: shaft(0.95 * g, 1.4 * g, g), role: "parent" },
  { on: "F", form: "cylinder", matrix: shaft(-1.4 * g, -0.95 * g, g), role: "parent" },
  { on: "F", form: "cylinder", matrix: shaft(-1.65 * g, 1.65 * g, 0.5 * g), role: "pin" },
];

/** A rail as long as the way so far, and a carriage on it. */
const prismatic: Draw = ({ size: g, low, high }) => {
  const [from, to] = [low[2] - 2.6 * g, high[2] + 2.6 * g];
  return [
    {
      on: "F",
      form: "box",
      matrix: block(0.5 * g, 0.9 * g, to - from, [0, 0, (from + to) / 2]),
      role: "metal",
    },
    { on: "F", form: "box", matrix: block(1.3 * g, 1.3 * g, 0.4 * g, [0, 0, from]), role: "metal" },
    { on: "F", form: "box", matrix: block(1.3 * g, 1.3 * g, 0.4 * g, [0, 0, to]), role: "metal" },
    { on: "M", form: "box", matrix: block(1.7 * g, 1.9 * g, 2.6 * g), role: "child" },
  ];
};

const screw: Draw = ({ size: g, low, high }) => [
  { on: "F", form: "thread", matrix: shaft(low[2] - 2.5 * g, high[2] + 2.5 * g, 0.75 * g), role: "metal" },
  { on: "F", form: "cylinder", matrix: shaft(low[2] - 2.5 * g, high[2] + 2.5 * g, 0.5 * g), role: "metal" },
  { on: "M", form: "nut", matrix: shaft(-0.8 * g, 0.8 * g, 1.5 * g), role: "child" },
];

const cylindrical: Draw = ({ size: g, low, high }) => [
  { on: "F", form: "cylinder", matrix: shaft(low[2] - 2.5 * g, high[2] + 2.5 * g, 0.5 * g), role: "metal" },
  { on: "M", form: "cylinder", matrix: shaft(-1.4 * g, 1.4 * g, 0.95 * g), role: "child" },
  { on: "M", form: "cylinder", matrix: shaft(-1.5 * g, -1.1 * g, 1.2 * g), role: "pin" },
  { on: "M", form: "cylinder", matrix: shaft(1.1 * g, 1.5 * g, 1.2 * g), role: "pin" },
];

/** The cross, with the knobs of the parent's yoke on x of F and of the child's on y of M. */
const universal: Draw = ({ size: g }) => {
  const arm = (on: "F" | "M", axis: Vec3): Piece[] => {
    const knob = (s: number): Piece => ({
      on,
      form: "cylinder",
      matrix: along(axis, [s * axis[0] * g, s * axis[1] * g, 0], 0.62 * g, 0.55 * g),
      role: on === "F" ? "parent" : "child",
    });
    return [
      { on, form: "cylinder", matrix: along(axis, [0, 0, 0], 0.36 * g, 3.2 * g), role: "metal" },
      knob(1.5),
      knob(-1.5),
    ];
  };
  return [
    ...arm("F", [1, 0, 0]),
    ...arm("M", [0, 1, 0]),
    { on: "M", form: "ball", matrix: block(0.7 * g, 0.7 * g, 0.7 * g), role: "metal" },
  ];
};

/** The socket is open towards the child. */
const spherical: Draw = ({ size: g, towardsChild }) => [
  { on: "M", form: "ball", matrix: block(g, g, g), role: "metal" },
  { on: "F", form: "socket", matrix: along(towardsChild, [0, 0, 0], 1.22 * g, 1.22 * g), role: "parent" },
];

const planar: Draw = ({ size: g, low, high }) => {
  const width = (k: 0 | 1) => high[k] - low[k] + 5 * g;
  const middle = (k: 0 | 1) => (high[k] + low[k]) / 2;
  return [
    {
      on: "F",
      form: "box",
      matrix: block(width(0), width(1), 0.25 * g, [middle(0), middle(1), -0.4 * g]),
      role: "metal",
    },
    { on: "M", form: "cylinder", matrix: shaft(-0.25 * g, 0.45 * g, 1.3 * g), role: "child" },
  ];
};

/** Two rings one in the other, and the child's axis in the inner one. */
const gimbal: Draw = ({ size: g }) => [
  { on: "F", form: "ring", matrix: along([1, 0, 0], [0, 0, 0], 1.9 * g, 1.9 * g), role: "parent" },
  { on: "M", form: "ring", matrix: along([0, 1, 0], [0, 0, 0], 1.5 * g, 1.5 * g), role: "child" },
  { on: "M", form: "cylinder", matrix: shaft(-1.5 * g, 1.5 * g, 0.3 * g), role: "pin" },
  { on: "M", form: "ball", matrix: block(0.6 * g, 0.6 * g, 0.6 * g), role: "metal" },
];

/** The hinge at F, and on M the rail that slides through it. */
const bendStretch: Draw = (input) => {
  const g = input.size;
  const reach = Math.max(Math.hypot(...input.low), Math.hypot(...input.high)) + 2.5 * g;
  return [
    ...revolute(input).map((piece): Piece => ({ ...piece, on: "F" })),
    { on: "M", form: "box", matrix: block(reach, 0.5 * g, 0.5 * g, [-reach / 2, 0, 0]), role: "child" },
  ];
};

/** The three ways that it can go. */
const translation: Draw = ({ size: g }) => {
  const axes: Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  return axes.map((axis) => ({
    on: "F",
    form: "rod",
    matrix: along(axis, [0, 0, 0], 0.12 * g, 2 * g),
    role: "metal",
  }));
};

const bushing: Draw = ({ size: g }) => [
  { on: "M", form: "cylinder", matrix: shaft(-1.2 * g, 1.2 * g, 0.5 * g), role: "child" },
  { on: "F", form: "cylinder", matrix: shaft(-0.8 * g, 0.8 * g, 1.2 * g), role: "pin" },
];

const weld: Draw = ({ size: g }) => [
  { on: "F", form: "box", matrix: block(1.1 * g, 1.1 * g, 1.1 * g), role: "parent" },
];

const unknown: Draw = ({ size: g }) => [
  { on: "F", form: "mark", matrix: block(1.2 * g, 1.2 * g, 1.2 * g), role: "metal" },
];

const glyphs: Record<string, Draw> = {
  revolute,
  prismatic,
  screw,
  cylindrical,
  universal,
  spherical,
  planar,
  gimbal,
  "bend-stretch": bendStretch,
  translation,
  bushing,
  weld,
  free: () => [],
  "free-line": () => [],
};

/** Joints that stand on a foot where they are on Ground; rails, plates and marks need none. */
const standing = new Set(["revolute", "universal", "spherical", "gimbal", "bushing", "line-orientation"]);

/** What holds a joint's side on Ground: a foot from the joint in a direction, in the axes of that side. */
export function footOf(type: string, size: number, way: Vec3): { form: Form; matrix: Matrix }[] {
  if (!standing.has(glyphType(type))) return [];
  const at = (s: number): Vec3 => [s * way[0], s * way[1], s * way[2]];
  return [
    { form: "foot", matrix: along([-way[0], -way[1], -way[2]], at(1.9 * size), 1.5 * size, 2.4 * size) },
    { form: "box", matrix: along(way, at(3.3 * size), 4.4 * size, 0.5 * size) },
  ];
}
