// The viewer's page in a real browser, served by the built program. Run by ctest (label viewer), or
//   POLHODE_PROGRAM=build/bin/polhode node --test viewer/e2e/
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import {
  distance,
  findChromium,
  frames,
  launch,
  model,
  open,
  placed,
  polhode,
  received,
  results,
  scratch,
  serve,
  settled,
  show,
  table,
} from "./support.mjs";

const skip = findChromium() === null ? "chromium is not installed; `make setup-test` installs it" : false;

describe("the viewer's page", { skip, timeout: 850_000 }, () => {
  let browser;
  const folder = scratch();
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  /** Serves, opens, tests, and checks what must hold of every page. */
  async function withPage(words, how, body) {
    const server = await serve(...words);
    try {
      const { page, complaints, strays, close } = await open(browser, server.url, how);
      await body(page, server);
      assert.deepEqual(complaints, [], "the page complains");
      assert.deepEqual(strays, [], "the page asks for things that are elsewhere");
      await close();
    } finally {
      await server.end();
    }
  }

  /** Everything that frames tell of the poses that are drawn, against the table of the engine; returns how many there were. */
  async function compareWithEngine(page, words, row, tolerance) {
    const scene = await page.evaluate(() => window.polhode.runs[0].header.scene);
    const frames = scene.frames.filter((f) => f.body > 0 && !f.name.includes(","));
    const column = table(folder, ...words, "--track", frames.map((f) => f.name).join(","));
    const time = column("t")[row];
    await show(page, time);
    for (const frame of frames) {
      const body = scene.bodies[frame.body].name;
      const pose = await page.evaluate((name) => window.polhode.poseOf(name), body);
      const expected = ["x", "y", "z"].map((axis) => column(`${frame.name}.${axis}`)[row]);
      const off = distance(placed(pose, frame.pose), expected);
      assert.ok(off < tolerance, `${frame.name} at t = ${time} is drawn ${off} m from where it is`);
    }
    return frames.length;
  }

  test("loads without complaint or request elsewhere and has the model's bodies", async () => {
    await withPage([model("double_pendulum"), "--time", "2"], {}, async (page) => {
      await received(page);
      const told = await page.evaluate(() => window.polhode.bodies());
      assert.deepEqual(told, ["upper", "lower"]);
      const picture = await page.locator("#scene canvas").first().screenshot();
      assert.ok(picture.length > 5000, "a scene of one colour would be smaller");
      assert.match(await page.title(), /pendulum/);
    });
  });

  test("shows the poses of the engine at every row", async () => {
    // Positions of a metre or so in single precision, turned by quaternions in single precision: some 1e-7 each.
    const words = [model("humanoid"), "--time", "1", "--dt", "0.02"];
    await withPage(words, {}, async (page) => {
      await received(page);
      assert.equal(await page.evaluate(() => window.polhode.runs[0].rows), 51);
      for (const row of [0, 17, 50]) {
        const count = await compareWithEngine(page, words, row, 2e-6);
        assert.ok(count > 10, "the humanoid has many frames");
      }
    });
  });

  test("shows a mechanism with closed chains as the engine moves it", async () => {
    const words = [model("closed_chain_device"), "--time", "2", "--dt", "0.02"];
    await withPage(words, {}, async (page) => {
      await received(page);
      for (const row of [1, 60, 100]) assert.ok((await compareWithEngine(page, words, row, 2e-6)) > 3);
    });
  });

  test("draws the forces that were recorded as arrows, and says how large they are", async () => {
    const words = [model("engine"), "--method", "tree-projected", "--time", "0.04", "--interval", "0.001"];
    await withPage([...words, "--record", "reactions"], {}, async (page) => {
      await received(page);
      await show(page, 0);
      const legend = page.locator(".forces-legend");
      assert.match(await legend.innerText(), /Reactions, largest 822\.47 N/);
      const scene = page.locator("#scene canvas").first();
      const drawn = await scene.screenshot({ path: join(results, "viewer_forces.png") });
      await page.getByRole("button", { name: /^Layers/ }).click();
      await page.locator('[data-layer="forces"]').uncheck();
      await settled(page);
      assert.equal(await legend.isVisible(), false);
      assert.notDeepEqual(await scene.screenshot(), drawn, "the arrows are gone");
    });
  });

  test("plays and pauses", async () => {
    // Longer than anybody waits: it must not come to its end by itself.
    await withPage([model("double_pendulum"), "--time", "600"], {}, async (page) => {
      await received(page);
      await show(page, 0);
      const play = page.getByRole("button", { name: /^Play/ });
      await play.click();
      assert.equal(await page.evaluate(() => window.polhode.playing), true);
      await page.waitForFunction(() => window.polhode.time > 0.5);
      await page.getByRole("button", { name: /^Pause/ }).click();
      const time = () => page.evaluate(() => window.polhode.time);
      const at = await time();
      await frames(page, 20);
      assert.equal(await time(), at, "time goes on while paused");
      assert.ok(at < 600);
    });
  });

  test("scrubs to where the pointer is and draws the pose of that time", async () => {
    const words = [model("double_pendulum"), "--time", "4", "--dt", "0.01"];
    const column = table(folder, ...words, "--track", "lower");
    await withPage(words, {}, async (page) => {
      await received(page);
      await page.evaluate(() => window.polhode.pause());
      const box = await page.locator("#scrubber").boundingBox();
      for (const part of [0.25, 0.8]) {
        await page.mouse.click(box.x + part * box.width, box.y + box.height / 2);
        await settled(page);
        const time = await page.evaluate(() => window.polhode.time);
        // A pixel of a rail of some hundred is a hundredth of four seconds.
        assert.ok(Math.abs(time - 4 * part) < 0.04, `${time} s at ${part} of 4 s`);
        const row = Math.min(Math.floor(time / 0.01 + 1e-9), column("t").length - 2);
        const share = (time - column("t")[row]) / 0.01;
        const expected = ["x", "y", "z"].map((axis) => {
          const values = column(`lower.${axis}`);
          return values[row] * (1 - share) + values[row + 1] * share;
        });
        const pose = await page.evaluate(() => window.polhode.poseOf("lower"));
        assert.ok(
          distance(pose.slice(0, 3), expected) < 2e-6,
          "straight lines between rows, in single precision",
        );
      }
    });
  });

  test("shows the name of what is selected, by script, in the tree and in the scene", async () => {
    await withPage([model("closed_chain_device"), "--time", "1"], {}, async (page) => {
      await received(page);
      const [first] = await page.evaluate(() => window.polhode.bodies());
      await page.evaluate((name) => window.polhode.select(name), first);
      assert.equal(await page.locator("#selection-name").textContent(), first);

      const joint = await page.evaluate(() => window.polhode.runs[0].header.scene.joints[1].name);
      await page.evaluate((name) => window.polhode.select(name), joint);
      assert.equal(await page.locator("#selection-name").textContent(), joint);
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => window.polhode.selection), null);

      // The mechanism is in the middle of the scene: somewhere around it a click meets a part.
      const canvas = await page.locator("#scene canvas").first().boundingBox();
      let selected = null;
      for (let i = 0; i < 120 && selected === null; ++i) {
        const angle = 2.4 * i;
        const radius = 0.035 * canvas.height * Math.sqrt(i);
        await page.mouse.click(
          canvas.x + canvas.width / 2 + radius * Math.cos(angle),
          canvas.y + canvas.height / 2 + radius * Math.sin(angle),
        );
        selected = await page.evaluate(() => window.polhode.selection);
      }
      assert.notEqual(selected, null, "no click in the scene met a part");
      assert.equal(await page.locator("#selection-name").textContent(), selected);
    });
  });

  test("plots what the engine wrote", async () => {
    const words = [model("double_pendulum"), "--time", "3", "--dt", "0.02"];
    const column = table(folder, ...words);
    await withPage(words, {}, async (page) => {
      await received(page);
      const plots = await page.evaluate(() =>
        window.polhode.plots().map((p) => ({ ...p, data: p.data.map((c) => Array.from(c)) })),
      );
      const energy = plots.find((p) => p.id === "energy");
      assert.deepEqual(energy.data[0], column("t"));
      for (const [label, name] of [
        ["kinetic", "kinetic"],
        ["potential", "potential"],
        ["total", "energy"],
      ]) {
        const i = energy.labels.findIndex((l) => l.includes(label));
        assert.deepEqual(energy.data[i + 1], column(name), name);
      }
      const drift = plots.find((p) => p.id === "drift");
      const e = column("energy");
      assert.deepEqual(
        drift.data[1],
        e.map((value) => value - e[0]),
      );
    });
  });

  test("shows two methods as ghosts in one scene", async () => {
    const words = [model("double_pendulum"), "--time", "2", "--method", "tree-variational,maximal-projected"];
    await withPage(words, {}, async (page) => {
      await received(page);
      const labels = await page.evaluate(() => window.polhode.runs.map((run) => run.header.label));
      assert.deepEqual(labels, ["tree-variational", "maximal-projected"]);
      const text = await page.locator("body").innerText();
      for (const label of labels) assert.ok(text.includes(label), `${label} is not on the page`);
      const [a, b] = await page.evaluate(() => [0, 1].map((i) => window.polhode.stage.runColor(i)));
      assert.notEqual(a, b);
      await show(page, 2);
      const both = await page.locator("#scene canvas").first().screenshot();
      await page.evaluate(() => window.polhode.stage.setRunVisible(1, false));
      await settled(page);
      const one = await page.locator("#scene canvas").first().screenshot();
      assert.ok(!both.equals(one), "hiding a ghost changes nothing");
    });
  });

  test("is streamed while it is simulated", async () => {
    const server = await serve(model("humanoid"), "--time", "100000", "--dt", "0.005");
    try {
      const { page, complaints, close } = await open(browser, server.url);
      await page.waitForFunction(() => window.polhode.runs[0].rows > 100);
      const state = await page.evaluate(() => window.polhode.runs[0].state);
      assert.equal(state, "running");
      // Rows keep coming.
      const rows = await page.evaluate(() => window.polhode.runs[0].rows);
      await page.waitForFunction((before) => window.polhode.runs[0].rows > before, rows);
      assert.deepEqual(complaints, []);
      await close();
    } finally {
      assert.equal(await server.end(), 0);
    }
  });

  test("tells why a run failed and shows what was reached", async () => {
    const file = join(folder, "stiff.pol");
    writeFileSync(
      file,
      `(system (gravity 0 0 0) (body "weight" (mass 1)) (joint prismatic "rail" ground "weight" (axis 1 0 0))
         (torsion-spring "rail" 1e8 0) (initial ("rail" 1)))`,
    );
    const words = [file, "--method", "tree-projected", "--dt", "0.1", "--time", "100"];
    await withPage(words, {}, async (page) => {
      await received(page);
      const run = await page.evaluate(() => ({
        state: window.polhode.runs[0].state,
        message: window.polhode.runs[0].message,
        rows: window.polhode.runs[0].rows,
      }));
      assert.equal(run.state, "failed");
      assert.ok(run.rows > 1);
      await page.getByRole("alert").filter({ hasText: run.message }).waitFor();
    });
  });

  test("works from a file", async () => {
    const file = join(folder, "exported.html");
    const words = [model("four_bar"), "--time", "1", "--dt", "0.02"];
    polhode("view", ...words, "--export", file);
    const { page, complaints, strays, close } = await open(browser, pathToFileURL(file).href);
    await received(page);
    assert.equal(await page.evaluate(() => window.polhode.runs[0].state), "finished");
    assert.ok((await compareWithEngine(page, words, 30, 2e-6)) > 0);
    await show(page, 0);
    await page.keyboard.press("Space");
    // Not that it plays, which may be over by the time that one looks.
    await page.waitForFunction(() => window.polhode.time > 0);
    assert.deepEqual(complaints, []);
    assert.deepEqual(strays, []);
    await close();
  });

  test("is worked by keyboard", async () => {
    await withPage([model("double_pendulum"), "--time", "600", "--dt", "0.02"], {}, async (page) => {
      await received(page);
      await show(page, 0);
      const time = () => page.evaluate(() => window.polhode.time);
      const near = async (expected) =>
        assert.ok(Math.abs((await time()) - expected) < 1e-9, `${await time()}`);
      await page.keyboard.press("End");
      await near(600);
      await page.keyboard.press("Home");
      await near(0);
      await page.keyboard.press("ArrowRight");
      await near(0.02);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowLeft");
      await near(0.02);
      await page.keyboard.press("Space");
      await page.waitForFunction(() => window.polhode.playing && window.polhode.time > 0.1);
      await page.keyboard.press("Space");
      assert.equal(await page.evaluate(() => window.polhode.playing), false);
      await page.keyboard.press("?");
      await page.locator("#help").waitFor({ state: "visible" });
      await page.keyboard.press("Escape");
      await page.locator("#help").waitFor({ state: "hidden" });
      // Every control can be reached without a pointer.
      const reached = new Set();
      for (let i = 0; i < 80; ++i) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""));
      }
      for (const name of [/^Play/, /^Time/, /^Speed/, /^Loop/])
        assert.ok(
          [...reached].some((label) => name.test(label)),
          `Tab never reaches ${name}: ${[...reached].join(", ")}`,
        );
    });
  });

  test("fits a phone", async () => {
    await withPage(
      [model("closed_chain_device"), "--time", "5"],
      { width: 390, height: 844, phone: true },
      async (page) => {
        await received(page);
        const [inner, scroll] = await page.evaluate(() => [
          window.innerWidth,
          document.documentElement.scrollWidth,
        ]);
        assert.equal(inner, 390);
        assert.ok(scroll <= 390, `the page is ${scroll} px wide`);
        await show(page, 0);
        for (const name of ["Play", "One row back", "One row forward"]) {
          const box = await page
            .getByRole("button", { name: new RegExp(`^${name}`) })
            .first()
            .boundingBox();
          assert.ok(box !== null, `${name} is not shown`);
          assert.ok(
            box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844,
            `${name} is off the screen`,
          );
          assert.ok(box.width >= 24 && box.height >= 24, `${name} is too small for a finger`);
        }
        const rail = await page.locator("#scrubber").boundingBox();
        assert.ok(rail.width > 80 && rail.x >= 0 && rail.x + rail.width <= 390);
        await page.getByRole("button", { name: /^Play/ }).first().tap();
        await page.waitForFunction(() => window.polhode.time > 0);
        mkdirSync(join(results, "viewer-screenshots"), { recursive: true });
        await page.screenshot({ path: join(results, "viewer-screenshots", "phone.png") });
      },
    );
  });

  // To look at.
  const pictures = [
    ["closed_chain_device", 2],
    ["humanoid", 0.4],
    ["bicycle", 1.5, "--method", "tree-projected"],
    ["andrews", 0.02],
    ["scissor_lift", 0.5],
    ["governor", 1],
    ["screw_press", 0.5],
    ["double_pendulum", 2],
  ];
  for (const [name, time, ...how] of pictures) {
    test(`draws ${name}`, async () => {
      await withPage([model(name), "--time", String(2 * time), ...how], {}, async (page) => {
        await received(page);
        await show(page, time);
        mkdirSync(join(results, "viewer-screenshots"), { recursive: true });
        await page.screenshot({ path: join(results, "viewer-screenshots", `${name}.png`) });
        const [shown, there] = await page.evaluate(() => [
          window.polhode.bodies(),
          window.polhode.runs[0].header.scene.bodies.slice(1).map((body) => body.name),
        ]);
        assert.deepEqual(shown, there);
      });
    });
  }
});
