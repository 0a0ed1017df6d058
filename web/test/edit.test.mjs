// Bakes that are cancelled, and handles that are dragged.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, missing, open, root, serve, settled } from "./page.mjs";
import { bake, program } from "./program.mjs";
import { module } from "./module.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);

describe("editing", { skip: skip ?? false, concurrency: false }, () => {
    let server;
    let browser;
    let edits;
    before(async () => {
        server = await serve();
        browser = await launch();
        edits = await module("edits");
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });
    const state = (page) => page.evaluate(() => window.navtile.state());

    /** Drags from the position of one place to the position of another. */
    async function drag(page, from, to) {
        const [a, b] = await page.evaluate((places) => places.map((place) => window.navtile.project(place)), [from, to]);
        await page.mouse.move(a.x, a.y);
        await page.mouse.down();
        for (const part of [0.2, 0.5, 0.8, 1]) await page.mouse.move(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part);
        await page.mouse.up();
        return settled(page);
    }

    /** The page's file has the same bytes as the program's bake of its settings. */
    async function isTheProgram(page) {
        const own = await page.evaluate(() => ({ file: [...window.navtile.file()], toml: window.navtile.state().settings }));
        assert.ok(Buffer.from(own.file).equals(bake("courtyard.obj", readFileSync(resolve(root, "assets/courtyard.obj")), own.toml)));
    }
    const near = (one, other, within) => one.forEach((value, i) => assert.ok(Math.abs(value - other[i]) <= within, `${one} is not ${other}`));

    test("a bake that is cancelled leaves the mesh before it, and the next one bakes", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=terrain`);
        const before = await settled(page);
        const cancel = page.getByRole("button", { name: "Cancel" });
        assert.ok(await cancel.isHidden());
        // Long enough to be cancelled, if the button is pressed as soon as it is there: a bake does not wait
        // for a pointer.
        await page.evaluate(() => void window.navtile.set("cell_size", 0.02));
        await page.waitForFunction(() => {
            const button = [...document.querySelectorAll(".progress button")].find((each) => each.checkVisibility());
            button?.click();
            return button !== undefined;
        });
        const cancelled = await page.evaluate(() => window.navtile.settled());
        assert.deepEqual([cancelled.busy, cancelled.error, cancelled.hash, cancelled.polygons], [false, null, before.hash, before.polygons]);
        assert.ok(await cancel.isHidden());
        assert.match(cancelled.settings, /cell_size = 0\.02/);
        // The mesh can still be queried.
        const found = await page.evaluate(() => window.navtile.path(window.navtile.islandPlace(0), window.navtile.islandPlace(0)));
        assert.equal(found.status, "complete");
        const next = await page.evaluate(() => window.navtile.set("cell_size", 0.5));
        assert.equal(next.error, null);
        assert.notEqual(next.hash, before.hash);
        const back = await page.evaluate(() => window.navtile.set("cell_size", null));
        assert.equal(back.hash, before.hash);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a volume is dragged by its handle: the settings and the mesh follow, and undo puts it back at once", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const before = await settled(page);
        const volumes = async () => edits.volumes((await state(page)).settings);
        const [lawn, fountain] = await volumes();
        await page.locator('[data-tool="volume"]').click();
        const to = [12, fountain.base[1], 12];
        const moved = await drag(page, fountain.base, to);
        const after = await volumes();
        near(after[1].base, to, 0.4);
        assert.equal(after[1].base[1], fountain.base[1]);
        assert.deepEqual(after[0], lawn);
        assert.notEqual(moved.hash, before.hash);
        assert.ok(moved.settings.includes("# Behind the lawn, which it takes its ground from."));
        await isTheProgram(page);
        // An outline moves as a whole.
        const handle = edits.handleOf(lawn);
        await drag(page, handle, [handle[0] - 3, handle[1], handle[2] + 1]);
        const shifted = (await volumes())[0];
        lawn.outline.forEach((corner, i) => near(shifted.outline[i], [corner[0] - 3, corner[1] + 1], 0.4));
        await page.getByRole("button", { name: "Undo" }).first().click();
        assert.deepEqual((await volumes())[0], lawn);
        await page.getByRole("button", { name: "Undo" }).first().click();
        const undone = await settled(page);
        assert.deepEqual([undone.settings, undone.hash, undone.canUndo], [before.settings, before.hash, false]);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("the ends of a link are dragged over the ground, and the camera stays", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        await page.evaluate(() => window.navtile.settings(`${window.navtile.state().settings}\n[[off_mesh]]\nstart = [4.0, 3.0, 22.0]\nend = [10.0, 0.0, 12.0]\nradius = 0.5\n`));
        const before = await settled(page);
        await page.locator('[data-tool="link"]').click();
        const still = await page.evaluate(() => window.navtile.project([30, 0, 30]));
        const moved = await drag(page, [10, 0, 12], [12, 0, 14]);
        const [link] = edits.links(moved.settings);
        assert.deepEqual(link.start, [4, 3, 22]);
        near(link.end, [12, 0, 14], 0.5);
        assert.notEqual(moved.hash, before.hash);
        await isTheProgram(page);
        assert.deepEqual(await page.evaluate(() => window.navtile.project([30, 0, 30])), still);
        // Outside a handle, a drag turns the camera.
        await drag(page, [20, 0, 24], [24, 0, 20]);
        assert.equal((await state(page)).settings, moved.settings);
        assert.notDeepEqual(await page.evaluate(() => window.navtile.project([30, 0, 30])), still);
        assert.deepEqual(errors, []);
        await context.close();
    });
});
