import { layers as LAYERS, type Layer } from "../scene/part";
import type { Part } from "./tree";

export type Viewpoint = "front" | "side" | "top" | "corner";

export { LAYERS, type Layer };

/** Names of the layers for people. */
export const LAYER_NAMES: Record<Layer, string> = {
  bodies: "Bodies",
  joints: "Joints",
  frames: "Frames",
  constraints: "Constraints",
  springs: "Springs",
  forces: "Forces",
  ground: "Ground",
  gravity: "Gravity",
  com: "Centres of mass",
  traces: "Traces",
  links: "Links",
  inertia: "Inertia ellipsoids",
};

/**
 * What the page needs of the 3D scene. Stage (src/scene) has it; where the browser cannot draw in 3D there is none, and panels and
 * plots work without.
 */
export interface SceneView {
  readonly canvas: HTMLCanvasElement;
  show(t: number): void;
  setLayer(layer: Layer, visible: boolean): void;
  layers(): ReadonlyMap<Layer, boolean>;
  setRunVisible(run: number, visible: boolean): void;
  runColor(run: number): string;
  setTracked(frames: number[]): void;
  select(part: Part | null): void;
  onSelect(listener: (part: Part | null) => void): void;
  follow(body: number | null): void;
  fit(): void;
  look(from: Viewpoint): void;
  setDark(dark: boolean): void;
  picture(): Promise<Blob>;
}
