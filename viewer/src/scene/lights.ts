import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Views } from "./layout";
import type { Palette } from "./palette";

/** Light from the sky, and a lamp over the shoulder of whoever looks from the front, which casts shadows. */
export class Lights {
  readonly group = new Group();
  private readonly sky = new HemisphereLight("#ffffff", "#b9c0c6", 1.6);
  private readonly lamp = new DirectionalLight("#ffffff", 2);

  constructor(private readonly up: Vector3) {
    this.sky.position.copy(up);
    this.group.add(this.sky, this.lamp, this.lamp.target);
  }

  paint(palette: Palette): void {
    this.sky.intensity = palette.sky;
    this.lamp.intensity = palette.lamp;
    this.sky.groundColor.set(palette.horizon);
  }

  /** Lights what is within `size` of the middle. */
  place(middle: Vector3, size: number, views: Views, castsShadows: boolean): void {
    const way = this.up
      .clone()
      .multiplyScalar(1.5)
      .addScaledVector(new Vector3(...views.front), 0.7)
      .addScaledVector(new Vector3(...views.side), -0.6)
      .normalize();
    this.lamp.target.position.copy(middle);
    this.lamp.position.copy(middle).addScaledVector(way, 2 * size);
    this.lamp.castShadow = castsShadows;
    const { shadow } = this.lamp;
    shadow.camera.left = shadow.camera.bottom = -0.75 * size;
    shadow.camera.right = shadow.camera.top = 0.75 * size;
    shadow.camera.near = 0.1 * size;
    shadow.camera.far = 6 * size;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 5;
    shadow.camera.updateProjectionMatrix();
  }
}
