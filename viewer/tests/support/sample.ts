import type { RunHeader } from "../../src/data/run";
import type { Pose, Scene, Vec3 } from "../../src/data/scene";
import { RunDecoder } from "../../src/data/stream";
import type { Run } from "../../src/data/run";
import { concat, head, rows, status, type Row } from "./encode";

/**
 * Three links hang one on the other from Ground, and a fourth joint ties the last back to it: a parallelogram. The crank turns by
 * an angle a, the coupler only shifts, the rocker turns with the crank, so the whole motion follows from a(t) in closed form. A
 * wire from the middle between the ground pins to the middle of the coupler is as long as the crank, whatever a is; a spring
 * pulls the coupler's far end sideways. The angle itself is integrated with the classical Runge-Kutta method.
 */
export const crankLength = 0.5;
export const couplerLength = 0.8;
const mass = 1;
const gravity = 9.81;
const stiffness = 6;
const rest = 0.4;
const hook: Vec3 = [1.6, 0, -0.5];

const half = Math.SQRT1_2;
/** A frame whose z is the y of its body: where the pins are. */
const pinAt = (x: number, z: number): Pose => [x, 0, z, half, -half, 0, 0];
const at = (x: number, z: number): Pose => [x, 0, z, 1, 0, 0, 0];

export const sampleScene: Scene = {
  name: "parallelogram",
  gravity: [0, 0, -gravity],
  bodies: [
    { name: "ground", parent: -1, mass: 0, com: [0, 0, 0], ellipsoid: null, shapes: [] },
    rod("crank", 0, [0, 0, -crankLength / 2], crankLength, [1, 0, 0, 0]),
    rod("coupler", 1, [couplerLength / 2, 0, 0], couplerLength, [half, 0, half, 0]),
    rod("rocker", 2, [0, 0, crankLength / 2], crankLength, [1, 0, 0, 0]),
  ],
  joints: [
    pin("shoulder", 0, 1, pinAt(0, 0), pinAt(0, 0), "shoulder"),
    pin("elbow", 1, 2, pinAt(0, -crankLength), pinAt(0, 0), "elbow"),
    pin("wrist", 2, 3, pinAt(couplerLength, 0), pinAt(0, 0), "wrist"),
    pin("loop", 0, 3, pinAt(couplerLength, 0), pinAt(0, crankLength), null),
  ],
  frames: [
    { name: "middle", body: 0, pose: at(couplerLength / 2, 0) },
    { name: "coupler middle", body: 2, pose: at(couplerLength / 2, 0) },
    { name: "coupler end", body: 2, pose: at(couplerLength, 0) },
    { name: "hook", body: 0, pose: [...hook, 1, 0, 0, 0] },
  ],
  constraints: [
    {
      name: "wire",
      kind: "wire",
      description: 'wire "middle" "coupler middle"',
      frames: [0, 1],
      coordinates: [],
      length: crankLength,
    },
  ],
  springs: [{ kind: "spring", frames: [2, 3] }],
};

function rod(
  name: string,
  parent: number,
  com: Vec3,
  length: number,
  axes: [number, number, number, number],
) {
  // A slender rod of length l has the inertia m l^2 / 12, an ellipsoid of semiaxis c along it m c^2 / 5.
  const long = length * Math.sqrt(5 / 12);
  const semiaxes: Vec3 = [0.03, 0.03, long];
  return { name, parent, mass, com, ellipsoid: { semiaxes, axes }, shapes: [] };
}

function pin(name: string, parent: number, child: number, F: Pose, M: Pose, coordinate: string | null) {
  return {
    name,
    type: "revolute",
    parent,
    child,
    parentFrame: F,
    childFrame: M,
    coordinates: coordinate === null ? [] : [coordinate],
    speeds: coordinate === null ? [] : [`${coordinate}'`],
    closesLoop: coordinate === null,
    implicit: false,
  };
}

function potential(a: number): number {
  // Centres of mass of crank and rocker at half the depth of the coupler's.
  return -2 * mass * gravity * crankLength * Math.cos(a) + (stiffness / 2) * (springLength(a) - rest) ** 2;
}

export function springLength(a: number): number {
  return Math.hypot(
    couplerLength - crankLength * Math.sin(a) - hook[0],
    -crankLength * Math.cos(a) - hook[2],
  );
}

/** Two rods turn about their ends (m l^2 / 3 each), the coupler shifts. */
const inertia = (5 / 3) * mass * crankLength ** 2;

