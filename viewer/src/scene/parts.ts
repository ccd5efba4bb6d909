import type { Body, Constraint, Joint, Pose, Scene, Shape, Vec3 } from "../data/scene";
import { footOf, glyphOf, glyphType } from "./glyphs";
import { upOf, type Poses } from "./layout";
import { isFree, isOwnFrame, type Rod } from "./links";
import {
  along,
  between,
  compose,
  cross,
  direction,
  distance,
  dot,
  invert,
  length,
  matrixOf,
  multiply,
  originOf,
  place,
  quaternionOf,
  rotate,
  scale,
  subtract,
} from "./math";
import { pickJoint, pickNothing, type Form, type Part, type Role } from "./part";
import { solidOf, type SolidForm } from "./solids";

/** What the parts of a scene are laid out from, besides the scene itself. */
export interface PartsInput {
  scene: Scene;
  poses: Poses;
  rods: Rod[][];
  /** [m], the middling link's. */
  link: number;
  /** For every joint where the origin of M has been in F so far. */
  travel: readonly { low: Vec3; high: Vec3 }[];
  /** Numbers of meshes by their vertices and triangles; parts name them. */
  meshes: Map<string, number>;
}

const identity: Pose = [0, 0, 0, 1, 0, 0, 0];

/** Radius of a hinge in proportion to a link. */
export const hingePerLink = 0.068;

/** All that is rigid in a scene. */
export function partsOf(input: PartsInput): Part[] {
  const { scene } = input;
  const parts: Part[] = [];
  const roles = rolesOf(scene);
  scene.bodies.forEach((body, b) => {
    bodyParts(input, body, b, roles[b] ?? "even", parts);
  });
  scene.joints.forEach((joint, j) => {
    jointParts(input, joint, j, roles, parts);
  });
  scene.frames.forEach((frame, i) => {
    if (isOwnFrame(scene, i)) return;
    const s = 2.4 * hingePerLink * input.link;
    parts.push({
      layer: "frames",
      form: "triad",
      body: frame.body,
      matrix: matrixOf(frame.pose, [s, s, s]),
      role: "axes",
      pick: frame.body,
    });
  });
  for (const constraint of scene.constraints) constraintParts(input, constraint, parts);
  return parts;
}

/** Neighbours along a chain differ. */
export function rolesOf(scene: Scene): Role[] {
  const roles: Role[] = [];
  scene.bodies.forEach((body, b) => {
    roles.push(b === 0 ? "fixed" : roles[body.parent] === "even" ? "odd" : "even");
  });
  return roles;
}

function bodyParts(input: PartsInput, body: Body, b: number, role: Role, parts: Part[]): void {
  const g = hingePerLink * input.link;
  const pick = b === 0 ? pickNothing : b;
  const put = (layer: Part["layer"], form: Form, matrix: number[], more: Partial<Part> = {}) => {
    parts.push({ layer, form, body: b, matrix, role, pick, ...more });
  };
  const rods = input.rods[b] ?? [];
  for (const shape of body.shapes) shapePart(input, shape, put);
  if (b === 0) return;

  const made = body.shapes.length === 0 && !rolls(input.scene, b) ? madeUp(input, body, rods) : null;
  const slender = made ? replacesRod(made, rods) : null;
  // Shapes show the links themselves; rods would only run through them.
  if (body.shapes.length === 0) {
    for (const rod of rods) {
      const radius = rod.main ? 0.45 * g : 0.2 * g;
      put(
        "links",
        "rod",
        between(rod.from, rod.to, slender && rod.main ? Math.max(radius, slender) : radius),
      );
    }
  }
  if (made && !slender) {
    const [x, y, z] = made.size;
    if (made.kind === "box") put("bodies", "box", matrixOf(made.pose, [x, y, z]));
    else if (made.kind === "sphere") put("bodies", "ball", matrixOf(made.pose, [x / 2, y / 2, z / 2]));
    else {
      put("bodies", "cylinder", matrixOf(made.pose, [x / 2, y / 2, z]));
      // A bar across a disc shows that it turns.
      if (z < 0.7 * x)
        put("bodies", "box", matrixOf(made.pose, [0.72 * x, 0.1 * x, 1.06 * z]), { role: "pin" });
    }
  } else if (!made && body.shapes.length === 0 && body.mass > 0 && !rolls(input.scene, b)) {
    const r = pointRadius(input, body);
    put("bodies", "ball", matrixOf([...body.com, 1, 0, 0, 0], [r, r, r]));
  }
  if (body.ellipsoid) {
    const [x, y, z] = body.ellipsoid.semiaxes.map((s) =>
      Math.max(Number.isFinite(s) ? s : 0, 0.02 * input.link),
    ) as Vec3;
    const matrix = matrixOf([...body.com, ...body.ellipsoid.axes], [x, y, z]);
    put("inertia", "ball", matrix, { role: "inertia", opacity: 0.3, pick: pickNothing });
  }
}

