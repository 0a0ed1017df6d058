// Recordings of crowds, made by the program and played in the page.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { dropAll, launch, missing, open, root, serve, settled } from "./page.mjs";
import { program } from "./program.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);

/** A run of the program in the courtyard: the mesh, the recording, and the program's report. */
function recorded() {
    const folder = mkdtempSync(join(tmpdir(), "navtile-film-"));
    try {
        for (const name of ["courtyard.obj", "courtyard.toml"]) writeFileSync(join(folder, name), readFileSync(resolve(root, "assets", name)));
        const call = (...list) => execFileSync(program, list, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
        call("bake", "courtyard.obj", "-c", "courtyard.toml", "-o", "yard.navtile", "--quiet");
        try {
            call("crowd", "yard.navtile", "--agents", "30", "--seconds", "12", "--record", "run.navcrowd", "--json");
        } catch (error) {
            // Not all have arrived by then.
            assert.equal(error.status, 1);
        }
        const said = (...list) => JSON.parse(call("crowd", "yard.navtile", "--play", "run.navcrowd", "--json", ...list));
        const [mesh, film] = ["yard.navtile", "run.navcrowd"].map((name) => readFileSync(join(folder, name)));
        return { mesh, film, end: said(), middle: said("--at", "6") };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

describe("recordings", { skip: skip ?? false, concurrency: false }, () => {
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

    test("a recording that is dropped with its mesh plays, pauses, and shows any time", async () => {
        const { mesh, film, end, middle } = recorded();
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, { "yard.navtile": mesh, "run.navcrowd": film });
        await page.waitForFunction(() => window.navtile.state().recording?.seconds > 0.3, null, { timeout: 60_000 });
        await page.getByRole("button", { name: "Pause" }).click();
        const paused = await state(page);
        assert.equal(paused.recording.isPlaying, false);
        assert.equal(paused.agents, end.agents);
        assert.ok(Math.abs(paused.recording.length - end.seconds) < 1e-3);
        await page.waitForTimeout(300);
        assert.equal((await state(page)).recording.seconds, paused.recording.seconds);
        const slider = page.getByLabel("Time of the recording");
        for (const [seconds, said] of [[6, middle], [end.seconds, end]]) {
            await slider.fill(String(seconds));
            assert.equal((await state(page)).arrived, said.arrived, `at ${seconds} s`);
        }
        assert.ok(end.arrived > middle.arrived, "the run says nothing");
        // At the end it starts again.
        await page.getByRole("button", { name: "Play", exact: true }).click();
        await page.waitForFunction(() => window.navtile.state().recording.seconds < 3);
        await page.getByRole("button", { name: "Close" }).click();
        const closed = await state(page);
        assert.deepEqual([closed.recording, closed.agents], [null, 0]);
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("a recording needs ground, and a damaged one is refused", async () => {
        const { film } = recorded();
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, { "run.navcrowd": film });
        await page.waitForFunction(() => window.navtile.state().error);
        assert.match((await state(page)).error, /has agents, but no ground/);
        await page.evaluate(() => window.navtile.openSample("courtyard"));
        const damaged = Buffer.from(film);
        damaged[damaged.length >> 1] ^= 1;
        await dropAll(page, { "run.navcrowd": damaged });
        await page.waitForFunction(() => /run\.navcrowd cannot be played: .*checksum/.test(document.querySelector(".notice").textContent));
        assert.equal((await state(page)).recording, null);
        await dropAll(page, { "run.navcrowd": film });
        await page.waitForFunction(() => window.navtile.state().recording);
        // The user's own agents replace a recording once it is closed.
        await page.getByRole("button", { name: "Close" }).click();
        await page.getByRole("button", { name: "Spawn agents" }).click();
        await page.waitForFunction(() => window.navtile.state().agents === 200, null, { timeout: 60_000 });
        assert.deepEqual(errors, []);
        await context.close();
    });
});
