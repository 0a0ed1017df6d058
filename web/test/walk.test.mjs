// Walking through a level: feet remain on the mesh, keys and the pad move them, and the camera comes back.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, missing, open, serve, settled } from "./page.mjs";

const skip = missing();
if (skip) console.log(`skipped: ${skip}`);

describe("walking", { skip: skip ?? false, concurrency: false }, () => {
    let server;
    let browser;
    let NavMesh;
    before(async () => {
        server = await serve();
        browser = await launch();
        ({ NavMesh } = await import("navtile"));
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });
    const state = (page) => page.evaluate(() => window.navtile.state());
    const feet = async (page) => (await state(page)).walk;
    const apart = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

    /** The feet once they are at rest: the last step may still be in progress. */
    async function rest(page) {
        let at = await feet(page);
        for (let tries = 0; tries < 100; tries += 1) {
            await page.waitForTimeout(200);
            const now = await feet(page);
            if (apart(now, at) === 0) return now;
            at = now;
        }
        throw new Error("the feet do not come to rest");
    }

    /** Holds a key until the feet have gone this far, or no further. */
    async function hold(page, key, far) {
        const from = await feet(page);
        await page.keyboard.down(key);
        await page.waitForFunction(([[x, y, z], far]) => {
            const at = window.navtile.state().walk;
            const isSame = window.before && Math.hypot(at[0] - window.before[0], at[2] - window.before[2]) < 1e-4;
            window.still = isSame ? (window.still ?? 0) + 1 : 0;
            window.before = at;
            return Math.hypot(at[0] - x, at[1] - y, at[2] - z) >= far || window.still > 80;
        }, [from, far], { polling: 50, timeout: 60_000 });
        await page.keyboard.up(key);
        return rest(page);
    }

    test("keys walk over the mesh and along its borders, Escape comes back", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`);
        await settled(page);
        const mesh = NavMesh.open(new Uint8Array(await page.evaluate(() => [...window.navtile.file()])));
        const over = await page.evaluate(() => window.navtile.project([10, 0, 10]));
        await page.keyboard.press("g");
        await page.waitForFunction(() => window.navtile.state().walk);
        const start = await feet(page);
        const seen = await page.evaluate((at) => window.navtile.project(at), start);
        assert.ok(Math.hypot(seen.x - over.x, seen.y - over.y) > 1, "the camera is where it was");
        const isOnMesh = (at) => {
            const nearest = mesh.nearest(at);
            assert.ok(nearest && nearest.distance < 0.02, `${at} is ${nearest?.distance} m off the mesh`);
        };
        isOnMesh(start);
        const ahead = await hold(page, "w", 2);
        assert.ok(apart(ahead, start) >= 2);
        isOnMesh(ahead);
        const back = await hold(page, "s", apart(ahead, start) - 0.3);
        assert.ok(apart(back, start) < apart(ahead, start));
        // Up to a border, and then along it.
        const end = await hold(page, "d", 200);
        isOnMesh(end);
        assert.ok(mesh.wallDistance(end, 5).distance < 0.05, "the way ends at a border");
        // A drag looks around.
        const before = await page.evaluate((at) => window.navtile.project(at), start);
        await page.mouse.move(640, 420);
        await page.mouse.down();
        await page.mouse.move(560, 400, { steps: 4 });
        await page.mouse.up();
        assert.deepEqual(await feet(page), end);
        const after = await page.evaluate((at) => window.navtile.project(at), start);
        assert.ok(Math.hypot(after.x - before.x, after.y - before.y) > 20);
        await page.keyboard.press("Escape");
        assert.equal(await feet(page), null);
        const again = await page.evaluate(() => window.navtile.project([10, 0, 10]));
        assert.ok(Math.hypot(again.x - over.x, again.y - over.y) < 1);
        mesh.free();
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("the button and the pad do the same without a keyboard; another bake keeps the walk, another level ends it", async () => {
        const { page, context, errors } = await open(browser, `${server.url}?sample=courtyard`, { viewport: { width: 360, height: 740 } });
        await settled(page);
        assert.ok(await page.getByLabel("Walk forward").isHidden());
        await page.getByRole("button", { name: "Walk on the mesh" }).click();
        await page.waitForFunction(() => window.navtile.state().walk);
        const start = await feet(page);
        const { x, y } = await page.getByRole("button", { name: "Walk backward" }).boundingBox();
        await page.mouse.move(x + 10, y + 10);
        await page.mouse.down();
        await page.waitForFunction(([x, , z]) => Math.hypot(window.navtile.state().walk[0] - x, window.navtile.state().walk[2] - z) > 0.5, start, { timeout: 60_000 });
        await page.mouse.up();
        const there = await rest(page);
        await page.evaluate(() => window.navtile.set("agent.radius", 0.5));
        assert.deepEqual(await feet(page), there);
        await page.evaluate(() => window.navtile.openSample("terrain"));
        assert.equal(await feet(page), null);
        assert.deepEqual(errors, []);
        await context.close();
    });
});
