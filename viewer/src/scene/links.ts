import type { Scene, Vec3 } from "../data/scene";
import { cross, direction, distance, length, nearestOnSegment, originOf, subtract } from "./math";

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
  for (const frame of scene.frames) extra[frame.body]?.push(originOf(frame.pose));
  return scene.bodies.map((body, b) => {
    if (b === 0) return [];
    const joints = points[b] ?? [];
    const rods = joinPoints(joints);
    const tips = [...(body.mass > 0 ? [body.com] : []), ...(extra[b] ?? [])];
    return reachOut(rods, joints, tips);
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

function reachOut(rods: Rod[], points: Vec3[], tips: Vec3[]): Rod[] {
  const all = [...rods];
  const size = Math.max(0, ...rods.map((rod) => distance(rod.from, rod.to)), ...tips.map(length));
  // A body that hangs on one joint only is drawn as a link to its centre of mass.
  let alone = rods.length === 0;
  for (const tip of tips) {
    let nearest: Vec3 | null = null;
    for (const rod of all) {
      const foot = nearestOnSegment(tip, rod.from, rod.to);
      if (!nearest || distance(tip, foot) < distance(tip, nearest)) nearest = foot;
    }
    for (const p of points) if (!nearest || distance(tip, p) < distance(tip, nearest)) nearest = p;
    // Bodies that no joint holds have nothing to reach out from but their own frames.
    if (!nearest) nearest = tips[0] ?? null;
    if (!nearest || distance(tip, nearest) <= 0.02 * size) continue;
    all.push({ from: nearest, to: tip, main: alone });
    alone = false;
  }
  return all;
}
