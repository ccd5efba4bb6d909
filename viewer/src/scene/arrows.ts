import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
  type BufferGeometry,
} from "three";
import { ForceSizes, forceAt, type Arrow } from "../data/arrows";
import type { Run } from "../data/run";
import type { Figure } from "./figure";
import type { Palette } from "./palette";

const yAxis = new Vector3(0, 1, 0);
const none = new Matrix4().makeScale(0, 0, 0);
/** Less of the largest force than this has no arrow. */
const least = 1e-3;

/** Forces as arrows, drawn over everything: the largest of the run is as long as the reach, all others in proportion. */
export class ForceArrows {
  readonly group = new Group();
  private readonly arrows: Arrow[];
  private readonly sizes: ForceSizes;
  private readonly stems: InstancedMesh<BufferGeometry, MeshBasicMaterial>;
  private readonly tips: InstancedMesh<BufferGeometry, MeshBasicMaterial>;
  private reach = 0.3;

  constructor(private readonly run: Run) {
    this.arrows = run.header.arrows ?? [];
    this.sizes = new ForceSizes(run);
    const count = Math.max(1, this.owners().length);
    // From 0 to 1 along y, of radius 1.
    this.stems = instances(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), count);
    this.tips = instances(new ConeGeometry(1, 1, 20).translate(0, 0.5, 0), count);
    this.group.add(this.stems, this.tips);
  }

  /** [m], the length of the longest arrow. */
  setReach(reach: number): void {
    this.reach = reach;
  }

  show(figure: Figure, t: number): void {
    const largest = this.sizes.update();
    let at = 0;
    for (const arrow of this.arrows) {
      const force = forceAt(this.run, arrow, t);
      for (const [start, way] of placed(arrow, figure, force)) this.put(at++, start, way, largest);
    }
    this.stems.instanceMatrix.needsUpdate = this.tips.instanceMatrix.needsUpdate = true;
  }

  paint(palette: Palette): void {
    const color = new Color();
    this.owners().forEach((arrow, i) => {
      color.set(palette.forces[arrow.kind]);
      this.stems.setColorAt(i, color);
      this.tips.setColorAt(i, color);
    });
    for (const mesh of [this.stems, this.tips]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.stems, this.tips]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
    }
  }

  /** By instance: a tension is drawn at both of its ends. */
  private owners(): Arrow[] {
    return this.arrows.flatMap((arrow): Arrow[] => ("frames" in arrow ? [arrow, arrow] : [arrow]));
  }

  private put(i: number, start: Vector3, force: Vector3, largest: number): void {
    const size = force.length();
    if (!(size > least * largest)) {
      this.stems.setMatrixAt(i, none);
      this.tips.setMatrixAt(i, none);
      return;
    }
    const length = (this.reach * size) / largest;
    const head = Math.min(0.17 * this.reach, 0.6 * length);
    const turn = new Quaternion().setFromUnitVectors(yAxis, force.normalize());
    const stem = new Vector3(0.016 * this.reach, length - head, 0.016 * this.reach);
    const tip = new Vector3(0.3 * head, head, 0.3 * head);
    this.stems.setMatrixAt(i, new Matrix4().compose(start, turn, stem));
    const neck = start.clone().addScaledVector(force, length - head);
    this.tips.setMatrixAt(i, new Matrix4().compose(neck, turn, tip));
  }
}

/** Where its arrows begin, and which way they go. */
function placed(arrow: Arrow, figure: Figure, force: number[]): [Vector3, Vector3][] {
  if ("body" in arrow) {
    const [x = 0, y = 0, z = 0] = force;
    return [[figure.pointPlace(arrow.body, arrow.point, new Vector3()), new Vector3(x, y, z)]];
  }
  const { frames } = figure.run.header.scene;
  const [a, b] = arrow.frames.map((index) => {
    const frame = frames[index];
    if (!frame) return new Vector3();
    return figure.pointPlace(frame.body, [frame.pose[0], frame.pose[1], frame.pose[2]], new Vector3());
  }) as [Vector3, Vector3];
  const pull = new Vector3()
    .subVectors(b, a)
    .normalize()
    .multiplyScalar(force[0] ?? 0);
  return [
    [a, pull],
    [b, pull.clone().negate()],
  ];
}

function instances(
  geometry: BufferGeometry,
  count: number,
): InstancedMesh<BufferGeometry, MeshBasicMaterial> {
  const material = new MeshBasicMaterial({
    depthTest: false,
    depthWrite: false,
    transparent: true,
    opacity: 0.92,
  });
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.frustumCulled = false;
  mesh.renderOrder = 1500;
  return mesh;
}
