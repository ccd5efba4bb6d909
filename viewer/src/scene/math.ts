import type { Pose, Quaternion, Vec3 } from "../data/scene";

/** Small vector algebra for laying out a scene. Matrices are 4 by 4 in columns, as three.js and WebGL have them. */
export type Matrix = number[];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (s: number, a: Vec3): Vec3 => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The direction of a; the fallback where a has none. */
export function direction(a: Vec3, fallback: Vec3 = [0, 0, 1]): Vec3 {
  const size = length(a);
  return size > 1e-12 && Number.isFinite(size) ? scale(1 / size, a) : fallback;
}

/** A direction at right angles to a. */
export function perpendicular(a: Vec3): Vec3 {
  const [x, y, z] = a.map(Math.abs) as Vec3;
  return direction(cross(a, x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]), [1, 0, 0]);
}

export function originOf(pose: Pose): Vec3 {
  return [pose[0], pose[1], pose[2]];
}

export function rotate(q: Quaternion, v: Vec3): Vec3 {
  const u: Vec3 = [q[1], q[2], q[3]];
  const t = scale(2, cross(u, v));
  return add(add(v, scale(q[0], t)), cross(u, t));
}

export function quaternionOf(pose: Pose): Quaternion {
  return [pose[3], pose[4], pose[5], pose[6]];
}

/** Where a point that is fixed in a frame is. */
export function place(pose: Pose, p: Vec3): Vec3 {
  return add(originOf(pose), rotate(quaternionOf(pose), p));
}

/** The pose in the outer frame of what has the given pose in the inner one. */
export function compose(outer: Pose, inner: Pose): Pose {
  const [aw, ax, ay, az] = quaternionOf(outer);
  const [bw, bx, by, bz] = quaternionOf(inner);
  return [
    ...place(outer, originOf(inner)),
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

export function invert(pose: Pose): Pose {
  const q: Quaternion = [pose[3], -pose[4], -pose[5], -pose[6]];
  return [...rotate(q, scale(-1, originOf(pose))), ...q];
}

export function posed(origin: Vec3, q: Quaternion = [1, 0, 0, 0]): Pose {
  return [...origin, ...q];
}

/** The matrix with these columns, placed at an origin. */
export function columns(x: Vec3, y: Vec3, z: Vec3, origin: Vec3): Matrix {
  return [...x, 0, ...y, 0, ...z, 0, ...origin, 1];
}

/** The matrix of a pose after a stretch along the frame's own axes. */
export function matrixOf(pose: Pose, stretch: Vec3 = [1, 1, 1]): Matrix {
  const q = quaternionOf(pose);
  return columns(
    rotate(q, [stretch[0], 0, 0]),
    rotate(q, [0, stretch[1], 0]),
    rotate(q, [0, 0, stretch[2]]),
    originOf(pose),
  );
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const product = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += (a[4 * k + row] ?? 0) * (b[4 * column + k] ?? 0);
      product[4 * column + row] = sum;
    }
  }
  return product;
}

/** Puts something whose own axis is z along a direction, stretched across and along it. */
export function along(axis: Vec3, centre: Vec3, across: number, lengthwise: number): Matrix {
  const z = direction(axis);
  const x = perpendicular(z);
  return columns(scale(across, x), scale(across, cross(z, x)), scale(lengthwise, z), centre);
}

/** Puts a rod of unit length along z between two points. */
export function between(from: Vec3, to: Vec3, radius: number): Matrix {
  const middle = scale(0.5, add(from, to));
  return along(subtract(to, from), middle, radius, Math.max(distance(from, to), 1e-9));
}

/** The point of the segment from a to b that is nearest to p. */
export function nearestOnSegment(p: Vec3, a: Vec3, b: Vec3): Vec3 {
  const ab = subtract(b, a);
  const square = dot(ab, ab);
  const u = square > 0 ? Math.min(1, Math.max(0, dot(subtract(p, a), ab) / square)) : 0;
  return add(a, scale(u, ab));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  if (n === 0) return 0;
  return ((sorted[(n - 1) >> 1] ?? 0) + (sorted[n >> 1] ?? 0)) / 2;
}
