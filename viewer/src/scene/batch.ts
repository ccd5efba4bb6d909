import { Color, DynamicDrawUsage, InstancedMesh, type BufferGeometry, type Material } from "three";
import { writeInstances, writePoint, writeStrut } from "./kernels";
import { roundedDepth } from "./materials";
import type { Palette } from "./palette";
import { pickNothing, type Part } from "./part";

const color = new Color();
const highlight = new Color();

/** Like parts of all bodies, drawn with one call. */
export class Batch {
  readonly mesh: InstancedMesh;
  readonly picks: Int32Array;
  readonly owners: Int32Array;
  readonly local: Float32Array;

  constructor(
    private readonly parts: Part[],
    geometry: BufferGeometry,
    material: Material,
  ) {
    this.mesh = instances(geometry, material, parts.length);
    this.picks = Int32Array.from(parts, (part) => part.pick);
    this.owners = Int32Array.from(parts, (part) => part.body);
    this.local = new Float32Array(16 * parts.length);
    parts.forEach((part, i) => {
      this.local.set(part.matrix, 16 * i);
    });
    // The last column's 1 is never written again.
    this.mesh.instanceMatrix.array.set(this.local);
  }

  update(bodies: Float32Array): void {
    writeInstances(bodies, this.owners, this.local, this.mesh.instanceMatrix.array as Float32Array);
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  /** Colours by role, with what is selected in a colour of its own; all in one colour for a ghost. */
  paint(palette: Palette, selected: number, ghost: string | null): void {
    highlight.set(palette.selection);
    this.parts.forEach((part, i) => {
      if (ghost !== null) color.set(ghost);
      else if (part.color) color.setRGB(...part.color, "srgb");
      else color.set(palette.roles[part.role]);
      if (part.pick !== pickNothing && part.pick === selected) color.lerp(highlight, 0.8);
      this.mesh.setColorAt(i, color);
    });
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
  }
}

/** Wires or springs: from a point of one body to a point of another. */
export class Struts {
  readonly mesh: InstancedMesh;
  private readonly owners: Int32Array;
  private readonly points: Float32Array;
  private readonly radii: Float32Array;
  private readonly ends = new Float32Array(6);

  constructor(
    list: { bodies: [number, number]; points: [number[], number[]]; radius: number }[],
    geometry: BufferGeometry,
    material: Material,
  ) {
    this.mesh = instances(geometry, material, list.length);
    this.owners = Int32Array.from(list.flatMap((strut) => strut.bodies));
    this.points = Float32Array.from(list.flatMap((strut) => strut.points.flat()));
    this.radii = Float32Array.from(list, (strut) => strut.radius);
  }

  update(bodies: Float32Array): void {
    const out = this.mesh.instanceMatrix.array as Float32Array;
    for (let i = 0; i < this.radii.length; ++i) {
      writePoint(bodies, this.owners[2 * i] as number, this.points, 6 * i, this.ends, 0);
      writePoint(bodies, this.owners[2 * i + 1] as number, this.points, 6 * i + 3, this.ends, 3);
      writeStrut(this.ends, this.radii[i] as number, out, 16 * i);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  paint(css: string): void {
    color.set(css);
    for (let i = 0; i < this.radii.length; ++i) this.mesh.setColorAt(i, color);
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
  }
}

function instances(geometry: BufferGeometry, material: Material, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  // Bodies move all over: finding out whether a batch is out of sight costs more than drawing it.
  mesh.frustumCulled = false;
  if (geometry.hasAttribute("rounding")) mesh.customDepthMaterial = roundedDepth();
  return mesh;
}
