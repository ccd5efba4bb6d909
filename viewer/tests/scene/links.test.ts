import { describe, expect, it } from "vitest";
import type { Joint, Scene, Vec3 } from "../../src/data/scene";
import { rodsOf } from "../../src/scene/links";
import { distance } from "../../src/scene/math";
import { chainScene } from "../support/chain";
import { sampleScene } from "../support/sample";

/** One body with hinges at these points. */
function bodyWith(points: Vec3[], com: Vec3, frames: Vec3[] = []): Scene {
  const scene = chainScene(1);
  const [first] = scene.joints;
  const [, body] = scene.bodies;
  if (!first || !body) throw new Error("a chain of one link has a link");
  body.com = com;
  scene.joints = points.map((p): Joint => ({ ...first, childFrame: [...p, 1, 0, 0, 0] }));
  scene.frames = frames.map((p, i) => ({ name: `frame ${i}`, body: 1, pose: [...p, 1, 0, 0, 0] }));
  return scene;
}

describe("A link", () => {
  it("of a chain is one rod from hinge to hinge, on which its centre of mass lies", () => {
    const rods = rodsOf(chainScene(3));
    expect(rods[0]).toEqual([]);
    expect(rods[1]).toEqual([{ from: [0, 0, 0], to: [0, 0, -1], main: true }]);
  });

  it("at the end of a chain goes to its centre of mass", () => {
    expect(rodsOf(chainScene(3))[3]).toEqual([{ from: [0, 0, 0], to: [0, 0, -0.5], main: true }]);
  });

  it("goes on to a frame beyond the centre of mass in the same direction", () => {
    expect(rodsOf(bodyWith([[0, 0, 0]], [0, 0, -0.5], [[0, 0, -1]]))[1]).toEqual([
      { from: [0, 0, 0], to: [0, 0, -1], main: true },
    ]);
  });

  it("with three joints is a triangle, unless they are in line", () => {
    const triangle = rodsOf(
      bodyWith(
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        [0, 0, 0],
      ),
    )[1];
    expect(triangle?.filter((rod) => rod.main)).toHaveLength(3);
    const line = rodsOf(
      bodyWith(
        [
          [0, 0, 0],
          [2, 0, 0],
          [1, 0, 0],
        ],
        [0, 0, 0],
      ),
    )[1];
    expect(line).toHaveLength(2);
    for (const rod of line ?? []) expect(distance(rod.from, rod.to)).toBeCloseTo(1, 12);
  });

  it("with many joints is a tree: one rod less than joints", () => {
    const points: Vec3[] = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
      [0.5, 0.5, 1],
    ];
    expect(rodsOf(bodyWith(points, [0, 0, 0]))[1]?.filter((rod) => rod.main)).toHaveLength(4);
  });

  it("reaches out to a centre of mass beside it with a thinner rod, from the nearest point", () => {
    const rods = rodsOf(
      bodyWith(
        [
          [0, 0, 0],
          [1, 0, 0],
        ],
        [0.4, 0.3, 0],
      ),
    )[1];
    expect(rods).toEqual([
      { from: [0, 0, 0], to: [1, 0, 0], main: true },
      { from: [0.4, 0, 0], to: [0.4, 0.3, 0], main: false },
    ]);
  });

  it("has one point where two joints coincide", () => {
    expect(
      rodsOf(
        bodyWith(
          [
            [0, 0, 0],
            [0, 0, 0],
            [1, 0, 0],
          ],
          [0.5, 0, 0],
        ),
      )[1],
    ).toHaveLength(1);
  });

  it("does not reach out to its own origin, which may be anywhere", () => {
    const scene = bodyWith(
      [
        [5, 0, 0],
        [6, 0, 0],
      ],
      [5.5, 0, 0],
    );
    scene.frames = [{ name: "link 1", body: 1, pose: [0, 0, 0, 1, 0, 0, 0] }];
    expect(rodsOf(scene)[1]).toHaveLength(1);
  });

  it("of the sample is what it was made of", () => {
    const lengths = rodsOf(sampleScene).map((rods) =>
      rods.filter((rod) => rod.main).map((rod) => distance(rod.from, rod.to)),
    );
    expect(lengths).toEqual([[], [0.5], [0.8], [0.5]]);
  });

  it("that is free has no rods to the ground", () => {
    const scene = chainScene(1);
    const [joint] = scene.joints;
    if (joint) joint.type = "free";
    expect(rodsOf(scene)[1]).toEqual([]);
  });
});
