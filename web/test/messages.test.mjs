// Messages about a level before, during and after its bake; and edits that outlive a level that is opened
// again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { drop, dropAll, launch, missing, open, root, serve, settled } from "./page.mjs";

const skip = missing();
if (skip) console.log(`skipped: ${skip}`);
const asset = (name) => readFileSync(resolve(root, "assets", name), "utf8");
const YARD = asset("courtyard.obj");
const FLOOR = Buffer.from("v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n");
/** A level with each corner mapped. */
const mapped = (level, of) => Buffer.from(level.replace(/^v (\S+) (\S+) (\S+)$/gm, (_, ...corner) => `v ${of(...corner.slice(0, 3).map(Number)).join(" ")}`));

describe("messages", { skip: skip ?? false, concurrency: false }, () => {
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
    const button = (page, name) => page.getByRole("button", { name, exact: true });

    test("a level in centimetres is drawn at once, with the hint, and read as centimetres by a click", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, { "yard.obj": mapped(YARD, (x, y, z) => [100 * x, 100 * y, 100 * z]) });
        const hint = page.locator(".hinted");
        await hint.waitFor({ timeout: 60_000 });
        assert.match(await hint.textContent(), /^Half of the triangles are more than .* is its unit the centimetre\?/);
        const drawn = await page.waitForFunction(() => window.navtile.state().triangles > 100 && window.navtile.state());
        assert.deepEqual(await drawn.evaluate(({ busy, polygons }) => [busy, polygons]), [true, 0]);
        await button(page, "Read as centimetres").click();
        const read = await settled(page);
        assert.match(read.settings, /scale = 0\.01/);
        assert.ok(read.polygons > 20);
        assert.equal(await hint.count(), 0);
        // The whole level is visible at its new place.
        const { x, y } = await page.evaluate(() => window.navtile.project([20, 0, 15]));
        assert.ok(x > 400 && x < 900 && y > 200 && y < 650, `${x}, ${y}`);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a level with Z up is turned by a click", async () => {
        const { page, context } = await open(browser, server.url);
        await dropAll(page, { "hills.obj": mapped(asset("terrain.obj"), (x, y, z) => [x, -z, y]) });
        await page.locator(".hinted").waitFor({ timeout: 60_000 });
        assert.match(await page.locator(".hinted").textContent(), /does that axis point upwards\?/);
        await page.locator(".hinted button", { hasText: "Read with Z up" }).click();
        await page.waitForFunction(() => window.navtile.state().polygons > 20, null, { timeout: 60_000 });
        const turned = await settled(page);
        assert.match(turned.settings, /up = "z"/);
        assert.ok(turned.polygons > 20);
        assert.equal(await page.locator(".hinted").count(), 0);
        await context.close();
    });

    test("a bake that is cancelled says what is on the page, and starts again", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, { "yard.obj": Buffer.from(YARD), "yard.toml": Buffer.from("cell_size = 0.01\n") });
        const said = page.locator(".message", { hasText: "The bake was cancelled" });
        const cancel = () =>
            page.waitForFunction(() => {
                const press = [...document.querySelectorAll(".progress button")].find((each) => each.checkVisibility());
                if (window.navtile.state().triangles > 100) press?.click();
                return press !== undefined && window.navtile.state().triangles > 100;
            });
        await cancel();
        await said.waitFor();
        assert.match(await said.textContent(), /There is no mesh yet/);
        assert.ok((await state(page)).triangles > 100, "the level is drawn");
        // Set as text: changes of one setting within a short time are one step of undo.
        const baked = await page.evaluate(() => window.navtile.settings("cell_size = 0.3\n"));
        assert.ok(baked.polygons > 20 && (await said.isHidden()));
        await page.evaluate(() => void window.navtile.set("cell_size", 0.01));
        await cancel();
        await said.waitFor();
        assert.match(await said.textContent(), /from the previous bake/);
        assert.equal((await state(page)).hash, baked.hash);
        await page.getByRole("button", { name: "Undo" }).first().click();
        // The mesh on the page is from the previous bake already: its hash alone is no proof of a new bake.
        await said.waitFor({ state: "hidden" });
        assert.equal((await settled(page)).hash, baked.hash);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("an empty mesh says why in the middle of the page", async () => {
        const { page, context } = await open(browser, server.url);
        await dropAll(page, { "tile.obj": Buffer.from("v 0 0 0\nv 0 0 2\nv 2 0 2\nv 2 0 0\nf 1 2 3 4\n") });
        const said = page.locator(".nothing");
        await said.waitFor({ timeout: 60_000 });
        const { warnings } = await state(page);
        const reason = warnings.find(({ kind }) => kind === "empty_mesh").message.replace("the mesh is empty: ", "");
        assert.ok((await said.textContent()).toLowerCase().includes(reason.toLowerCase()));
        const [box, view] = [await said.boundingBox(), await page.locator(".view").boundingBox()];
        assert.ok(Math.abs(box.x + box.width / 2 - view.x - view.width / 2) < 2 && Math.abs(box.y + box.height / 2 - view.y - view.height / 2) < 2);
        const mended = await page.evaluate(() => window.navtile.settings("[agent]\nradius = 0.1\n\n[regions]\nmin_area = 0.0\n"));
        assert.ok(mended.polygons > 0 && (await said.isHidden()));
        await context.close();
    });

    test("edits and their history outlive a level that is dropped again, and one that is dropped between", async () => {
        const { page, context } = await open(browser, server.url);
        const first = await drop(page, "yard.obj", Buffer.from(YARD));
        const edited = await page.evaluate(() => window.navtile.set("agent.radius", 0.35));
        await drop(page, "yard.obj", Buffer.from(`${YARD}# again\n`));
        assert.deepEqual([(await state(page)).settings, (await state(page)).canUndo], [edited.settings, true]);
        const other = await drop(page, "floor.obj", FLOOR);
        assert.deepEqual([other.settings, other.canUndo, other.isUnsaved], ["", false, true]);
        const back = await drop(page, "yard.obj", Buffer.from(YARD));
        assert.deepEqual([back.settings, back.hash], [edited.settings, edited.hash]);
        // Settings that are dropped with it are asked about.
        await dropAll(page, { "yard.obj": Buffer.from(YARD), "yard.toml": Buffer.from("# others\n") });
        await button(page, "Keep my edits").click();
        assert.equal((await settled(page)).settings, edited.settings);
        await page.getByRole("button", { name: "Undo" }).first().click();
        const undone = await settled(page);
        assert.deepEqual([undone.settings, undone.hash], ["", first.hash]);
        await context.close();
    });

    test("islands are counted as the bake counts them", async () => {
        const { page, context } = await open(browser, `${server.url}?sample=courtyard`);
        const { islands, settings } = await settled(page);
        assert.match(await page.locator(".facts").textContent(), new RegExp(`· ${islands} islands ·`));
        // The bake counts them without the link that joins them.
        const joined = await page.evaluate((toml) => {
            const [start, end] = [0, 1].map((island) => window.navtile.islandPlace(island).map((value) => Number(value.toFixed(3)).toFixed(3)).join(", "));
            return window.navtile.settings(`${toml}\n[[off_mesh]]\nstart = [${start}]\nend = [${end}]\nradius = 0.5\n`);
        }, settings);
        assert.equal(joined.error, null);
        assert.ok(joined.islands < islands);
        const text = await page.locator(".facts").textContent();
        assert.match(text, new RegExp(`· ${islands} islands \\(${joined.islands} with links\\) ·`));
        await context.close();
    });

    test("a link says what it holds and where it opens", async () => {
        const { page, context } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        const said = async () => {
            await button(page, "Copy link").click();
            await page.waitForFunction(() => /The link is in/.test(document.querySelector(".notice").textContent));
            return page.locator(".notice").textContent();
        };
        assert.match(await said(), /level, settings and view\. It only opens on this computer/);
        await drop(page, "floor.obj", FLOOR);
        await page.waitForFunction(() => document.querySelector(".notice").textContent === "", null, { timeout: 60_000 });
        assert.match(await said(), /settings and view, not the level\. It only opens on this computer/);
        await context.close();
    });
});
