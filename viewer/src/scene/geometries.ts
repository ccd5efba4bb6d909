import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  LatheGeometry,
  OctahedronGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector2,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Form } from "./part";

/**
 * Forms of unit size. Those with a vertex attribute `rounding` keep their roundness when they are stretched: a vertex is at
 * position + rounding * s, with s the least of the three stretches. So one rod serves all lengths with caps that stay half balls, one
 * box all sizes with edges that stay evenly rounded, one coil all lengths with a wire that stays round.
 */
export function makeGeometry(form: Exclude<Form, `mesh ${number}`> | "coil", detail: number): BufferGeometry {
  const around = detail;
  switch (form) {
    case "ball":
      return new SphereGeometry(1, around, Math.ceil(around / 1.5));
    case "box":
      return roundedBox(0.1);
    case "rod":
      return rod(Math.ceil(around * 0.6));
    case "cylinder":
      return bevelledCylinder(around, 0.08);
    case "nut":
      return bevelledCylinder(6, 0.08);
    case "ring":
      return new TorusGeometry(1, 0.13, 10, around);
    case "socket":
      return socket(around);
    case "thread":
      return coil(18, 0.22, 0.75, 14 * around);
    case "coil":
      return coil(10, 0.17, 1, 10 * around);
    case "foot":
      return new CylinderGeometry(0.45, 1, 1, around).rotateX(-Math.PI / 2).rotateX(Math.PI);
    case "wheel":
      return wheel(2 * around);
    case "mark":
      return new OctahedronGeometry(1);
    case "triad":
      return triad();
  }
}

/** Vertices and triangles of a mesh that came with the model. */
export function meshGeometry(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  // Without shared vertices, because meshes of machines have edges that must not be smoothed away.
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  geometry.dispose();
  return flat;
}

function rod(around: number): BufferGeometry {
  const rings: { z: number; latitude: number }[] = [];
  const steps = 4;
  for (let k = 0; k <= steps; ++k) rings.push({ z: -0.5, latitude: (-Math.PI / 2) * (1 - k / steps) });
  for (let k = 0; k <= steps; ++k) rings.push({ z: 0.5, latitude: (Math.PI / 2) * (k / steps) });
  return tube(rings.length, around, (i, angle) => {
    const { z, latitude } = rings[i] ?? { z: 0, latitude: 0 };
    const [c, s] = [Math.cos(latitude), Math.sin(latitude)];
    const normal = [c * Math.cos(angle), c * Math.sin(angle), s];
    return { position: [normal[0] ?? 0, normal[1] ?? 0, z], round: [0, 0, s], normal };
  });
}

function bevelledCylinder(around: number, bevel: number): BufferGeometry {
  // Cap, edge and mantle have normals of their own; rounding is in parts of the lesser of radius and length.
  const rim = [
    { r: 0, out: 0, z: -0.5, in: 0, up: -1 },
    { r: 1, out: -1, z: -0.5, in: 0, up: -1 },
    { r: 1, out: -0.3, z: -0.5, in: 0.3, up: -0.7 },
    { r: 1, out: 0, z: -0.5, in: 1, up: 0 },
    { r: 1, out: 0, z: 0.5, in: -1, up: 0 },
    { r: 1, out: -0.3, z: 0.5, in: -0.3, up: 0.7 },
    { r: 1, out: -1, z: 0.5, in: 0, up: 1 },
    { r: 0, out: 0, z: 0.5, in: 0, up: 1 },
  ];
  return tube(rim.length, around, (i, angle) => {
    const p = rim[i] ?? { r: 0, out: 0, z: 0, in: 0, up: 0 };
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const level = Math.sqrt(1 - p.up * p.up);
    return {
      position: [p.r * c, p.r * s, p.z],
      round: [bevel * p.out * c, bevel * p.out * s, bevel * p.in],
      normal: [level * c, level * s, p.up],
    };
  });
}

