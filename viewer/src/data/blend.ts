/**
 * The pose a fraction u of the way from one to another: the origin on the straight line between them, the orientation on the
 * shorter great arc, turning at constant rate (slerp). A quaternion and its negative are one orientation, hence the sign.
 * Arrays with offsets, because this runs for every body in every frame and must not allocate.
 */
export function blend(
  a: Float32Array,
  ia: number,
  b: Float32Array,
  ib: number,
  u: number,
  out: Float32Array,
  io: number,
): void {
  for (let k = 0; k < 3; ++k) out[io + k] = (1 - u) * (a[ia + k] ?? 0) + u * (b[ib + k] ?? 0);

  let cosine = 0;
  for (let k = 3; k < 7; ++k) cosine += (a[ia + k] ?? 0) * (b[ib + k] ?? 0);
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  let wa = 1 - u;
  let wb = u;
  // Below this angle (about 0.1 degrees) sines and angles are the same in single precision, and their quotient is fragile.
  if (cosine < 1 - 2e-6) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    wa = Math.sin((1 - u) * angle) / sine;
    wb = Math.sin(u * angle) / sine;
  }
  wb *= sign;

  let norm = 0;
  for (let k = 3; k < 7; ++k) {
    const x = wa * (a[ia + k] ?? 0) + wb * (b[ib + k] ?? 0);
    out[io + k] = x;
    norm += x * x;
  }
  const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
  for (let k = 3; k < 7; ++k) out[io + k] = (out[io + k] ?? 0) * scale;
}
