import { Raycaster, Vector2, type Camera, type Intersection } from "three";
import type { Figure } from "./figure";
import { pickNothing } from "./part";

/** What is at a place on the screen, or within some pixels of it; the numbers are those of part.ts. */
export function pickAt(
  raycaster: Raycaster,
  camera: Camera,
  figure: Figure,
  at: Vector2,
  size: Vector2,
  tolerance: number,
): number {
  const tries = [new Vector2(0, 0)];
  for (const share of [0.5, 1]) {
    for (let k = 0; k < 8; ++k) {
      const angle = (k * Math.PI) / 4;
      tries.push(new Vector2(Math.cos(angle), Math.sin(angle)).multiplyScalar(share * tolerance));
    }
  }
  for (const offset of tries) {
    const x = ((at.x + offset.x) / size.x) * 2 - 1;
    const y = 1 - ((at.y + offset.y) / size.y) * 2;
    raycaster.setFromCamera(new Vector2(x, y), camera);
    const pick = nearest(raycaster, figure);
    if (pick !== pickNothing) return pick;
  }
  return pickNothing;
}

function nearest(raycaster: Raycaster, figure: Figure): number {
  let best = { distance: Infinity, pick: pickNothing };
  for (const batch of figure.batches) {
    if (!batch.mesh.parent?.visible) continue;
    batch.mesh.computeBoundingSphere();
    const hits: Intersection[] = [];
    batch.mesh.raycast(raycaster, hits);
    for (const hit of hits) {
      const pick = batch.picks[hit.instanceId ?? -1] ?? pickNothing;
      if (pick !== pickNothing && hit.distance < best.distance) best = { distance: hit.distance, pick };
    }
  }
  return best.pick;
}
