// A browser and a server for the built page, which the tests drive.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

export const root = resolve(import.meta.dirname, "../..");
export const site = resolve(root, "target/web/site");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** The reason why the tests of the built page cannot run here; null if they can. */
export function missing(built = join(site, "index.html")) {
    if (!CHROMIUM) return "there is no Chromium: apt-get install chromium";
    return existsSync(built) ? null : `there is no ${built}: cargo xtask web builds it`;
}

/** Serves a folder on a free port of the loopback address. */
export async function serve(folder = site) {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, "http://localhost").pathname);
        try {
            const name = path.endsWith("/") ? `${path}index.html` : path;
            const body = await readFile(join(folder, name));
            response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" }).end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launch() {
    return chromium.launch({
        executablePath: CHROMIUM,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-vsync"],
    });
}

/** The studio, as a page that collects the errors of its console. */
export async function open(browser, url, options = {}) {
    const opened = await openAny(browser, url, options);
    await opened.page.waitForFunction(() => window.navtile);
    return opened;
}

/** Opens any page in this way; `route` gets it before it is loaded. */
export async function openAny(browser, url, { route, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    if (route) await route(page);
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    return { page, context, errors };
}

/** Checks that the page is not wider than its window with a part open, and that axe finds nothing serious. */
export async function fits(page, part = "the page") {
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
    }
    const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(wide <= width, `${part} is ${wide} pixels wide`);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
}

/** Waits for the end of all bakes, and returns the state. */
export async function settled(page) {
    await page.waitForFunction(() => !window.navtile.state().busy && (window.navtile.state().polygons > 0 || window.navtile.state().error), null, { timeout: 60_000 });
    return page.evaluate(() => window.navtile.settled());
}

/**
 * Times until the first mesh, milliseconds since the page was requested: arrival of files, and marks of the
 * page.
 */
export async function timeline(page) {
    await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
    const steps = await page.evaluate(() => {
        const files = performance.getEntriesByType("resource").map(({ name, responseEnd }) => [new URL(name).pathname.split("/").pop(), responseEnd]);
        const marks = performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime]);
        return [...files, ...marks].sort(([, a], [, b]) => a - b);
    });
    return steps.map(([name, time]) => `${name} ${Math.round(time)}`).join(", ");
}

/** Clicks on the position of a place of the level. */
export async function clickAt(page, place) {
    const { x, y } = await page.evaluate((at) => window.navtile.project(at), place);
    await page.mouse.click(x, y);
}

/** Waits for the answer to a question. */
export const answered = (page, kind) => page.waitForFunction((wanted) => window.navtile.state().answer === wanted && !document.querySelector(".result .busy"), kind, { timeout: 60_000 });

/** Files dropped on the page together, by their names. */
export async function dropAll(page, files) {
    const list = Object.entries(files).map(([name, bytes]) => ({ name, base64: bytes.toString("base64") }));
    await page.evaluate((list) => {
        const data = new DataTransfer();
        for (const { name, base64 } of list) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, list);
}

/** A level or a mesh dropped on the page; the state once it is there. */
export async function drop(page, name, bytes) {
    await dropAll(page, { [name]: bytes });
    await page.waitForFunction((wanted) => window.navtile.state().level === wanted, name);
    return settled(page);
}
