import { describe, expect, it } from "vitest";
import type { Body, Joint, Scene } from "../../src/data/scene";
import { samePart, TreeModel } from "../../src/ui/tree";

const still: [number, number, number, number, number, number, number] = [0, 0, 0, 1, 0, 0, 0];

function body(name: string, parent: number): Body {
  return { name, parent, mass: 1, com: [0, 0, 0], ellipsoid: null, shapes: [] };
}

function joint(name: string, parent: number, child: number, closesLoop = false): Joint {
  return {
    name,
    type: "revolute",
    parent,
    child,
    parentFrame: still,
    childFrame: still,
    coordinates: closesLoop ? [] : [name],
    speeds: closesLoop ? [] : [`${name}'`],
    closesLoop,
    implicit: false,
  };
}

function scene(bodies: Body[], joints: Joint[]): Scene {
  return { name: "test", gravity: [0, 0, -9.81], bodies, joints, frames: [], constraints: [], springs: [] };
}

/** Ground holds a crank, which holds a rod, and a rocker; the rod is tied to the rocker. */
const fourBar = scene(
  [body("Ground", -1), body("crank", 0), body("rod", 1), body("rocker", 0)],
  [joint("a", 0, 1), joint("b", 1, 2), joint("d", 0, 3), joint("c", 2, 3, true)],
);

function chain(length: number): Scene {
  const bodies = [body("Ground", -1)];
  const joints: Joint[] = [];
  for (let i = 1; i <= length; i += 1) {
    bodies.push(body(`link ${i}`, i - 1));
    joints.push(joint(`pin ${i}`, i - 1, i));
  }
  return scene(bodies, joints);
}

describe("Tree", () => {
  it("lists every body below the joint that holds it", () => {
    const rows = new TreeModel(fourBar).rows();
    expect(rows.map((r) => `${r.level} ${r.name}`)).toEqual([
      "1 Ground",
      "2 a",
      "2 crank",
      "3 b",
      "3 rod",
      "4 c",
      "2 d",
      "2 rocker",
    ]);
    expect(rows.find((r) => r.name === "c")?.detail).toBe("revolute, loop to rocker");
  });

  it("counts places among siblings from one", () => {
    const rows = new TreeModel(fourBar).rows();
    const rocker = rows.find((r) => r.name === "rocker");
    expect([rocker?.position, rocker?.siblings]).toEqual([4, 4]);
  });

  it("hides what is inside of a closed body, and shows it again for what is selected there", () => {
    const tree = new TreeModel(fourBar);
    tree.setExpanded(1, false);
    expect(tree.rows().map((r) => r.name)).toEqual(["Ground", "a", "crank", "d", "rocker"]);
    tree.reveal({ kind: "joint", index: 3 });
    expect(tree.rows()).toHaveLength(8);
  });

  it("says only of bodies that hold something whether they are open", () => {
    const rows = new TreeModel(fourBar).rows();
    expect(rows.map((r) => r.expanded)).toEqual([true, null, true, null, true, null, null, null]);
  });

  it("knows the way from Ground", () => {
    const tree = new TreeModel(fourBar);
    expect(tree.pathTo({ kind: "body", index: 2 }).map((p) => tree.nameOf(p))).toEqual([
      "Ground",
      "crank",
      "rod",
    ]);
    expect(tree.pathTo({ kind: "joint", index: 0 }).map((p) => tree.nameOf(p))).toEqual(["Ground", "a"]);
    expect(tree.pathTo({ kind: "body", index: 0 })).toHaveLength(1);
  });

  it("finds by parts of names and by types, in any case", () => {
    const tree = new TreeModel(fourBar);
    expect(tree.rows("ROC").map((r) => r.name)).toEqual(["rocker"]);
    expect(tree.rows("revolute c").map((r) => r.name)).toEqual(["c"]);
    expect(tree.rows("nothing")).toEqual([]);
    expect(tree.rows("  ")).toHaveLength(8);
  });

  it("finds bodies before joints of the same name", () => {
    const twins = scene([body("Ground", -1), body("arm", 0)], [joint("arm", 0, 1)]);
    expect(new TreeModel(twins).find("arm")).toEqual({ kind: "body", index: 1 });
    expect(new TreeModel(twins).find("leg")).toBeNull();
  });

  it("opens a chain of 20000 bodies", () => {
    const tree = new TreeModel(chain(20_000));
    const rows = tree.rows();
    expect(rows).toHaveLength(40_001);
    expect(rows.at(-1)?.level).toBe(20_001);
    expect(tree.pathTo({ kind: "body", index: 20_000 })).toHaveLength(20_001);
  });
});

describe("Parts", () => {
  it("are the same by kind and index", () => {
    expect(samePart({ kind: "body", index: 1 }, { kind: "body", index: 1 })).toBe(true);
    expect(samePart({ kind: "body", index: 1 }, { kind: "joint", index: 1 })).toBe(false);
    expect(samePart(null, { kind: "joint", index: 1 })).toBe(false);
    expect(samePart(null, null)).toBe(true);
  });
});
