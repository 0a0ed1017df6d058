// The heaviest level that bakes in a tab: minutes long, so only with NAVTILE_HEAVY=1.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { launch, missing, open, serve } from "./page.mjs";

const skip = missing() ?? (process.env.NAVTILE_HEAVY === "1" ? null : "minutes long: NAVTILE_HEAVY=1 runs it");
/** Quads of the terrain's side, and their size, metres: half a million triangles over two kilometres. */
const QUADS = 500;
const SIZE = 4;
const MOST_BYTES = 1e9;

/** The most memory that the tab's process ever had, bytes: all of the page, its workers and their modules. */
async function peak(browser) {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const peaks = processInfo
        .filter(({ type }) => type === "renderer")
        .map(({ id }) => Number(readFileSync(`/proc/${id}/status`, "utf8").match(/VmHWM:\s*(\d+) kB/)[1]) * 1024);
    return Math.max(...peaks);
}

test("two kilometres of terrain with half a million triangles bake in a tab within 1 GB", { skip: skip ?? false }, async () => {
    const server = await serve();
    const browser = await launch();
    try {
        const { page, errors } = await open(browser, server.url);
        page.setDefaultTimeout(0);
        const empty = await peak(browser);
        const state = await page.evaluate(async ([quads, size]) => {
            const lines = [];
            const height = (x, z) => 14 * Math.sin(x / 61) * Math.cos(z / 83) + 5 * Math.sin(x / 17 + z / 29);
            for (let z = 0; z <= quads; z++) for (let x = 0; x <= quads; x++) lines.push(`v ${x * size} ${height(x * size, z * size).toFixed(3)} ${z * size}`);
            for (let z = 0; z < quads; z++) {
                for (let x = 0; x < quads; x++) {
                    const at = z * (quads + 1) + x + 1;
                    lines.push(`f ${at} ${at + quads + 1} ${at + quads + 2}`, `f ${at} ${at + quads + 2} ${at + 1}`);
                }
            }
            const bytes = new TextEncoder().encode(lines.join("\n"));
            const start = performance.now();
            return { ...(await window.navtile.open("plain.obj", bytes)), seconds: (performance.now() - start) / 1000 };
        }, [QUADS, SIZE]);
        const most = await peak(browser);
        console.log(`${2 * QUADS ** 2} triangles over ${QUADS * SIZE} m: ${state.polygons} polygons in ${state.seconds.toFixed(0)} s, at most ${Math.round(most / 1e6)} MB in the tab's process (${Math.round(empty / 1e6)} MB before)`);
        assert.equal(state.error, null);
        assert.ok(state.polygons > 1000);
        assert.ok(most < MOST_BYTES, `${Math.round(most / 1e6)} MB`);
        assert.deepEqual(errors, []);
    } finally {
        await browser.close();
        server.close();
    }
});
