import type { Body, Pose, Vec3 } from "../data/scene";

/** What a body is drawn as: something homogeneous that has its mass and inertia. Sizes are whole widths, cylinders are along z. */
export type SolidForm =
  | { kind: "sphere"; pose: Pose; size: Vec3 }
  | { kind: "box"; pose: Pose; size: Vec3 }
  | { kind: "cylinder"; pose: Pose; size: Vec3 };

/** An ellipsoid has m (b^2 + c^2)/5, a box m (b^2 + c^2)/12 in whole widths: so much wider is the box than the semiaxis. */
export const boxPerSemiaxis = Math.sqrt(12 / 5);
/** A cylinder has m r^2/2 about its axis, an ellipsoid 2 m a^2/5. */
export const cylinderPerSemiaxis = Math.sqrt(4 / 5);

/** Half turns and quarter turns that bring an axis of the ellipsoid to z. */
const half = Math.SQRT1_2;
const turns: Pose[] = [
  [0, 0, 0, half, 0, half, 0], // z to x
  [0, 0, 0, half, -half, 0, 0], // z to y
  [0, 0, 0, 1, 0, 0, 0],
];

/**
 * Discs and rods are what most bodies of machines are, so an ellipsoid with two like axes becomes the cylinder, one with three
 * like axes the ball, all others the box that has the same inertia. Null where there is none to tell a form from.
 */
export function solidOf(body: Body): SolidForm | null {
  if (!body.ellipsoid || !(body.mass > 0)) return null;
  const raw = body.ellipsoid.semiaxes.map((s) => (Number.isFinite(s) && s > 0 ? s : 0)) as Vec3;
  const largest = Math.max(...raw);
  if (largest <= 0) return null;
  // Rods and plates without thickness get one that can be seen.
  const s = raw.map((x) => Math.max(x, 0.03 * largest)) as Vec3;
  const pose: Pose = [...body.com, ...body.ellipsoid.axes];
  const order = [0, 1, 2].sort((i, j) => (s[i] ?? 0) - (s[j] ?? 0)) as Vec3;
  const [least, middle, most] = order.map((i) => s[i] ?? 0) as Vec3;
  if (least > 0.85 * most) return { kind: "sphere", pose, size: [2 * s[0], 2 * s[1], 2 * s[2]] };

  const disc = middle > 0.9 * most;
  const rod = least > 0.9 * middle;
  if (disc || rod) {
    const axis = disc ? order[0] : order[2];
    const across = 2 * cylinderPerSemiaxis * (disc ? (middle + most) / 2 : (least + middle) / 2);
    const size: Vec3 = [across, across, boxPerSemiaxis * (disc ? least : most)];
    return { kind: "cylinder", pose: turned(pose, turns[axis] ?? pose), size };
  }
  return { kind: "box", pose, size: s.map((x) => boxPerSemiaxis * x) as Vec3 };
}

function turned(pose: Pose, turn: Pose): Pose {
  const [x, y, z, aw, ax, ay, az] = pose;
  const [, , , bw, bx, by, bz] = turn;
  return [
    x,
    y,
    z,
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}
