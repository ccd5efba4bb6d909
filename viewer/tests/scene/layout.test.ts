import { describe, expect, it } from "vitest";
import type { Pose, Scene, Vec3 } from "../../src/data/scene";
import {
  eyeFor,
  firstView,
  groundHeight,
  linkLength,
  niceLength,
  planarAxis,
  upOf,
  viewsOf,
} from "../../src/scene/layout";
import { dot, length } from "../../src/scene/math";
import { chainScene } from "../support/chain";
import { samplePoses, sampleScene } from "../support/sample";

const identity: Pose = [0, 0, 0, 1, 0, 0, 0];
const still = (scene: Scene): Pose[] => scene.bodies.map(() => identity);
const poses: Pose[] = [identity];
for (let b = 0; b < 3; ++b) poses.push(samplePoses(0.4).slice(7 * b, 7 * b + 7) as Pose);

/** The same mechanism, so many times as large. */
function enlarged(scene: Scene, s: number): Scene {
  const copy = structuredClone(scene);
  const stretch = (pose: Pose) => {
    for (let k = 0; k < 3; ++k) pose[k] = s * (pose[k] ?? 0);
  };
  for (const body of copy.bodies) {
    body.com = body.com.map((x) => s * x) as Vec3;
    if (body.ellipsoid) body.ellipsoid.semiaxes = body.ellipsoid.semiaxes.map((x) => s * x) as Vec3;
  }
  for (const joint of copy.joints) [joint.parentFrame, joint.childFrame].forEach(stretch);
  for (const frame of copy.frames) stretch(frame.pose);
  return copy;
}

function withJointType(type: string, joint = 1): Scene {
  const scene = structuredClone(sampleScene);
  const changed = scene.joints[joint];
  if (changed) changed.type = type;
  return scene;
}

describe("The length that glyphs are drawn to", () => {
  it("is that of the middling link", () => {
    expect(linkLength(chainScene(20), still(chainScene(20)), null)).toBeCloseTo(1, 12);
    // Links of 0.5, 0.8 and 0.5 m.
    expect(linkLength(sampleScene, poses, null)).toBeCloseTo(0.5, 12);
  });

  it("grows and shrinks with the mechanism, from watches to bridges", () => {
    for (const s of [1e-3, 1e3]) {
      const scene = enlarged(sampleScene, s);
      expect(linkLength(scene, still(scene), null) / (0.5 * s)).toBeCloseTo(1, 9);
    }
  });

  it("comes from the bodies where nothing is linked, from the motion where they have no size, and is never zero", () => {
    const scene: Scene = { ...sampleScene, joints: [], frames: [], constraints: [], springs: [] };
    expect(linkLength(scene, still(scene), null)).toBeGreaterThan(0.1);
    const dust = { ...scene, bodies: scene.bodies.map((body) => ({ ...body, ellipsoid: null })) };
    expect(linkLength(dust, still(dust), { low: [0, 0, 0], high: [40, 1, 1] })).toBeCloseTo(4, 9);
    const nothing = { ...scene, bodies: scene.bodies.slice(0, 1) };
    expect(linkLength(nothing, still(nothing), null)).toBe(1);
    expect(linkLength({ ...nothing, bodies: [] }, [], null)).toBe(1);
  });
});

