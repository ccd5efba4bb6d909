import type { Pose, Scene, Vec3 } from "../data/scene";
import { rodsOf, type Rod } from "./links";
import {
  add,
  compose,
  cross,
  direction,
  distance,
  dot,
  median,
  perpendicular,
  place,
  quaternionOf,
  rotate,
  scale,
} from "./math";
import { solidOf } from "./solids";

/** Where things are in the drawing's first pose: one pose for every body of the scene, Ground's included. */
export type Poses = readonly Pose[];

export interface Box {
  low: Vec3;
  high: Vec3;
}

export function cornersOf({ low, high }: Box): Vec3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [
    c & 1 ? high[0] : low[0],
    c & 2 ? high[1] : low[1],
    c & 4 ? high[2] : low[2],
  ]);
}

const identity: Pose = [0, 0, 0, 1, 0, 0, 0];

/** Against gravity; z where there is none, as models mostly have it. */
export function upOf(scene: Scene): Vec3 {
  return direction(scale(-1, scene.gravity), [0, 0, 1]);
}

/**
 * The length that glyphs are drawn to: that of the middling link, so that millimetres and kilometres look alike. Mechanisms without
 * links go by what is between their frames, then by their bodies, then by their motion.
 */
export function linkLength(
  scene: Scene,
  poses: Poses,
  motion: Box | null,
  rods: Rod[][] = rodsOf(scene),
): number {
  const candidates = [
    () =>
      rods
        .flat()
        .filter((rod) => rod.main)
        .map((rod) => distance(rod.from, rod.to)),
    () => rods.flat().map((rod) => distance(rod.from, rod.to)),
    () => [...scene.springs, ...scene.constraints].map(({ frames }) => frameGap(scene, poses, frames)),
    () => scene.bodies.map((body) => 1.5 * Math.max(0, ...(solidOf(body)?.size ?? []))),
    () =>
      motion ? [0.1 * Math.max(...[0, 1, 2].map((k) => (motion.high[k] ?? 0) - (motion.low[k] ?? 0)))] : [],
  ];
  for (const candidate of candidates) {
    const lengths = candidate().filter((l) => Number.isFinite(l) && l > 1e-9);
    if (lengths.length > 0) return median(lengths);
  }
  return 1;
}

/** Between the first two frames of a list. */
function frameGap(scene: Scene, poses: Poses, frames: readonly number[]): number {
  const [a, b] = [frames[0], frames[1]];
  if (a === undefined || b === undefined) return 0;
  return distance(framePlace(scene, poses, a), framePlace(scene, poses, b));
}

export function framePlace(scene: Scene, poses: Poses, index: number): Vec3 {
  const frame = scene.frames[index];
  if (!frame) return [0, 0, 0];
  return place(compose(poses[frame.body] ?? identity, frame.pose), [0, 0, 0]);
}

/** Joints whose axis z is at right angles to the plane of a planar motion, and those whose axis is in it. */
const turning = new Set(["revolute", "pin", "hinge", "planar", "bend-stretch", "polar"]);
const sliding = new Set(["prismatic", "slider", "translational"]);
const rigid = new Set(["weld", "fixed", "rigid"]);

/**
 * The normal of the plane that the mechanism moves in, pointing away from the viewer so that the larger of x and y goes right; null
 * if it moves in space. Its joints alone tell: axes that turn are parallel, those that slide at right angles to them.
 */
export function planarAxis(scene: Scene, poses: Poses): Vec3 | null {
  let axis: Vec3 | null = null;
  const slides: Vec3[] = [];
  for (const joint of scene.joints) {
    if (rigid.has(joint.type)) continue;
    const F = compose(poses[joint.parent] ?? identity, joint.parentFrame);
    const z = rotate(quaternionOf(F), [0, 0, 1]);
    if (sliding.has(joint.type)) slides.push(z);
    else if (!turning.has(joint.type)) return null;
    else if (!axis) axis = z;
    else if (Math.abs(dot(axis, z)) < 0.9999) return null;
  }
  if (!axis) return null;
  const normal = axis;
  if (slides.some((slide) => Math.abs(dot(slide, normal)) > 0.01)) return null;
  const right = cross(normal, upOf(scene));
  const leading = [right[0], right[1], right[2]].reduce(
    (a, b) => (Math.abs(b) > Math.abs(a) + 1e-9 ? b : a),
    0,
  );
  return leading < 0 ? scale(-1, normal) : normal;
}

/** Unit directions from which a mechanism is looked at, towards the viewer. */
export interface Views {
  front: Vec3;
  side: Vec3;
  top: Vec3;
  corner: Vec3;
}

export function viewsOf(scene: Scene, poses: Poses): Views {
  const up = upOf(scene);
  const axis = planarAxis(scene, poses);
  const upright = axis !== null && Math.abs(dot(axis, up)) < 0.9;
  const forward = upright ? axis : Math.abs(up[1]) < 0.9 ? ([0, 1, 0] as Vec3) : ([0, 0, -1] as Vec3);
  const level = direction(add(forward, scale(-dot(forward, up), up)), perpendicular(up));
  const front = scale(-1, level);
  const right = cross(level, up);
  const corner = direction(add(add(scale(0.85, front), scale(0.55, right)), scale(0.45, up)));
  return { front, side: right, top: up, corner };
}

/** The view that a mechanism opens with: along the axis where all moves in a plane, else from the corner. */
export function firstView(scene: Scene, poses: Poses): keyof Views {
  const axis = planarAxis(scene, poses);
  if (!axis) return "corner";
  return Math.abs(dot(axis, upOf(scene))) < 0.9 ? "front" : "top";
}

/** Height along up of the ground that is drawn, given the lowest and highest point of the motion. */
export function groundHeight(scene: Scene, low: number, high: number): number {
  const up = upOf(scene);
  // What rolls on a level plane of Ground tells where the ground is.
  for (const constraint of scene.constraints) {
    const plane = scene.frames[constraint.frames[1] ?? -1];
    if (!constraint.kind.startsWith("rolling") || plane?.body !== 0) continue;
    if (dot(rotate(quaternionOf(plane.pose), [0, 0, 1]), up) > 0.999)
      return dot(place(plane.pose, [0, 0, 0]), up);
  }
  const size = Math.max(high - low, 1e-9);
  // A model that stands on height zero means it.
  if (low >= -1e-6 * size && low <= 0.35 * size) return 0;
  return low - 0.12 * size;
}

/** 1, 2 or 5 times a power of ten, near to a length: the width of the grid's squares. */
export function niceLength(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/**
 * Where an eye that looks along -z sees all points, from as near as possible: with half the opening angles' tangents tx and ty, the
 * eye must be inside four planes, whose outermost positions follow from the points one by one.
 */
export function eyeFor(points: readonly Vec3[], tx: number, ty: number): Vec3 {
  const bound = (k: 0 | 1, t: number): [centre: number, height: number] => {
    let most = -Infinity;
    let least = Infinity;
    for (const p of points) {
      most = Math.max(most, p[k] + t * p[2]);
      least = Math.min(least, p[k] - t * p[2]);
    }
    return [(most + least) / 2, (most - least) / (2 * t)];
  };
  const [x, zx] = bound(0, tx);
  const [y, zy] = bound(1, ty);
  return [x, y, Math.max(zx, zy)];
}
