// An empty project in which the packed package is installed, with the examples of its README as pages.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { glbOf } from "../test/glb.mjs";
import { root } from "../test/page.mjs";

export const npm = resolve(root, "target/web/npm");
/** Bundlers and the compiler for types: the project has the package alone. */
const PROGRAMS = [resolve(import.meta.dirname, "node_modules/.bin"), resolve(root, "web/node_modules/.bin")];

/** The README's examples in a language. */
function examples(language) {
    const readme = readFileSync(resolve(root, "crates/web/npm/README.md"), "utf8");
    return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, kind]) => kind === language).map(([, , text]) => text);
}

/** The one example that has a phrase. */
export function example(language, phrase) {
    const found = examples(language).filter((text) => text.includes(phrase));
    if (found.length !== 1) throw new Error(`the README has ${found.length} examples in ${language} with ${phrase}`);
    return found[0];
}

/** What the README bakes and asks, in one piece and on workers, and the same path by the runtime alone: the answers stay in the page. */
const MAIN = `${example("js", 'from "navtile";')}
${example("js", 'from "navtile/pool"')}
import { NavMesh as RuntimeMesh } from "navtile/runtime";
const [from, to] = [[2, 0, 3], [14, 0, -6]];
Object.assign(globalThis, { answer: {
    status: path.status,
    length: path.length,
    hash: report.hash,
    pooled: baked.report.hash,
    runtime: RuntimeMesh.open(file).path(from, to).length,
} });
`;

/** A floor and a wall, 1 m thick, round whose end at z = 2 the README's path leads. */
export const LEVEL = `v -2 0 -10\nv -2 0 8\nv 20 0 8\nv 20 0 -10\nf 1 2 3 4
v 7.5 0 -10\nv 8.5 0 -10\nv 8.5 0 2\nv 7.5 0 2\nv 7.5 3 -10\nv 8.5 3 -10\nv 8.5 3 2\nv 7.5 3 2
f 9 12 11 10\nf 5 8 12 9\nf 8 7 11 12\nf 7 6 10 11\n`;

export class Project {
    folder = mkdtempSync(join(tmpdir(), "navtile-bundlers-"));

    constructor() {
        this.write("package.json", '{ "name": "project", "private": true, "type": "module" }\n');
        const tarball = this.run("npm", "pack", "--silent", "--pack-destination", this.folder, npm).trim();
        this.run("npm", "install", "--silent", "--no-audit", "--no-fund", "--offline", `./${tarball}`);
        this.write("src/main.js", MAIN);
        this.write("level.glb", glbOf(LEVEL));
    }

    write(name, content) {
        const path = join(this.folder, name);
        mkdirSync(resolve(path, ".."), { recursive: true });
        writeFileSync(path, content);
    }

    /** A page with this in its head. */
    page(head) {
        return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>navtile</title><link rel="icon" href="data:,">${head}</head><body></body></html>\n`;
    }

    /** Runs a program in the project, and returns its output. */
    run(program, ...call) {
        const env = { ...process.env, PATH: [...PROGRAMS, process.env.PATH].join(delimiter) };
        try {
            return execFileSync(program, call, { cwd: this.folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
        } catch (error) {
            throw new Error(`${program} ${call.join(" ")}\n${error.stdout}${error.stderr}`);
        }
    }

    /** Bundles into `dist`, which becomes a site: `commands` are lines of a shell, `head` is the page's unless they write one. */
    bundle(commands, head) {
        rmSync(join(this.folder, "dist"), { recursive: true, force: true });
        this.run("sh", "-e", "-c", commands);
        const dist = join(this.folder, "dist");
        if (head) writeFileSync(join(dist, "index.html"), this.page(head));
        cpSync(join(this.folder, "level.glb"), join(dist, "level.glb"));
        return dist;
    }

    /** A file of the installed package. */
    installed(name) {
        return readFileSync(join(this.folder, "node_modules/navtile", name));
    }

    close() {
        rmSync(this.folder, { recursive: true });
    }
}
