import type { RunHeader, RunStatus } from "../../src/data/run";

/** One block of a stream, as the engine writes it. */
export function block(tag: string, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + payload.length);
  for (let k = 0; k < 4; ++k) bytes[k] = tag.charCodeAt(k);
  new DataView(bytes.buffer).setUint32(4, payload.length, true);
  bytes.set(payload, 8);
  return bytes;
}

export function head(header: RunHeader): Uint8Array {
  return block("HEAD", new TextEncoder().encode(JSON.stringify(header)));
}

export function status(value: RunStatus): Uint8Array {
  return block("STAT", new TextEncoder().encode(JSON.stringify(value)));
}

export interface Row {
  values: number[];
  /** Seven numbers for every body but Ground. */
  poses: number[];
}

export function rows(list: Row[]): Uint8Array {
  const first = list[0];
  if (!first) return block("ROWS", new Uint8Array(0));
  const rowBytes = 8 * first.values.length + 4 * first.poses.length;
  const bytes = new Uint8Array(rowBytes * list.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const row of list) {
    for (const x of row.values) {
      view.setFloat64(at, x, true);
      at += 8;
    }
    for (const x of row.poses) {
      view.setFloat32(at, x, true);
      at += 4;
    }
  }
  return block("ROWS", bytes);
}

export function concat(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A stream that brings the given pieces, one at a time. */
export function streamOf(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next++];
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}
