import type { RunHeader, RunState, RunStatus } from "./run";

/**
 * JSON from outside is checked here, once, so that all that follows may trust its types: what is missing or points nowhere is
 * told in words instead of failing somewhere in the drawing.
 */
export function checkHeader(value: unknown): RunHeader {
  const header = record(value, "the header");
  for (const name of ["label", "model", "method", "version"]) text(header[name], `"${name}"`);
  const time = list(header.time, `"time"`);
  if (time.length !== 2 || !time.every(isFinite)) throw new Error(`"time" must be two numbers`);
  list(header.options, `"options"`);
  if (typeof header.keepsEnergy !== "boolean") throw new Error(`"keepsEnergy" must be true or false`);
  const columns = list(header.columns, `"columns"`).map((c, i) =>
    text(record(c, `column ${i}`).name, `the name of column ${i}`),
  );
  if (!columns.includes("t")) throw new Error(`there is no column "t"`);
  const scene = record(header.scene, `"scene"`);
  checkScene(scene);
  checkArrows(list(header.arrows ?? [], `"arrows"`), columns, scene);
  return header as unknown as RunHeader;
}

function checkArrows(arrows: unknown[], columns: string[], scene: Record<string, unknown>): void {
  const bodies = list(scene.bodies, "the scene's bodies").length;
  const frames = list(scene.frames, "the scene's frames").length;
  arrows.forEach((item, i) => {
    const arrow = record(item, `arrow ${i}`);
    text(arrow.name, `the name of arrow ${i}`);
    text(arrow.unit, `the unit of arrow ${i}`);
    if (arrow.kind !== "reaction" && arrow.kind !== "force")
      throw new Error(`the kind of arrow ${i} must be "reaction" or "force"`);
    const names = list(arrow.columns, `the columns of arrow ${i}`);
    const between = arrow.frames !== undefined;
    if (names.length !== (between ? 1 : 3))
      throw new Error(`arrow ${i} must have ${between ? "one column" : "three columns"}`);
    for (const name of names)
      if (!columns.includes(text(name, `a column of arrow ${i}`)))
        throw new Error(`arrow ${i} names a column that is not there, ${JSON.stringify(name)}`);
    if (between) {
      if (checkFrames(arrow.frames, frames, `arrow ${i}`) !== 2)
        throw new Error(`arrow ${i} must have two frames`);
      return;
    }
    index(arrow.body, 0, bodies, `the body of arrow ${i}`);
    numbers(arrow.point, 3, `the point of arrow ${i}`);
  });
}

function checkScene(scene: Record<string, unknown>): void {
  const bodies = list(scene.bodies, "the scene's bodies");
  const joints = list(scene.joints, "the scene's joints");
  const frames = list(scene.frames, "the scene's frames");
  const constraints = list(scene.constraints, "the scene's constraints");
  const springs = list(scene.springs, "the scene's springs");
  numbers(scene.gravity, 3, "gravity");
  bodies.forEach((item, i) => {
    const body = record(item, `body ${i}`);
    text(body.name, `the name of body ${i}`);
    numbers(body.com, 3, `the centre of mass of body ${i}`);
    list(body.shapes, `the shapes of body ${i}`);
    index(body.parent, -1, bodies.length, `the parent of body ${i}`);
  });
  joints.forEach((item, i) => {
    const joint = record(item, `joint ${i}`);
    text(joint.name, `the name of joint ${i}`);
    text(joint.type, `the type of joint ${i}`);
    index(joint.parent, 0, bodies.length, `the parent of joint ${i}`);
    index(joint.child, 0, bodies.length, `the child of joint ${i}`);
    numbers(joint.parentFrame, 7, `the parent's frame of joint ${i}`);
    numbers(joint.childFrame, 7, `the child's frame of joint ${i}`);
  });
  frames.forEach((item, i) => {
    const frame = record(item, `frame ${i}`);
    text(frame.name, `the name of frame ${i}`);
    index(frame.body, 0, bodies.length, `the body of frame ${i}`);
    numbers(frame.pose, 7, `the pose of frame ${i}`);
  });
  constraints.forEach((item, i) => {
    checkFrames(record(item, `constraint ${i}`).frames, frames.length, `constraint ${i}`);
  });
  springs.forEach((item, i) => {
    const ends = checkFrames(record(item, `spring ${i}`).frames, frames.length, `spring ${i}`);
    if (ends !== 2) throw new Error(`spring ${i} must have two frames`);
  });
}

export function checkStatus(value: unknown): RunStatus {
  const status = record(value, "the status");
  const state = status.state;
  if (!isState(state)) throw new Error(`the state ${JSON.stringify(state)} is not known`);
  const done = typeof status.done === "number" ? Math.min(1, Math.max(0, status.done)) : 0;
  const message = typeof status.message === "string" ? status.message : "";
  const summary = Array.isArray(status.summary) ? status.summary : [];
  return {
    state,
    done,
    message,
    summary: summary.map((item, i) => {
      const [name, content] = list(item, `line ${i} of the summary`);
      return [String(name), String(content)];
    }),
  };
}

function isState(value: unknown): value is RunState {
  return value === "running" || value === "finished" || value === "failed";
}

function isFinite(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${what} must be an object`);
  }
  return value as Record<string, unknown>;
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} must be a list`);
  return value;
}

function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new Error(`${what} must be text`);
  return value;
}

function numbers(value: unknown, count: number, what: string): void {
  const items = list(value, what);
  if (items.length !== count || !items.every(isFinite)) throw new Error(`${what} must be ${count} numbers`);
}

function index(value: unknown, from: number, to: number, what: string): void {
  if (!isFinite(value) || !Number.isInteger(value) || value < from || value >= to) {
    throw new Error(`${what} is ${String(value)}, but there are only ${to}`);
  }
}

function checkFrames(value: unknown, count: number, what: string): number {
  const frames = list(value, `the frames of ${what}`);
  for (const frame of frames) index(frame, 0, count, `a frame of ${what}`);
  return frames.length;
}
