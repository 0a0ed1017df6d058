// The npm package in production bundles: each bundler makes a page of the README's examples, with the
// commands that the README gives. The page bakes a level, on its own and on workers, and finds a path in
// Chromium; the answers are those of node.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createServer } from "vite";
import { launch, missing, openAny, serve } from "../test/page.mjs";
import { LEVEL, Project, example, npm } from "./project.mjs";

const MODULE = '<script type="module" src="./main.js"></script>';
const SCRIPT = '<script defer src="./main.js"></script>';
const HTML = '<script type="module" src="./src/main.js"></script>';

/** The commands that bundle, and the head of the page if they do not write one. */
const BUNDLERS = {
    vite: ["vite build"],
    webpack: ["webpack --mode production --entry ./src/main.js", SCRIPT],
    esbuild: [example("sh", "esbuild main=src/main.js worker="), MODULE],
    rollup: [example("sh", "rollup"), MODULE],
    parcel: ["parcel build index.html --no-cache"],
};
/** Globals of the page that node lacks, and the README's level. */
const IN_NODE = `globalThis.fetch = async () => new Response(readFileSync("level.glb"));`;
const SIMD = ["navtile_web_bg.wasm", "runtime/navtile_runtime_bg.wasm"];
const SCALAR = ["navtile_web_bg_scalar.wasm", "runtime/navtile_runtime_bg_scalar.wasm"];

const skip = missing(join(npm, "index.js")) ?? false;
if (skip) console.log(`skipped: ${skip}`);

describe("the package in bundles", { skip }, () => {
    let project;
    let browser;
    let expected;

    before(async () => {
        project = new Project();
        browser = await launch();
        const main = readFileSync(join(project.folder, "src/main.js"), "utf8");
        project.write("node.mjs", `import { readFileSync } from "node:fs";\n${IN_NODE}\n${main}\nconsole.log(JSON.stringify(answer));`);
        expected = JSON.parse(project.run("node", "node.mjs").trim().split("\n").at(-1));
    });
    after(async () => {
        await browser?.close();
        project?.close();
    });

    test("in node the path leads round the end of the wall", () => {
        // The agent's radius, 0.4 m, from the wall's far corner.
        const corner = [8.5 + 0.4, 2 + 0.4];
        const shortest = Math.hypot(corner[0] - 2, corner[1] - 3) + Math.hypot(14 - corner[0], -6 - corner[1]);
        assert.ok(Math.abs(expected.length - shortest) < 0.2, `${expected.length} m, and by the corner ${shortest} m`);
        assert.equal(expected.status, "complete");
        assert.equal(expected.pooled, expected.hash);
        assert.equal(expected.runtime, expected.length);
        assert.ok(LEVEL.includes("8.5 0 2"));
    });

    /** Opens a page, and returns its answer and the WebAssembly that it loaded. */
    async function visited(url, hasSimd) {
        const { page, context, errors } = await openAny(browser, "about:blank");
        const modules = [];
        page.on("response", async (response) => {
            if (new URL(response.url()).pathname.endsWith(".wasm")) modules.push(response.body());
        });
        if (!hasSimd) await page.addInitScript(() => (WebAssembly.validate = () => false));
        await page.goto(url);
        const answer = await page.waitForFunction(() => globalThis.answer, null, { timeout: 60_000 }).then(
            (handle) => handle.jsonValue(),
            (reason) => assert.fail(`${reason.message}\n${errors.join("\n")}`),
        );
        const loaded = await Promise.all(modules);
        await context.close();
        assert.deepEqual(errors, []);
        return { answer, loaded };
    }

    /** Everything that a page must hold, on a machine with SIMD and on one without. */
    async function holds(url) {
        for (const [hasSimd, names] of [[true, SIMD], [false, SCALAR]]) {
            const { answer, loaded } = await visited(url, hasSimd);
            assert.deepEqual(answer, expected);
            assert.equal(loaded.length, names.length);
            for (const name of names) {
                const module = project.installed(name);
                assert.ok(loaded.some((body) => body.equals(module)), `${name} is not loaded`);
            }
        }
    }

    /** A bundle does not mention a path of this machine or a module of node. */
    function isForBrowsers(dist) {
        const texts = readdirSync(dist, { recursive: true }).filter((name) => [".js", ".css", ".html", ".map"].includes(extname(name)));
        assert.ok(texts.some((name) => name.endsWith(".js")));
        for (const name of texts) {
            const text = readFileSync(join(dist, name), "utf8");
            for (const foreign of ["file:/", project.folder, "node:"]) {
                assert.ok(!text.includes(foreign), `${name}: ${foreign}`);
            }
        }
    }

    for (const [name, [commands, head]] of Object.entries(BUNDLERS)) {
        test(`${name} makes a page that bakes and finds a path`, async () => {
            project.write("index.html", project.page(HTML));
            const dist = project.bundle(commands, head);
            isForBrowsers(dist);
            const { url, close } = await serve(dist);
            try {
                await holds(url);
            } finally {
                close();
            }
        });
    }

    test("an import map does without a bundler", async () => {
        project.write("index.html", project.page(example("html", "importmap") + HTML));
        const { url, close } = await serve(project.folder);
        try {
            await holds(url);
        } finally {
            close();
        }
    });

    test("Vite's development server serves it", async () => {
        project.write("index.html", project.page(HTML));
        const server = await createServer({ root: project.folder, configFile: false, logLevel: "silent" });
        await server.listen();
        try {
            await holds(server.resolvedUrls.local[0]);
        } finally {
            await server.close();
        }
    });

    test("by hand it works in a script that is not a module", async () => {
        project.write("src/main.js", `${example("js", 'from "navtile/bare"').replace("console.log(", "globalThis.answer = (")}`);
        const dist = project.bundle(example("sh", "--format=iife"), SCRIPT);
        isForBrowsers(dist);
        const { url, close } = await serve(dist);
        try {
            for (const hasSimd of [true, false]) {
                const { answer, loaded } = await visited(url, hasSimd);
                assert.ok(Math.abs(answer - 5) < 1e-6, `${answer}`);
                assert.deepEqual(loaded, [project.installed(hasSimd ? SIMD[0] : SCALAR[0])]);
            }
        } finally {
            close();
        }
    });
});
