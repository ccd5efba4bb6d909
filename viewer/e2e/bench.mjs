// Frame times of the page with chains of 10, 100 and 1000 bodies: `npm run bench` in viewer/, or `make bench-viewer`. Writes a
// table to build/viewer-bench.html and prints it.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { findChromium, launch, open, polhode, received, results, scratch, serve, show } from "./support.mjs";

const SECONDS = Number(process.env.POLHODE_BENCH_SECONDS ?? 8);

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, part) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(part * values.length))];

/** Plays for a while, and counts what that takes. */
async function measure(browser, folder, links) {
  const file = join(folder, `chain_${links}.pol`);
  writeFileSync(file, polhode("generate", "chain", "--links", String(links), "--joint", "spherical"));
  const server = await serve(file, "--time", "4");
  const { page, close } = await open(browser, server.url);
  await received(page);
  await show(page, 0);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const metrics = async () =>
    Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
  await page.evaluate(() => {
    window.polhode.play();
  });
  await page.waitForTimeout(1000);
  const before = await metrics();
  const result = await page.evaluate(async (milliseconds) => {
    // From one frame to the next, as the screen would show them.
    const intervals = [];
    const begin = performance.now();
    let last = begin;
    while (last - begin < milliseconds) {
      const now = await new Promise((done) => requestAnimationFrame(() => done(performance.now())));
      intervals.push(now - last);
      last = now;
      if (!window.polhode.playing) {
        window.polhode.time = 0;
        window.polhode.play();
      }
    }
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    return {
      intervals,
      own: window.polhode.frameTimes().slice(-intervals.length),
      calls: window.polhode.stage.drawCalls,
      renderer: info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "unknown",
    };
  }, 1000 * SECONDS);
  const after = await metrics();
  await close();
  await server.end();
  const frames = result.intervals.length;
  return {
    links,
    frames,
    renderer: result.renderer,
    calls: result.calls,
    own: [quantile(result.own, 0.5), quantile(result.own, 0.95)],
    interval: [quantile(result.intervals, 0.5), quantile(result.intervals, 0.95)],
    task: (1000 * (after.TaskDuration - before.TaskDuration)) / frames,
  };
}

const COLUMNS = [
  ["bodies", (r) => String(r.links)],
  ["frame, the page's part: median [ms]", (r) => r.own[0].toFixed(2)],
  ["95 % [ms]", (r) => r.own[1].toFixed(2)],
  ["all of the page's thread per frame [ms]", (r) => r.task.toFixed(2)],
  ["from frame to frame: median [ms]", (r) => r.interval[0].toFixed(1)],
  ["95 % [ms]", (r) => r.interval[1].toFixed(1)],
  ["draw calls", (r) => String(r.calls)],
];

function report(rows, version) {
  const cells = (tag, texts) => `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
  const how =
    `Chains of rods with ball joints, playing in real time for ${SECONDS} s; ${rows[0].renderer}; ` +
    `Chromium ${version}; ${cpus().length} x ${cpus()[0].model}.`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Polhode viewer: frame times</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}table{border-collapse:collapse}
th,td{padding:.4rem .8rem;border-bottom:1px solid #8884;text-align:right;vertical-align:bottom}</style>
<h1>Frame times of the viewer</h1>
<p>${how}</p>
<table>${cells(
    "th",
    COLUMNS.map(([title]) => title),
  )}
${rows
  .map((row) =>
    cells(
      "td",
      COLUMNS.map(([, text]) => text(row)),
    ),
  )
  .join("\n")}</table>
<p>60 frames per second leave 16.7 ms for a frame. The page's part is what it computes for one; the rest of its thread is the
browser's own. From frame to frame includes the graphics, which a processor computes here unless the line above names a graphics
card.</p>
</html>
`;
}

if (findChromium() === null) {
  console.error("chromium is not installed; `make setup-test` installs it");
  process.exit(1);
}
const browser = await launch();
const folder = scratch();
const rows = [];
for (const links of [10, 100, 1000]) rows.push(await measure(browser, folder, links));
const file = join(results, "viewer-bench.html");
writeFileSync(file, report(rows, browser.version()));
await browser.close();
console.log(`| ${COLUMNS.map(([title]) => title).join(" | ")} |`);
console.log(`|${COLUMNS.map(() => "---:").join("|")}|`);
for (const row of rows) console.log(`| ${COLUMNS.map(([, text]) => text(row)).join(" | ")} |`);
console.log(`${rows[0].renderer}; written to ${file}`);
