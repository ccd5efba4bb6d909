import { describe, expect, it } from "vitest";
import { openRuns, type Source } from "../../src/data/source";
import type { Run } from "../../src/data/run";
import { sampleBytes } from "../support/sample";

/** As `polhode view --export` packs a run. */
async function pack(bytes: Uint8Array): Promise<string> {
  const packed = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new CompressionStream("gzip"));
  let characters = "";
  for (const byte of new Uint8Array(await new Response(packed).arrayBuffer())) {
    characters += String.fromCharCode(byte);
  }
  return btoa(characters);
}

async function ended(run: Run): Promise<void> {
  for (let i = 0; i < 200 && run.state === "running"; ++i) await new Promise((done) => setTimeout(done, 5));
}

const nothing: Source = { embedded: () => null, fetch: () => Promise.reject(new Error("refused")) };

describe("openRuns", () => {
  it("unpacks the runs that the page carries, and asks no server", async () => {
    const gzip = await pack(sampleBytes());
    const text = JSON.stringify([
      { label: "a", gzip },
      { label: "b", gzip },
    ]);
    const runs = await openRuns({ ...nothing, embedded: () => text });
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      await ended(run);
      expect(run.rows).toBe(201);
      expect(run.state).toBe("finished");
    }
  });

  it("fetches the runs of the server when the page carries none", async () => {
    const asked: string[] = [];
    const runs = await openRuns({
      embedded: () => null,
      fetch: (url) => {
        asked.push(url);
        const list = JSON.stringify([{ label: "a", url: "/api/runs/0" }]);
        return Promise.resolve(new Response(url === "/api/runs" ? list : Uint8Array.from(sampleBytes())));
      },
    });
    expect(asked).toEqual(["/api/runs", "/api/runs/0"]);
    const [run] = runs;
    if (!run) throw new Error("no run");
    await ended(run);
    expect(run.rows).toBe(201);
  });

  it("says that the engine does not answer", async () => {
    await expect(openRuns(nothing)).rejects.toThrow(/does not answer/);
  });

  it("says which answer it got", async () => {
    const source = { ...nothing, fetch: () => Promise.resolve(new Response("no", { status: 404 })) };
    await expect(openRuns(source)).rejects.toThrow(/answers 404 to \/api\/runs/);
  });

  it("names the run that cannot be read", async () => {
    const bad = await pack(new TextEncoder().encode("not a run"));
    const text = JSON.stringify([{ label: "broken", gzip: bad }]);
    await expect(openRuns({ ...nothing, embedded: () => text })).rejects.toThrow(
      /^broken: The run cannot be read/,
    );
  });
});
