import type { Scene } from "../data/scene";

/** A body or joint of the scene, by its index there. */
export interface Part {
  kind: "body" | "joint";
  index: number;
}

/** A line of the tree panel. */
export interface TreeRow {
  part: Part;
  name: string;
  /** Beside the name: the type of a joint, and what it closes a loop to. */
  detail: string;
  /** From 1, as ARIA counts. */
  level: number;
  /** Null where there is nothing inside. */
  expanded: boolean | null;
  /** Place among the rows of the same parent, from 1, and their number. */
  position: number;
  siblings: number;
}

export function samePart(a: Part | null, b: Part | null): boolean {
  return a === b || (a !== null && b !== null && a.kind === b.kind && a.index === b.index);
}

/**
 * Bodies and joints as a tree: in a body are the bodies that hang on it, each below the joint that holds it and on the same level, so
 * that a chain is as deep as it has bodies and not twice that. Joints that close loops are in the body that they start from.
 */
export class TreeModel {
  readonly #scene: Scene;
  readonly #children: Part[][];
  readonly #collapsed = new Set<number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#children = scene.bodies.map(() => []);
    scene.bodies.forEach((body, b) => {
      if (b === 0) return;
      const siblings = this.#children[body.parent];
      if (scene.joints[b - 1] !== undefined) siblings?.push({ kind: "joint", index: b - 1 });
      siblings?.push({ kind: "body", index: b });
    });
    scene.joints.forEach((joint, j) => {
      if (joint.closesLoop) this.#children[joint.parent]?.push({ kind: "joint", index: j });
    });
  }

  get parts(): number {
    return this.#scene.bodies.length + this.#scene.joints.length;
  }

  nameOf(part: Part): string {
    const list = part.kind === "body" ? this.#scene.bodies : this.#scene.joints;
    return list[part.index]?.name ?? "";
  }

  /** Bodies before joints, for a joint may have the name of what it holds. */
  find(name: string): Part | null {
    const body = this.#scene.bodies.findIndex((b) => b.name === name);
    if (body >= 0) return { kind: "body", index: body };
    const joint = this.#scene.joints.findIndex((j) => j.name === name);
    return joint >= 0 ? { kind: "joint", index: joint } : null;
  }

  setExpanded(body: number, expanded: boolean): void {
    if (expanded) this.#collapsed.delete(body);
    else this.#collapsed.add(body);
  }

  /** Opens all that a part is inside of. */
  reveal(part: Part): void {
    for (const body of this.pathTo(part).slice(0, -1)) this.#collapsed.delete(body.index);
  }

  /** From Ground to the part; all but the last are bodies. */
  pathTo(part: Part): Part[] {
    const path: Part[] = [part];
    let body =
      part.kind === "body"
        ? (this.#scene.bodies[part.index]?.parent ?? -1)
        : (this.#scene.joints[part.index]?.parent ?? -1);
    while (body >= 0 && path.length <= this.#scene.bodies.length) {
      path.push({ kind: "body", index: body });
      body = this.#scene.bodies[body]?.parent ?? -1;
    }
    return path.reverse();
  }

  /** Bodies that hang on a body. */
  childrenOf(body: number): Part[] {
    return (this.#children[body] ?? []).filter((p) => p.kind === "body");
  }

  /** The lines as they stand; with a query, only what matches it, without a tree. */
  rows(query = ""): TreeRow[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length > 0 ? this.#matches(words) : this.#open();
  }

  #open(): TreeRow[] {
    const rows: TreeRow[] = [];
    // A stack of our own: a chain of thousands would be too deep for recursion.
    const stack: { part: Part; level: number; position: number; siblings: number }[] = [];
    if (this.#scene.bodies.length > 0) {
      stack.push({ part: { kind: "body", index: 0 }, level: 1, position: 1, siblings: 1 });
    }
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { part, level, position, siblings } = next;
      const inside = part.kind === "body" ? (this.#children[part.index] ?? []) : [];
      const expanded = inside.length === 0 ? null : !this.#collapsed.has(part.index);
      rows.push({
        part,
        name: this.nameOf(part),
        detail: this.#detail(part),
        level,
        expanded,
        position,
        siblings,
      });
      if (expanded !== true) continue;
      for (let i = inside.length - 1; i >= 0; i -= 1) {
        const child = inside[i];
        if (child !== undefined) {
          stack.push({ part: child, level: level + 1, position: i + 1, siblings: inside.length });
        }
      }
    }
    return rows;
  }

  #matches(words: readonly string[]): TreeRow[] {
    const found: Part[] = [];
    const look = (kind: Part["kind"], names: readonly { name: string; type?: string }[]): void => {
      names.forEach((item, index) => {
        const text = `${item.name} ${item.type ?? ""}`.toLowerCase();
        if (words.every((w) => text.includes(w))) found.push({ kind, index });
      });
    };
    look("body", this.#scene.bodies);
    look("joint", this.#scene.joints);
    return found.map((part, i) => ({
      part,
      name: this.nameOf(part),
      detail: this.#detail(part),
      level: 1,
      expanded: null,
      position: i + 1,
      siblings: found.length,
    }));
  }

  #detail(part: Part): string {
    if (part.kind === "body") return "";
    const joint = this.#scene.joints[part.index];
    if (joint === undefined) return "";
    if (joint.closesLoop) return `${joint.type}, loop to ${this.#scene.bodies[joint.child]?.name ?? "?"}`;
    return joint.type;
  }
}
