// What the tests in a browser share: the built program as a server, a browser that nothing can leave, and the engine's own tables.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = process.env.POLHODE_PROGRAM ?? join(root, "build/bin/polhode");
/** Where pictures and tables go. */
export const results = process.env.POLHODE_RESULTS ?? join(root, "build");
export const model = (name) => join(root, "models", `${name}.pol`);

/** The browser that there is; none: null. */
export function findChromium() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return places.find((place) => place !== undefined && existsSync(place)) ?? null;
}

/** Graphics are computed by the processor: machines that test have no graphics card. */
export function launch() {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--headless",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** A folder that is gone when the tests are. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "polhode-viewer-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `polhode view` as a server: its address, and how to end it. */
export async function serve(...words) {
  const child = spawn(program, ["view", "--no-browser", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const over = new Promise((ended) => child.on("exit", (status) => ended(status)));
  const url = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (piece) => {
      text += piece;
      if (text.includes("\n")) found(text.slice(0, text.indexOf("\n")));
    });
    child.on("exit", () => failed(new Error(`polhode view ended: ${errors}`)));
  });
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const end = async () => {
    child.kill("SIGINT");
    return over;
  };
  return { url, end, errors: () => errors };
}

/** The program's standard output. */
export function polhode(...words) {
  return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** What `polhode run` writes: columns by name. */
export function table(folder, ...words) {
  const file = join(folder, "table.csv");
  polhode("run", ...words, "--quiet", "--out", file);
  const [names, ...rows] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const columns = new Map(names.map((name, i) => [name, rows.map((row) => Number(row[i]))]));
  return (name) => {
    assert.ok(columns.has(name), `no column ${name}`);
    return columns.get(name);
  };
}

/**
 * A page whose requests all pass through here. Those that would leave the place it came from are refused and noted, and so is
 * everything that it complains of.
 */
export async function open(browser, url, { width = 1280, height = 800, phone = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  });
  // What ends a test that waits for nothing; how fast the machine is must not matter.
  context.setDefaultTimeout(240_000);
  const page = await context.newPage();
  const complaints = [];
  const strays = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("crash", () => complaints.push("the page crashed"));
  await context.route("**/*", (route) => {
    const wanted = route.request().url();
    if (wanted === url || (url.startsWith("http") && wanted.startsWith(`${url}api/`)))
      return route.continue();
    strays.push(wanted);
    return route.abort();
  });
  await page.goto(url);
  await page.evaluate(() => window.polhode.ready);
  return { page, complaints, strays, close: () => context.close() };
}

/** Until every run has come in whole, and panels, plots and scene show it. */
export async function received(page) {
  await page.waitForFunction(() => window.polhode.runs.every((run) => run.state !== "running"));
  await settled(page);
}

/**
 * Until the page rests: nothing is put off, the scene is drawn, and a frame later still so, because what watches sizes speaks up
 * between frames.
 */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));
    for (let quiet = 0; quiet < 2; quiet = window.polhode.settled ? quiet + 1 : 0) await frame();
  });
}

/** Lets some frames pass: what goes on by itself shows. */
export async function frames(page, count) {
  await page.evaluate(async (n) => {
    for (let i = 0; i < n; ++i) await new Promise((done) => requestAnimationFrame(() => done(null)));
  }, count);
}

/** Shows a time and waits until it is drawn. */
export async function show(page, time) {
  await page.evaluate((t) => {
    window.polhode.pause();
    window.polhode.time = t;
  }, time);
  await settled(page);
}

/** Where a point fixed on a body is, by the pose of the body. */
export function placed([x, y, z, w, i, j, k], [px, py, pz]) {
  const tx = 2 * (j * pz - k * py);
  const ty = 2 * (k * px - i * pz);
  const tz = 2 * (i * py - j * px);
  return [
    x + px + w * tx + j * tz - k * ty,
    y + py + w * ty + k * tx - i * tz,
    z + pz + w * tz + i * ty - j * tx,
  ];
}
export const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
