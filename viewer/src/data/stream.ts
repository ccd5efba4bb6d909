import { checkHeader, checkStatus } from "./header";
import { Run } from "./run";

/** [bytes], of the largest block that is believed. A header may carry meshes; rows come in blocks of a mebibyte. */
const largest: Record<string, number> = { HEAD: 1 << 29, ROWS: 1 << 26, STAT: 1 << 24 };

/** Cuts a stream of bytes, which comes in pieces of any size, into its blocks. */
export class BlockReader {
  private readonly head = new Uint8Array(8);
  private headFilled = 0;
  private tag = "";
  private length = 0;
  private parts: Uint8Array[] = [];
  private collected = 0;

  constructor(private readonly onBlock: (tag: string, payload: Uint8Array) => void) {}

  /** Whether the bytes so far end where a block ends. */
  get whole(): boolean {
    return this.headFilled === 0;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length || this.complete()) {
      if (this.headFilled < 8) {
        const taken = Math.min(8 - this.headFilled, bytes.length - at);
        this.head.set(bytes.subarray(at, at + taken), this.headFilled);
        this.headFilled += taken;
        at += taken;
        if (this.headFilled === 8) this.openBlock();
        continue;
      }
      // Bytes are kept as they come: a length that lies must not make us set aside memory for it.
      const taken = Math.min(this.length - this.collected, bytes.length - at);
      if (taken > 0) this.parts.push(bytes.subarray(at, at + taken));
      this.collected += taken;
      at += taken;
      if (this.complete()) this.closeBlock();
    }
  }

  private complete(): boolean {
    return this.headFilled === 8 && this.collected === this.length;
  }

  private openBlock(): void {
    this.tag = String.fromCharCode(...this.head.subarray(0, 4));
    this.length = new DataView(this.head.buffer).getUint32(4, true);
    const bound = largest[this.tag];
    if (bound === undefined)
      throw new Error(`a block begins with ${JSON.stringify(this.tag)}, which means nothing`);
    if (this.length > bound)
      throw new Error(`a ${this.tag} block claims ${this.length} bytes; at most ${bound} are allowed`);
  }

  private closeBlock(): void {
    const payload = this.parts.length === 1 && this.parts[0] ? this.parts[0] : join(this.parts, this.length);
    this.parts = [];
    this.collected = 0;
    this.headFilled = 0;
    this.onBlock(this.tag, payload);
  }
}

/** Makes a run from the bytes of a stream. */
export class RunDecoder {
  /** Null until its header has come. */
  run: Run | null = null;
  private readonly blocks = new BlockReader((tag, payload) => {
    this.take(tag, payload);
  });

  push(bytes: Uint8Array): void {
    this.blocks.push(bytes);
  }

  /** To be called after the last byte. */
  end(): void {
    if (!this.run) throw new Error(this.blocks.whole ? "it is empty" : "it ends within its header");
    if (!this.blocks.whole) throw new Error("it ends within a block");
    if (this.run.state === "running") throw new Error("it ends before the run has ended");
  }

  private take(tag: string, payload: Uint8Array): void {
    if (tag === "HEAD") {
      if (this.run) throw new Error("it has a second header");
      this.run = new Run(checkHeader(parse(payload, "the header")));
      return;
    }
    if (!this.run) throw new Error(`it begins with ${tag} instead of a header`);
    if (this.run.state !== "running") throw new Error("it goes on after the run has ended");
    if (tag === "ROWS") this.run.append(payload);
    else this.run.report(checkStatus(parse(payload, "the status")));
  }
}

/**
 * Resolves as soon as the header is there; rows are added to the run as they come. What goes wrong before that rejects; what goes
 * wrong later makes the run a failed one that keeps its rows.
 */
export async function readRun(stream: ReadableStream<Uint8Array>): Promise<Run> {
  const reader = stream.getReader();
  const decoder = new RunDecoder();
  try {
    while (!decoder.run) {
      const { done, value } = await reader.read();
      if (done) decoder.end();
      else decoder.push(value);
    }
  } catch (problem) {
    // Rows in the same piece as the header may be bad while the header is good: then there is a run to show.
    if (decoder.run) fail(decoder.run, problem);
    await reader.cancel().catch(() => undefined);
    if (!decoder.run) throw new Error(`The run cannot be read: ${words(problem)}.`, { cause: problem });
    return decoder.run;
  }
  void readOn(reader, decoder, decoder.run);
  return decoder.run;
}

async function readOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  decoder: RunDecoder,
  run: Run,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      decoder.push(value);
    }
    decoder.end();
  } catch (problem) {
    fail(run, problem);
    await reader.cancel().catch(() => undefined);
  }
}

function fail(run: Run, problem: unknown): void {
  const message = `The stream broke off (${words(problem)}). What came before is shown.`;
  run.report({ state: "failed", done: run.done, message, summary: run.summary });
}

function words(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function parse(payload: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch (problem) {
    throw new Error(`${what} is not JSON: ${words(problem)}`, { cause: problem });
  }
}

function join(parts: Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
