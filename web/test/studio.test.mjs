// The studio in a browser: opened, changed, queried, and compared with the program byte by byte.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import ready, { settingsTable } from "navtile";
import { glbOf } from "./glb.mjs";
import { answered, clickAt, drop, fits, launch, missing, open, root, serve, settled, timeline } from "./page.mjs";
import { bake, program, run } from "./program.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);
const asset = (name) => readFileSync(resolve(root, "assets", name));
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
const meshes = process.env.NAVTILE_MESHES;

let server;
let browser;

/** A floor, and two walls with a doorway of this width between them, turned by an angle. */
function turnedDoorway(width, degrees) {
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    const lines = ["v -6 0 -6", "v -6 0 6", "v 6 0 6", "v 6 0 -6", "f 1 2 3 4"];
    for (const [from, to] of [[-9, -width / 2], [width / 2, 9]]) {
        const first = lines.filter((line) => line.startsWith("v")).length + 1;
        for (const y of [0, 3]) {
            for (const [x, z] of [[from, -0.1], [from, 0.1], [to, 0.1], [to, -0.1]]) lines.push(`v ${cos * x - sin * z} ${y} ${sin * x + cos * z}`);
        }
        lines.push(...[[4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]].map((face) => `f ${face.map((corner) => first + corner).join(" ")}`));
    }
    return `${lines.join("\n")}\n`;
}

/** Compares the page's bytes with the program's for the settings that the page exports. */
async function sameBytes(page, level, bytes) {
    const own = await page.evaluate(() => ({ file: [...window.navtile.file()], toml: window.navtile.state().settings }));
    assert.equal(sha(Buffer.from(own.file)), sha(bake(level, bytes, own.toml)), `${level}: the program's file is another one`);
    return own;
}

