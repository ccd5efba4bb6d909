import { describe, expect, it } from "vitest";
import type { Body, Pose, Scene, Vec3 } from "../../src/data/scene";
import { glyphOf } from "../../src/scene/glyphs";
import { rodsOf } from "../../src/scene/links";
import { multiply } from "../../src/scene/math";
import { batchKey, type Part } from "../../src/scene/part";
import { partsOf } from "../../src/scene/parts";
import { solidOf } from "../../src/scene/solids";
import { chainScene } from "../support/chain";
import { sampleScene } from "../support/sample";

function parts(scene: Scene): Part[] {
  const poses = scene.bodies.map((): Pose => [0, 0, 0, 1, 0, 0, 0]);
  const travel = scene.joints.map(() => ({ low: [0, 0, 0] as Vec3, high: [0, 0, 0] as Vec3 }));
  return partsOf({ scene, poses, rods: rodsOf(scene), link: 1, travel, meshes: new Map() });
}

const kinds = (scene: Scene) => new Set(parts(scene).map(batchKey));

describe("The parts of a scene", () => {
  it("need as many calls for a thousand bodies as for ten", () => {
    expect(kinds(chainScene(1000))).toEqual(kinds(chainScene(10)));
    expect(kinds(chainScene(1000)).size).toBeLessThan(12);
  });

  it("are few per body", () => {
    // A rod, a barrel, two cheeks, a pin and an ellipsoid; the first hinge has a foot.
    expect(parts(chainScene(1000)).length).toBeLessThan(7000);
  });

  it("are all finite", () => {
    for (const part of [...parts(sampleScene), ...parts(chainScene(3))]) {
      expect(part.matrix).toHaveLength(16);
      expect(part.matrix.every(Number.isFinite)).toBe(true);
    }
  });

  it("are none where there is nothing", () => {
    const nothing: Scene = {
      ...sampleScene,
      bodies: [],
      joints: [],
      frames: [],
      constraints: [],
      springs: [],
    };
    expect(parts(nothing)).toEqual([]);
  });

  it("show a joint that closes a loop in a colour of its own", () => {
    const loop = parts(sampleScene).filter((part) => part.role === "loop");
    expect(loop.length).toBeGreaterThan(0);
    expect(new Set(loop.map((part) => part.pick))).toEqual(new Set([-4]));
  });

  it("are the shapes of the model, and nothing made up, where it has some", () => {
    const scene = structuredClone(sampleScene);
    const [, crank] = scene.bodies;
    if (!crank) throw new Error("the sample has a crank");
    crank.shapes = [{ kind: "box", size: [1, 2, 3], pose: [0, 0, 0, 1, 0, 0, 0], color: [1, 0, 0, 0.52] }];
    const own = parts(scene).filter(
      (part) => part.body === 1 && (part.layer === "bodies" || part.layer === "links"),
    );
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ form: "box", color: [1, 0, 0], opacity: 0.5 });
  });

  it("name a mesh that is used twice once", () => {
    const scene = structuredClone(sampleScene);
    for (const body of scene.bodies.slice(1)) {
      body.shapes = [
        { kind: "mesh", vertices: "AAAA", triangles: "AAAA", pose: [0, 0, 0, 1, 0, 0, 0], color: null },
      ];
    }
    expect(parts(scene).filter((part) => part.form === "mesh 0")).toHaveLength(3);
  });
});