/** A mass without extent: larger for more mass, but never out of proportion. */
function pointRadius(input: PartsInput, body: Body): number {
  const heaviest = Math.max(...input.scene.bodies.map((other) => other.mass));
  const share = heaviest > 0 ? Math.cbrt(body.mass / heaviest) : 1;
  return hingePerLink * input.link * (0.9 + 0.9 * share);
}

/**
 * The solid of the inertia, but not larger than the body's own reach: inertias are often rounded up, and a ball that swallows the
 * mechanism shows nothing. The layer of ellipsoids shows them as they are.
 */
function madeUp(input: PartsInput, body: Body, rods: Rod[]): SolidForm | null {
  const solid = solidOf(body);
  if (!solid) return null;
  const reach = Math.max(
    0,
    ...rods.flatMap((rod) => [distance(rod.from, body.com), distance(rod.to, body.com)]),
  );
  const largest = Math.max(...solid.size);
  const tiny = 1.2 * hingePerLink * input.link;
  if (largest < tiny) return { ...solid, size: scale(tiny / largest, solid.size) };
  if (reach === 0 || replacesRod(solid, rods)) return solid;
  const bound = Math.max(1.1 * reach, 0.8 * input.link);
  return largest > bound ? { ...solid, size: scale(bound / largest, solid.size) } : solid;
}

/** The radius of a slender solid that lies along one of the rods between joints, which then stands for it; null if none does. */
function replacesRod(solid: SolidForm, rods: Rod[]): number | null {
  const [x, y, z] = solid.size;
  const lengthwise = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const widths = [x, y, z].sort((a, b) => a - b) as Vec3;
  if (widths[1] > 0.3 * widths[2]) return null;
  const axis = rotate(quaternionOf(solid.pose), [
    +(lengthwise === 0),
    +(lengthwise === 1),
    +(lengthwise === 2),
  ]);
  for (const rod of rods) {
    if (!rod.main) continue;
    const way = direction(subtract(rod.to, rod.from));
    const offset = length(cross(subtract(originOf(solid.pose), rod.from), way));
    const l = distance(rod.from, rod.to);
    if (Math.abs(dot(axis, way)) > 0.97 && offset < 0.1 * l && widths[2] < 2.5 * l) {
      return Math.min(0.06 * l, (widths[0] + widths[1]) / 4);
    }
  }
  return null;
}

/** Whether a rolling constraint shows what the body looks like. */
function rolls(scene: Scene, b: number): boolean {
  return scene.constraints.some(
    (constraint) =>
      constraint.kind.startsWith("rolling") && scene.frames[constraint.frames[0] ?? -1]?.body === b,
  );
}

type Put = (layer: Part["layer"], form: Form, matrix: number[], more?: Partial<Part>) => void;

function shapePart(input: PartsInput, shape: Shape, put: Put): void {
  const more: Partial<Part> = {};
  if (shape.color) {
    more.color = [shape.color[0], shape.color[1], shape.color[2]];
    more.role = "given";
    // Opacities in tenths, so that parts that differ a little still go in one call.
    more.opacity = Math.max(0.1, Math.round(10 * shape.color[3]) / 10);
  }
  const at = (x: number, y: number, z: number) => matrixOf(shape.pose, [x, y, z]);
  switch (shape.kind) {
    case "box":
      put("bodies", "box", at(...shape.size), more);
      break;
    case "sphere":
      put("bodies", "ball", at(shape.radius, shape.radius, shape.radius), more);
      break;
    case "cylinder":
      put("bodies", "cylinder", at(shape.radius, shape.radius, shape.length), more);
      break;
    case "capsule":
      put("bodies", "rod", at(shape.radius, shape.radius, shape.length), more);
      break;
    case "mesh": {
      const key = `${shape.vertices} ${shape.triangles}`;
      const number = input.meshes.get(key) ?? input.meshes.size;
      input.meshes.set(key, number);
      put("bodies", `mesh ${number}`, at(1, 1, 1), more);
    }
  }
}

