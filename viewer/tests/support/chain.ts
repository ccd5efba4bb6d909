import type { Joint, Scene } from "../../src/data/scene";
import type { RunHeader } from "../../src/data/run";
import { concat, head, rows, status, type Row } from "./encode";

const half = Math.SQRT1_2;

/** A chain of n links that hang on hinges along y, each of one metre down its own z. */
export function chainScene(n: number): Scene {
  const bodies: Scene["bodies"] = [
    { name: "ground", parent: -1, mass: 0, com: [0, 0, 0], ellipsoid: null, shapes: [] },
  ];
  const joints: Joint[] = [];
  for (let i = 1; i <= n; ++i) {
    bodies.push({
      name: `link ${i}`,
      parent: i - 1,
      mass: 1,
      com: [0, 0, -0.5],
      ellipsoid: { semiaxes: [0.05, 0.05, Math.sqrt(5 / 12)], axes: [1, 0, 0, 0] },
      shapes: [],
    });
    joints.push({
      name: `hinge ${i}`,
      type: "revolute",
      parent: i - 1,
      child: i,
      parentFrame: [0, 0, i === 1 ? 0 : -1, half, -half, 0, 0],
      childFrame: [0, 0, 0, half, -half, 0, 0],
      coordinates: [`hinge ${i}`],
      speeds: [`hinge ${i}'`],
      closesLoop: false,
      implicit: false,
    });
  }
  return { name: "chain", gravity: [0, 0, -9.81], bodies, joints, frames: [], constraints: [], springs: [] };
}

/** A wave runs along the chain. */
export function chainBytes(n: number, count: number): Uint8Array {
  const header: RunHeader = {
    label: `chain of ${n}`,
    model: "chain",
    method: "closed form",
    version: "0",
    options: [],
    keepsEnergy: true,
    time: [0, (count - 1) / 60],
    columns: [{ name: "t", unit: "s" }],
    scene: chainScene(n),
  };
  const list: Row[] = [];
  for (let k = 0; k < count; ++k) {
    const t = k / 60;
    const poses: number[] = [];
    let [x, z] = [0, 0];
    for (let i = 0; i < n; ++i) {
      const angle = 0.6 * Math.sin(2 * t - (12 * i) / n);
      poses.push(x, 0, z, Math.cos(angle / 2), 0, Math.sin(angle / 2), 0);
      x -= Math.sin(angle);
      z -= Math.cos(angle);
    }
    list.push({ values: [t], poses });
  }
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < count; from += 30) blocks.push(rows(list.slice(from, from + 30)));
  return concat([head(header), ...blocks, status({ state: "finished", done: 1, message: "", summary: [] })]);
}
