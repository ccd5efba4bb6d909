import { poseSize, type Run } from "../data/run";
import type { Pose, Vec3 } from "../data/scene";
import { writeBodyMatrices, writePoint } from "./kernels";
import type { Box, Poses } from "./layout";
import { compose, invert, place } from "./math";

/** All poses of a run in one of its rows, Ground's first; identities where it has none yet. */
export function posesInRow(run: Run, row: number): Poses {
  const numbers = new Float32Array(poseSize);
  return run.header.scene.bodies.map((_, b): Pose => {
    run.poseInRow(row, b, numbers, 0);
    return Array.from(numbers) as Pose;
  });
}

/** So many points are looked at when rows have come: more rows of a small mechanism, fewer of a large one. */
const budget = 60_000;

const directions: Vec3[] = [];
for (const x of [-1, 0, 1]) {
  for (const y of [-1, 0, 1]) {
    for (const z of [-1, 0, 1]) if (x !== 0 || y !== 0 || z !== 0) directions.push([x, y, z]);
  }
}
const slides = /prismatic|slider|translational|screw|helical|cylind|planar|bend|polar/;

/** Where a run has been so far: the box around its points, and the way of every joint. Grows with the run. */
export class Motion {
  box: Box | null = null;
  /** [m], the greatest diagonal of the box around all points at one time. */
  span = 0;
  readonly travel: { low: Vec3; high: Vec3 }[];
  /** Joints that have a way: those that slide. */
  readonly sliding: number[] = [];
  private next = 0;
  private readonly owners: Int32Array;
  private readonly points: Float32Array;
  private readonly poses: Float32Array;
  private readonly matrices: Float32Array;
  private readonly at = new Float32Array(3);
  /** For every direction the point that was farthest in it: they tell well enough what a view must hold. */
  private readonly heights = new Float32Array(directions.length).fill(-Infinity);
  private readonly extremes: Vec3[] = directions.map(() => [0, 0, 0]);

  constructor(
    private readonly run: Run,
    points: { body: number; point: Vec3 }[],
  ) {
    const { bodies, joints } = run.header.scene;
    this.owners = Int32Array.from(points, ({ body }) => body);
    this.points = Float32Array.from(points.flatMap(({ point }) => point));
    this.poses = new Float32Array(poseSize * Math.max(1, bodies.length));
    this.matrices = new Float32Array(16 * Math.max(1, bodies.length));
    for (let k = 0; k < 4; ++k) this.matrices[5 * k] = 1;
    this.travel = joints.map(() => ({ low: [0, 0, 0], high: [0, 0, 0] }));
    joints.forEach((joint, j) => {
      if (slides.test(joint.type)) this.sliding.push(j);
    });
  }

  /** Takes in rows that have come since; true if there were any. */
  update(): boolean {
    const left = this.run.rows - this.next;
    if (left <= 0) return false;
    const size = this.owners.length + 10 * this.sliding.length + 1;
    const count = Math.min(left, Math.max(2, Math.min(400, Math.floor(budget / size))));
    if (this.next === 0) this.look(0);
    for (let i = 1; i <= count; ++i) this.look(this.next - 1 + Math.round((i * left) / count));
    this.next = this.run.rows;
    return true;
  }

  /** The box around all points in one row. */
  boxInRow(row: number): Box | null {
    return this.scan(row, false);
  }

  /** Points that nearly all others lie between. */
  outermost(): Vec3[] {
    return this.box ? this.extremes : [];
  }

  private look(row: number): void {
    const now = this.scan(row, true);
    if (now) {
      this.span = Math.max(this.span, diagonal(now));
      this.box ??= { low: [...now.low], high: [...now.high] };
      grow(this.box, now.low);
      grow(this.box, now.high);
    }
    const { joints } = this.run.header.scene;
    for (const j of this.sliding) {
      const joint = joints[j];
      const travel = this.travel[j];
      if (!joint || !travel) continue;
      const F = compose(this.poseIn(row, joint.parent), joint.parentFrame);
      const M = compose(this.poseIn(row, joint.child), joint.childFrame);
      grow(travel, place(compose(invert(F), M), [0, 0, 0]));
    }
  }

  private poseIn(row: number, body: number): Pose {
    this.run.poseInRow(row, body, this.poses, 0);
    return Array.from(this.poses.subarray(0, poseSize)) as Pose;
  }

  private scan(row: number, remember: boolean): Box | null {
    for (let b = 0; b < this.run.bodies; ++b) this.run.poseInRow(row, b + 1, this.poses, poseSize * b);
    writeBodyMatrices(this.poses, this.run.bodies, this.matrices);
    let box: Box | null = null;
    for (let i = 0; i < this.owners.length; ++i) {
      writePoint(this.matrices, this.owners[i] as number, this.points, 3 * i, this.at, 0);
      const p: Vec3 = [this.at[0] as number, this.at[1] as number, this.at[2] as number];
      if (box) grow(box, p);
      else box = { low: [...p], high: [...p] };
      if (remember) this.remember(p);
    }
    return box;
  }

  private remember(p: Vec3): void {
    for (let i = 0; i < directions.length; ++i) {
      const way = directions[i] as Vec3;
      const height = p[0] * way[0] + p[1] * way[1] + p[2] * way[2];
      if (height > (this.heights[i] as number)) {
        this.heights[i] = height;
        this.extremes[i] = p;
      }
    }
  }
}

/** Farther than four times its own size, in whichever pose that is largest. */
export function goesFar({ box, span }: Motion): boolean {
  return box !== null && span > 0 && diagonal(box) > 4 * span;
}

/** What holds all boxes, and a margin around them; null where there is none. */
export function unionOf(boxes: (Box | null)[], margin: number): Box | null {
  let union: Box | null = null;
  for (const box of boxes) {
    if (!box) continue;
    union ??= { low: [...box.low], high: [...box.high] };
    grow(union, box.low);
    grow(union, box.high);
  }
  if (!union) return null;
  for (const k of [0, 1, 2] as const) {
    union.low[k] -= margin;
    union.high[k] += margin;
  }
  return union;
}

export function diagonal({ low, high }: Box): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

function grow(box: Box, p: Vec3): void {
  for (let k = 0 as 0 | 1 | 2; k < 3; ++k) {
    const x = p[k];
    if (x < box.low[k]) box.low[k] = x;
    if (x > box.high[k]) box.high[k] = x;
  }
}