describe("A planar mechanism", () => {
  it("has parallel hinges; the viewer sees x to the right", () => {
    expect(planarAxis(sampleScene, poses)).not.toBeNull();
    const { front } = viewsOf(sampleScene, poses);
    // Up is z; whoever looks from -y has x on the right.
    expect(dot(front, [0, -1, 0])).toBeCloseTo(1, 9);
    expect(firstView(sampleScene, poses)).toBe("front");
  });

  it("may have sliders in its plane, but none across it", () => {
    const scene = withJointType("prismatic");
    expect(planarAxis(scene, poses)).toBeNull();
    const slider = scene.joints[1];
    if (slider) slider.parentFrame = [0, 0, -0.5, 1, 0, 0, 0];
    expect(planarAxis(scene, poses)).not.toBeNull();
  });

  it("has no joint that turns out of the plane", () => {
    for (const type of ["spherical", "universal", "screw", "free", "something new"]) {
      expect(planarAxis(withJointType(type), poses), type).toBeNull();
    }
    expect(planarAxis(withJointType("weld"), poses)).not.toBeNull();
    const tilted = structuredClone(sampleScene);
    const joint = tilted.joints[2];
    if (joint) joint.parentFrame = [0.8, 0, 0, 1, 0, 0, 0];
    expect(planarAxis(tilted, poses)).toBeNull();
  });

  it("that lies flat is seen from above", () => {
    const flat = { ...sampleScene, gravity: [0, -9.81, 0] as Vec3 };
    expect(firstView(flat, poses)).toBe("top");
  });
});

describe("Views", () => {
  it("are from one side each, with up against gravity", () => {
    for (const gravity of [
      [0, 0, -9.81],
      [0, -9.81, 0],
      [3, 0, 0],
      [0, 0, 0],
      [1, 2, 3],
    ] as Vec3[]) {
      const scene = { ...withJointType("spherical"), gravity };
      const { front, side, top, corner } = viewsOf(scene, poses);
      expect(top).toEqual(upOf(scene));
      for (const [a, b] of [
        [front, side],
        [side, top],
        [top, front],
      ] as const)
        expect(dot(a, b)).toBeCloseTo(0, 9);
      for (const view of [front, side, top, corner]) expect(length(view)).toBeCloseTo(1, 9);
    }
  });

  it("fall back to z for up where nothing falls", () => {
    expect(upOf({ ...sampleScene, gravity: [0, 0, 0] })).toEqual([0, 0, 1]);
  });
});

describe("The ground", () => {
  it("is below everything", () => {
    expect(groundHeight(sampleScene, -3, -1)).toBeLessThan(-3);
  });

  it("is at height zero for what stands on it", () => {
    expect(groundHeight(sampleScene, 0, 2)).toBe(0);
    expect(groundHeight(sampleScene, 0.1, 2)).toBe(0);
  });

  it("is where wheels roll", () => {
    const scene = structuredClone(sampleScene);
    scene.frames.push({ name: "road", body: 0, pose: [0, 0, -0.7, 1, 0, 0, 0] });
    scene.constraints.push({
      name: "wheel",
      kind: "rolling-disk",
      description: "",
      frames: [1, scene.frames.length - 1],
      coordinates: [],
      radius: 0.1,
    });
    expect(groundHeight(scene, -0.9, 1)).toBeCloseTo(-0.7, 12);
  });

  it("has squares of 1, 2 or 5 times a power of ten", () => {
    for (const [x, nice] of [
      [0.0012, 0.001],
      [0.9, 1],
      [1.7, 2],
      [37, 50],
      [8, 10],
    ] as const) {
      expect(niceLength(x) / nice).toBeCloseTo(1, 9);
    }
    expect(niceLength(0)).toBe(1);
    expect(niceLength(NaN)).toBe(1);
  });
});

describe("The eye", () => {
  it("sees all points, and could not come nearer", () => {
    const points: Vec3[] = [];
    for (let i = 0, seed = 5; i < 60; ++i) {
      const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5;
      points.push([4 * next(), 2 * next(), 3 * next()]);
    }
    const [tx, ty] = [0.4, 0.3];
    const [x, y, z] = eyeFor(points, tx, ty);
    const across = points.map((p) =>
      Math.max(Math.abs(p[0] - x) / (tx * (z - p[2])), Math.abs(p[1] - y) / (ty * (z - p[2]))),
    );
    // The outermost point is on the edge of the picture: 1 up to rounding.
    expect(Math.max(...across)).toBeCloseTo(1, 9);
  });
});