/** A ball cut in eight whose pieces are moved to the corners of the box. */
function roundedBox(edge: number): BufferGeometry {
  const ball = new SphereGeometry(1, 16, 12);
  // Vertices on a cut are needed on both sides of it, so whole triangles are moved, by where their middle is.
  const flat = ball.toNonIndexed();
  const from = flat.getAttribute("position");
  const positions: number[] = [];
  const rounds: number[] = [];
  const normals: number[] = [];
  const put = (n: number[], corner: number[]) => {
    normals.push(...n);
    for (let k = 0; k < 3; ++k) {
      positions.push(0.5 * (corner[k] ?? 1));
      rounds.push(edge * ((n[k] ?? 0) - (corner[k] ?? 1)));
    }
  };
  const vertex = (i: number) =>
    [from.getX(i), from.getY(i), from.getZ(i)].map((x) => (Math.abs(x) < 1e-6 ? 0 : x));
  for (let i = 0; i < from.count; i += 3) {
    const three = [vertex(i), vertex(i + 1), vertex(i + 2)];
    const corner = [0, 1, 2].map((k) => (three.reduce((sum, v) => sum + (v[k] ?? 0), 0) >= 0 ? 1 : -1));
    for (const v of three) put(v, corner);
  }
  const signs = [-1, 1];
  for (let k = 0; k < 3; ++k) {
    const [u, v] = [(k + 1) % 3, (k + 2) % 3];
    for (const s of signs) {
      const at = (su: number, sv: number) => {
        const corner = [0, 0, 0];
        corner[k] = s;
        corner[u] = su;
        corner[v] = sv;
        const n = [0, 0, 0];
        n[k] = s;
        return { n, corner };
      };
      // Faces between the corners, seen from outside.
      const quad = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
      for (const q of s > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]) {
        const p = quad[q];
        if (p) put(p.n, p.corner);
      }
    }
    // Edges between the faces: quarter cylinders along k.
    for (const su of signs) {
      for (const sv of signs) {
        const steps = 4;
        for (let j = 0; j < steps; ++j) {
          const at = (step: number, end: number) => {
            const angle = (Math.PI / 2) * (step / steps);
            const n = [0, 0, 0];
            n[u] = su * Math.cos(angle);
            n[v] = sv * Math.sin(angle);
            const corner = [0, 0, 0];
            corner[k] = end;
            corner[u] = su;
            corner[v] = sv;
            return { n, corner };
          };
          const quad = [at(j, -1), at(j + 1, -1), at(j + 1, 1), at(j, 1)];
          for (const q of su * sv > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]) {
            const p = quad[q];
            if (p) put(p.n, p.corner);
          }
        }
      }
    }
  }
  ball.dispose();
  flat.dispose();
  return assemble(positions, rounds, normals);
}

/** A helix along z with straight ends on the axis; the wire is in `rounding`, so that it stays round when the coil is stretched. */
function coil(turns: number, wire: number, radius: number, steps: number): BufferGeometry {
  const lead = 0.08;
  const centre = (i: number): [number, number, number] => {
    const z = i / steps;
    const u = Math.min(1, Math.max(0, (z - lead) / (1 - 2 * lead)));
    // Eases out of the axis and back to it within half a turn.
    const r = radius * smooth(Math.min(u, 1 - u) * turns * 2);
    const angle = 2 * Math.PI * turns * u;
    return [r * Math.cos(angle), r * Math.sin(angle), z - 0.5];
  };
  const around = 7;
  return tube(steps + 1, around, (i, phi) => {
    const p = centre(i);
    const [a, b] = [centre(Math.max(0, i - 1)), centre(Math.min(steps, i + 1))];
    // The way of the wire as it looks when the coil is a few times as long as it is wide.
    const way = unit([b[0] - a[0], b[1] - a[1], 4 * (b[2] - a[2])]);
    const side = unit(crossOf(way, Math.abs(way[2]) > 0.95 ? [1, 0, 0] : [0, 0, 1]));
    const over = crossOf(side, way);
    const [c, s] = [Math.cos(phi), Math.sin(phi)];
    const normal = side.map((x, k) => c * x + s * (over[k] ?? 0));
    return { position: p, round: normal.map((x) => wire * x), normal };
  });
}

function smooth(x: number): number {
  const u = Math.min(1, Math.max(0, x));
  return u * u * (3 - 2 * u);
}