function acceleration(a: number): number {
  const length = springLength(a);
  const dx = couplerLength - crankLength * Math.sin(a) - hook[0];
  const dz = -crankLength * Math.cos(a) - hook[2];
  const rate = (-dx * crankLength * Math.cos(a) + dz * crankLength * Math.sin(a)) / length;
  const torque = -2 * mass * gravity * crankLength * Math.sin(a) - stiffness * (length - rest) * rate;
  return torque / inertia;
}

/** About the origin, along y: spin of crank and rocker, then z p_x - x p_z of each link. */
function angularMomentum(a: number, v: number): number {
  const spin = (mass * crankLength ** 2 * v) / 6;
  const [vx, vz] = [-crankLength * Math.cos(a) * v, crankLength * Math.sin(a) * v];
  const [x, z] = [-crankLength * Math.sin(a), -crankLength * Math.cos(a)];
  const crank = (z / 2) * (vx / 2) - (x / 2) * (vz / 2);
  const coupler = z * vx - (x + couplerLength / 2) * vz;
  const rocker = (z / 2) * (vx / 2) - (x / 2 + couplerLength) * (vz / 2);
  return spin + mass * (crank + coupler + rocker);
}

function step(a: number, v: number, h: number): [number, number] {
  const k1 = acceleration(a);
  const k2 = acceleration(a + (h / 2) * v);
  const k3 = acceleration(a + (h / 2) * v + (h * h * k1) / 4);
  const k4 = acceleration(a + h * v + (h * h * k2) / 2);
  return [a + h * v + ((h * h) / 6) * (k1 + k2 + k3), v + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4)];
}

/** The pose of crank, coupler and rocker at an angle of the crank. */
export function samplePoses(a: number): number[] {
  const turn = [Math.cos(a / 2), 0, Math.sin(a / 2), 0];
  const tip = [-crankLength * Math.sin(a), 0, -crankLength * Math.cos(a)];
  const [x = 0, y = 0, z = 0] = tip;
  return [0, 0, 0, ...turn, x, y, z, 1, 0, 0, 0, x + couplerLength, y, z, ...turn];
}

const columns = [
  ...["t|s", "shoulder|rad", "elbow|rad", "wrist|rad", "shoulder'|rad/s", "elbow'|rad/s", "wrist'|rad/s"],
  ...["kinetic|J", "potential|J", "energy|J", "constraint|"],
  ...["momentum.x|kg m/s", "momentum.y|kg m/s", "momentum.z|kg m/s"],
  ...["angular-momentum.x|kg m^2/s", "angular-momentum.y|kg m^2/s", "angular-momentum.z|kg m^2/s"],
].map((column) => {
  const [name = "", unit = ""] = column.split("|");
  return { name, unit };
});

export interface SampleOptions {
  label?: string;
  rows?: number;
  /** [s], between rows. */
  every?: number;
  /** [rad], of the crank at the start. */
  angle?: number;
}

export function sampleHeader(options: SampleOptions = {}): RunHeader {
  const { label = "sample", rows: count = 201, every = 0.02 } = options;
  return {
    label,
    model: "parallelogram.pol",
    method: "closed form",
    version: "0",
    options: [["every", `${every} s`]],
    keepsEnergy: true,
    time: [0, (count - 1) * every],
    columns,
    scene: sampleScene,
  };
}

export function sampleRows(options: SampleOptions = {}): Row[] {
  const { rows: count = 201, every = 0.02, angle = 1 } = options;
  const list: Row[] = [];
  let [a, v] = [angle, 0];
  for (let i = 0; i < count; ++i) {
    const kinetic = (inertia * v * v) / 2;
    const height = potential(a);
    const px = -2 * mass * crankLength * Math.cos(a) * v;
    const pz = 2 * mass * crankLength * Math.sin(a) * v;
    const values = [i * every, a, -a, a, v, -v, v, kinetic, height, kinetic + height, 0, px, 0, pz];
    list.push({ values: [...values, 0, angularMomentum(a, v), 0], poses: samplePoses(a) });
    for (let k = 0; k < 4; ++k) [a, v] = step(a, v, every / 4);
  }
  return list;
}

/** A whole run as the bytes of its stream. */
export function sampleBytes(options: SampleOptions = {}): Uint8Array {
  return concat([
    head(sampleHeader(options)),
    rows(sampleRows(options)),
    status({ state: "finished", done: 1, message: "", summary: [["steps", "800"]] }),
  ]);
}

export function sampleRun(options: SampleOptions = {}): Run {
  return decode(sampleBytes(options));
}

export function decode(bytes: Uint8Array): Run {
  const decoder = new RunDecoder();
  decoder.push(bytes);
  if (!decoder.run) throw new Error("no header in the bytes");
  return decoder.run;
}
