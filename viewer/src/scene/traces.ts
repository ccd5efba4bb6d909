import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Float32BufferAttribute,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";
import type { Run } from "../data/run";

/** Rows that a trace goes back, and room for as many again before they are moved to the front. */
const reach = 2000;
const capacity = 2 * reach + 2;

/**
 * The way of one frame up to now, fading into the past. The points lie in one buffer, a segment for every two neighbours (the same
 * buffer read with an offset of one point), so that going on by a row writes one point.
 */
class Trace {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly buffer: InstancedInterleavedBuffer;
  private readonly points: Float32Array;
  private readonly pose = new Float32Array(7);
  private first = 0;
  private last = -1;
  private sizeOfRun = 0;

  constructor(
    readonly run: Run,
    private readonly body: number,
    private readonly point: readonly number[],
    material: ShaderMaterial,
  ) {
    this.points = new Float32Array(3 * capacity);
    this.buffer = new InstancedInterleavedBuffer(this.points, 3, 1);
    this.buffer.setUsage(DynamicDrawUsage);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("from", new InterleavedBufferAttribute(this.buffer, 3, 0));
    geometry.setAttribute("to", new InterleavedBufferAttribute(this.buffer, 3, 3));
    geometry.instanceCount = 0;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  show(t: number): void {
    const row = this.run.rowAt(t);
    if (this.run.rows === 0) return;
    const from = Math.max(0, row - reach);
    const grown = row > this.last && this.first <= row && row - this.last < reach && this.last >= this.first;
    if (!grown && row !== this.last) {
      this.first = from;
      this.last = from - 1;
    }
    if (row - this.first + 2 > capacity) {
      this.points.copyWithin(0, 3 * (from - this.first), 3 * (this.last - this.first + 1));
      this.first = from;
    }
    for (let r = this.last + 1; r <= row; ++r) {
      this.run.poseInRow(r, this.body, this.pose, 0);
      this.put(r - this.first);
    }
    this.last = row;
    // The end is where the frame is now, between rows.
    this.run.poseAt(t, this.body, this.pose, 0);
    this.put(row - this.first + 1);
    this.sizeOfRun = row - this.first + 1;
    this.buffer.needsUpdate = true;
    this.mesh.geometry.instanceCount = this.sizeOfRun;
    const uniforms = this.mesh.material.uniforms as Record<string, { value: number }>;
    if (uniforms.head) uniforms.head.value = this.sizeOfRun;
    if (uniforms.reach) uniforms.reach.value = Math.min(this.sizeOfRun, reach);
  }

  private put(i: number): void {
    const [px = 0, py = 0, pz = 0] = this.point;
    const [x = 0, y = 0, z = 0, w = 1, a = 0, b = 0, c = 0] = this.pose;
    const tx = 2 * (b * pz - c * py);
    const ty = 2 * (c * px - a * pz);
    const tz = 2 * (a * py - b * px);
    this.points[3 * i] = x + px + w * tx + b * tz - c * ty;
    this.points[3 * i + 1] = y + py + w * ty + c * tx - a * tz;
    this.points[3 * i + 2] = z + pz + w * tz + a * ty - b * tx;
  }
}

const vertexShader = `
attribute vec3 from;
attribute vec3 to;
uniform vec2 pixels;
uniform float width;
uniform float head;
uniform float reach;
varying float strength;
varying float side;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  // What is behind the eye has no place on the screen.
  if (min(a.w, b.w) <= 0.0) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
  vec4 end = position.x < 0.5 ? a : b;
  vec2 across = vec2(-along.y, along.x) * position.y * (width + 1.0);
  vec2 cap = along * (position.x - 0.5) * 0.7;
  end.xy += 2.0 * (across * 0.5 + cap) / pixels * end.w;
  gl_Position = end;
  float age = (head - float(gl_InstanceID) - position.x) / max(reach, 1.0);
  strength = pow(clamp(1.0 - age, 0.0, 1.0), 1.4);
  side = position.y * (width + 1.0);
}`;

const fragmentShader = `
uniform vec3 color;
uniform float width;
varying float strength;
varying float side;
void main() {
  // One pixel of softness at the edges.
  float edge = clamp((width + 1.0 - abs(side)) * 0.5, 0.0, 1.0);
  gl_FragColor = vec4(color, (0.06 + 0.84 * strength) * edge);
  #include <colorspace_fragment>
}`;

/** The traces of all tracked frames of all runs. */
export class Traces {
  readonly group = new Group();
  private traces: Trace[] = [];
  private readonly pixels = new Vector2(1, 1);
  private readonly materials: ShaderMaterial[] = [];

  /** The frames of the first run's scene; other runs show their frames of the same name. */
  set(frames: number[], runs: { run: Run; color: string; visible: boolean }[]): void {
    this.clear();
    const names = frames.map((index) => runs[0]?.run.header.scene.frames[index]?.name);
    for (const { run, color, visible } of runs) {
      if (!visible) continue;
      for (const frame of run.header.scene.frames) {
        if (!names.includes(frame.name)) continue;
        const material = new ShaderMaterial({
          uniforms: {
            pixels: { value: this.pixels },
            width: { value: 2 },
            head: { value: 0 },
            reach: { value: 1 },
            color: { value: new Color(color) },
          },
          vertexShader,
          fragmentShader,
          transparent: true,
          depthWrite: false,
        });
        this.materials.push(material);
        const trace = new Trace(run, frame.body, frame.pose.slice(0, 3), material);
        trace.mesh.renderOrder = 5;
        this.traces.push(trace);
        this.group.add(trace.mesh);
      }
    }
  }

  show(t: number): void {
    for (const trace of this.traces) trace.show(t);
  }

  resize(width: number, height: number, ratio: number): void {
    this.pixels.set(width * ratio, height * ratio);
    for (const material of this.materials) {
      const uniform = material.uniforms.width;
      if (uniform) uniform.value = 2 * ratio;
    }
  }

  clear(): void {
    for (const trace of this.traces) trace.mesh.geometry.dispose();
    for (const material of this.materials) material.dispose();
    this.traces = [];
    this.materials.length = 0;
    this.group.clear();
  }
}
