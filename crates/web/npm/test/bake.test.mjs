// Bakes have the same bytes as the command line: for every scene, whole, in shares, and by a pool of workers.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import ready, { LevelBake, bake, version } from "navtile";
import { BakePool } from "navtile/pool";

/**
 * Levels as text, with their settings, and the files that the command line made of them: `cargo xtask web`
 * writes them.
 */
const levels = new URL("../../levels/", import.meta.url);

async function level(name) {
    const bytes = await readFile(new URL(`${name}.obj`, levels));
    const settings = await readFile(new URL(`${name}.toml`, levels), "utf8");
    return { files: [{ name: `${name}.obj`, bytes: new Uint8Array(bytes) }], settings };
}

async function native(name) {
    return new Uint8Array(await readFile(new URL(`${name}.navtile`, levels)));
}

const names = (await readdir(levels)).filter((file) => file.endsWith(".obj")).map((file) => file.slice(0, -4));

test("the module is there when it is imported", async () => {
    await ready();
    assert.match(version(), /^\d+\.\d+\.\d+$/);
});

for (const name of names) {
    test(`${name} has the bytes of the program`, async () => {
        const { files, settings } = await level(name);
        const { file, report, agents } = bake(files, settings);
        const expected = await native(name);
        assert.deepEqual(Buffer.from(file), Buffer.from(expected));
        assert.equal(agents.length, 1);
        assert.equal(report.bytes, expected.length);
        assert.match(report.hash, /^[0-9a-f]{32}$/);
        const bakeOf = new LevelBake(files, settings);
        const shares = [2, 0, 1].map((index) => bakeOf.share(index, 3));
        assert.deepEqual(Buffer.from(bakeOf.join(shares)[0].file), Buffer.from(expected));
        bakeOf.free();
    });
}

test("exact outlines are another bake of each level", async () => {
    const exact = names.filter((name) => name.endsWith("_exact"));
    assert.equal(2 * exact.length, names.length);
    for (const name of exact) {
        assert.notDeepEqual(await native(name), await native(name.slice(0, -"_exact".length)), name);
    }
});

test("workers bake the same bytes", async () => {
    const pool = await BakePool.start(2);
    try {
        const { files, settings } = await level("courtyard");
        for (const outlines of ["cells", "exact"]) {
            const parts = [];
            const tiled = `tile_size = 7.2\noutlines = "${outlines}"\n${settings}`;
            const { file } = await pool.bake(files, tiled, (part) => parts.push(part));
            assert.deepEqual(Buffer.from(file), Buffer.from(bake(files, tiled).file));
            assert.equal(parts.at(-1), 1);
        }
        await assert.rejects(pool.bake(files, "cell_size = -1"), /cell_size is -1/);
    } finally {
        pool.close();
    }
});

test("what is wrong is an Error with every problem", async () => {
    const { files } = await level("courtyard");
    assert.throws(() => bake(files, "cell_size = 0.3\n[agent]\nradius = -1\nslope = 100\n"), (error) => {
        assert.ok(error instanceof Error);
        const fields = error.problems.map((problem) => [problem.field, problem.line]);
        assert.deepEqual(fields.sort(), [["agent.radius", 3], ["agent.slope", 4]]);
        return true;
    });
    assert.throws(() => bake(files, "cellsize = 1"), /the nearest key is `cell_size`/);
    assert.throws(() => bake([]), /no files are given/);
    assert.throws(() => bake([{ name: "a.obj", bytes: new Uint8Array([118]) }]), /a\.obj/);
    assert.throws(() => bake([{ bytes: new Uint8Array() }]), /a file has no name/);
    assert.throws(() => bake([{ name: "a.obj", bytes: 7 }]), /not a Uint8Array/);
});
