import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../data/scene";
import { eyeFor } from "./layout";

interface Station {
  target: Vector3;
  /** Unit, from the target to the eye. */
  way: Vector3;
  distance: number;
}

/** [ms], of a change of view. */
const duration = 450;

/** The eye: orbits by hand, moves to views by itself, goes along with what it follows. */
export class CameraRig {
  readonly camera = new PerspectiveCamera(26, 1, 0.01, 100);
  readonly controls: OrbitControls;
  /** Whether a person has moved the view: then it is theirs. */
  touched = false;
  /** Towards the viewer in the front view: what is below on the screen when one looks down. */
  readonly front = new Vector3(0, -1, 0);
  private from: Station | null = null;
  private to: Station | null = null;
  private started = 0;
  private readonly up: Vector3;

  constructor(element: HTMLElement, up: Vector3, onMove: () => void) {
    this.up = up.clone();
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.14;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", onMove);
    this.controls.addEventListener("start", () => {
      this.touched = true;
      this.from = this.to = null;
      onMove();
    });
  }

  /** Brings points, and a margin around them, into sight from a direction, or from where the eye is. */
  fit(points: readonly Vec3[], way: Vector3 | null, margin: number, smooth: boolean): void {
    const direction = way ? way.clone() : this.station().way;
    // Straight from above there is no upright; a hair beside it there is.
    if (Math.abs(direction.dot(this.up)) > 0.9999) direction.addScaledVector(this.front, 2e-3);
    direction.normalize();
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const over = new Vector3().crossVectors(direction, right);
    const seen = points.map((point): Vec3 => {
      const p = new Vector3(...point);
      return [p.dot(right), p.dot(over), p.dot(direction)];
    });
    const tan = 0.92 * Math.tan((this.camera.fov * Math.PI) / 360);
    const eye = eyeFor(seen, tan * this.camera.aspect, tan);
    const depths = seen.map((p) => p[2]);
    const middle = (Math.min(...depths) + Math.max(...depths)) / 2;
    const target = right
      .multiplyScalar(eye[0])
      .addScaledVector(over, eye[1])
      .addScaledVector(direction, middle);
    const distance = Math.max(eye[2] - middle + margin / (tan * Math.min(1, this.camera.aspect)), 1e-9);
    this.go({ target, way: direction, distance }, smooth);
  }

  /** Goes along by a displacement. */
  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.from?.target.add(by);
    this.to?.target.add(by);
  }

  /** One frame; true if there is more motion to come. */
  update(now: number, extent: number): boolean {
    let moving = false;
    if (this.from && this.to) {
      const u = Math.min(1, Math.max(0, (now - this.started) / duration));
      const s = u * u * (3 - 2 * u);
      this.set(blend(this.from, this.to, s));
      moving = u < 1;
      if (!moving) this.from = this.to = null;
    }
    moving = this.controls.update() || moving;
    const { distance } = this;
    this.camera.near = Math.max(distance - extent, distance * 0.02);
    this.camera.far = distance + 2 * extent;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return moving;
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }

  private go(to: Station, smooth: boolean): void {
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.from = this.to = null;
      this.set(to);
      return;
    }
    this.from = this.station();
    this.to = to;
    this.started = performance.now();
  }

  private station(): Station {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const distance = offset.length();
    return { target: this.controls.target.clone(), way: offset.divideScalar(distance || 1), distance };
  }

  private set(station: Station): void {
    this.controls.target.copy(station.target);
    this.camera.position.copy(station.target).addScaledVector(station.way, station.distance);
    this.camera.lookAt(station.target);
  }
}

function blend(a: Station, b: Station, s: number): Station {
  const turn = new Quaternion().setFromUnitVectors(a.way, b.way);
  const way = a.way.clone().applyQuaternion(new Quaternion().slerp(turn, s));
  return {
    target: a.target.clone().lerp(b.target, s),
    way,
    distance: Math.exp(
      (1 - s) * Math.log(Math.max(a.distance, 1e-9)) + s * Math.log(Math.max(b.distance, 1e-9)),
    ),
  };
}
