// The program, to compare the page with.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { root, site } from "./page.mjs";

const folder = process.env.CARGO_TARGET_DIR ?? resolve(root, "target");
const name = process.platform === "win32" ? "navtile.exe" : "navtile";
export const program = process.env.NAVTILE_PROGRAM ?? ["release", "debug"].map((kind) => join(folder, kind, name)).find(existsSync);

/** Runs it in a folder of its own with these files, and returns that folder's `read`. */
export function run(files, ...calls) {
    const place = mkdtempSync(join(tmpdir(), "navtile-studio-"));
    try {
        for (const [file, content] of Object.entries(files)) writeFileSync(join(place, file), content);
        const said = calls.map((call) => execFileSync(program, call, { cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
        return { said, read: existsSync(join(place, "out.navtile")) ? readFileSync(join(place, "out.navtile")) : null };
    } finally {
        rmSync(place, { recursive: true });
    }
}

/** The file that the program bakes. */
export function bake(level, bytes, toml) {
    return run({ [level]: bytes, "settings.toml": toml }, ["bake", level, "-c", "settings.toml", "-o", "out.navtile", "--quiet"]).read;
}

/**
 * `navtile studio` in a folder of its own with these files. Its pages are those that were built last, not those that the program
 * embeds.
 */
export async function studio(files, ...call) {
    const folder = mkdtempSync(join(tmpdir(), "navtile-studio-"));
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
    const child = spawn(program, ["studio", ...call], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const [url] = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value.split(" ");
    const base = new URL(url).pathname;
    /** Requests of the page to the program. */
    const asked = [];
    const route = (page) =>
        page.route((address) => address.pathname.startsWith(base), (route) => {
            const name = new URL(route.request().url()).pathname.slice(base.length);
            if (!name.startsWith("api/")) return route.fulfill({ path: join(site, name || "index.html") });
            asked.push(`${route.request().method()} ${name}`);
            return route.continue();
        });
    return {
        url, route, asked, child,
        // The program polls its files, so that it must not meet one that is half written.
        write: (name, content) => {
            writeFileSync(join(folder, `${name}.new`), content);
            renameSync(join(folder, `${name}.new`), join(folder, name));
        },
        read: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null),
        close: () => {
            child.kill();
            rmSync(folder, { recursive: true });
        },
    };
}
