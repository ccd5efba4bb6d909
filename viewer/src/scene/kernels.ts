/** The loops that run in every frame: over plain arrays, without allocation. Matrices are 16 numbers in columns. */

/** The matrices of bodies from their poses (seven numbers each); body 0 is Ground and is left alone. */
export function writeBodyMatrices(poses: Float32Array, bodies: number, out: Float32Array): void {
  for (let b = 0; b < bodies; ++b) {
    const p = 7 * b;
    const m = 16 * (b + 1);
    const w = poses[p + 3] as number;
    const x = poses[p + 4] as number;
    const y = poses[p + 5] as number;
    const z = poses[p + 6] as number;
    out[m] = 1 - 2 * (y * y + z * z);
    out[m + 1] = 2 * (x * y + w * z);
    out[m + 2] = 2 * (x * z - w * y);
    out[m + 4] = 2 * (x * y - w * z);
    out[m + 5] = 1 - 2 * (x * x + z * z);
    out[m + 6] = 2 * (y * z + w * x);
    out[m + 8] = 2 * (x * z + w * y);
    out[m + 9] = 2 * (y * z - w * x);
    out[m + 10] = 1 - 2 * (x * x + y * y);
    out[m + 12] = poses[p] as number;
    out[m + 13] = poses[p + 1] as number;
    out[m + 14] = poses[p + 2] as number;
    out[m + 15] = 1;
  }
}

/** out[i] = bodies[owner[i]] * local[i], for matrices whose last row is 0 0 0 1. */
export function writeInstances(
  bodies: Float32Array,
  owners: Int32Array,
  local: Float32Array,
  out: Float32Array,
): void {
  for (let i = 0; i < owners.length; ++i) {
    const b = 16 * (owners[i] as number);
    const o = 16 * i;
    const b0 = bodies[b] as number;
    const b1 = bodies[b + 1] as number;
    const b2 = bodies[b + 2] as number;
    const b4 = bodies[b + 4] as number;
    const b5 = bodies[b + 5] as number;
    const b6 = bodies[b + 6] as number;
    const b8 = bodies[b + 8] as number;
    const b9 = bodies[b + 9] as number;
    const b10 = bodies[b + 10] as number;
    for (let c = 0; c < 16; c += 4) {
      const x = local[o + c] as number;
      const y = local[o + c + 1] as number;
      const z = local[o + c + 2] as number;
      out[o + c] = b0 * x + b4 * y + b8 * z;
      out[o + c + 1] = b1 * x + b5 * y + b9 * z;
      out[o + c + 2] = b2 * x + b6 * y + b10 * z;
    }
    out[o + 12] = (out[o + 12] as number) + (bodies[b + 12] as number);
    out[o + 13] = (out[o + 13] as number) + (bodies[b + 13] as number);
    out[o + 14] = (out[o + 14] as number) + (bodies[b + 14] as number);
  }
}

/** Where a point of a body is. */
export function writePoint(
  bodies: Float32Array,
  body: number,
  points: Float32Array,
  from: number,
  out: Float32Array,
  to: number,
): void {
  const b = 16 * body;
  const x = points[from] as number;
  const y = points[from + 1] as number;
  const z = points[from + 2] as number;
  for (let k = 0; k < 3; ++k) {
    out[to + k] =
      (bodies[b + k] as number) * x +
      (bodies[b + 4 + k] as number) * y +
      (bodies[b + 8 + k] as number) * z +
      (bodies[b + 12 + k] as number);
  }
}

/** The matrix of a rod of unit length along z that goes from one point to another; both are in `ends`, six numbers. */
export function writeStrut(ends: Float32Array, radius: number, out: Float32Array, to: number): void {
  const dx = (ends[3] as number) - (ends[0] as number);
  const dy = (ends[4] as number) - (ends[1] as number);
  const dz = (ends[5] as number) - (ends[2] as number);
  const length = Math.max(Math.sqrt(dx * dx + dy * dy + dz * dz), 1e-12);
  let zx = dx / length;
  let zy = dy / length;
  let zz = dz / length;
  if (length <= 1e-12) {
    zx = zy = 0;
    zz = 1;
  }
  // Any direction across will do, as long as it does not jump while the rod turns slowly: from the axis that is least along it.
  const ax = Math.abs(zx);
  const ay = Math.abs(zy);
  const az = Math.abs(zz);
  let xx = 0;
  let xy = 0;
  let xz = 0;
  if (ay <= ax && ay <= az) {
    xx = zz;
    xz = -zx;
  } else if (ax <= az) {
    xy = -zz;
    xz = zy;
  } else {
    xx = -zy;
    xy = zx;
  }
  const s = radius / Math.max(Math.sqrt(xx * xx + xy * xy + xz * xz), 1e-12);
  xx *= s;
  xy *= s;
  xz *= s;
  out[to] = xx;
  out[to + 1] = xy;
  out[to + 2] = xz;
  out[to + 3] = 0;
  out[to + 4] = zy * xz - zz * xy;
  out[to + 5] = zz * xx - zx * xz;
  out[to + 6] = zx * xy - zy * xx;
  out[to + 7] = 0;
  out[to + 8] = zx * length;
  out[to + 9] = zy * length;
  out[to + 10] = zz * length;
  out[to + 11] = 0;
  out[to + 12] = ((ends[0] as number) + (ends[3] as number)) / 2;
  out[to + 13] = ((ends[1] as number) + (ends[4] as number)) / 2;
  out[to + 14] = ((ends[2] as number) + (ends[5] as number)) / 2;
  out[to + 15] = 1;
}