function jointParts(input: PartsInput, joint: Joint, j: number, roles: Role[], parts: Part[]): void {
  const { scene, poses, link } = input;
  const size = hingePerLink * link;
  const F = compose(poses[joint.parent] ?? identity, joint.parentFrame);
  const towardsChild = towards(scene, poses, joint.child, F);
  const travel = input.travel[j] ?? { low: [0, 0, 0], high: [0, 0, 0] };
  const pieces = glyphOf(joint.type, { size, ...travel, towardsChild });
  const put = (on: "F" | "M", form: Form, matrix: number[], role: Role) => {
    const body = on === "F" ? joint.parent : joint.child;
    const frame = matrixOf(on === "F" ? joint.parentFrame : joint.childFrame);
    parts.push({ layer: "joints", form, body, matrix: multiply(frame, matrix), role, pick: pickJoint(j) });
  };
  for (const piece of pieces) {
    const own =
      piece.role === "parent"
        ? roles[joint.parent]
        : piece.role === "child"
          ? roles[joint.child]
          : piece.role;
    put(
      piece.on,
      piece.form,
      piece.matrix,
      joint.closesLoop && piece.role !== "pin" ? "loop" : (own ?? "metal"),
    );
  }
  if (joint.parent === 0) {
    for (const foot of footOf(joint.type, size, footWay(scene, F, towardsChild, joint.type)))
      put("F", foot.form, foot.matrix, "fixed");
  } else if (joint.child === 0) {
    const M = joint.childFrame;
    const away = towards(scene, poses, joint.parent, M);
    for (const foot of footOf(joint.type, size, footWay(scene, M, away, joint.type)))
      put("M", foot.form, foot.matrix, "fixed");
  }
}

/** Direction from a frame's origin to a body's centre of mass, in the frame's axes. */
function towards(scene: Scene, poses: Poses, b: number, frame: Pose): Vec3 {
  const body = scene.bodies[b];
  const centre = body ? place(poses[b] ?? identity, body.com) : originOf(frame);
  const away = rotate(quaternionOf(invert(frame)), subtract(centre, originOf(frame)));
  return length(away) > 1e-9 ? direction(away) : [0, 0, 1];
}

/**
 * Where the foot of a joint on Ground goes: up or down, on the side where the body is not; at right angles to a hinge's axis unless
 * that stands upright.
 */
function footWay(scene: Scene, frame: Pose, towardsBody: Vec3, type: string): Vec3 {
  const up = rotate(quaternionOf(invert(frame)), upOf(scene));
  const side = dot(up, towardsBody) > 0 ? -1 : 1;
  if (glyphType(type) === "revolute" && Math.abs(up[2]) < 0.8)
    return direction(scale(side, [up[0], up[1], 0]), [1, 0, 0]);
  return scale(side, up);
}