describe("the studio", { skip: skip ?? false, concurrency: false }, () => {
    before(async () => {
        server = await serve();
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });

    for (const [sample, level] of [["courtyard", "courtyard.obj"], ["terrain", "terrain.obj"]]) {
        test(`the sample ${sample} has the bytes of the program`, async () => {
            const { page, context, errors } = await open(browser, `${server.url}?sample=${sample}`);
            const state = await settled(page);
            const loaded = await page.evaluate(() => Math.round(performance.now()));
            console.log(`${sample}: on screen at most ${loaded} ms after the page was asked for, ${state.polygons} polygons, hash ${state.hash}`);
            console.log(`${sample}: ${await timeline(page)}`);
            assert.equal(state.error, null);
            assert.ok(state.polygons > 50);
            await sameBytes(page, level, asset(level));
            assert.equal(await page.locator(".hash").textContent(), state.hash.slice(0, 16));
            assert.deepEqual(errors, []);
            await context.close();
        });
    }

    test("a GLB that is dropped has the bytes of the program; wrong files say what is wrong", async () => {
        const { page, context, errors } = await open(browser, server.url);
        const bytes = glbOf(asset("courtyard.obj").toString());
        const state = await drop(page, "yard.glb", bytes);
        assert.equal(state.error, null);
        await sameBytes(page, "yard.glb", bytes);
        await page.evaluate(() => window.navtile.open("broken.obj", new TextEncoder().encode("v 1 2 nan\n")));
        assert.match((await page.evaluate(() => window.navtile.state())).error, /broken\.obj/);
        await page.evaluate(() => window.navtile.open("notes.xyz", new Uint8Array(3)));
        assert.match((await page.evaluate(() => window.navtile.state())).error, /not a level or a mesh/);
        await page.evaluate(() => window.navtile.open("town.geojson", new Uint8Array(3)));
        assert.match((await page.evaluate(() => window.navtile.state())).error, /town\.geojson: only the program bakes maps of polygons/);
        assert.match(await page.locator(".failed").textContent(), /navtile bake town\.geojson/);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a slider changes the mesh, a wrong value is an error beside its field, undo brings it back", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const before = await settled(page);
        const slider = page.locator('.row[data-path="agent.radius"] input[type=range]');
        for (const value of ["0.9", "1.2", "1.06"]) {
            await slider.evaluate((input, to) => {
                input.value = to;
                input.dispatchEvent(new Event("input", { bubbles: true }));
            }, value);
        }
        const changed = await settled(page);
        assert.match(changed.settings, /radius = 1\.06/);
        assert.notEqual(changed.hash, before.hash);
        await sameBytes(page, "courtyard.obj", asset("courtyard.obj"));
        const wrong = await page.evaluate(() => window.navtile.set("agent.climb", 5));
        assert.match(wrong.error, /climb/);
        assert.match(await page.locator('.row[data-path="agent.climb"] .problem').textContent(), /height/);
        await page.getByRole("button", { name: "Undo" }).first().click();
        await settled(page);
        await page.getByRole("button", { name: "Undo" }).first().click();
        const back = await settled(page);
        assert.equal(back.hash, before.hash);
        assert.equal(back.settings, before.settings);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("every setting has a row, and exact outlines have the bytes of the program", async () => {
        await ready();
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const before = await settled(page);
        const rows = await page.locator(".row[data-path]").evaluateAll((all) => all.map((row) => row.dataset.path));
        assert.deepEqual(rows.toSorted(), settingsTable().map(({ path }) => path).toSorted());
        const row = page.locator('.row[data-path="outlines"]');
        assert.match(await row.locator("label").textContent(), /Borders of the ground/);
        await row.getByRole("button", { name: "About outlines" }).click();
        assert.match(await row.locator(".more").textContent(), /exact: along walls, ledges and steep ground, at the agent's radius/);
        await row.locator("select").selectOption("exact");
        const exact = await settled(page);
        assert.match(exact.settings, /outlines = "exact"/);
        assert.notEqual(exact.hash, before.hash);
        assert.equal(exact.error, null);
        await sameBytes(page, "courtyard.obj", asset("courtyard.obj"));
        await page.getByRole("button", { name: "Reset outlines to its default, cells" }).click();
        assert.equal((await settled(page)).hash, before.hash);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("paths have the program's lengths", async () => {
        const { page, context } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        const { file } = await page.evaluate(() => ({ file: [...window.navtile.file()] }));
        for (const [from, to] of [[[2.5, 0, 2.5], [25.8, 3, 28.3]], [[2.5, 0, 2.5], [36, 0, 6]], [[10, 0, 12], [30, 0, 24]]]) {
            const path = await page.evaluate(([a, b]) => window.navtile.path(a, b), [from, to]);
            const { said } = run({ "a.navtile": Buffer.from(file) }, ["path", "a.navtile", "--from", from.join(","), "--to", to.join(","), "--json"]);
            const native = JSON.parse(said[0]);
            assert.ok(Math.abs(path.length - native.length) <= 1e-4, `${path.length} and ${native.length}`);
        }
        await clickAt(page, [2.5, 0, 2.5]);
        await clickAt(page, [25.8, 3, 28.3]);
        await answered(page, "path");
        assert.match(await page.locator(".side.right").textContent(), /There is a path/);
        await context.close();
    });

    test("three clicks say why there is no path, and a hole is explained", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        const pit = await page.evaluate(() => window.navtile.islandPlace(1));
        await clickAt(page, [10, 0, 12]);
        await clickAt(page, pit);
        await answered(page, "path");
        await page.getByRole("button", { name: "Why is there no path?" }).click();
        await answered(page, "way");
        const said = await page.locator(".side.right").textContent();
        assert.match(said, /No path/);
        assert.match(said, /Break in the path|Break 1/);
        await page.locator('[data-tool="explain"]').click();
        await clickAt(page, [20.6, 0, 9.2]);
        await answered(page, "explain");
        assert.match(await page.locator(".side.right").textContent(), /volume makes the ground unwalkable: number 2 of 2/);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a turned doorway that only cells close is opened by a click", async () => {
        const { page, context, errors } = await open(browser, server.url);
        const state = await drop(page, "door.obj", Buffer.from(turnedDoorway(1.3, 30)));
        assert.equal(state.islands, 2);
        await clickAt(page, [2, 0, -3.5]);
        await clickAt(page, [-2, 0, 3.5]);
        await answered(page, "path");
        await page.getByRole("button", { name: "Why is there no path?" }).click();
        await answered(page, "way");
        const said = await page.locator(".side.right").textContent();
        assert.match(said, /wide enough for the agent's 0\.60 m, but too narrow for cells of this size/);
        assert.match(said, /outlines = "exact"/);
        await page.getByRole("button", { name: "Apply" }).first().click();
        const opened = await settled(page);
        assert.match(opened.settings, /outlines = "exact"/);
        assert.equal(opened.islands, 1);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a place that only cells keep the mesh from is opened by the remedy of its explanation", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await drop(page, "door.obj", Buffer.from(turnedDoorway(1.3, 30)));
        await page.locator('[data-tool="explain"]').click();
        await clickAt(page, [0, 0, 0]);
        await answered(page, "explain");
        const card = page.locator(".card", { hasText: "Settings that bring the mesh here" });
        assert.match(await card.textContent(), /outlines = "exact"/);
        await card.getByRole("button", { name: "Apply" }).click();
        await page.waitForFunction(() => document.querySelector(".side.right .verdict")?.textContent === "Mesh here", null, { timeout: 60_000 });
        assert.equal((await settled(page)).islands, 1);
        assert.equal(await card.count(), 0);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a link and a volume that are placed are in the settings, and the program bakes the same", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const before = await settled(page);
        await page.locator('[data-tool="link"]').click();
        await clickAt(page, [6, 3, 24]);
        await clickAt(page, [10, 0, 12]);
        const linked = await settled(page);
        assert.match(linked.settings, /\[\[off_mesh\]\]/);
        assert.notEqual(linked.hash, before.hash);
        await sameBytes(page, "courtyard.obj", asset("courtyard.obj"));
        await page.locator('[data-tool="volume"]').click();
        await clickAt(page, [4, 0, 12]);
        await clickAt(page, [7, 0, 15]);
        const marked = await settled(page);
        assert.match(marked.settings, /shape = "box"/);
        await sameBytes(page, "courtyard.obj", asset("courtyard.obj"));
        const download = page.waitForEvent("download");
        await page.getByLabel("Export").click();
        await page.getByText("Settings, .toml").click();
        assert.equal(readFileSync(await (await download).path(), "utf8"), marked.settings);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("two hundred agents walk, and an obstacle changes the mesh", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        await page.locator('[data-tool="play"]').click();
        await page.getByRole("button", { name: "Spawn agents" }).click();
        await page.waitForFunction(() => window.navtile.state().agents === 200, null, { timeout: 60_000 });
        const polygons = (await page.evaluate(() => window.navtile.state())).polygons;
        await page.keyboard.down("Shift");
        await clickAt(page, [10, 0, 12]);
        await page.keyboard.up("Shift");
        await page.waitForFunction((before) => window.navtile.state().polygons !== before, polygons, { timeout: 60_000 });
        await page.waitForFunction(() => window.navtile.state().arrived > 0, null, { timeout: 120_000 });
        await page.getByRole("button", { name: "Remove all" }).click();
        await page.waitForFunction(() => window.navtile.state().agents === 0);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a link that is shared opens the same level, settings and view", async () => {
        const first = await open(browser, `${server.url}?sample=courtyard`);
        await settled(first.page);
        const state = await first.page.evaluate(() => window.navtile.set("agent.radius", 0.35));
        const link = await first.page.evaluate(() => window.navtile.link());
        const place = await first.page.evaluate(() => window.navtile.project([10, 0, 10]));
        await first.context.close();
        const second = await open(browser, link);
        const again = await settled(second.page);
        assert.equal(again.hash, state.hash);
        assert.equal(again.settings, state.settings);
        const same = await second.page.evaluate(() => window.navtile.project([10, 0, 10]));
        assert.ok(Math.hypot(same.x - place.x, same.y - place.y) < 1);
        await second.context.close();
    });

    test("all layers of a level take few draw calls, and the page does not stop while it bakes", async () => {
        const own = meshes && existsSync(join(meshes, "nav_test.obj"));
        const [name, bytes] = own ? ["nav_test.obj", readFileSync(join(meshes, "nav_test.obj"))] : ["terrain.obj", asset("terrain.obj")];
        const { page, context } = await open(browser, server.url);
        await drop(page, name, bytes);
        await page.waitForTimeout(1000);
        await page.evaluate(() => {
            window.tasks = [];
            new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => [entry.startTime, Math.round(entry.duration)]))).observe({ entryTypes: ["longtask"] });
        });
        const start = Date.now();
        const state = await page.evaluate(async () => ({ ...(await window.navtile.set("cell_size", 0.1)), end: performance.now() }));
        const { settings } = state;
        assert.match(settings, /cell_size = 0\.1/);
        await page.waitForTimeout(500);
        // The frame that draws the new mesh first is the renderer's work, here that of a processor.
        const all = await page.evaluate(() => window.tasks);
        const [tasks, drawing] = [true, false].map((during) => all.filter(([start]) => start < state.end === during).map(([, time]) => time));
        console.log(`${name} at 0.1 m: ${Date.now() - start - 500} ms, ${state.polygons} polygons; tasks of the page over 50 ms: ${tasks.join(", ") || "none"}, then to draw it: ${drawing.join(", ") || "none"}`);
        await page.locator("#tab-layers").click();
        await page.selectOption("#stage", "regions");
        await page.waitForFunction(() => window.navtile.state().triangles > 100_000, null, { timeout: 120_000 });
        const drawn = await page.evaluate(() => window.navtile.state());
        console.log(`${name}, all layers: ${drawn.drawCalls} draw calls, ${drawn.triangles} triangles a frame`);
        assert.ok(drawn.drawCalls < 60, `${drawn.drawCalls} draw calls`);
        assert.ok(tasks.length === 0 || Math.max(...tasks) < 500, `the page stopped for ${Math.max(...tasks, 0)} ms`);
        await context.close();
    });

    for (const [width, height] of [[1280, 800], [360, 740]]) {
        for (const colorScheme of ["dark", "light"]) {
            test(`at ${width} pixels, ${colorScheme}, everything fits, and axe finds nothing serious`, async () => {
                const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`, { viewport: { width, height }, colorScheme });
                await settled(page);
                for (const panel of ["settings", "areas", "layers", "warnings", "toml"]) {
                    if (width < 900) await page.locator(".sheets button").nth(1).click();
                    await page.locator(`#tab-${panel}`).click();
                    await fits(page, panel);
                }
                if (width < 900) await page.locator(".sheets button").nth(2).click();
                assert.ok(await page.locator(".side.right h2").isVisible());
                assert.deepEqual(errors, []);
                await context.close();
            });
        }
    }
});
