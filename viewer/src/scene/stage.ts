import { Color, PCFShadowMap, Raycaster, Scene as World, Vector2, Vector3, WebGLRenderer } from "three";
import type { Run } from "../data/run";
import type { Pose, Vec3 } from "../data/scene";
import { ForceArrows } from "./arrows";
import { CameraRig } from "./camera";
import { Figure } from "./figure";
import {
  cornersOf,
  firstView,
  groundHeight,
  niceLength,
  upOf,
  viewsOf,
  type Box,
  type Views,
} from "./layout";
import { Lights } from "./lights";
import { screen } from "./lines";
import { goesFar, posesInRow, unionOf } from "./motion";
import { paletteFor, type Palette } from "./palette";
import { layers, pickJoint, pickNothing, type Layer } from "./part";
import { hingePerLink } from "./parts";
import { pickAt } from "./picking";
import { watchPointer, type Aim } from "./pointer";
import { CentreMark, GravityArrow, GroundPlane } from "./surroundings";
import { Traces } from "./traces";

export type { Layer } from "./part";
export interface Selection {
  kind: "body" | "joint";
  index: number;
}

const emptyBox: Box = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };

/** Bodies up to which shadows are cast: they double the work of the graphics card, and of many they show little. */
const shadowed = 300;

/** The scene of the page: all runs at one time, drawn when something has changed. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly lights: Lights;
  private readonly rig: CameraRig;
  private readonly figures: Figure[];
  private readonly visible: boolean[];
  private readonly traces = new Traces();
  /** Of the first run. */
  private readonly forces: ForceArrows | null;
  private readonly ground = new GroundPlane();
  private readonly gravity = new GravityArrow();
  private readonly centre = new CentreMark();
  private readonly shownLayers = new Map<Layer, boolean>(layers.map((layer) => [layer, layer !== "inertia"]));
  private readonly up: Vector3;
  private readonly message: HTMLElement;
  private readonly observer: ResizeObserver;
  private readonly leave: (() => void)[] = [];
  private readonly selectListeners: ((s: Selection | null) => void)[] = [];
  private readonly frameListeners: ((milliseconds: number) => void)[] = [];
  private palette: Palette = paletteFor(false);
  private box: Box = emptyBox;
  private views: Views;
  private time = 0;
  private tracked: number[] = [];
  private selection: Selection | null = null;
  private followed: number | null = null;
  private readonly anchor = new Vector3();
  /** Whether it goes so far that all of its way in one picture would show nothing of it. */
  private travels = false;
  private fitted = false;
  private request = 0;
  private timeChanged = true;
  private runsChanged = true;
  private lost = false;
  private readonly raycaster = new Raycaster();
  private hover: Aim | null = null;

  constructor(
    private readonly parent: HTMLElement,
    runs: Run[],
  ) {
    this.canvas = document.createElement("canvas");
    this.canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none;outline:none";
    this.renderer = makeRenderer(this.canvas);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // Shadows change with the time, not with the view.
    this.renderer.shadowMap.autoUpdate = false;
    this.message = notice();
    if (getComputedStyle(parent).position === "static") parent.style.position = "relative";
    parent.append(this.canvas, this.message);

    this.figures = runs.map((run, i) => new Figure(run, i === 0 ? null : i));
    this.visible = runs.map(() => true);
    this.forces = runs[0]?.header.arrows?.length ? new ForceArrows(runs[0]) : null;
    if (this.forces) this.world.add(this.forces.group);
    const scene = runs[0]?.header.scene;
    this.up = new Vector3(...(scene ? upOf(scene) : ([0, 0, 1] as const)));
    this.lights = new Lights(this.up);
    this.views = this.viewsNow();
    this.rig = new CameraRig(this.canvas, this.up, () => {
      this.draw();
    });
    this.rig.front.set(...this.views.front);

    for (const figure of this.figures) this.world.add(figure.group);
    this.world.add(this.lights.group, this.traces.group);
    this.world.add(this.ground.group, this.gravity.group, this.centre.sprite);

    for (const run of runs) {
      this.leave.push(
        run.onChange(() => {
          this.runsChanged = true;
          this.draw();
        }),
      );
    }
    this.listen();
    this.observer = new ResizeObserver(() => {
      this.resize();
    });
    this.observer.observe(parent);
    this.resize();
    this.takeIn();
    this.setDark(false);
  }

  show(t: number): void {
    this.time = t;
    this.timeChanged = true;
    this.draw();
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.shownLayers.set(layer, visible);
    this.applyLayers();
    this.draw();
  }

  layers(): ReadonlyMap<Layer, boolean> {
    return this.shownLayers;
  }

  setRunVisible(run: number, visible: boolean): void {
    this.visible[run] = visible;
    const figure = this.figures[run];
    if (figure) figure.group.visible = visible;
    this.applyLayers();
    this.setTracked(this.tracked);
  }

  runColor(run: number): string {
    return this.figures[run]?.color ?? "#0072B2";
  }

  setTracked(frames: number[]): void {
    this.tracked = [...frames];
    this.traces.set(
      frames,
      this.figures.map(({ run, color }, i) => ({ run, color, visible: this.visible[i] ?? true })),
    );
    this.timeChanged = true;
    this.resize();
  }

  select(s: Selection | null): void {
    this.selection = s;
    this.paint();
    this.draw();
  }

  onSelect(listener: (s: Selection | null) => void): void {
    this.selectListeners.push(listener);
  }

  follow(body: number | null): void {
    this.followed = body;
    if (this.figures[0]) this.placeAnchor(this.figures[0]);
  }

  fit(): void {
    this.rig.touched = false;
    this.fitTo(null, true);
    this.draw();
  }

  look(from: keyof Views): void {
    this.fitTo(this.views[from], true);
    this.draw();
  }

  setDark(dark: boolean): void {
    this.palette = paletteFor(dark);
    this.world.background = new Color(this.palette.background);
    this.lights.paint(this.palette);
    this.ground.paint(this.palette);
    this.gravity.paint(this.palette);
    this.traces.paint(dark);
    this.forces?.paint(this.palette);
    this.paint();
    this.draw();
  }

  /** A PNG of what is shown now. */
  picture(): Promise<Blob> {
    this.renderNow();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error("The browser could not make a picture of the scene."));
      }, "image/png");
    });
  }

  /** Calls with the time that the page itself spent on a frame, without what the graphics card does afterwards. */
  onFrame(listener: (milliseconds: number) => void): void {
    this.frameListeners.push(listener);
  }

  poseOf(body: number): Pose {
    this.catchUp();
    return this.figures[0]?.poseOf(body) ?? [0, 0, 0, 1, 0, 0, 0];
  }

  /** Calls to the graphics card in the last frame. */
  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  dispose(): void {
    cancelAnimationFrame(this.request);
    this.observer.disconnect();
    for (const leave of this.leave) leave();
    for (const figure of this.figures) figure.dispose();
    this.traces.clear();
    this.forces?.dispose();
    this.ground.dispose();
    this.gravity.dispose();
    this.centre.dispose();
    this.rig.dispose();
    this.renderer.dispose();
    this.canvas.remove();
    this.message.remove();
  }

  /** Everything that was asked for is drawn, and nothing moves by itself. */
  get resting(): boolean {
    return this.request === 0;
  }

  private draw(): void {
    if (this.request === 0 && !this.lost) {
      this.request = requestAnimationFrame(() => {
        this.request = 0;
        this.renderNow();
      });
    }
  }

  private renderNow(): void {
    if (this.lost) return;
    const start = performance.now();
    this.catchUp();
    const extent = 20 * this.size();
    const moving = this.rig.update(start, extent);
    this.gravity.follow(this.rig.camera, this.rig.distance);
    const height = this.renderer.domElement.height;
    const half = this.rig.distance * Math.tan((this.rig.camera.fov * Math.PI) / 360);
    for (const figure of this.figures) figure.setPixelsPerMetre(height / (2 * half));
    this.renderer.render(this.world, this.rig.camera);
    const spent = performance.now() - start;
    for (const listener of this.frameListeners) listener(spent);
    this.hoverNow();
    if (moving) this.draw();
  }

  /** Brings everything to the present time and to what has been received. */
  private catchUp(): void {
    if (this.runsChanged) this.takeIn();
    if (!this.timeChanged) return;
    this.timeChanged = false;
    this.renderer.shadowMap.needsUpdate = true;
    this.figures.forEach((figure, i) => {
      if (this.visible[i]) figure.show(this.time);
    });
    if (this.shownLayers.get("traces")) this.traces.show(this.time);
    const [first] = this.figures;
    if (!first) return;
    if (this.forces?.group.visible) this.forces.show(first, this.time);
    const mark = this.centre.sprite;
    mark.visible = first.centreOfMass(mark.position) && (this.shownLayers.get("com") ?? false);
    this.goAlong(first);
  }

  /** Moves the eye with the body that it follows, or with all of a mechanism that goes far. */
  private goAlong(first: Figure): void {
    if (this.followed === null && !this.travels) return;
    const before = this.anchor.clone();
    this.placeAnchor(first);
    this.rig.shift(before.subVectors(this.anchor, before));
  }

  private placeAnchor(first: Figure): void {
    if (this.followed !== null) first.bodyPlace(this.followed, this.anchor);
    else first.centreOfMass(this.anchor);
  }

  /** What the view is fitted to: the whole motion, or the mechanism as it is now where that would be a speck in it. */
  private inSight(): Vec3[] {
    const [first] = this.figures;
    if (!first) return [];
    if (this.travels) {
      const now = first.motion.boxInRow(first.run.rowAt(this.time));
      const roomy = unionOf([now], 0.1 * first.motion.span);
      return roomy ? cornersOf(roomy) : [];
    }
    return this.figures.flatMap((figure, i) => (this.visible[i] ? figure.motion.outermost() : []));
  }

  private fitTo(way: Vec3 | null, smooth: boolean): void {
    const margin = 4.2 * hingePerLink * (this.figures[0]?.link ?? 1);
    const points = this.inSight();
    this.rig.fit(
      points.length > 0 ? points : cornersOf(emptyBox),
      way ? new Vector3(...way) : null,
      margin,
      smooth,
    );
  }

  /** New rows: more motion to lay out for, and to keep in sight as long as nobody has moved the view. */
  private takeIn(): void {
    this.runsChanged = false;
    let grown = false;
    let laidOut = false;
    for (const figure of this.figures) {
      const more = figure.motion.update();
      if (more) grown = true;
      if ((more || figure.batches.length === 0) && figure.layOut()) laidOut = true;
    }
    if (laidOut) {
      this.views = this.viewsNow();
      this.rig.front.set(...this.views.front);
      this.applyLayers();
      this.paint();
    }
    if (grown || laidOut) {
      this.timeChanged = true;
      this.surround();
    }
  }

  private viewsNow(): Views {
    const run = this.figures[0]?.run;
    if (!run) return { front: [0, -1, 0], side: [1, 0, 0], top: [0, 0, 1], corner: [0.5, -0.7, 0.5] };
    return viewsOf(run.header.scene, posesInRow(run, 0));
  }

  private size(): number {
    const { low, high } = this.box;
    return Math.max(Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]), 1e-9);
  }

  /** Ground, gravity, light and view, by where the mechanism has been. */
  private surround(): void {
    const [first] = this.figures;
    if (!first) return;
    const { scene } = first.run.header;
    const before = this.size();
    const boxes = this.figures.map((figure) => figure.motion.box);
    this.box = unionOf(boxes, 4.2 * hingePerLink * first.link) ?? emptyBox;
    this.travels = goesFar(first.motion);
    const { low, high } = this.box;
    const heights = cornersOf(this.box).map((corner) => new Vector3(...corner).dot(this.up));
    const [bottom, top] = [Math.min(...heights), Math.max(...heights)];
    const size = this.size();
    const seen = this.travels ? first.motion.span : size;
    this.forces?.setReach(0.3 * seen);
    const middle = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
    const weightless = Math.hypot(...scene.gravity) === 0;
    const height = groundHeight(scene, bottom, top);
    const foot = middle.clone().addScaledVector(this.up, height - middle.dot(this.up));
    this.ground.place(
      foot,
      this.up,
      Math.max(4 * size, 8 * seen),
      niceLength(seen / 9),
      weightless ? 0.45 : 1,
    );

    this.gravity.point(new Vector3(...scene.gravity).normalize());
    this.gravity.group.visible = !weightless && (this.shownLayers.get("gravity") ?? true);
    this.centre.sprite.scale.setScalar(2.2 * hingePerLink * first.link);
    this.lights.place(middle, size, this.views, first.run.bodies <= shadowed);
    if (this.travels) {
      first.show(this.time);
      this.placeAnchor(first);
    }
    if (!this.rig.touched && (before === 0 || Math.abs(size / before - 1) > 0.02 || !this.fitted)) {
      const view = this.fitted ? null : this.views[firstView(scene, posesInRow(first.run, 0))];
      this.fitTo(view, false);
      this.fitted = first.run.rows > 0;
    }
  }

  private applyLayers(): void {
    for (const [layer, visible] of this.shownLayers)
      for (const figure of this.figures) figure.setLayer(layer, visible);
    const shows = (layer: Layer) => this.shownLayers.get(layer) ?? false;
    this.ground.group.visible = shows("ground");
    this.traces.group.visible = shows("traces");
    if (this.forces) this.forces.group.visible = shows("forces") && this.visible[0] === true;
    const gravity = this.figures[0]?.run.header.scene.gravity ?? [0, 0, 0];
    this.gravity.group.visible = shows("gravity") && Math.hypot(...gravity) > 0;
    this.timeChanged = true;
  }

  private paint(): void {
    const s = this.selection;
    const selected = s ? (s.kind === "body" ? s.index : pickJoint(s.index)) : pickNothing;
    for (const figure of this.figures)
      figure.paint(this.palette, figure.ghost === null ? selected : pickNothing);
  }

  private resize(): void {
    const width = Math.max(1, this.parent.clientWidth);
    const height = Math.max(1, this.parent.clientHeight);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    screen.pixels.set(width * ratio, height * ratio);
    screen.ratio.value = ratio;
    this.rig.resize(width / height);
    if (!this.rig.touched && this.fitted) this.fitTo(null, false);
    this.draw();
  }

  private listen(): void {
    const { canvas } = this;
    watchPointer(
      canvas,
      (aim) => {
        const s = this.pick(aim);
        this.select(s);
        for (const listener of this.selectListeners) listener(s);
      },
      (aim) => {
        this.hover = aim;
        this.draw();
      },
    );
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      this.message.textContent =
        "The graphics card was taken away from this page. The scene comes back with it.";
      this.message.hidden = false;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.timeChanged = true;
      this.message.hidden = true;
      this.draw();
    });
  }

  private hoverNow(): void {
    if (!this.hover) return;
    const s = this.pick(this.hover);
    this.hover = null;
    this.canvas.style.cursor = s ? "pointer" : "";
  }

  private pick(aim: Aim): Selection | null {
    const [first] = this.figures;
    if (!first || !this.visible[0]) return null;
    this.catchUp();
    const size = new Vector2(this.canvas.clientWidth, this.canvas.clientHeight);
    const at = new Vector2(aim.x, aim.y);
    const pick = pickAt(this.raycaster, this.rig.camera, first, at, size, aim.tolerance);
    if (pick === pickNothing) return null;
    return pick >= 0 ? { kind: "body", index: pick } : { kind: "joint", index: -1 - pick };
  }
}

function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
  } catch (problem) {
    throw new Error(
      "This browser cannot draw in three dimensions: WebGL is missing or switched off. Try another browser, or turn on hardware acceleration in its settings.",
      { cause: problem },
    );
  }
}

function notice(): HTMLElement {
  const element = document.createElement("p");
  element.hidden = true;
  element.setAttribute("role", "alert");
  element.style.cssText =
    "position:absolute;inset:auto 1rem 40%;margin:0;text-align:center;font:1rem system-ui,sans-serif;color:#6b757d";
  return element;
}
