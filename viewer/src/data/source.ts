import { readRun } from "./stream";
import type { Run } from "./run";

/** Where runs come from; the page itself unless a test says otherwise. */
export interface Source {
  /** The text of the element that an exported page carries; null if it carries none. */
  embedded(): string | null;
  fetch(url: string): Promise<Response>;
}

const page: Source = {
  embedded: () => document.getElementById("polhode-runs")?.textContent ?? null,
  fetch: (url) => fetch(url),
};

/** The runs of this page: those that it carries, or else those that the server has. */
export async function openRuns(source: Source = page): Promise<Run[]> {
  const text = source.embedded();
  if (text !== null) {
    return Promise.all(
      entries(text, "gzip").map((entry) => named(entry.label, readRun(unpack(entry.value)))),
    );
  }
  const list = await (await get(source, "/api/runs")).text();
  return Promise.all(
    entries(list, "url").map((entry) => named(entry.label, readServed(source, entry.value))),
  );
}

async function readServed(source: Source, url: string): Promise<Run> {
  const { body } = await get(source, url);
  if (!body) throw new Error("The server sent nothing.");
  return readRun(body);
}

async function get(source: Source, url: string): Promise<Response> {
  let response: Response;
  try {
    response = await source.fetch(url);
  } catch (problem) {
    throw new Error("The engine does not answer. Is polhode view still running?", { cause: problem });
  }
  if (!response.ok) throw new Error(`The engine answers ${response.status} to ${url}.`);
  return response;
}

async function named(label: string, run: Promise<Run>): Promise<Run> {
  try {
    return await run;
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    throw new Error(`${label}: ${reason}`, { cause: problem });
  }
}

function entries(text: string, field: "gzip" | "url"): { label: string; value: string }[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("The list of runs is no list.");
  return list.map((item: unknown, i) => {
    const { label, [field]: value } = (item ?? {}) as Record<string, unknown>;
    if (typeof value !== "string") throw new Error(`Run ${i} in the list of runs has no ${field}.`);
    return { label: typeof label === "string" ? label : `Run ${i}`, value };
  });
}

/** Base64 of gzip as a stream of plain bytes, a piece at a time, so that the whole is never in memory twice. */
function unpack(base64: string): ReadableStream<Uint8Array> {
  const piece = 1 << 18; // a multiple of four characters, which are three bytes
  let at = 0;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= base64.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytesOfBase64(base64.slice(at, at + piece)));
      at += piece;
    },
  });
  return packed.pipeThrough(new DecompressionStream("gzip"));
}

export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
