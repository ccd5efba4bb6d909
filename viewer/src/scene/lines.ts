import {
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";

/** Size of the picture in pixels of the screen, shared by all lines; written by the stage. */
export const screen = { pixels: new Vector2(1, 1), ratio: { value: 1 } };

const vertexShader = `
attribute vec3 from;
attribute vec3 to;
uniform vec2 pixels;
uniform float ratio;
uniform float width;
uniform float head;
uniform float reach;
varying float strength;
varying float side;
varying float breadth;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  // What is behind the eye has no place on the screen.
  if (min(a.w, b.w) <= 0.0) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
  vec4 end = position.x < 0.5 ? a : b;
  breadth = width * ratio + 1.0;
  vec2 across = vec2(-along.y, along.x) * position.y * breadth;
  vec2 cap = along * (position.x - 0.5) * 0.7;
  end.xy += (across + 2.0 * cap) / pixels * end.w;
  gl_Position = end;
  float age = reach > 0.0 ? (head - float(gl_InstanceID) - position.x) / reach : 0.0;
  strength = pow(clamp(1.0 - age, 0.0, 1.0), 1.4);
  side = position.y * breadth;
}`;

const fragmentShader = `
uniform vec3 color;
uniform float opacity;
varying float strength;
varying float side;
varying float breadth;
void main() {
  // One pixel of softness at the edges.
  float edge = clamp((breadth - abs(side)) * 0.5, 0.0, 1.0);
  gl_FragColor = vec4(color, opacity * (0.06 + 0.94 * strength) * edge);
  #include <colorspace_fragment>
}`;

export type LineMesh = Mesh<InstancedBufferGeometry, ShaderMaterial>;

/**
 * Lines that are so many pixels wide at any distance, from points in a buffer: every `step` numbers begin a segment that ends three
 * numbers later. With a step of six the segments are apart, with three each begins where the last one ended.
 */
export class Lines {
  readonly mesh: LineMesh;
  readonly points: Float32Array;
  private readonly buffer: InstancedInterleavedBuffer;

  constructor(capacity: number, step: 3 | 6, width: number) {
    this.points = new Float32Array(step * capacity + 3);
    this.buffer = new InstancedInterleavedBuffer(this.points, step, 1);
    this.buffer.setUsage(DynamicDrawUsage);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("from", new InterleavedBufferAttribute(this.buffer, 3, 0));
    geometry.setAttribute("to", new InterleavedBufferAttribute(this.buffer, 3, 3));
    geometry.instanceCount = 0;
    const material = new ShaderMaterial({
      uniforms: {
        pixels: { value: screen.pixels },
        ratio: screen.ratio,
        width: { value: width },
        head: { value: 0 },
        reach: { value: 0 },
        color: { value: new Color() },
        opacity: { value: 1 },
      },
      vertexShader,
      fragmentShader,
      transparent: true,
      depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** Shows so many segments; with a reach, those further from the last than that have faded away. */
  show(segments: number, reach = 0): void {
    this.buffer.needsUpdate = true;
    this.mesh.geometry.instanceCount = segments;
    this.set("head", segments);
    this.set("reach", reach);
  }

  paint(color: Color, opacity: number): void {
    (this.mesh.material.uniforms.color?.value as Color | undefined)?.copy(color);
    this.set("opacity", opacity);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  private set(name: string, value: number): void {
    const uniform = this.mesh.material.uniforms[name];
    if (uniform) uniform.value = value;
  }
}
