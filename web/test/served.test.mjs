// The page that `navtile studio` serves: no edits are lost, and only its own file is written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { drop, dropAll, launch, missing, open, root, settled } from "./page.mjs";
import { program, studio } from "./program.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);
const asset = (name) => readFileSync(resolve(root, "assets", name), "utf8");
const [LEVEL, SETTINGS] = [asset("courtyard.obj"), asset("courtyard.toml")];
const OTHER = Buffer.from("v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n");

describe("a served level", { skip: skip ?? false, concurrency: false }, () => {
    let browser;
    let served;
    let opened;
    let page;
    before(async () => (browser = await launch()));
    after(() => browser?.close());
    beforeEach(async () => {
        served = await studio({ "yard.obj": LEVEL, "yard.toml": SETTINGS }, "yard.obj");
        opened = await open(browser, served.url, { route: served.route });
        page = opened.page;
        await settled(page);
    });
    afterEach(async () => {
        await opened.context.close();
        served.close();
    });

    const state = () => page.evaluate(() => window.navtile.state());
    const set = (key, value) => page.evaluate(([key, value]) => window.navtile.set(key, value), [key, value]);
    const button = (name) => page.getByRole("button", { name, exact: true });
    const notice = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".notice").textContent), pattern.source, { timeout: 60_000 });
    const undo = () => button("Undo").first().click();

    test("a level that is dropped over it is not saved into its settings, nor baked in its place", async () => {
        const edited = await set("agent.radius", 0.35);
        await drop(page, "other.obj", OTHER);
        assert.ok(await button("Save settings").isHidden());
        assert.ok(await button("Bake natively").isHidden());
        await set("agent.radius", 0.4);
        for (const save of [() => page.keyboard.press("Control+s"), () => button("Save as other.toml").click()]) {
            const download = page.waitForEvent("download");
            await save();
            const file = await download;
            assert.equal(file.suggestedFilename(), "other.toml");
            assert.match(readFileSync(await file.path(), "utf8"), /radius = 0\.4/);
        }
        assert.equal(served.read("yard.toml"), SETTINGS);
        assert.ok(!served.asked.some((call) => /PUT|POST/.test(call)), served.asked.join());
        // The earlier edits are restored, and can be saved and undone.
        await button("Back to yard.obj").click();
        await page.waitForFunction(() => window.navtile.state().level === "yard.obj");
        const back = await settled(page);
        assert.deepEqual([back.settings, back.hash, back.isUnsaved], [edited.settings, edited.hash, true]);
        await button("Bake natively").click();
        await notice(/same bytes/);
        await button("Save settings").click();
        await notice(/Saved yard\.toml/);
        assert.equal(served.read("yard.toml"), edited.settings);
        assert.equal(served.read("yard.toml.bak"), SETTINGS);
        await undo();
        assert.equal((await settled(page)).settings, SETTINGS);
        assert.deepEqual(opened.errors, []);
    });

    test("a level that is exported again keeps unsaved settings, volumes and links, and the history", async () => {
        await set("agent.radius", 0.35);
        await page.evaluate(() => window.navtile.settings(`${window.navtile.state().settings}\n[[off_mesh]]\nstart = [4.0, 3.0, 22.0]\nend = [10.0, 0.0, 12.0]\nradius = 0.5\n\n[[volume]]\nshape = "box"\nmin = [4.0, -1.0, 4.0]\nmax = [6.0, 2.0, 6.0]\narea = "none"\n`));
        const edited = await settled(page);
        assert.equal(edited.error, null);
        const view = await page.evaluate(() => window.navtile.project([10, 0, 10]));
        const files = () => served.asked.filter((call) => call.includes("api/file")).length;
        assert.equal(files(), 1);
        served.write("yard.obj", `${LEVEL}v 2 0 2\nv 2 3 2\nv 2 3 5\nv 2 0 5\nf -1 -2 -3 -4\nf -4 -3 -2 -1\n`);
        await notice(/yard\.obj changed on disk: read again\. Your unsaved edits are kept/);
        const again = await settled(page);
        assert.equal(again.settings, edited.settings);
        assert.notEqual(again.hash, edited.hash, "the level is the new one");
        assert.ok(again.isUnsaved && again.canUndo);
        assert.deepEqual(await page.evaluate(() => window.navtile.project([10, 0, 10])), view, "the camera stays");
        assert.equal(files(), 2);
        await undo();
        await undo();
        const undone = await settled(page);
        assert.deepEqual([undone.settings, undone.isUnsaved], [SETTINGS, false]);
        assert.deepEqual(opened.errors, []);
    });

    test("settings that change on disk are taken over if there are no edits, and undo knows those before", async () => {
        const field = page.locator("#set-agent-radius");
        await field.fill("0.5");
        await field.press("Enter");
        await settled(page);
        await page.keyboard.press("Control+s");
        await notice(/Saved/);
        served.write("yard.toml", "[agent]\nradius = 0.7\n");
        await notice(/yard\.toml changed on disk: read again/);
        const taken = await settled(page);
        assert.deepEqual([taken.settings, taken.isUnsaved], ["[agent]\nradius = 0.7\n", false]);
        // The field has the focus, and does not have an outdated value.
        assert.equal(await page.evaluate(() => document.activeElement.id), "set-agent-radius");
        assert.equal(await field.inputValue(), "0.7");
        assert.equal(served.asked.filter((call) => call.includes("api/file")).length, 1, "the level is not read again");
        await undo();
        assert.match((await settled(page)).settings, /radius = 0\.5/);
        assert.deepEqual(opened.errors, []);
    });

    test("settings that change on disk beside unsaved edits are asked about, and neither is lost", async () => {
        const theirs = "# theirs\n[agent]\nradius = 0.7\n";
        const mine = (await set("agent.radius", 0.35)).settings;
        served.write("yard.toml", theirs);
        const question = page.locator(".ask");
        await question.waitFor();
        assert.match(await question.textContent(), /yard\.toml has changed on disk/);
        assert.equal((await state()).settings, mine);
        await page.keyboard.press("Control+s");
        await notice(/choose first which settings to keep/);
        assert.equal(served.read("yard.toml"), theirs);
        await button("Load the file").click();
        const taken = await settled(page);
        assert.deepEqual([taken.settings, taken.isUnsaved], [theirs, false]);
        await undo();
        assert.equal((await settled(page)).settings, mine);
        // Once more, and the edits win: a backup of the file's settings is kept.
        served.write("yard.toml", "# later\n");
        await question.waitFor();
        await button("Keep my edits").click();
        assert.deepEqual([(await state()).settings, (await state()).isUnsaved], [mine, true]);
        await button("Save settings").click();
        await notice(/Saved/);
        assert.deepEqual([served.read("yard.toml"), served.read("yard.toml.bak")], [mine, "# later\n"]);
        assert.equal((await state()).isUnsaved, false);
        assert.deepEqual(opened.errors, []);
    });

    test("settings that change just before they are saved are not written over", async () => {
        const mine = (await set("agent.radius", 0.35)).settings;
        // The page does not get the change in time.
        await page.route("**/api/changes*", () => {});
        await page.waitForResponse((response) => response.url().includes("api/changes"), { timeout: 60_000 });
        served.write("yard.toml", "# theirs\n");
        await button("Save settings").click();
        await page.locator(".ask").waitFor();
        assert.deepEqual([served.read("yard.toml"), (await state()).settings], ["# theirs\n", mine]);
    });

    test("a level that is damaged on disk or dropped leaves the page as it was", async () => {
        const before = await set("agent.radius", 0.35);
        const same = async () => {
            const now = await state();
            assert.deepEqual([now.level, now.hash, now.polygons, now.settings, now.isUnsaved], ["yard.obj", before.hash, before.polygons, before.settings, true]);
            const path = await page.evaluate(() => window.navtile.path(window.navtile.islandPlace(0), window.navtile.islandPlace(0)));
            assert.equal(path.status, "complete");
        };
        for (const [name, bytes] of [["broken.glb", Buffer.from("glTF and nothing else")], ["broken.gltf", Buffer.from('{"asset": "KHR_draco_mesh_compression"}')], ["broken.navtile", Buffer.alloc(100)], ["broken.obj", Buffer.from("v 1 nan 2\n")]]) {
            await dropAll(page, { [name]: bytes });
            await page.waitForFunction((name) => window.navtile.state().error?.includes(name) || (name.endsWith("navtile") && window.navtile.state().error), name);
            await same();
            await button("Close").click();
            assert.equal((await state()).error, null);
        }
        served.write("yard.obj", LEVEL.slice(0, 2000).replace(/v [^\n]*\n/, "v 1 2 what\n"));
        await page.waitForFunction(() => window.navtile.state().error?.includes("yard.obj"));
        await same();
        served.write("yard.obj", LEVEL);
        await notice(/yard\.obj changed on disk/);
        const mended = await settled(page);
        assert.deepEqual([mended.error, mended.settings], [null, before.settings]);
    });

    test("a page with unsaved edits says so, and asks before it is closed", async () => {
        let asked = 0;
        page.on("dialog", async (dialog) => {
            assert.equal(dialog.type(), "beforeunload");
            asked++;
            await dialog.dismiss();
        });
        const label = page.locator(".unsaved");
        assert.ok(await label.isHidden());
        const field = page.locator("#set-agent-radius");
        await field.fill("0.35");
        await field.press("Enter");
        await settled(page);
        assert.ok(await label.isVisible());
        assert.equal(await label.textContent(), "unsaved");
        assert.match(await page.title(), /^● yard\.obj/);
        await page.close({ runBeforeUnload: true });
        await page.waitForFunction(() => true);
        assert.equal(asked, 1);
        await drop(page, "other.obj", OTHER);
        assert.ok((await state()).isUnsaved, "edits of the level before count");
        await button("Back to yard.obj").click();
        await page.waitForFunction(() => window.navtile.state().level === "yard.obj");
        await button("Save settings").click();
        await notice(/Saved/);
        assert.ok(await label.isHidden());
        assert.equal(await page.title(), "yard.obj – navtile studio");
        await page.close({ runBeforeUnload: true });
        assert.equal(asked, 1);
    });
});
