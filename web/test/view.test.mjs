// Single-file pages: the bake's report with its view, and the page of `navtile view`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, missing, openAny, root } from "./page.mjs";
import { program } from "./program.mjs";

const level = resolve(root, "assets/courtyard.obj");
const NOWHERE = "[[off_mesh]]\nstart = [2, 0, 2]\nend = [30, 20, 2]\nradius = 0.5\n";

describe("pages of one file", { skip: missing() ?? false }, () => {
    let browser;
    let folder;
    before(async () => {
        browser = await launch();
        folder = mkdtempSync(join(tmpdir(), "navtile-view-"));
        writeFileSync(join(folder, "level.toml"), NOWHERE);
        const run = (...call) => execFileSync(program, call, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
        run("bake", level, "-c", "level.toml", "-o", "level.navtile", "--report", "report.html");
        run("view", "level.navtile", "-o", "view.html", "--level", level);
    });
    after(async () => {
        await browser?.close();
        rmSync(folder, { recursive: true });
    });

    for (const [width, height] of [[1280, 900], [360, 740]]) {
        test(`at ${width} pixels the report loads its view when it is opened, and flies to a warning`, async () => {
            const { page, context, errors } = await openAny(browser, `file://${join(folder, "report.html")}`, { viewport: { width, height } });
            assert.equal(await page.locator("iframe").getAttribute("srcdoc"), null);
            await page.locator("#space summary").click();
            const view = page.frameLocator("iframe");
            const warning = view.locator(".warned button");
            assert.match(await warning.textContent(), /^1\. off-mesh connection/);
            const picture = () => view.locator("canvas").screenshot();
            const whole = await picture();
            await warning.click();
            await page.waitForTimeout(1500);
            assert.notDeepEqual(await picture(), whole);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `the page is ${wide} pixels wide`);
            const frame = page.frames()[1];
            const inside = await frame.evaluate(() => [...document.querySelectorAll(".viewer .side *")].filter((element) => element.getBoundingClientRect().right > innerWidth).length);
            assert.equal(inside, 0, "something is wider than the view");
            assert.deepEqual(errors, []);
            await context.close();
        });
    }

    test("a page of its own has the level and no warnings", async () => {
        const { page, context, errors } = await openAny(browser, `file://${join(folder, "view.html")}`, { viewport: { width: 1280, height: 800 } });
        await page.locator(".viewer h1").waitFor();
        assert.equal(await page.locator(".viewer h1").textContent(), "level.navtile");
        assert.equal(await page.locator("label.check").count(), 5);
        assert.equal(await page.locator(".warned").count(), 0);
        assert.ok(statSync(join(folder, "report.html")).size < 2e6);
        assert.deepEqual(errors, []);
        await context.close();
    });
});
