// Recordings of crowds, made by the program and played in the page.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { clickAt, dropAll, fits, launch, missing, open, root, serve, settled } from "./page.mjs";
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

/** Two rooms with a door of 1.2 m between them, and a crowd that goes through it. */
const HALLS = {
    "halls.obj": box([0, -0.1, 0], [16, 0, 8]) + box([7.8, -0.1, 0], [8.2, 3, 3.4]) + box([7.8, -0.1, 4.6], [8.2, 3, 8]),
    "halls.toml": "cell_size = 0.125\n[agent]\nradius = 0.25\n",
    "crowd.toml": "seconds = 60\n[[kind]]\nname = \"walker\"\nradius = 0.25\n[[agents]]\nname = \"guests\"\ncount = 40\nstart.box = [[1, -1, 1], [7, 1, 7]]\ngoal.into.box = [[9, -1, 1], [15, 1, 7]]\n[check]\narrived = 1.0\n",
};

/** A box as OBJ, with corners of its own. */
function box([x, y, z], [X, Y, Z]) {
    const corners = [[x, y, z], [X, y, z], [X, y, Z], [x, y, Z], [x, Y, z], [X, Y, z], [X, Y, Z], [x, Y, Z]];
    const faces = ["-4 -1 -2 -3", "-8 -7 -6 -5", "-8 -4 -3 -7", "-7 -3 -2 -6", "-6 -2 -1 -5", "-5 -1 -4 -8"];
    return corners.map((corner) => `v ${corner.join(" ")}\n`).join("") + faces.map((face) => `f ${face}\n`).join("");
}