describe("Every type of joint", () => {
  const input = {
    size: 0.1,
    low: [-1, -1, -1] as Vec3,
    high: [1, 1, 1] as Vec3,
    towardsChild: [0, 0, -1] as Vec3,
  };
  const types = [
    ...[
      "revolute",
      "prismatic",
      "screw",
      "cylindrical",
      "universal",
      "spherical",
      "planar",
      "gimbal",
      "weld",
      "bushing",
    ],
    ...["bend-stretch", "translation"],
  ];

  it("has a glyph of its own", () => {
    const drawn = types.map((type) => JSON.stringify(glyphOf(type, input)));
    expect(new Set(drawn).size).toBe(types.length);
  });

  it("is drawn alike by all its names", () => {
    for (const [name, alias] of [
      ["revolute", "pin"],
      ["prismatic", "slider"],
      ["spherical", "ball"],
      ["universal", "cardan"],
    ] as const) {
      expect(glyphOf(alias, input)).toEqual(glyphOf(name, input));
    }
  });

  it("gets a mark when it is not known, and nothing when it is free", () => {
    expect(glyphOf("made up", input).map((piece) => piece.form)).toEqual(["mark"]);
    expect(glyphOf("free", input)).toEqual([]);
  });

  it("that slides has a rail as long as its way", () => {
    const rail = glyphOf("prismatic", { ...input, low: [0, 0, -2], high: [0, 0, 3] })[0];
    // The third column of the matrix is the rail's length along z.
    expect(rail?.matrix[10]).toBeGreaterThan(5);
    expect(rail?.matrix[10]).toBeLessThan(6);
  });
});

describe("The solid of a body", () => {
  const body = (semiaxes: Vec3): Body => ({
    name: "b",
    parent: 0,
    mass: 2,
    com: [0, 0, 0],
    ellipsoid: { semiaxes, axes: [1, 0, 0, 0] },
    shapes: [],
  });
  /** Moments of inertia about x, y and z per mass, of the ellipsoid. */
  const wanted = ([a, b, c]: Vec3): Vec3 => [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5];

  it("has the inertia of the ellipsoid, whether it is a box, a disc or a rod", () => {
    const cases: Vec3[] = [
      [1, 0.7, 0.4],
      [1, 1, 0.2],
      [0.2, 0.2, 1],
    ];
    for (const s of cases) {
      const solid = solidOf(body(s));
      if (!solid) throw new Error("no solid");
      const [x, y, z] = solid.size;
      // Box: (y^2 + z^2)/12. Cylinder along z with radius x/2: (x/2)^2/2 about z, (x/2)^2/4 + z^2/12 across.
      const got =
        solid.kind === "box"
          ? [(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12]
          : [(x * x) / 16 + (z * z) / 12, (x * x) / 16 + (z * z) / 12, (x * x) / 8];
      wanted(s).forEach((moment, k) => {
        expect(got[k]).toBeCloseTo(moment, 12);
      });
    }
  });

  it("of a disc across x has its axis along x", () => {
    const solid = solidOf(body([0.1, 1, 1]));
    expect(solid?.kind).toBe("cylinder");
    if (!solid) return;
    // The image of z under the quaternion w, x, y, z: 2 (x z + w y), 2 (y z - w x), 1 - 2 (x^2 + y^2).
    const [, , , w, x, y, z] = solid.pose;
    expect(Math.abs(2 * (x * z + w * y))).toBeCloseTo(1, 12);
  });

  it("is a ball where all directions are alike, and nothing where there is no inertia", () => {
    expect(solidOf(body([0.3, 0.3, 0.3]))).toMatchObject({ kind: "sphere", size: [0.6, 0.6, 0.6] });
    expect(solidOf({ ...body([1, 1, 1]), ellipsoid: null })).toBeNull();
    expect(solidOf(body([0, 0, 0]))).toBeNull();
    expect(solidOf(body([NaN, 0, 0]))).toBeNull();
  });

  it("can be seen even if it has no thickness", () => {
    expect(Math.min(...(solidOf(body([0, 0, 1]))?.size ?? [0]))).toBeGreaterThan(0);
  });
});

describe("Matrices", () => {
  it("are multiplied as three.js has them, in columns", () => {
    const shift = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1];
    const double = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1];
    expect(multiply(shift, double).slice(12)).toEqual([5, 6, 7, 1]);
    expect(multiply(double, shift).slice(12)).toEqual([10, 12, 14, 1]);
  });
});
