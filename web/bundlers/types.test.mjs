// The types of the npm package compile in projects that check their libraries and declare no more than they
// need.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Project } from "./project.mjs";

/** Every entry that has types. */
const ENTRIES = `import ready, { Crowd, LevelBake, NavMesh, TileCache, type BakeReport } from "navtile";
import bare, { hasSimd } from "navtile/bare";
import { BakePool } from "navtile/pool";
import { NavMesh as RuntimeMesh } from "navtile/runtime";
import bareRuntime, { hasSimd as hasSimdToo } from "navtile/runtime/bare";

export async function all(bytes: Uint8Array, module: WebAssembly.Module): Promise<number> {
    await ready();
    await bare({ module_or_path: module });
    await bareRuntime({ module_or_path: new URL("https://localhost/") });
    using mesh = NavMesh.open(bytes);
    const pool: BakePool = await BakePool.start(2);
    const { report }: { report: BakeReport } = await pool.bake([{ name: "level.obj", bytes }], "", (part: number) => part);
    const simd: boolean = hasSimd() && hasSimdToo();
    new LevelBake([]).free();
    new Crowd()[Symbol.dispose]();
    TileCache.open(bytes).free();
    return simd ? mesh.path([0, 0, 0], [1, 0, 1]).length : RuntimeMesh.open(bytes).info().polygons + report.polygons;
}
`;

const OPTIONS = { target: "es2022", lib: ["es2023", "dom"], types: [], strict: true, skipLibCheck: false, noEmit: true };

describe("the package's types", () => {
    let project;
    before(() => {
        project = new Project();
        project.write("src/entries.ts", ENTRIES);
        project.write("src/readme.ts", readFileSync(join(project.folder, "src/main.js")));
    });
    after(() => project?.close());

    function compile(options) {
        project.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files: ["src/entries.ts", "src/readme.ts"] }));
        project.run("tsc", "--project", "tsconfig.json");
    }

    for (const [module, moduleResolution] of [["esnext", "bundler"], ["nodenext", "nodenext"]]) {
        test(`compile as ${moduleResolution} resolves them`, () => compile({ module, moduleResolution }));
    }

    test("are there: a wrong call does not compile", () => {
        project.write("src/entries.ts", ENTRIES.replace("NavMesh.open(bytes)", 'NavMesh.open("level.navtile")'));
        assert.throws(() => compile({ module: "esnext", moduleResolution: "bundler" }), /entries\.ts.*TS2345/);
    });
});
