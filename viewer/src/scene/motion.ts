import { poseSize, type Run } from "../data/run";
import type { Pose, Scene, Vec3 } from "../data/scene";
import type { Box, Poses } from "./layout";
import { compose, dot, invert, place, subtract } from "./math";

/** All poses of a run in one of its rows, Ground's first; identities where it has none yet. */
export function posesInRow(run: Run, row: number): Poses {
  const numbers = new Float32Array(poseSize);
  return run.header.scene.bodies.map((_, b): Pose => {
    run.poseInRow(row, b, numbers, 0);
    return Array.from(numbers) as Pose;
  });
}

/** Of so many rows at most per look; more come with the next one. */
const budget = 60_000;

const directions: Vec3[] = [];
for (const x of [-1, 0, 1]) {
  for (const y of [-1, 0, 1])
    for (const z of [-1, 0, 1]) if (x !== 0 || y !== 0 || z !== 0) directions.push([x, y, z]);
}

/** Where a run has been so far: the box around its points, and the way of every joint. Grows with the run. */
export class Motion {
  box: Box | null = null;
  /** [m], the greatest diagonal of the box around all points at one time. */
  span = 0;
  readonly travel: { low: Vec3; high: Vec3 }[];
  private next = 0;
  /** For every direction the point that was farthest in it: what a view must hold is told well enough by them. */
  private readonly extremes = directions.map((): { height: number; point: Vec3 } => ({
    height: -Infinity,
    point: [0, 0, 0],
  }));
  private readonly numbers: Float32Array;
  private readonly moving: number[] = [];

  constructor(
    private readonly run: Run,
    private readonly points: { body: number; point: Vec3 }[],
  ) {
    const scene: Scene = run.header.scene;
    this.numbers = new Float32Array(poseSize * scene.bodies.length);
    this.travel = scene.joints.map(() => ({ low: [0, 0, 0], high: [0, 0, 0] }));
    scene.joints.forEach((joint, j) => {
      if (/prismatic|slider|translational|screw|helical|cylind|planar|bend|polar/.test(joint.type))
        this.moving.push(j);
    });
  }

  /** Takes in rows that have come since; true if there were any. */
  update(): boolean {
    const left = this.run.rows - this.next;
    if (left <= 0) return false;
    const size = this.points.length + 4 * this.moving.length + 1;
    const count = Math.min(left, Math.max(2, Math.min(400, Math.floor(budget / size))));
    for (let i = 1; i <= count; ++i) this.look(this.next - 1 + Math.round((i * left) / count));
    if (this.next === 0) this.look(0);
    this.next = this.run.rows;
    return true;
  }

  private look(row: number): void {
    const now = this.boxInRow(row, true);
    const poses = this.posesOf(row);
    if (now) {
      this.span = Math.max(this.span, Math.hypot(...subtract(now.high, now.low)));
      this.box ??= { low: [...now.low], high: [...now.high] };
      grow(this.box, now.low);
      grow(this.box, now.high);
    }
    const { joints } = this.run.header.scene;
    for (const j of this.moving) {
      const joint = joints[j];
      const travel = this.travel[j];
      if (!joint || !travel) continue;
      const F = compose(poses(joint.parent), joint.parentFrame);
      grow(
        travel,
        place(compose(invert(F), poses(joint.child)), [
          joint.childFrame[0],
          joint.childFrame[1],
          joint.childFrame[2],
        ]),
      );
    }
  }

  /** The box around all points that move, in one row. */
  boxInRow(row: number, remember = false): Box | null {
    const poses = this.posesOf(row);
    let box: Box | null = null;
    for (const { body, point } of this.points) {
      const p = place(poses(body), point);
      box ??= { low: [...p], high: [...p] };
      grow(box, p);
      if (remember) this.remember(p);
    }
    return box;
  }

  /** Points that all others lie between, nearly. */
  outermost(): Vec3[] {
    return this.extremes.filter(({ height }) => height > -Infinity).map(({ point }) => point);
  }

  private remember(p: Vec3): void {
    for (let i = 0; i < directions.length; ++i) {
      const extreme = this.extremes[i];
      const height = dot(p, directions[i] as Vec3);
      if (extreme && height > extreme.height) {
        extreme.height = height;
        extreme.point = p;
      }
    }
  }

  private posesOf(row: number): (body: number) => Pose {
    const bodies = this.run.header.scene.bodies.length;
    for (let b = 0; b < bodies; ++b) this.run.poseInRow(row, b, this.numbers, poseSize * b);
    return (body) => Array.from(this.numbers.subarray(poseSize * body, poseSize * (body + 1))) as Pose;
  }
}

function grow(box: Box, p: Vec3): void {
  for (const k of [0, 1, 2] as const) {
    const x = p[k];
    if (!Number.isFinite(x)) continue;
    if (x < box.low[k]) box.low[k] = x;
    if (x > box.high[k]) box.high[k] = x;
  }
}
