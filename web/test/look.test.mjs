// The visible parts of a level and its mesh, and their colours.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fits, launch, missing, open, serve, settled } from "./page.mjs";

const skip = missing();
if (skip) console.log(`skipped: ${skip}`);

describe("looking", { skip: skip ?? false, concurrency: false }, () => {
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
    const compared = async (page) => {
        await page.waitForFunction(() => window.navtile.state().change, null, { timeout: 60_000 });
        return (await state(page)).change;
    };

    test("what a change of the settings gives and takes is shown, and the way back gives it back", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        await page.locator("#tab-layers").click();
        await page.getByRole("button", { name: "Changes" }).click();
        assert.match(await page.locator(".legend").textContent(), /no mesh to compare with yet/);
        const plain = (await state(page)).drawCalls;
        await page.evaluate(() => window.navtile.set("agent.radius", 1.1));
        const there = await compared(page);
        assert.ok(there.lost > 100 && there.added < 10, JSON.stringify(there));
        assert.match(await page.locator(".legend").textContent(), new RegExp(`Lost ground${there.lost.toFixed(1)} m²`));
        await page.waitForFunction((before) => window.navtile.state().drawCalls > before, plain);
        await page.getByRole("button", { name: "Undo" }).first().click();
        await page.waitForFunction((lost) => window.navtile.state().change?.added === lost, there.lost);
        const back = (await state(page)).change;
        assert.deepEqual(back, { added: there.lost, lost: there.added, area: there.area });
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a mesh that is kept is what all later ones are compared with", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        await page.locator("#tab-layers").click();
        await page.getByRole("button", { name: "Changes" }).click();
        await page.getByRole("button", { name: "Keep this mesh as the reference" }).click();
        assert.deepEqual(await compared(page), { added: 0, lost: 0, area: 0 });
        assert.match(await page.locator(".legend").textContent(), /No changes/);
        await page.evaluate(() => window.navtile.set("agent.radius", 0.8));
        const once = await compared(page);
        await page.evaluate(() => window.navtile.set("agent.radius", 1.2));
        await page.waitForFunction((lost) => window.navtile.state().change?.lost > lost, once.lost);
        await page.evaluate(() => window.navtile.set("agent.radius", null));
        await page.waitForFunction(() => window.navtile.state().change?.lost === 0);
        assert.deepEqual((await state(page)).change, { added: 0, lost: 0, area: 0 });
        await page.getByRole("button", { name: "Compare with the previous bake" }).click();
        await page.evaluate(() => window.navtile.set("agent.radius", 0.8));
        await page.waitForFunction((lost) => window.navtile.state().change?.lost === lost, once.lost);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("keys and buttons step through the storeys", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const { storeys } = await settled(page);
        assert.equal(storeys.length, 2);
        storeys.forEach((floor, i) => assert.ok(Math.abs(floor - 3 * i) < 0.35, `${floor}`));
        const shown = page.locator(".storey");
        assert.equal(await shown.textContent(), "2 of 2");
        await page.keyboard.press("[");
        assert.equal(await shown.textContent(), "1 of 2");
        const { cut } = await state(page);
        assert.ok(cut > storeys[0] && cut < storeys[1]);
        assert.ok(await page.getByRole("button", { name: "One storey down" }).isDisabled());
        await page.getByRole("button", { name: "One storey up" }).click();
        assert.equal((await state(page)).cut, null);
        // In a text field, it is a character.
        await page.locator("#tab-toml").click();
        await page.locator("textarea").press("[");
        assert.equal((await state(page)).cut, null);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("boxes of the trees are shown by depth", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        const { polygons } = await settled(page);
        await page.locator("#tab-layers").click();
        await page.getByLabel("BV tree boxes").check();
        await page.waitForFunction(() => window.navtile.state().boxes > 0);
        // A leaf for each polygon, and the nodes above them.
        const { boxes, drawCalls } = await state(page);
        assert.ok(boxes > polygons && boxes < 3 * polygons, `${boxes} boxes of ${polygons} polygons`);
        const slider = page.getByLabel("Depth of the BV trees");
        const shown = async () => (await page.locator("#panel-layers .entry output").textContent()).match(/(\w+), (\d+)/).slice(1);
        assert.deepEqual(await shown(), ["all", String(boxes)]);
        let sum = 0;
        const most = Number(await slider.getAttribute("max"));
        for (let depth = 0; depth <= most; depth++) {
            await slider.fill(String(depth));
            const [of, count] = await shown();
            assert.equal(of, String(depth));
            if (depth === 0) assert.equal(count, "1");
            sum += Number(count);
        }
        assert.equal(sum, boxes);
        await page.evaluate(() => window.navtile.set("agent.radius", 1.1));
        await page.waitForFunction((before) => window.navtile.state().boxes > 0 && window.navtile.state().boxes !== before, boxes);
        await page.getByLabel("BV tree boxes").uncheck();
        await page.waitForFunction((before) => window.navtile.state().drawCalls < before, drawCalls);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a path shows in which order its search settled polygons", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=terrain`);
        const { polygons } = await settled(page);
        await page.evaluate(() => window.navtile.path([2.5, 0, 2.5], [36, 0, 36]));
        assert.equal((await state(page)).searched, null);
        await page.getByLabel("Show search").check();
        await page.waitForFunction(() => window.navtile.state().searched);
        const { searched } = await state(page);
        const onPath = Number(await page.locator("dt:text('polygons') + dd").textContent());
        assert.ok(searched >= onPath && searched <= polygons, `${onPath} on the path, ${searched} settled of ${polygons}`);
        assert.match(await page.locator(".search").textContent(), new RegExp(`settled ${searched} polygons`));
        await page.getByLabel("Search", { exact: true }).selectOption("near");
        await page.waitForFunction((before) => window.navtile.state().searched !== before, searched);
        await page.getByLabel("Search", { exact: true }).selectOption("shortest");
        await page.waitForFunction(() => window.navtile.state().searched === null);
        assert.ok(await page.getByLabel("Show search").isDisabled());
        assert.deepEqual(errors, []);
        await context.close();
    });

    for (const [width, height] of [[1280, 800], [360, 740]]) {
        for (const colorScheme of ["dark", "light"]) {
            test(`legends, boxes, a search and a walk fit ${width} pixels, ${colorScheme}, and axe finds nothing serious`, async () => {
                const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`, { viewport: { width, height }, colorScheme });
                await settled(page);
                if (width < 900) await page.locator(".sheets button").nth(1).click();
                await page.locator("#tab-layers").click();
                await page.getByRole("button", { name: "Changes" }).click();
                await page.getByLabel("BV tree boxes").check();
                await page.evaluate(() => window.navtile.set("agent.radius", 1.1));
                await compared(page);
                if (width < 900) await page.locator(".sheets button").nth(2).click();
                await page.getByLabel("Show search").check();
                await page.evaluate(() => window.navtile.path([10, 0, 12], [12, 0, 14]));
                await page.waitForFunction(() => window.navtile.state().searched);
                for (const sheet of [1, 2, 0]) {
                    if (width < 900) await page.locator(".sheets button").nth(sheet).click();
                    if (sheet === 0) {
                        await page.getByRole("button", { name: "Walk on the mesh" }).click();
                        await page.waitForFunction(() => window.navtile.state().walk);
                    }
                    await fits(page);
                }
                assert.deepEqual(errors, []);
                await context.close();
            });
        }
    }
});
