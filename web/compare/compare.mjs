// navtile compared with recast-navigation-js, in one process of node: the same levels, settings and queries,
// medians in turns. `cargo xtask web --compare` installs and runs it; NAVTILE_MESHES names a folder with
// nav_test.obj and dungeon.obj of RecastDemo.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { NavMeshQuery, init } from "recast-navigation";
import { generateSoloNavMesh } from "recast-navigation/generators";

const root = resolve(import.meta.dirname, "../..");
const npm = resolve(root, "target/web/npm");
const { LevelBake, NavMesh } = await import(pathToFileURL(join(npm, "node/index.js")));
await init();

/** Number of turns of each measurement. */
const TURNS = 15;
/** Warm-up time of each, milliseconds. */
const WARM_UP = 1000;
const STARTS = 9;
const PATHS = 500;
const PLACES = 10_000;

/** RecastDemo's settings: metres, and cells for Recast. */
const SETTINGS = 'cell_size = 0.3\ncell_height = 0.2\ntile_size = "off"\n[agent]\nradius = 0.6\nheight = 2.0\nclimb = 0.9\nslope = 45.0\n';
const CONFIG = {
    cs: 0.3, ch: 0.2, walkableSlopeAngle: 45, walkableHeight: 10, walkableClimb: 4, walkableRadius: 2, maxEdgeLen: 40, maxSimplificationError: 1.3,
    minRegionArea: 8, mergeRegionArea: 20, maxVertsPerPoly: 6, detailSampleDist: 6, detailSampleMaxError: 1,
};
const REACH = [2, 4, 2];

function levels() {
    const own = ["courtyard", "terrain"].map((name) => resolve(root, "assets", `${name}.obj`));
    const given = process.env.NAVTILE_MESHES ? ["nav_test", "dungeon"].map((name) => join(process.env.NAVTILE_MESHES, `${name}.obj`)) : [];
    return [...own, ...given].filter(existsSync);
}

/** Vertices and triangles of an OBJ. */
function arrays(text) {
    const [positions, indices] = [[], []];
    for (const line of text.split("\n")) {
        const [kind, ...rest] = line.trim().split(/\s+/);
        if (kind === "v") positions.push(...rest.slice(0, 3).map(Number));
        if (kind !== "f") continue;
        const corners = rest.map((corner) => parseInt(corner, 10)).map((corner) => (corner < 0 ? positions.length / 3 + corner : corner - 1));
        for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
    }
    return { positions, indices };
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

/** Processor time of this process, milliseconds: other processes do not count. */
const clock = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};

/**
 * Medians of milliseconds, one turn of each after the other; the first seconds, in which code is compiled, do
 * not count.
 */
function inTurns(ours, theirs) {
    const runs = [ours, theirs];
    for (const run of runs) {
        for (const start = clock(); clock() - start < WARM_UP; ) run();
    }
    const times = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
        runs.forEach((run, i) => {
            const start = clock();
            run();
            times[i].push(clock() - start);
        });
    }
    return times.map(median);
}

function row(what, [ours, theirs], unit, about = "") {
    console.log(`${what.padEnd(34)} ${ours.toFixed(2).padStart(9)} ${theirs.toFixed(2).padStart(9)} ${unit.padEnd(8)} ${(theirs / ours).toFixed(2).padStart(6)} times ${about}`);
}