function constraintParts(input: PartsInput, constraint: Constraint, parts: Part[]): void {
  const { scene, link } = input;
  const g = hingePerLink * link;
  const put = (
    frameIndex: number | undefined,
    form: Form,
    matrix: number[],
    role: Role,
    more: Partial<Part> = {},
  ) => {
    const frame = scene.frames[frameIndex ?? -1];
    if (!frame) return;
    const inBody = multiply(matrixOf(frame.pose), matrix);
    parts.push({
      layer: "constraints",
      form,
      body: frame.body,
      matrix: inBody,
      role,
      pick: pickNothing,
      ...more,
    });
  };
  const [a, b] = constraint.frames;
  const owner = scene.frames[a ?? -1]?.body ?? 0;
  const radius = constraint.radius ?? 0;
  const axis = constraint.direction ?? [0, 0, 1];
  const dotAt = (frame: number | undefined, r: number) => {
    put(frame, "ball", matrixOf(identity, [r, r, r]), "tie");
  };
  switch (constraint.kind) {
    case "wire":
    case "rod":
      dotAt(a, 0.42 * g);
      dotAt(b, 0.42 * g);
      break;
    case "rolling-disk": {
      const role = rolesOf(scene)[owner] ?? "even";
      put(a, "wheel", matrixOf(identity, [radius, radius, radius]), role, { pick: owner, layer: "bodies" });
      break;
    }
    case "rolling-ball": {
      const role = rolesOf(scene)[owner] ?? "even";
      put(a, "ball", matrixOf(identity, [radius, radius, radius]), role, { pick: owner, layer: "bodies" });
      for (const way of [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ] as Vec3[]) {
        put(a, "ring", along(way, [0, 0, 0], 0.965 * radius, 0.4 * radius), "pin", {
          pick: owner,
          layer: "bodies",
        });
      }
      break;
    }
    case "point-in-plane":
      put(a, "box", along(axis, [0, 0, 0], 1.2 * link, 0.02 * g), "plane", { opacity: 0.25 });
      dotAt(b, 0.6 * g);
      break;
    case "point-on-line":
      put(a, "rod", along(axis, [0, 0, 0], 0.12 * g, 2 * link), "tie");
      dotAt(b, 0.6 * g);
      break;
    case "weld":
      put(a, "box", matrixOf(identity, [1.1 * g, 1.1 * g, 1.1 * g]), "loop");
      break;
    case "constant-orientation":
    case "constant-angle":
    case "no-slip":
      for (const frame of constraint.frames)
        put(frame, "ring", along(axis, [0, 0, 0], 0.8 * g, 0.8 * g), "tie");
      break;
    default:
      // Points that are held together close a loop, as a ball joint would.
      dotAt(a, 0.75 * g);
      if (b !== undefined) put(b, "ring", along(axis, [0, 0, 0], 0.9 * g, 0.9 * g), "tie");
  }
}

/** Every point of a body whose motion counts for what must be seen: joints, frames, centre of mass. */
export function pointsOf(scene: Scene, rods: Rod[][]): { body: number; point: Vec3 }[] {
  const points: { body: number; point: Vec3 }[] = [];
  const reach = reachesOf(scene);
  scene.bodies.forEach((body, b) => {
    if (b === 0) return;
    const r = reach[b] ?? 0;
    points.push({ body: b, point: body.com });
    for (const rod of rods[b] ?? []) points.push({ body: b, point: rod.from }, { body: b, point: rod.to });
    if (r > 0) {
      for (const k of [0, 1, 2] as const) {
        for (const s of [-r, r]) {
          const point: Vec3 = [...body.com];
          point[k] += s;
          points.push({ body: b, point });
        }
      }
    }
  });
  scene.frames.forEach((frame, i) => {
    if (!isOwnFrame(scene, i)) points.push({ body: frame.body, point: originOf(frame.pose) });
  });
  for (const joint of scene.joints)
    if (!isFree(joint.type)) points.push({ body: joint.parent, point: originOf(joint.parentFrame) });
  return points;
}

/** How far shapes and wheels stick out of the centre of mass. */
function reachesOf(scene: Scene): number[] {
  const free = new Set(scene.joints.filter((joint) => isFree(joint.type)).map((joint) => joint.child));
  const reaches = scene.bodies.map((body, b) => {
    const solid = free.has(b) && body.shapes.length === 0 ? solidOf(body) : null;
    const made = solid ? Math.max(...solid.size) / 2 : 0;
    return Math.max(made, ...body.shapes.map((shape) => length(originOf(shape.pose)) + shapeRadius(shape)));
  });
  for (const constraint of scene.constraints) {
    const frame = scene.frames[constraint.frames[0] ?? -1];
    if (constraint.radius && frame)
      reaches[frame.body] = Math.max(reaches[frame.body] ?? 0, constraint.radius);
  }
  return reaches;
}

function shapeRadius(shape: Shape): number {
  switch (shape.kind) {
    case "box":
      return length(shape.size) / 2;
    case "sphere":
      return shape.radius;
    case "cylinder":
      return Math.hypot(shape.radius, shape.length / 2);
    case "capsule":
      return shape.radius + shape.length / 2;
    case "mesh":
      return 0;
  }
}
