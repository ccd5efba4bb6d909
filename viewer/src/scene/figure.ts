import {
  Group,
  InstancedMesh,
  MeshBasicMaterial,
  Quaternion,
  Matrix4,
  Vector3,
  type BufferGeometry,
  type Material,
} from "three";
import { bytesOfBase64 } from "../data/source";
import { poseSize, type Run } from "../data/run";
import type { Pose, Vec3 } from "../data/scene";
import { Batch, Struts } from "./batch";
import { makeGeometry, meshGeometry } from "./geometries";
import { writeBodyMatrices } from "./kernels";
import { linkLength } from "./layout";
import { rodsOf, type Rod } from "./links";
import { keepRound, surface } from "./materials";
import { originOf } from "./math";
import { Motion, posesInRow } from "./motion";
import { runColors, type Palette } from "./palette";
import { batchKey, pickNothing, type Form, type Layer, type Part } from "./part";
import { hingePerLink, partsOf, pointsOf } from "./parts";
import { Skeleton } from "./skeleton";

/** Layers of which a ghost shows nothing: they would only clutter. */
const solidOnly = new Set<Layer>(["frames", "inertia"]);

const ghostOpacity = 0.32;
const scratch = new Matrix4();

/** One run as it is drawn: the first of a page solid, all others as ghosts in one colour. */
export class Figure {
  readonly group = new Group();
  readonly motion: Motion;
  readonly rods: Rod[][];
  /** [m], what glyphs are drawn to. */
  link = 1;
  /** 16 numbers for every body, Ground's first. */
  readonly matrices: Float32Array;
  batches: Batch[] = [];

  private readonly poses: Float32Array;
  private readonly skeleton: Skeleton;
  private wires: Struts | null = null;
  private springs: Struts | null = null;
  private readonly groups = new Map<Layer, Group>();
  private readonly geometries = new Map<string, BufferGeometry>();
  private materials: Material[] = [];
  /** Where each body's pose can be read back: a batch and an instance in it. */
  private readonly shown = new Map<number, { batch: Batch; index: number }>();
  private drawnFor = "";
  private readonly linked: boolean;
  /** Layers that are too small to see at the distance of the eye. */
  private tiny = false;

  constructor(
    readonly run: Run,
    readonly ghost: number | null,
  ) {
    const { scene } = run.header;
    this.rods = rodsOf(scene);
    this.linked = this.rods.some((rods) => rods.some((rod) => rod.main));
    this.motion = new Motion(run, pointsOf(scene, this.rods));
    this.poses = new Float32Array(poseSize * Math.max(1, run.bodies));
    this.matrices = new Float32Array(16 * Math.max(1, scene.bodies.length));
    for (let k = 0; k < 4; ++k) this.matrices[5 * k] = 1;
    this.skeleton = new Skeleton(scene, this.rods);
    if (ghost !== null) this.skeleton.lines.mesh.renderOrder = 10 * (ghost + 1) + 2;
  }

  get color(): string {
    return runColors[(this.ghost ?? 0) % runColors.length] ?? runColors[0];
  }

  /** Lays out the parts anew if what they depend on has changed by much. */
  layOut(): boolean {
    const { scene } = this.run.header;
    const hasRows = this.run.rows > 0;
    // With links of its own and nothing that slides, a mechanism is laid out once and for all by its first row.
    if (this.linked && this.motion.sliding.length === 0 && this.drawnFor.endsWith("true]")) return false;
    const poses = posesInRow(this.run, 0);
    const link = linkLength(scene, poses, this.motion.box, this.rods);
    const travel = this.motion.travel.map(({ low, high }) => ({
      low: low.map((x) => stepDown(x, link)) as typeof low,
      high: high.map((x) => -stepDown(-x, link)) as typeof high,
    }));
    const key = JSON.stringify([link, this.motion.sliding.map((j) => travel[j]), hasRows]);
    if (key === this.drawnFor) return false;
    this.drawnFor = key;
    this.clear();
    this.link = link;
    const meshes = new Map<string, number>();
    const parts = partsOf({ scene, poses, rods: this.rods, link, travel, meshes });
    const byKey = new Map<string, Part[]>();
    for (const part of parts) {
      if (this.ghost !== null && solidOnly.has(part.layer)) continue;
      const batch = byKey.get(batchKey(part));
      if (batch) batch.push(part);
      else byKey.set(batchKey(part), [part]);
    }
    const meshData = [...meshes.keys()];
    for (const batch of byKey.values()) this.addBatch(batch, meshData);
    this.addStruts();
    this.layerGroup("links").add(this.skeleton.lines.mesh);
    this.findBodies();
    this.applyTiny();
    return true;
  }

