import {
  CanvasTexture,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  ShadowMaterial,
  SRGBColorSpace,
  Sprite,
  SpriteMaterial,
  Vector3,
} from "three";
import type { Palette } from "./palette";

const zAxis = new Vector3(0, 0, 1);

const gridVertex = `
varying vec2 at;
varying vec3 place;
uniform float extent;
void main() {
  at = position.xy * extent;
  vec4 world = modelMatrix * vec4(position.xy * extent, 0.0, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const gridFragment = `
varying vec2 at;
varying vec3 place;
uniform vec3 color;
uniform float cell;
uniform float extent;
uniform float strength;
// Lines one pixel wide at every distance, fading out where they would be closer than a few pixels.
float lines(vec2 p, float every) {
  vec2 q = p / every;
  vec2 w = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, vec2(1e-9));
  vec2 line = clamp(1.2 - d, 0.0, 1.0) * clamp(1.0 - w * 4.0, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  float far = 1.0 - smoothstep(0.25, 1.0, length(at) / extent);
  float a = max(0.28 * lines(at, cell), 0.5 * lines(at, 5.0 * cell));
  gl_FragColor = vec4(color, a * far * strength);
  #include <colorspace_fragment>
}`;

/** A grid across gravity, below the mechanism, that takes its shadow. */
export class GroundPlane {
  readonly group = new Group();
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      uniforms: {
        color: { value: new Color() },
        cell: { value: 1 },
        extent: { value: 1 },
        strength: { value: 1 },
      },
      vertexShader: gridVertex,
      fragmentShader: gridFragment,
      transparent: true,
      depthWrite: false,
      side: 2,
    });
    this.grid = new Mesh(new PlaneGeometry(2, 2), material);
    this.grid.frustumCulled = false;
    this.grid.renderOrder = 1;
    this.shade = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ depthWrite: false }));
    this.shade.receiveShadow = true;
    this.group.add(this.shade, this.grid);
  }

  place(centre: Vector3, up: Vector3, extent: number, cell: number, strength: number): void {
    this.group.position.copy(centre);
    this.group.quaternion.setFromUnitVectors(zAxis, up);
    const { uniforms } = this.grid.material;
    if (uniforms.extent) uniforms.extent.value = extent;
    if (uniforms.cell) uniforms.cell.value = cell;
    if (uniforms.strength) uniforms.strength.value = strength;
    this.shade.scale.set(extent, extent, 1);
  }

  paint(palette: Palette): void {
    (this.grid.material.uniforms.color?.value as Color | undefined)?.set(palette.grid);
    this.shade.material.opacity = palette.shadow;
  }

  dispose(): void {
    for (const mesh of [this.grid, this.shade]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

/** An arrow along gravity with its letter. */
export class GravityArrow {
  readonly group = new Group();
  private readonly material = new MeshStandardMaterial({ roughness: 0.8 });
  private readonly letter: Sprite;
  private ink = "";

  constructor() {
    const stem = new Mesh(new CylinderGeometry(0.022, 0.022, 0.78, 16), this.material);
    stem.rotation.x = Math.PI / 2;
    stem.position.z = 0.39;
    const tip = new Mesh(new ConeGeometry(0.075, 0.24, 24), this.material);
    tip.rotation.x = Math.PI / 2;
    tip.position.z = 0.88;
    this.letter = new Sprite(new SpriteMaterial({ transparent: true, depthWrite: false }));
    this.letter.position.set(0, 0, -0.2);
    this.letter.scale.set(0.36, 0.36, 1);
    this.group.add(stem, tip, this.letter);
    this.material.depthTest = false;
    this.letter.material.depthTest = false;
    // After all else, as a mark on the picture.
    for (const item of this.group.children) item.renderOrder = 2000;
    this.material.transparent = true;
  }

  point(way: Vector3): void {
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(zAxis, way));
  }

  /** Puts it into the upper right of the picture, always of the same size there: it belongs to no place in the scene. */
  follow(camera: PerspectiveCamera, distance: number): void {
    const half = distance * Math.tan((camera.fov * Math.PI) / 360);
    const aside = Math.min(0.9 * half * camera.aspect, half * camera.aspect - 0.14 * half);
    this.group.position.set(aside, 0.8 * half, -distance).applyMatrix4(camera.matrixWorld);
    this.group.scale.setScalar(0.17 * half);
  }

  paint(palette: Palette): void {
    this.material.color.set(palette.gravity);
    if (this.ink === palette.gravity) return;
    this.ink = palette.gravity;
    this.letter.material.map?.dispose();
    this.letter.material.map = letterTexture("g", palette.gravity);
    this.letter.material.needsUpdate = true;
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh) (object.geometry as ConeGeometry).dispose();
    });
    this.material.dispose();
    this.letter.material.map?.dispose();
    this.letter.material.dispose();
  }
}

function letterTexture(letter: string, ink: string): CanvasTexture {
  return drawn(64, (context) => {
    context.font = "italic 52px Georgia, 'Times New Roman', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = ink;
    context.fillText(letter, 32, 28);
  });
}

/** The sign of a centre of mass, a disc in quarters of black and white, always face on and seen through everything. */
export class CentreMark {
  readonly sprite: Sprite;

  constructor() {
    const map = drawn(128, (context) => {
      const [c, r] = [64, 58];
      context.fillStyle = "#ffffff";
      context.beginPath();
      context.arc(c, c, r, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = "#1d2429";
      for (const start of [0, Math.PI]) {
        context.beginPath();
        context.moveTo(c, c);
        context.arc(c, c, r, start, start + Math.PI / 2);
        context.fill();
      }
      context.lineWidth = 7;
      context.strokeStyle = "#1d2429";
      context.beginPath();
      context.arc(c, c, r, 0, 2 * Math.PI);
      context.stroke();
    });
    this.sprite = new Sprite(
      new SpriteMaterial({ map, depthTest: false, depthWrite: false, transparent: true }),
    );
    this.sprite.renderOrder = 1000;
  }

  dispose(): void {
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
  }
}

function drawn(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) draw(context);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
