// The program, which the page is compared with.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "./page.mjs";

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