  /** Moves all to where it is at a time. */
  show(t: number): void {
    this.run.posesAt(t, this.poses);
    writeBodyMatrices(this.poses, this.run.bodies, this.matrices);
    for (const batch of this.batches) batch.update(this.matrices);
    this.wires?.update(this.matrices);
    this.springs?.update(this.matrices);
    this.skeleton.update(this.matrices);
  }

  paint(palette: Palette, selected: number): void {
    const ghost = this.ghost === null ? null : this.color;
    for (const batch of this.batches) batch.paint(palette, selected, ghost);
    this.wires?.paint(ghost ?? palette.wire);
    this.springs?.paint(ghost ?? palette.spring);
    this.skeleton.paint(ghost ?? palette.line, ghost === null ? 1 : 0.45);
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.layerGroup(layer).visible = visible;
  }

  isLayerVisible(layer: Layer): boolean {
    return this.layerGroup(layer).visible;
  }

  /** The centre of mass of all bodies, as they are drawn. False if nothing has mass. */
  centreOfMass(out: Vector3): boolean {
    const { bodies } = this.run.header.scene;
    let total = 0;
    out.set(0, 0, 0);
    for (let b = 1; b < bodies.length; ++b) {
      const body = bodies[b];
      if (!body || !(body.mass > 0)) continue;
      const m = 16 * b;
      const [x, y, z] = body.com;
      const at = (k: number) =>
        (this.matrices[m + k] ?? 0) * x +
        (this.matrices[m + 4 + k] ?? 0) * y +
        (this.matrices[m + 8 + k] ?? 0) * z +
        (this.matrices[m + 12 + k] ?? 0);
      out.x += body.mass * at(0);
      out.y += body.mass * at(1);
      out.z += body.mass * at(2);
      total += body.mass;
    }
    if (!(total > 0)) return false;
    out.multiplyScalar(1 / total);
    return true;
  }

