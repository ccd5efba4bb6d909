import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { writeBodyMatrices, writeInstances, writePoint, writeStrut } from "../../src/scene/kernels";

/** Single precision of numbers up to about ten. */
const tolerance = 5e-6;

const pose = [1, -2, 3, 0.5, 0.5, -0.5, 0.5];
const reference = new Matrix4().compose(
  new Vector3(1, -2, 3),
  new Quaternion(0.5, -0.5, 0.5, 0.5),
  new Vector3(1, 1, 1),
);

function expectClose(got: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(got.length).toBe(expected.length);
  for (let i = 0; i < got.length; ++i)
    expect(Math.abs((got[i] ?? NaN) - (expected[i] ?? NaN))).toBeLessThan(tolerance);
}

describe("The loops of a frame", () => {
  const bodies = new Float32Array(32);
  for (let k = 0; k < 4; ++k) bodies[5 * k] = 1;
  writeBodyMatrices(Float32Array.from(pose), 1, bodies);

  it("make the matrix of a pose that three.js makes", () => {
    expectClose(bodies.subarray(16), reference.elements);
  });

  it("place instances as the product of matrices does", () => {
    const local = new Matrix4().compose(
      new Vector3(0.1, 0.2, 0.3),
      new Quaternion(0, 0, 0.6, 0.8),
      new Vector3(1, 2, 3),
    );
    const out = Float32Array.from(local.elements);
    writeInstances(bodies, Int32Array.of(1), Float32Array.from(local.elements), out);
    expectClose(out, reference.clone().multiply(local).elements);
  });

  it("place points as three.js does", () => {
    const out = new Float32Array(3);
    writePoint(bodies, 1, Float32Array.of(0.3, -0.7, 2), 0, out, 0);
    expectClose(out, new Vector3(0.3, -0.7, 2).applyMatrix4(reference).toArray());
  });

  it("stretch a strut from one end to the other, in any direction, without a reflection", () => {
    const ends = [
      [0, 0, 0, 0, 0, 2],
      [1, 1, 1, 1, 1, -3],
      [0, 0, 0, 5, 0, 0],
      [0, 0, 0, 0, -4, 0],
      [1, 2, 3, -2, 0.5, 7],
    ];
    for (const pair of ends) {
      const out = new Float32Array(16);
      writeStrut(Float32Array.from(pair), 0.1, out, 0);
      const matrix = new Matrix4().fromArray(out);
      expectClose(new Vector3(0, 0, -0.5).applyMatrix4(matrix).toArray(), pair.slice(0, 3));
      expectClose(new Vector3(0, 0, 0.5).applyMatrix4(matrix).toArray(), pair.slice(3));
      const size = new Vector3().setFromMatrixScale(matrix);
      expect(size.x).toBeCloseTo(0.1, 6);
      expect(size.y).toBeCloseTo(0.1, 6);
      expect(matrix.determinant()).toBeGreaterThan(0);
    }
  });

  it("survive a strut without length", () => {
    const out = new Float32Array(16);
    writeStrut(Float32Array.of(1, 1, 1, 1, 1, 1), 0.1, out, 0);
    expect(out.every(Number.isFinite)).toBe(true);
  });
});
