import { Color } from "three";
import type { Scene } from "../data/scene";
import { writePoint } from "./kernels";
import { Lines } from "./lines";
import type { Rod } from "./links";
import { originOf } from "./math";

/**
 * Thin lines inside rods and wires. Near by they are hidden in them; from afar, where a rod is less than a pixel wide, they are what
 * is left to see of a long chain.
 */
export class Skeleton {
  readonly lines: Lines;
  private readonly owners: Int32Array;
  private readonly points: Float32Array;

  constructor(scene: Scene, rods: Rod[][]) {
    const owners: number[] = [];
    const points: number[] = [];
    rods.forEach((list, body) => {
      for (const rod of list) {
        if (!rod.main) continue;
        owners.push(body, body);
        points.push(...rod.from, ...rod.to);
      }
    });
    for (const { kind, frames } of scene.constraints) {
      const [a, b] = [scene.frames[frames[0] ?? -1], scene.frames[frames[1] ?? -1]];
      if ((kind !== "wire" && kind !== "rod") || !a || !b) continue;
      owners.push(a.body, b.body);
      points.push(...originOf(a.pose), ...originOf(b.pose));
    }
    this.owners = Int32Array.from(owners);
    this.points = Float32Array.from(points);
    this.lines = new Lines(owners.length / 2, 6, 1.3);
  }

  update(bodies: Float32Array): void {
    for (let i = 0; i < this.owners.length; ++i) {
      writePoint(bodies, this.owners[i] as number, this.points, 3 * i, this.lines.points, 3 * i);
    }
    this.lines.show(this.owners.length / 2);
  }

  paint(css: string, opacity: number): void {
    this.lines.paint(new Color(css), opacity);
  }
}