/** Seeded random numbers from 0 to 1. */
function numbers(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** Pairs of random places with a path between them. */
function reachable(mesh) {
    const random = numbers(7);
    const pairs = [];
    while (pairs.length < PATHS) {
        const ends = [0, 0].map(() => [...mesh.randomPoint(random)]);
        if (mesh.path(...ends, { reach: REACH }).status === "complete") pairs.push(ends);
    }
    return pairs;
}

function compareLevel(path) {
    const name = path.match(/(\w+)\.obj$/)[1];
    const bytes = new Uint8Array(readFileSync(path));
    const { positions, indices } = arrays(Buffer.from(bytes).toString());
    const bake = new LevelBake([{ name: `${name}.obj`, bytes }], SETTINGS);
    let file;
    let built;
    const bakes = inTurns(
        () => (file = bake.run()[0]),
        () => {
            built?.navMesh.destroy();
            built = generateSoloNavMesh(positions, indices, CONFIG);
            if (!built.success) throw new Error(`recast-navigation cannot bake ${name}: ${built.error}`);
        },
    );
    row(`${name}: bake`, bakes, "ms", `(${file.report.polygons} polygons)`);
    const mesh = NavMesh.open(file.file);
    const query = new NavMeshQuery(built.navMesh);
    query.defaultQueryHalfExtents = { x: REACH[0], y: REACH[1], z: REACH[2] };
    const pairs = reachable(mesh);
    const random = numbers(11);
    const places = pairs.flat();
    const ends = new Float64Array(places.flat());
    const points = places.map(([x, y, z]) => ({ x, y, z }));
    const found = [0, 0];
    for (const [optimality, how] of [["fast", "find path"], ["near", "find path, near"]]) {
        const paths = inTurns(
            () => (found[0] = mesh.paths(ends, { reach: REACH, optimality }).statuses.reduce((sum, status) => sum + Number(status === 0), 0)),
            () => {
                found[1] = 0;
                for (let i = 0; i < points.length; i += 2) found[1] += Number(query.computePath(points[i], points[i + 1]).success);
            },
        );
        row(`${name}: ${how}`, paths.map((time) => (1000 * time) / PATHS), "µs each", `(found ${found.join(" and ")} of ${PATHS})`);
    }
    const near = Array.from({ length: PLACES }, (_, i) => places[i % places.length].map((value) => value + random() - 0.5));
    const [flat, objects] = [new Float64Array(near.flat()), near.map(([x, y, z]) => ({ x, y, z }))];
    const nearest = inTurns(
        () => mesh.nearestMany(flat, { reach: REACH }),
        () => objects.forEach((at) => query.findNearestPoly(at)),
    );
    row(`${name}: nearest`, nearest.map((time) => (1000 * time) / PLACES), "µs each");
    query.destroy();
    built.navMesh.destroy();
    mesh.free();
    bake.free();
}

/** Milliseconds from nothing to a module that is ready, each in a process of its own. */
function compareStarts() {
    const start = (code) => {
        const text = `const clock = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }; const start = clock(); ${code}; console.log(clock() - start)`;
        return Number(execFileSync(process.execPath, ["--input-type=module", "-e", text], { cwd: import.meta.dirname, encoding: "utf8" }));
    };
    const load = (module) => `await import(${JSON.stringify(pathToFileURL(join(npm, module)).href)})`;
    const codes = [load("node/index.js"), load("node/runtime.js"), 'const { init } = await import("recast-navigation"); await init()'];
    const times = codes.map(() => []);
    for (let turn = 0; turn < STARTS; turn++) codes.forEach((code, i) => times[i].push(start(code)));
    const [whole, runtime, theirs] = times.map(median);
    row("start", [whole, theirs], "ms");
    row("start, runtime alone", [runtime, theirs], "ms");
}

function compareSizes() {
    const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).length / 1000;
    // It holds its module as text.
    const theirs = packed(fileURLToPath(import.meta.resolve("@recast-navigation/wasm")));
    row("module, gzipped", [packed(join(npm, "navtile_web_bg.wasm")), theirs], "kB");
    row("module, runtime alone", [packed(join(npm, "runtime/navtile_runtime_bg.wasm")), theirs], "kB");
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "node_modules/recast-navigation/package.json"), "utf8"));
console.log(`navtile beside recast-navigation ${version}, node ${process.version}; milliseconds are the processor's, the last column how many times as fast navtile is\n`);
console.log(`${"".padEnd(34)} ${"navtile".padStart(9)} ${"recast".padStart(9)}`);
for (const path of levels()) compareLevel(path);
compareStarts();
compareSizes();
