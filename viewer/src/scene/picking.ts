import { Raycaster, Sphere, Vector2, Vector3, type Camera, type Intersection } from "three";
import type { Figure } from "./figure";
import { pickNothing } from "./part";

/** Instances are all over the scene; each is tested by itself. */
const everywhere = new Sphere(new Vector3(), Infinity);

/**
 * What is at a place on the screen; the numbers are those of part.ts. Where nothing is hit, the body whose links pass within some
 * pixels is meant: fingers are blunt, and a rod far away is thinner than a pixel.
 */
export function pickAt(
  raycaster: Raycaster,
  camera: Camera,
  figure: Figure,
  at: Vector2,
  size: Vector2,
  tolerance: number,
): number {
  raycaster.setFromCamera(new Vector2((at.x / size.x) * 2 - 1, 1 - (at.y / size.y) * 2), camera);
  const hit = nearestHit(raycaster, figure);
  return hit !== pickNothing ? hit : nearestLink(camera, figure, at, size, tolerance);
}

function nearestHit(raycaster: Raycaster, figure: Figure): number {
  let best = { distance: Infinity, pick: pickNothing };
  const hits: Intersection[] = [];
  for (const batch of figure.batches) {
    if (!batch.mesh.parent?.visible || !batch.mesh.visible) continue;
    batch.mesh.boundingSphere = everywhere;
    hits.length = 0;
    batch.mesh.raycast(raycaster, hits);
    for (const hit of hits) {
      const pick = batch.picks[hit.instanceId ?? -1] ?? pickNothing;
      if (pick !== pickNothing && hit.distance < best.distance) best = { distance: hit.distance, pick };
    }
  }
  return best.pick;
}

function nearestLink(camera: Camera, figure: Figure, at: Vector2, size: Vector2, tolerance: number): number {
  let best = { gap: tolerance, pick: pickNothing };
  const [a, b] = [new Vector3(), new Vector3()];
  const toScreen = (p: Vector3) => {
    p.project(camera);
    p.set(((p.x + 1) / 2) * size.x, ((1 - p.y) / 2) * size.y, p.z);
  };
  figure.rods.forEach((rods, body) => {
    const com = figure.run.header.scene.bodies[body]?.com;
    const ends = body > 0 && com ? [...rods, { from: com, to: com }] : rods;
    for (const { from, to } of ends) {
      toScreen(figure.pointPlace(body, from, a));
      toScreen(figure.pointPlace(body, to, b));
      if (Math.abs(a.z) > 1 || Math.abs(b.z) > 1) continue;
      const gap = gapToSegment(at, a, b);
      if (gap < best.gap) best = { gap, pick: body };
    }
  });
  return best.pick;
}

function gapToSegment(p: Vector2, a: Vector3, b: Vector3): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const u = square > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square)) : 0;
  return Math.hypot(p.x - a.x - u * dx, p.y - a.y - u * dy);
}
