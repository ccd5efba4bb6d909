import { describe, expect, it } from "vitest";
import { readRun, RunDecoder } from "../../src/data/stream";
import { block, concat, head, rows, status, streamOf } from "../support/encode";
import { decode, sampleBytes, sampleHeader, sampleRows } from "../support/sample";

const finished = { state: "finished" as const, done: 1, message: "", summary: [] };

describe("A stream", () => {
  it("means the same wherever it is cut in two", () => {
    // A short run, so that every byte can be tried: the cut falls in tags, lengths, JSON, numbers and between blocks.
    const bytes = sampleBytes({ rows: 3 });
    const energy = decode(bytes).column("energy");
    for (let cut = 0; cut <= bytes.length; ++cut) {
      const decoder = new RunDecoder();
      decoder.push(bytes.subarray(0, cut));
      decoder.push(bytes.subarray(cut));
      decoder.end();
      const run = decoder.run;
      if (!run || run.rows !== 3 || run.state !== "finished") throw new Error(`cut at ${cut}`);
      if (run.column("energy").some((e, i) => e !== energy[i])) throw new Error(`cut at ${cut}`);
    }
  });

  it("may come byte by byte", () => {
    const bytes = sampleBytes({ rows: 3 });
    const decoder = new RunDecoder();
    for (let i = 0; i < bytes.length; ++i) decoder.push(bytes.subarray(i, i + 1));
    decoder.end();
    expect(decoder.run?.column("shoulder")).toEqual(decode(bytes).column("shoulder"));
  });

  it("may have blocks with nothing in them", () => {
    const run = decode(concat([head(sampleHeader()), block("ROWS", new Uint8Array(0)), status(finished)]));
    expect(run.rows).toBe(0);
    expect(run.state).toBe("finished");
  });
});

describe("A bad stream", () => {
  const good = head(sampleHeader());
  const push = (...parts: Uint8Array[]) => {
    const decoder = new RunDecoder();
    for (const part of parts) decoder.push(part);
    decoder.end();
  };

  it("is refused when a tag is not known", () => {
    expect(() => {
      push(good, block("JUNK", new Uint8Array(4)));
    }).toThrow(/"JUNK"/);
  });

  it("is refused when its header is missing, double or no JSON", () => {
    expect(() => {
      push(rows(sampleRows({ rows: 1 })));
    }).toThrow(/begins with ROWS/);
    expect(() => {
      push(good, good);
    }).toThrow(/second header/);
    expect(() => {
      push(block("HEAD", new Uint8Array([123, 34])));
    }).toThrow(/not JSON/);
    expect(() => {
      push(block("HEAD", new Uint8Array([0xff, 0xfe])));
    }).toThrow(/not JSON/);
    expect(() => {
      push();
    }).toThrow(/empty/);
  });

  it("is refused when it breaks off", () => {
    const bytes = sampleBytes({ rows: 2 });
    for (const kept of [3, 8, 100, good.length, good.length + 5, good.length + 50, bytes.length - 1]) {
      expect(() => {
        push(bytes.subarray(0, kept));
      }).toThrow(/ends/);
    }
  });

  it("is refused when a length lies, and sets no memory aside for it", () => {
    const liar = new Uint8Array(8);
    liar.set([82, 79, 87, 83, 255, 255, 255, 255]); // ROWS of 4 GiB
    expect(() => {
      push(good, liar);
    }).toThrow(/4294967295 bytes/);
    const short = rows(sampleRows({ rows: 1 })).slice();
    new DataView(short.buffer).setUint32(4, short.length - 9, true);
    expect(() => {
      push(good, short);
    }).toThrow(/whole number of rows/);
  });

  it("is refused when it goes on after its end", () => {
    expect(() => {
      push(good, status(finished), rows(sampleRows({ rows: 1 })));
    }).toThrow(/after the run has ended/);
  });

  it("is refused when its scene points nowhere", () => {
    const header = structuredClone(sampleHeader());
    const joint = header.scene.joints[1];
    if (joint) joint.child = 9;
    expect(() => {
      push(head(header));
    }).toThrow(/child of joint 1 is 9/);
  });

  it("is refused without a column of time", () => {
    expect(() => {
      push(head({ ...sampleHeader(), columns: [] }));
    }).toThrow(/column "t"/);
  });
});

describe("readRun", () => {
  it("resolves with the header, and goes on adding rows", async () => {
    const parts = [head(sampleHeader()), rows(sampleRows({ rows: 5 })), status(finished)];
    const run = await readRun(streamOf(parts));
    const ended = new Promise<void>((resolve) => {
      run.onChange(() => {
        if (run.state !== "running") resolve();
      });
    });
    if (run.state === "running") await ended;
    expect(run.rows).toBe(5);
    expect(run.state).toBe("finished");
  });

  it("rejects with words when there is no header", async () => {
    await expect(readRun(streamOf([new Uint8Array([1, 2, 3])]))).rejects.toThrow(/cannot be read: it ends/);
  });

  it("keeps the rows of a run that breaks off, and says so", async () => {
    const run = await readRun(streamOf([concat([head(sampleHeader()), rows(sampleRows({ rows: 4 }))])]));
    for (let i = 0; i < 20 && run.state === "running"; ++i) await new Promise((done) => setTimeout(done, 1));
    expect(run.rows).toBe(4);
    expect(run.state).toBe("failed");
    expect(run.message).toMatch(/broke off \(it ends before the run has ended\)/);
  });

  it("keeps a header whose rows in the same piece are bad", async () => {
    const piece = concat([head(sampleHeader()), block("ROWS", new Uint8Array(3))]);
    const run = await readRun(streamOf([piece]));
    expect(run.state).toBe("failed");
    expect(run.rows).toBe(0);
  });
});
