/**
 * What a mechanism looks like, as the engine tells it (src/polhode/format/scene.cpp writes it). Lengths are in metres, angles in
 * radians, quaternions scalar first and from body to world.
 */

export type Vec3 = [number, number, number];
export type Quaternion = [w: number, x: number, y: number, z: number];
/** Where a frame is: the place of its origin, then its quaternion. */
export type Pose = [x: number, y: number, z: number, qw: number, qx: number, qy: number, qz: number];

export interface Scene {
  name: string;
  gravity: Vec3;
  /** The first is Ground; the poses of all others are in the rows of a run, in this order. */
  bodies: Body[];
  /** Those of the tree first, the one at i - 1 holding body i; then those that close loops. */
  joints: Joint[];
  frames: Frame[];
  constraints: Constraint[];
  springs: Spring[];
}

export interface Body {
  name: string;
  /** Index of the body that it hangs on; -1 for Ground. */
  parent: number;
  mass: number;
  /** Centre of mass in the body's frame. */
  com: Vec3;
  /** The homogeneous ellipsoid of the same mass and inertia about the centre of mass; null where there is no inertia. */
  ellipsoid: { semiaxes: Vec3; axes: Quaternion } | null;
  /** Shapes that the model gives; drawn instead of what is made up from the inertia. */
  shapes: Shape[];
}

export type Shape = {
  /** In the body's frame. Cylinders and capsules are along z; all are centred. */
  pose: Pose;
  /** Red, green, blue from 0 to 1, and opacity; null where the model leaves it to the viewer. */
  color: [number, number, number, number] | null;
} & Solid;

export type Solid =
  | { kind: "box"; size: Vec3 }
  | { kind: "sphere"; radius: number }
  | { kind: "cylinder"; radius: number; length: number }
  /** The length is that of the straight part. */
  | { kind: "capsule"; radius: number; length: number }
  /** Base64 of little-endian numbers: x, y, z of every vertex as float32, three vertex numbers of every triangle as uint32. */
  | { kind: "mesh"; vertices: string; triangles: string };

export interface Joint {
  name: string;
  /** As in the model language: revolute, prismatic, screw, cylindrical, universal, planar, spherical, free, weld, ... */
  type: string;
  /** Body indices. F is fixed on the parent, M on the child; both coincide where the joint's coordinates are zero. */
  parent: number;
  child: number;
  parentFrame: Pose;
  childFrame: Pose;
  /** Names of its coordinates and speeds, which are names of columns; none where it closes a loop. */
  coordinates: string[];
  speeds: string[];
  closesLoop: boolean;
  /** Not written in the model: a body that no joint holds is free. */
  implicit: boolean;
}

export interface Frame {
  name: string;
  body: number;
  pose: Pose;
}

export interface Constraint {
  name: string;
  /** As in the model language: wire, point-constraint, gear, rolling-disk, ... */
  kind: string;
  /** For people, such as `wire "hip" "knee"`. */
  description: string;
  /** Indices of the frames that it ties; none for equations between coordinates. */
  frames: number[];
  /** Names of the coordinates or speeds that it ties. */
  coordinates: string[];
  /** [m], of a wire. */
  length?: number;
  /** [m], of what rolls. */
  radius?: number;
  /** Of a plane, line or angle, in the first frame's axes. */
  direction?: Vec3;
}

/** A force along the line between two frames; its numbers, such as its stiffness, stand beside these under their names. */
export interface Spring {
  kind: string;
  /** Indices of frames. */
  frames: [number, number];
}