  /** The pose of a body, read back from what is drawn of it. */
  poseOf(body: number): Pose {
    const drawn = new Matrix4();
    const shown = this.shown.get(body);
    if (shown) {
      shown.batch.mesh.getMatrixAt(shown.index, drawn);
      drawn.multiply(new Matrix4().fromArray(shown.batch.local, 16 * shown.index).invert());
    } else {
      drawn.fromArray(this.matrices, 16 * body);
    }
    const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
    drawn.decompose(p, q, s);
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  /** Where the centre of mass of a body is. */
  bodyPlace(body: number, out: Vector3): Vector3 {
    return this.pointPlace(body, this.run.header.scene.bodies[body]?.com ?? [0, 0, 0], out);
  }

  pointPlace(body: number, point: Vec3, out: Vector3): Vector3 {
    return out.set(...point).applyMatrix4(scratch.fromArray(this.matrices, 16 * body));
  }

  /**
   * Leaves out rods and joints that would be less than a third of a pixel: the skeleton shows them. A chain of a thousand links is
   * a line from afar, and need not be a million triangles.
   */
  setPixelsPerMetre(pixels: number): void {
    const tiny = this.linked && this.run.bodies > 50 && hingePerLink * this.link * pixels < 0.3;
    if (tiny === this.tiny) return;
    this.tiny = tiny;
    this.applyTiny();
  }

  private applyTiny(): void {
    for (const layer of ["joints", "links", "frames"] as const) {
      for (const child of this.layerGroup(layer).children) {
        child.visible = !this.tiny || child === this.skeleton.lines.mesh;
      }
    }
  }

  dispose(): void {
    this.clear();
    this.skeleton.lines.dispose();
    for (const geometry of this.geometries.values()) geometry.dispose();
    this.geometries.clear();
  }

  private clear(): void {
    for (const group of this.groups.values()) group.clear();
    for (const item of [...this.batches, this.wires, this.springs]) item?.dispose();
    for (const material of this.materials) material.dispose();
    this.batches = [];
    this.materials = [];
    this.wires = this.springs = null;
    this.shown.clear();
  }

  private layerGroup(layer: Layer): Group {
    let group = this.groups.get(layer);
    if (!group) {
      group = new Group();
      this.groups.set(layer, group);
      this.group.add(group);
    }
    return group;
  }

  private addBatch(parts: Part[], meshData: string[]): void {
    const [first] = parts;
    if (!first) return;
    const geometry = this.geometry(first.form, meshData);
    const batch = new Batch(parts, geometry, this.material(geometry, first.opacity ?? 1));
    batch.mesh.castShadow = this.ghost === null && (first.opacity ?? 1) === 1 && first.layer !== "frames";
    this.batches.push(batch);
    this.addMesh(first.layer, batch.mesh);
  }

  private addStruts(): void {
    const { scene } = this.run.header;
    const g = hingePerLink * this.link;
    const strut = (frames: readonly number[], radius: number) => {
      const [a, b] = [scene.frames[frames[0] ?? -1], scene.frames[frames[1] ?? -1]];
      if (!a || !b) return [];
      const bodies: [number, number] = [a.body, b.body];
      const points: [number[], number[]] = [originOf(a.pose), originOf(b.pose)];
      return [{ bodies, points, radius }];
    };
    const wires = scene.constraints
      .filter(({ kind }) => kind === "wire" || kind === "rod")
      .flatMap(({ frames }) => strut(frames, 0.16 * g));
    const springs = scene.springs.flatMap(({ frames }) => strut(frames, 1.15 * g));
    if (wires.length > 0) {
      const geometry = this.geometry("rod", []);
      this.wires = new Struts(wires, geometry, this.material(geometry, 1));
      this.addMesh("constraints", this.wires.mesh);
    }
    if (springs.length > 0) {
      const geometry = this.geometry("coil", []);
      this.springs = new Struts(springs, geometry, this.material(geometry, 1));
      this.addMesh("springs", this.springs.mesh);
    }
    for (const struts of [this.wires, this.springs]) if (struts) struts.mesh.castShadow = this.ghost === null;
  }

  private addMesh(layer: Layer, mesh: InstancedMesh): void {
    const group = this.layerGroup(layer);
    group.add(mesh);
    if (this.ghost === null) return;
    // Depth first, then colour where it is nearest: so that a ghost is one even tint, not a heap of overlapping ones.
    const depth = new MeshBasicMaterial({
      colorWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    if (mesh.geometry.hasAttribute("rounding")) keepRound(depth);
    this.materials.push(depth);
    const behind = new InstancedMesh(mesh.geometry, depth, mesh.count);
    behind.instanceMatrix = mesh.instanceMatrix;
    behind.frustumCulled = false;
    behind.renderOrder = 10 * (this.ghost + 1);
    mesh.renderOrder = behind.renderOrder + 1;
    group.add(behind);
  }

  private material(geometry: BufferGeometry, opacity: number): Material {
    const material = surface({
      rounded: geometry.hasAttribute("rounding"),
      vertexColors: geometry.hasAttribute("color"),
      opacity: this.ghost === null ? opacity : ghostOpacity,
    });
    if (this.ghost !== null) {
      material.polygonOffset = true;
      material.polygonOffsetFactor = 1;
      material.polygonOffsetUnits = 2;
    } else if (opacity < 1) {
      material.depthWrite = false;
    }
    this.materials.push(material);
    return material;
  }

  private geometry(form: Form | "coil", meshData: string[]): BufferGeometry {
    const known = this.geometries.get(form);
    if (known) return known;
    let geometry: BufferGeometry;
    if (isMesh(form)) {
      const [vertices = "", triangles = ""] = (meshData[Number(form.slice(5))] ?? "").split(" ");
      geometry = meshGeometry(
        new Float32Array(bytesOfBase64(vertices).buffer),
        new Uint32Array(bytesOfBase64(triangles).buffer),
      );
    } else {
      geometry = makeGeometry(form, detailFor(this.run.bodies));
    }
    this.geometries.set(form, geometry);
    return geometry;
  }

  private findBodies(): void {
    for (const batch of this.batches) {
      batch.owners.forEach((body, index) => {
        if (!this.shown.has(body) && (batch.picks[index] ?? pickNothing) >= 0)
          this.shown.set(body, { batch, index });
      });
    }
  }
}

function isMesh(form: Form | "coil"): form is `mesh ${number}` {
  return form.startsWith("mesh ");
}

/** Corners around a cylinder: fewer where there are so many that nobody sees them. */
function detailFor(bodies: number): number {
  return bodies <= 20 ? 32 : bodies <= 60 ? 24 : bodies <= 300 ? 14 : 8;
}

/** A bound that moves in steps of half a link, so that a run that streams in is not laid out anew for every row. */
function stepDown(x: number, link: number): number {
  const step = 0.5 * link;
  return x < 0 ? -Math.ceil(-x / step - 1e-6) * step : x === 0 ? 0 : Math.floor(x / step) * step;
}