function unit(v: number[]): [number, number, number] {
  const [x = 0, y = 0, z = 0] = v;
  const l = Math.hypot(x, y, z) || 1;
  return [x / l, y / l, z / l];
}

function crossOf(a: number[], b: number[]): [number, number, number] {
  const [ax = 0, ay = 0, az = 0] = a;
  const [bx = 0, by = 0, bz = 0] = b;
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** A surface of rings of points; each ring is closed, each next to the one before. */
function tube(
  rings: number,
  around: number,
  point: (ring: number, angle: number) => { position: number[]; round: number[]; normal: number[] },
): BufferGeometry {
  const positions: number[] = [];
  const rounds: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < rings; ++i) {
    for (let j = 0; j <= around; ++j) {
      const p = point(i, (2 * Math.PI * j) / around);
      positions.push(...p.position);
      rounds.push(...p.round);
      normals.push(...p.normal);
      if (i === 0 || j === 0) continue;
      const [a, b] = [(i - 1) * (around + 1) + j - 1, i * (around + 1) + j - 1];
      index.push(a, a + 1, b, a + 1, b + 1, b);
    }
  }
  const geometry = assemble(positions, rounds, normals);
  geometry.setIndex(index);
  return geometry;
}

function assemble(positions: number[], rounds: number[], normals: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setAttribute("rounding", new Float32BufferAttribute(rounds, 3));
  return geometry;
}

/** A cup of somewhat more than a quarter ball, open towards +z. */
function socket(around: number): BufferGeometry {
  const profile: Vector2[] = [];
  const steps = 10;
  const rim = 0.06 * Math.PI;
  for (let k = 0; k <= steps; ++k) {
    const angle = -Math.PI / 2 + (k / steps) * (Math.PI / 2 + rim);
    profile.push(new Vector2(Math.max(0, Math.cos(angle)), Math.sin(angle)));
  }
  for (let k = steps; k >= 0; --k) {
    const angle = -Math.PI / 2 + (k / steps) * (Math.PI / 2 + rim);
    profile.push(new Vector2(0.86 * Math.max(0, Math.cos(angle)), 0.86 * Math.sin(angle)));
  }
  return new LatheGeometry(profile, around).rotateX(Math.PI / 2);
}

/** A rim, a hub and five spokes: what rolls shows that it does. */
function wheel(around: number): BufferGeometry {
  const width = 0.045;
  const rim = new LatheGeometry(
    [
      new Vector2(0.88, -width),
      new Vector2(0.985, -width),
      new Vector2(1, -0.6 * width),
      new Vector2(1, 0.6 * width),
      new Vector2(0.985, width),
      new Vector2(0.88, width),
      new Vector2(0.88, -width),
    ],
    around,
  ).rotateX(Math.PI / 2);
  const pieces: BufferGeometry[] = [
    rim,
    new CylinderGeometry(0.12, 0.12, 2.2 * width, 24).rotateX(Math.PI / 2),
  ];
  for (let k = 0; k < 5; ++k) {
    const spoke = new CylinderGeometry(0.025, 0.025, 0.8, 8).translate(0, 0.5, 0);
    pieces.push(spoke.rotateZ((2 * Math.PI * k) / 5));
  }
  return mergeGeometries(pieces);
}

/** Three arrows in red, green and blue; the colours are in the vertices. */
function triad(): BufferGeometry {
  const colors: [number, number, number][] = [
    [0.8, 0.25, 0.2],
    [0.2, 0.6, 0.3],
    [0.2, 0.4, 0.85],
  ];
  const arrows = colors.map((color, k) => {
    const stem = new CylinderGeometry(0.035, 0.035, 0.8, 8).translate(0, 0.4, 0);
    const tip = new CylinderGeometry(0, 0.1, 0.25, 12).translate(0, 0.875, 0);
    const arrow = mergeGeometries([stem, tip]);
    if (k === 0) arrow.rotateZ(-Math.PI / 2);
    if (k === 2) arrow.rotateX(Math.PI / 2);
    const count = arrow.getAttribute("position").count;
    arrow.setAttribute(
      "color",
      new Float32BufferAttribute(new Array(count).fill(color).flat() as number[], 3),
    );
    return arrow;
  });
  return mergeGeometries(arrows);
}
