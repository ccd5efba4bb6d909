import type { Scene, Vec3 } from "../data/scene";
import { cross, direction, distance, dot, length, nearestOnSegment, originOf, subtract } from "./math";

/** A rod that is part of a body, in the body's frame. */
export interface Rod {
  from: Vec3;
  to: Vec3;
  /** Between joints; the others only reach out to a frame or the centre of mass. */
  main: boolean;
}

/** Where the joints of each body are on it, without those that coincide. */
export function jointPoints(scene: Scene): Vec3[][] {
  const points = scene.bodies.map((): Vec3[] => []);
  for (const joint of scene.joints) {
    // What is free of its parent is not tied to it by anything that could be seen.
    if (isFree(joint.type)) continue;
    addPoint(points[joint.parent], originOf(joint.parentFrame));
    addPoint(points[joint.child], originOf(joint.childFrame));
  }
  return points;
}

export function isFree(type: string): boolean {
  return (
    type === "free" ||
    type === "floating" ||
    type === "translation" ||
    type === "cartesian" ||
    type === "free-line"
  );
}

/**
 * The rods that make a body look like the link that it is. Its joints are joined by the shortest tree of rods (three joints by a
 * triangle, as a ternary link is drawn); centre of mass and frames reach out from the nearest point of what is there already, so
 * that one on the line between two joints adds nothing. Ground is no link and gets none.
 */
export function rodsOf(scene: Scene): Rod[][] {
  const points = jointPoints(scene);
  const extra = scene.bodies.map((): Vec3[] => []);
  const used = new Set([...scene.constraints, ...scene.springs].flatMap(({ frames }) => frames));
  scene.frames.forEach((frame, i) => {
    if (used.has(i) || !isOwnFrame(scene, i)) extra[frame.body]?.push(originOf(frame.pose));
  });
  return scene.bodies.map((body, b) => {
    if (b === 0) return [];
    const joints = points[b] ?? [];
    const rods = joinPoints(joints);
    return reachOut(rods, joints, body.mass > 0 ? body.com : null, extra[b] ?? []);
  });
}

function addPoint(points: Vec3[] | undefined, p: Vec3): void {
  if (points && !points.some((other) => distance(p, other) <= 1e-6 * (length(p) + length(other))))
    points.push(p);
}

/** Prim's algorithm: few joints sit on one body, so the simple way is the fast one. */
function joinPoints(points: Vec3[]): Rod[] {
  const rods: Rod[] = [];
  const [a, b, c] = points;
  if (points.length === 3 && a && b && c && !collinear(a, b, c)) {
    return [
      { from: a, to: b, main: true },
      { from: b, to: c, main: true },
      { from: c, to: a, main: true },
    ];
  }
  const joined = points.slice(0, 1);
  const left = points.slice(1);
  while (left.length > 0) {
    let best = { gap: Infinity, at: 0, from: left[0] as Vec3 };
    left.forEach((p, at) => {
      for (const from of joined) {
        const gap = distance(p, from);
        if (gap < best.gap) best = { gap, at, from };
      }
    });
    const [to] = left.splice(best.at, 1);
    if (!to) break;
    rods.push({ from: best.from, to, main: true });
    joined.push(to);
  }
  return rods;
}

function collinear(a: Vec3, b: Vec3, c: Vec3): boolean {
  const [ab, ac] = [subtract(b, a), subtract(c, a)];
  return (
    length(cross(direction(ab), direction(ac))) < 0.05 ||
    length(cross(direction(ab), direction(subtract(c, b)))) < 0.05
  );
}

function reachOut(rods: Rod[], points: Vec3[], com: Vec3 | null, frames: Vec3[]): Rod[] {
  const all = [...rods];
  const tips = [...(com ? [com] : []), ...frames];
  const size = Math.max(
    0,
    ...rods.map((rod) => distance(rod.from, rod.to)),
    ...tips.map((tip) => nearestPoint(tip, points)),
  );
  const [only] = points;
  if (points.length === 1 && only) {
    // A body that hangs on one joint is a link to its centre of mass, or to a frame further out in the same direction.
    const end = farthest(only, com, frames);
    if (end && distance(only, end) > 0) all.push({ from: only, to: end, main: true });
  }
  for (const tip of tips) {
    let nearest: Vec3 | null = null;
    for (const rod of all) {
      const foot = nearestOnSegment(tip, rod.from, rod.to);
      if (!nearest || distance(tip, foot) < distance(tip, nearest)) nearest = foot;
    }
    for (const p of points) if (!nearest || distance(tip, p) < distance(tip, nearest)) nearest = p;
    // Bodies that no joint holds have nothing to reach out from but their own frames.
    nearest ??= tips[0] ?? null;
    if (!nearest || distance(tip, nearest) <= 0.02 * size) continue;
    all.push({ from: nearest, to: tip, main: false });
  }
  return all;
}

function nearestPoint(p: Vec3, points: Vec3[]): number {
  return points.length === 0 ? length(p) : Math.min(...points.map((q) => distance(p, q)));
}

function farthest(joint: Vec3, com: Vec3 | null, frames: Vec3[]): Vec3 | null {
  const size = Math.max(0, ...frames.map((tip) => distance(joint, tip)));
  let end = com && distance(joint, com) > 1e-6 * size ? com : null;
  for (const tip of frames) {
    const beyond = !end || distance(joint, tip) > distance(joint, end);
    if (beyond && (!end || dot(direction(subtract(tip, joint)), direction(subtract(end, joint))) > 0.99))
      end = tip;
  }
  return end;
}

/** Whether a frame is only the body's own, which every body has, wherever its origin happens to be. */
export function isOwnFrame(scene: Scene, index: number): boolean {
  const frame = scene.frames[index];
  if (!frame || scene.bodies[frame.body]?.name !== frame.name) return false;
  return length(originOf(frame.pose)) === 0 && Math.abs(frame.pose[3]) > 1 - 1e-12;
}
