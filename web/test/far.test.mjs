// Far paths in the browser: a hierarchy is added, its clusters are drawn, and paths are planned over them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { answered, clickAt, drop, dropAll, fits, launch, missing, open, root, serve, settled } from "./page.mjs";
import { bake, program, run } from "./program.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);

/** Two floors that nothing connects, with mud on the direct path over the first. */
const FLOORS = ["v 0 0 0", "v 0 0 30", "v 60 0 30", "v 60 0 0", "v 70 0 0", "v 70 0 30", "v 100 0 30", "v 100 0 0", "f 1 2 3 4", "f 5 6 7 8",
    "usemtl mud", "v 10 0.1 0", "v 10 0.1 20", "v 20 0.1 20", "v 20 0.1 0", "f 9 10 11 12", ""].join("\n");
const SETTINGS = `tile_size = 5.0
[[area]]
name = "mud"
id = 3
materials = ["mud"]
[hierarchy]
cluster = 10.0
spacing = 5.0
[hierarchy.classes.cart]
exclude = ["mud"]
[hierarchy.classes.walker]
`;
const FROM = [3, 0, 8];
const TO = [55, 0, 8];

describe("far paths", { skip: skip ?? false, concurrency: false }, () => {
    let server;
    let browser;
    before(async () => {
        server = await serve();
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });
    const state = (page) => page.evaluate(() => window.navtile.state());
    const clustered = async (page, has = true) => {
        await settled(page);
        await page.waitForFunction((has) => Boolean(window.navtile.state().clusters) === has, has);
    };
    const result = (page) => page.locator(".side.right .result").textContent();
    const floors = async (options) => {
        const opened = await open(browser, server.url, options);
        await dropAll(opened.page, { "floors.obj": Buffer.from(FLOORS), "floors.toml": Buffer.from(SETTINGS) });
        await opened.page.waitForFunction(() => window.navtile.state().level === "floors.obj");
        await clustered(opened.page);
        return opened;
    };
    /** Chooses the search by keyboard. */
    const chooseFar = async (page) => {
        const search = page.getByLabel("Search", { exact: true });
        await search.focus();
        for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
        assert.equal(await search.inputValue(), "far");
    };
    const planned = async (page, from, to) => {
        await clickAt(page, from);
        await clickAt(page, to);
        await answered(page, "far");
        return (await state(page)).far;
    };

    test("a box adds a hierarchy with the bytes of the program, and a layer shows its clusters", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=terrain`);
        await settled(page);
        await page.locator("#tab-layers").click();
        const layer = page.getByLabel("Clusters of the hierarchy");
        assert.ok(await layer.isDisabled());
        await page.getByRole("button", { name: "Show the setting" }).click();
        await page.getByLabel("Hierarchy of clusters").check();
        assert.match((await settled(page)).error, /a hierarchy is made of tiles/);
        assert.match(await page.locator(".failed").textContent(), /Give the side of a tile in metres as tile_size/);
        for (const [key, value] of [["tile_size", 4], ["hierarchy.cluster", 8], ["hierarchy.spacing", 4]]) {
            await page.evaluate(([key, value]) => window.navtile.set(key, value), [key, value]);
        }
        await clustered(page);
        const { clusters, settings, drawCalls } = await state(page);
        assert.deepEqual(clusters, [64, 4, 1]);
        const file = Buffer.from(await page.evaluate(() => [...window.navtile.file()]));
        assert.deepEqual(file, bake("terrain.obj", readFileSync(resolve(root, "assets/terrain.obj")), settings));
        await page.locator("#tab-layers").click();
        await layer.check();
        await page.waitForFunction((before) => window.navtile.state().drawCalls > before, drawCalls);
        const layers = await page.locator("#panel-layers").textContent();
        assert.match(layers, /Clusters of 7\.8 m64Clusters of 31\.2 m4Crossings\d+/);
        await page.locator("#tab-settings").click();
        await page.getByLabel("Hierarchy of clusters").uncheck();
        await clustered(page, false);
        await page.waitForFunction((before) => window.navtile.state().drawCalls <= before, drawCalls);
        assert.doesNotMatch((await state(page)).settings, /hierarchy/);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a far path has the bounds of the program, needs the tiles around its ends, and is of a class", async () => {
        const { page, context, errors } = await floors();
        await chooseFar(page);
        const cart = await planned(page, FROM, TO);
        const said = await result(page);
        assert.match(said, /upper\d+\.\d+ mlower\d+\.\d+ mordinary path, from above\d+\.\d+ mstops\d+tiles needed16 of 114/);
        const ordinary = Number(/from above([\d.]+) m/.exec(said)[1]);
        assert.ok(cart.lower <= ordinary + 1e-3 && ordinary <= cart.upper * 1.001, `${cart.lower} ${ordinary} ${cart.upper}`);
        await page.getByLabel("Class of agents").selectOption("walker");
        await page.waitForFunction((before) => window.navtile.state().far.upper < before, cart.upper);
        const walker = (await state(page)).far;
        const file = Buffer.from(await page.evaluate(() => [...window.navtile.file()]));
        for (const [name, plan] of Object.entries({ cart, walker })) {
            const call = (at) => at.map((value) => value.toFixed(6)).join(",");
            const { said } = run({ "a.navtile": file }, ["path", "a.navtile", "--from", call(plan.stops[0]), "--to", call(plan.stops.at(-1)), "--far", "--class", name, "--json"]);
            const native = JSON.parse(said[0]);
            // The program walks along the plan to lower the upper bound.
            assert.ok(Math.abs(native.lower - plan.lower) < 0.01 && native.upper <= plan.upper + 0.01, `${name}: ${native.lower} ${native.upper}`);
            assert.equal(native.places.length, plan.stops.length);
        }
        await fits(page);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a plan that does not exist, and a mesh without a hierarchy, say so in words", async () => {
        const { page, context, errors } = await floors({ viewport: { width: 1440, height: 900 } });
        await chooseFar(page);
        assert.equal(await planned(page, FROM, [80, 0, 8]), null);
        assert.match(await result(page), /No path leads to the goal.*Why is there no path\?/);
        await page.evaluate(() => window.navtile.path([3, 0, 8], [65, 0, 15]));
        assert.match(await result(page), /No planGoal: .*\[65, 0, 15\]: nothing walkable there/);
        assert.ok((await planned(page, FROM, TO)).upper > 52);
        await page.getByLabel("Hierarchy of clusters").uncheck();
        await clustered(page, false);
        await page.waitForFunction(() => /no hierarchy/.test(document.querySelector(".side.right .result").textContent));
        assert.match(await page.locator(".side.right").textContent(), /Give the level a tile size and check Hierarchy of clusters/);
        await page.getByRole("button", { name: "Undo" }).first().click();
        await page.waitForFunction(() => window.navtile.state().far);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a mesh that is opened has the hierarchy of its file", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await drop(page, "floors.navtile", bake("floors.obj", FLOORS, SETTINGS));
        await clustered(page);
        await chooseFar(page);
        assert.ok((await planned(page, FROM, TO)).stops.length > 5);
        await drop(page, "plain.navtile", bake("floors.obj", FLOORS, "tile_size = 5.0\n"));
        await clustered(page, false);
        await page.locator("#tab-layers").click();
        assert.match(await page.locator("#panel-layers").textContent(), /Bake its level with navtile bake --hierarchy/);
        assert.deepEqual(errors, []);
        await context.close();
    });
});