/** The mesh of the halls, and the recording of the crowd. */
function crowded() {
    const folder = mkdtempSync(join(tmpdir(), "navtile-halls-"));
    try {
        for (const [name, text] of Object.entries(HALLS)) writeFileSync(join(folder, name), text);
        const call = (...list) => execFileSync(program, list, { cwd: folder, stdio: "ignore" });
        call("bake", "halls.obj", "-c", "halls.toml", "-o", "halls.navtile", "--quiet");
        call("crowd", "halls.navtile", "-c", "crowd.toml", "--check", "--record", "run.navcrowd");
        return Object.fromEntries(["halls.navtile", "run.navcrowd"].map((name) => [name, readFileSync(join(folder, name))]));
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

    /** The state at a time, with the map of that time. */
    const at = async (page, seconds) => {
        await page.getByLabel("Time of the recording").fill(String(seconds));
        await page.waitForFunction(() => {
            const { map, seconds } = window.navtile.state().recording;
            return document.getElementById("crowd-map").value === (map?.kind ?? "none") && (!map || map.seconds === seconds);
        });
        return (await state(page)).recording;
    };
    const sum = (values) => values.reduce((all, value) => all + value, 0);

    test("maps of density, flow and waiting are chosen by keyboard, and have the values of the shown time", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, crowded());
        await page.waitForFunction(() => window.navtile.state().recording, null, { timeout: 60_000 });
        assert.equal((await at(page, 0)).map, null);
        const legend = page.locator(".map .scale");
        assert.equal(await legend.isVisible(), false);
        await page.getByLabel("Time of the recording").focus();
        const choice = page.getByLabel("Map", { exact: true });
        for (let i = 0; i < 10 && !(await choice.evaluate((own) => own === document.activeElement)); i++) await page.keyboard.press("Tab");
        await page.keyboard.press("ArrowDown");
        const first = (await at(page, 5)).map;
        assert.equal(first.kind, "density");
        assert.ok(first.side === 1 && Math.abs(sum(first.values) - 40) < 1e-3, "everybody is in a cell of 1 m²");
        assert.match(await legend.innerText(), /mean over a second, in cells of 1 m[^]*agents\/m²/);
        const density = [5, 12, 5].map((seconds) => async () => (await at(page, seconds)).map.values);
        const [one, two, three] = [await density[0](), await density[1](), await density[2]()];
        assert.deepEqual(one, three);
        assert.notDeepEqual(one, two);

        await choice.focus();
        await page.keyboard.press("ArrowDown");
        const flow = (await at(page, 12)).map;
        assert.equal(flow.kind, "flow");
        assert.ok(sum(flow.values) > 1 && Math.max(...flow.values) <= flow.peak, "they walk");
        assert.equal(sum((await at(page, 0)).map.values), 0);
        await choice.focus();
        await page.keyboard.press("ArrowDown");
        const waited = [];
        for (const seconds of [0, 4, 8, 4]) {
            const { map } = await at(page, seconds);
            assert.equal(map.kind, "waiting");
            waited.push(sum(map.values));
        }
        assert.equal(waited[0], 0);
        assert.ok(waited[1] > 0 && waited[2] > waited[1] && waited[3] === waited[1], waited.join());
        // Nobody waits longer than the time.
        assert.ok(waited[2] <= 40 * 8, waited.join());
        await page.getByRole("button", { name: "Close" }).click();
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("an agent that is clicked says why it waits, and for whom", async () => {
        const { page, context, errors } = await open(browser, server.url);
        await dropAll(page, crowded());
        await page.waitForFunction(() => window.navtile.state().recording, null, { timeout: 60_000 });
        await at(page, 4);
        // The first agent that waits for another.
        const number = page.getByLabel("Number of the agent");
        let waiting = null;
        for (let agent = 0; agent < 40 && !waiting?.by; agent++) {
            await number.fill(String(agent));
            await number.press("Enter");
            waiting = (await state(page)).recording.agent;
            assert.equal(waiting.number, agent);
        }
        assert.match(waiting.why, new RegExp(`agent ${waiting.by}\\b`));
        assert.equal(await page.locator(".said").innerText(), `Agent ${waiting.number} ${waiting.why}.`);
        await page.keyboard.press("Escape");
        assert.equal((await state(page)).recording.agent, null);
        await clickAt(page, [waiting.at[0], waiting.at[1] + 0.9, waiting.at[2]]);
        const clicked = (await state(page)).recording.agent;
        assert.ok(clicked && Math.hypot(clicked.at[0] - waiting.at[0], clicked.at[2] - waiting.at[2]) < 1.5, "it is the agent there, or one before it");
        await number.fill(String(waiting.number));
        await number.press("Enter");
        await page.getByRole("button", { name: `Choose agent ${waiting.by}` }).click();
        assert.equal((await state(page)).recording.agent.number, waiting.by);
        // A click on bare ground chooses nobody.
        await clickAt(page, [15, 0, 1]);
        assert.equal((await state(page)).recording.agent, null);
        assert.deepEqual(errors, []);
        await context.close();
    });

    for (const [width, colorScheme] of [[1280, "light"], [360, "dark"]]) {
        test(`a map and an agent fit ${width} pixels, ${colorScheme}, and axe finds nothing serious`, async () => {
            const { page, context, errors } = await open(browser, server.url, { viewport: { width, height: 740 }, colorScheme });
            await dropAll(page, crowded());
            await page.waitForFunction(() => window.navtile.state().recording, null, { timeout: 60_000 });
            if (width < 900) await page.locator(".sheets button").nth(2).click();
            await at(page, 4);
            await page.getByLabel("Map", { exact: true }).selectOption("waiting");
            await page.getByLabel("Number of the agent").fill("7");
            await page.getByLabel("Number of the agent").press("Enter");
            const { at: feet } = (await state(page)).recording.agent;
            await page.keyboard.press("Escape");
            // In a narrow window, a click on an agent brings its panel to the front.
            if (width < 900) await page.locator(".sheets button").first().click();
            await clickAt(page, feet);
            await page.locator(".said").waitFor();
            await page.getByLabel("Number of the agent").fill("40");
            await page.getByLabel("Number of the agent").press("Enter");
            await page.waitForFunction(() => /There is no agent 40/.test(document.querySelector(".notice").textContent));
            await fits(page);
            assert.deepEqual(errors, []);
            await context.close();
        });
    }
});
