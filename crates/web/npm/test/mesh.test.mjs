// Queries of meshes have the same answers as the command line.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Corridor, Hierarchy, NavMesh, bake, fromDetour } from "navtile";
import * as runtime from "navtile/runtime";

const levels = new URL("../../levels/", import.meta.url);
const bytes = new Uint8Array(await readFile(new URL("courtyard.navtile", levels)));
/** Paths from the command line: `navtile path --batch`. */
const asked = JSON.parse(await readFile(new URL("courtyard.paths.json", levels), "utf8"));

function near(one, other, within = 1e-4) {
    assert.ok(Math.abs(one - other) <= within, `${one} is not ${other}`);
}

test("paths are those of the program", () => {
    for (const Mesh of [NavMesh, runtime.NavMesh]) {
        const mesh = Mesh.open(bytes);
        for (const { from, to, answer } of asked) {
            const path = mesh.path(from, to);
            assert.equal(path.status, answer.status);
            near(path.length, answer.length);
            near(path.lengthFromAbove, answer.length_from_above);
            assert.equal(path.points.length, answer.points.length * 3);
            answer.points.flat().forEach((value, index) => near(path.points[index], value, 1e-3));
        }
        const many = mesh.paths(asked.flatMap(({ from, to }) => [...from, ...to]));
        asked.forEach(({ answer }, index) => {
            if (answer.status !== "not-on-mesh") {
                near(many.lengths[index], answer.length);
                assert.equal(many.offsets[index + 1] - many.offsets[index], answer.points.length);
            }
        });
        mesh.free();
    }
});

/** A floor of 60 x 30 m, and an island beyond a gap, in tiles and clusters of 5 m. */
function farWorld() {
    const obj = "v 0 0 0\nv 0 0 30\nv 60 0 30\nv 60 0 0\nv 90 0 0\nv 90 0 30\nv 100 0 30\nv 100 0 0\nf 1 2 3 4\nf 5 6 7 8\n";
    const settings = "tile_size = 5.0\n[hierarchy]\ncluster = 5.0\nspacing = 2.0\n";
    const { file } = bake([{ name: "floor.obj", bytes: new TextEncoder().encode(obj) }], settings);
    return [NavMesh.open(file), Hierarchy.open(file), file];
}

test("far paths have bounds around the path, and stops along it", () => {
    const [mesh, hierarchy, file] = farWorld();
    assert.deepEqual(hierarchy.classes(), ["default"]);
    const [from, to] = [
        [2, 0, 2],
        [57, 0, 27],
    ];
    const { lower, upper, stops } = hierarchy.plan(mesh, from, to);
    const { lengthFromAbove } = mesh.path(from, to);
    assert.ok(lower <= lengthFromAbove + 1e-3 && lengthFromAbove <= upper + 1e-3, `${lower} ${lengthFromAbove} ${upper}`);
    assert.ok(stops.length > 8);
    near(stops[0].point[0], 2, 0.1);
    const side = mesh.info().tileCells * 0.3;
    for (const { point, tiles } of stops.slice(1)) {
        assert.equal(tiles.columns, 1);
        assert.ok(point[0] >= side * tiles.x - 0.1 && point[0] <= side * (tiles.x + 1) + 0.1, `${point} is beside ${tiles.x}`);
    }
    // The tiles around the two places are enough, and a class has its filter for other queries.
    const tiles = [from, to].flatMap((at) => hierarchy.around(at));
    const part = NavMesh.open(file, { tiles });
    assert.ok(tiles.length > 0 && part.info().tiles <= tiles.length && part.info().tiles < mesh.info().tiles / 4);
    assert.deepEqual(hierarchy.plan(part, from, to), { lower, upper, stops });
    assert.throws(() => hierarchy.plan(part, from, [30, 0, 15]), /^Error: to: /);
    assert.equal(mesh.path(from, to, { filter: hierarchy.filter(mesh, "default") }).lengthFromAbove, lengthFromAbove);
    assert.throws(() => hierarchy.filter(mesh, "tank"), /no class `tank`/);
    assert.throws(() => NavMesh.open(file, { tiles: [{ x: 1 }] }), /`tiles` is not a list of squares/);
    part.free();
    const { corner, clusters, crossings, side: width } = hierarchy.layout();
    near(width, side, 1e-9);
    assert.equal(clusters[0], mesh.info().tiles);
    assert.ok(clusters[0] > clusters[1] && clusters[1] > clusters[2] && crossings.length > 0);
    for (let i = 0; i < crossings.length; i += 3) {
        const away = [0, 2].map((axis, at) => (crossings[i + axis] - corner[at]) / width);
        assert.ok(away.some((sides) => Math.abs(sides - Math.round(sides)) < 1e-4), `${away} is not on a border`);
    }
    assert.equal(hierarchy.plan(mesh, from, [95, 0, 15]), null);
    assert.throws(() => hierarchy.plan(mesh, from, to, { class: "tank" }), /no class `tank`; the classes are default/);
    assert.throws(() => hierarchy.plan(mesh, from, [75, 0, 15]), /^Error: to: /);
    assert.throws(() => Hierarchy.open(bytes), /bake the level again with a table \[hierarchy\]/);
    hierarchy.free();
    mesh.free();
});

test("routes lead along far paths, and closed portals end them", () => {
    const [mesh, hierarchy] = farWorld();
    const [from, to] = [
        [2, 0, 2],
        [57, 0, 27],
    ];
    const plan = hierarchy.plan(mesh, from, to);
    const route = hierarchy.route(mesh, from, to);
    assert.deepEqual({ lower: route.lower, upper: route.upper, stops: route.stops() }, plan);
    assert.equal(route.legsLeft, plan.stops.length - 1);
    assert.deepEqual(route.ahead(), plan.stops[4]);
    const wide = hierarchy.route(mesh, from, to, { legsAhead: 6 });
    assert.deepEqual(wide.ahead(), plan.stops[6]);
    const [{ x, z }] = route.columnsAhead(4);
    assert.deepEqual([x, z], [0, 0], "the agent's own tile comes first");
    let moves = 0;
    for (const { point } of plan.stops) moves += route.advance(point);
    assert.ok(moves > 4 && route.legsLeft === 1);
    assert.deepEqual(route.ahead(), plan.stops.at(-1));
    const last = plan.stops.at(-1).tiles;
    assert.ok(route.columnsAhead(4).some(({ x, z }) => x === last.x && z === last.z));

    const near = hierarchy.portalsIn([29, -1, -1], [31, 1, 31]);
    const wall = near.filter(({ clusters: [one, two] }) => one.x !== two.x);
    assert.ok(wall.length > 4 && wall.every(({ kind }) => kind === "border"));
    const [[x0, , z0], [x1, , z1]] = hierarchy.portalEnds(wall[0]);
    assert.ok(Math.abs(x0 - x1) < 1e-6 && Math.abs(x0 - 30) < 2.6 && Math.abs(z0 - z1) <= 2.1);
    const changed = hierarchy.setClosed(wall);
    assert.ok(changed.length >= wall.length / 3);
    assert.ok(wide.needsReplan(changed) && !route.needsReplan(changed), "the second agent is past the wall");
    assert.equal(hierarchy.route(mesh, from, to), null);
    const saved = JSON.parse(JSON.stringify(hierarchy.closed()));
    assert.deepEqual(saved, wall);
    hierarchy.setClosed([]);
    assert.deepEqual(hierarchy.plan(mesh, from, to), plan);
    hierarchy.setClosed(saved);
    assert.equal(hierarchy.plan(mesh, from, to), null);
    hierarchy.setClosed(saved.slice(1));
    assert.ok(hierarchy.plan(mesh, from, to).upper >= plan.upper);
    assert.throws(() => hierarchy.setClosed([{ ...wall[0], kind: "door" }]), /portals is not a list of portals of `portalsIn`/);
    assert.throws(() => route.needsReplan([{ x: 1 }]), /changed is not a list of clusters/);
    assert.equal(hierarchy.portalEnds({ ...wall[0], along: 3 }), null);
    for (const each of [route, wide, hierarchy, mesh]) each.free();
});

test("hierarchies follow tiles that change", () => {
    const [mesh, hierarchy] = farWorld();
    const [from, to] = [
        [2, 0, 2],
        [57, 0, 27],
    ];
    const before = hierarchy.route(mesh, from, to);
    const removed = [1, 2, 3, 4, 5].map((z) => [6, z, 0]);
    assert.deepEqual(hierarchy.update(mesh, removed), [], "they are still there");
    for (const [x, z, layer] of removed) assert.ok(mesh.removeTile(x, z, layer));
    const changed = hierarchy.update(mesh, removed);
    assert.ok(changed.some(({ x, z }) => x === 6 && z === 3) && before.needsReplan(changed));
    assert.ok(hierarchy.plan(mesh, from, to).upper > before.upper);
    assert.throws(() => hierarchy.update(mesh, [[6, 1]]), /tiles is not a list of tiles/);
    const other = NavMesh.open(bytes);
    assert.throws(() => hierarchy.update(other, removed), /on another grid/);
    for (const each of [before, hierarchy, mesh, other]) each.free();
});

test("every verb answers", () => {
    const mesh = NavMesh.open(bytes);
    const info = mesh.info();
    assert.ok(info.polygons > 0 && info.islands.length > 0);
    assert.ok(info.areas.some((area) => area.name === "water"));
    const { from, to } = asked.find(({ answer }) => answer.status === "complete");
    const nearest = mesh.nearest(from);
    assert.equal(typeof nearest.polygon, "bigint");
    assert.equal(mesh.nearest([1e6, 0, 1e6]), null);
    const many = mesh.nearestMany(new Float64Array([...from, 1e6, 0, 1e6]));
    assert.equal(many.polygons[0], nearest.polygon);
    assert.equal(many.polygons[1], 0n);
    assert.ok(Number.isNaN(many.distances[1]));
    near(mesh.height([...nearest.point]), nearest.point[1], 1e-3);
    assert.equal(mesh.height([1e6, 0, 1e6]), null);
    const ray = mesh.raycast(from, to);
    assert.ok(ray.fraction >= 0 && ray.fraction <= 1 && ray.point.length === 3);
    assert.ok(mesh.around(from, 5).length > 0);
    assert.equal(mesh.slide(from, to).length, 3);
    let seed = 0;
    const point = mesh.randomPoint(() => (seed = (seed + 0.618) % 1));
    assert.ok(mesh.nearest(point).distance < 0.01);
    const wall = mesh.wallDistance(point, 100);
    assert.ok(wall.distance > 0);
    assert.equal(mesh.wallDistance(point, wall.distance / 2), null);
    assert.throws(() => mesh.randomPoint(() => { throw new Error("none today"); }), /none today/);
    assert.equal(mesh.reachable(from, to), true);
    assert.equal(mesh.reachable(from, [1e6, 0, 0]), false);
    mesh.free();
});

test("boxes lie in those above them, and a search settles what its path crosses", () => {
    const mesh = NavMesh.open(bytes);
    const { corners, depths } = mesh.boxes();
    assert.equal(corners.length, 6 * depths.length);
    assert.equal(depths.filter((depth) => depth === 0).length, mesh.info().tiles);
    const { bounds } = mesh.info();
    for (let box = 0; box < depths.length; box++) {
        for (let axis = 0; axis < 3; axis++) {
            const [low, high] = [corners[6 * box + axis], corners[6 * box + 3 + axis]];
            assert.ok(low <= high && low >= bounds[0][axis] - 0.5 && high <= bounds[1][axis] + 0.5, `box ${box}`);
        }
    }
    const { from, to } = asked.find(({ answer }) => answer.status === "complete" && answer.points.length > 3);
    // Near is a search of its own if all areas cost the same.
    const costs = Object.fromEntries(mesh.info().areas.map(({ name }) => [name, 1]));
    const filter = mesh.filter({ costs });
    const near = { filter, optimality: "near" };
    const order = [...mesh.searchOrder(from, to, near)];
    const { polygons } = mesh.path(from, to, near);
    assert.equal(order[0], polygons[0]);
    // The path's polygons come in order, with others in between. The fast path may be moved to other polygons
    // after its search.
    let turn = -1;
    for (const polygon of polygons) {
        turn = order.indexOf(polygon, turn + 1);
        assert.ok(turn >= 0, `${polygon} was not settled in its turn`);
    }
    assert.notDeepEqual([...mesh.searchOrder(from, to, { filter })], order);
    assert.throws(() => mesh.searchOrder(from, to, { optimality: "shortest" }), /cannot be divided into slices/);
    assert.equal(mesh.searchOrder(from, [1e6, 0, 0]).length, 0);
    assert.deepEqual(mesh.path(from, to, near).polygons, polygons);
    mesh.free();
});

test("filters close areas and change costs", () => {
    const mesh = NavMesh.open(bytes);
    const { from, to } = asked.find(({ answer }) => answer.status === "complete");
    const dry = mesh.filter({ avoid: ["water", 2], costs: { lawn: 40 } });
    assert.equal(mesh.filter({}), dry + 1);
    const path = mesh.path(from, to, { filter: dry });
    assert.ok(path.length > 0);
    assert.throws(() => mesh.filter({ avoid: ["lava"] }), /there is no area "lava"; the file has/);
    assert.throws(() => mesh.filter({ cost: {} }), /there is no key `cost`/);
    const wrong = [
        [{ costs: { ground: "2" } }, /`costs` is not an object of numbers/],
        [{ costs: [2] }, /`costs` is not an object of numbers/],
        [{ costs: new Map([["ground", 2]]) }, /`costs` is not an object of numbers/],
        [{ avoid: "ground" }, /`avoid` is not a list of names and ids of areas/],
        [{ avoid: [256] }, /`avoid` is not a list of names and ids of areas/],
        [{ include: -1 }, /`include` is not a whole number from 0 to 4294967295/],
    ];
    wrong.forEach(([filter, message]) => assert.throws(() => mesh.filter(filter), message));
    assert.throws(() => mesh.path(from, to, { reach: [1, 2] }), /options: `reach` is not three numbers/);
    assert.throws(() => mesh.path(from, to, { optimality: "best" }), /`optimality` is not "fast", "near" or "shortest"/);
    assert.throws(() => mesh.path(from, to, 5), /options is not an object/);
    const plain = mesh.path(from, to);
    for (const options of [null, {}, { filter: undefined, reach: null }, { reach: new Float32Array([2, 4, 2]) }]) {
        assert.deepEqual(mesh.path(from, to, options), plain);
    }
    assert.throws(() => mesh.path(from, to, { filter: 99 }), /filter 99/);
    assert.throws(() => mesh.path([1, 2], to), /from has 2 numbers/);
    assert.throws(() => mesh.path([NaN, 0, 0], to), /finite|NaN/i);
    mesh.free();
});

test("doors shut and open", () => {
    const mesh = NavMesh.open(bytes);
    const { from } = asked.find(({ answer }) => answer.status === "complete");
    const { polygon } = mesh.nearest(from);
    const before = mesh.attributes(polygon);
    mesh.setFlags(polygon, 0);
    assert.notEqual(mesh.nearest(from)?.polygon, polygon);
    mesh.setFlags(polygon, before.flags);
    assert.equal(mesh.nearest(from).polygon, polygon);
    assert.throws(() => mesh.setFlags(12345678901234567n, 1), /polygon|reference|tile/i);
    mesh.free();
});

test("geometry is triangles that face up", () => {
    const mesh = NavMesh.open(bytes);
    const { positions, indices, areas, islands, polygons } = mesh.geometry();
    assert.equal(indices.length, polygons.length * 3);
    assert.equal(areas.length * 3, positions.length);
    assert.equal(islands.length, areas.length);
    for (let at = 0; at < indices.length; at += 3) {
        const [a, b, c] = [0, 1, 2].map((corner) => indices[at + corner] * 3);
        const u = [positions[b] - positions[a], positions[b + 2] - positions[a + 2]];
        const v = [positions[c] - positions[a], positions[c + 2] - positions[a + 2]];
        assert.ok(u[1] * v[0] - u[0] * v[1] >= -1e-6, "a triangle faces down");
    }
    const lines = mesh.lines();
    assert.equal(lines.border.length % 6, 0);
    assert.ok(lines.border.length > 0 && lines.inner.length > 0);
    mesh.free();
});

test("a corridor is walked to its end", () => {
    const mesh = NavMesh.open(bytes);
    const { from, to } = asked.find(({ answer }) => answer.status === "complete" && answer.length > 5);
    const corridor = new Corridor(mesh, from);
    assert.equal(corridor.seek(mesh, to), true);
    for (let step = 0; step < 5000; step++) {
        const corners = corridor.corners(mesh, 2);
        if (corners.length === 0) {
            break;
        }
        const at = corridor.position(mesh);
        const away = Math.hypot(corners[0] - at[0], corners[2] - at[2]);
        const part = Math.min(1, 0.2 / away);
        corridor.moveTo(mesh, [0, 1, 2].map((axis) => at[axis] + (corners[axis] - at[axis]) * part));
    }
    assert.equal(corridor.corners(mesh, 1).length, 0);
    assert.ok(corridor.isValid(mesh, 10));
    corridor.free();
    mesh.free();
});

test("Detour's sets go out and come in", () => {
    const mesh = NavMesh.open(bytes);
    const set = mesh.toDetour();
    assert.equal(String.fromCharCode(...set.slice(0, 4)), "TESM");
    const back = NavMesh.open(fromDetour(set));
    // Detour's polygons have up to 6 corners, so some were cut. These come back as they are.
    assert.ok(back.info().polygons >= mesh.info().polygons);
    const again = NavMesh.open(fromDetour(back.toDetour()));
    assert.equal(again.info().polygons, back.info().polygons);
    assert.throws(() => fromDetour(new Uint8Array([1, 2, 3])), Error);
    for (const one of [mesh, back, again]) one.free();
});

test("bytes that are no file are refused", () => {
    assert.throws(() => NavMesh.open(new Uint8Array()), Error);
    const broken = bytes.slice();
    broken[broken.length >> 1] ^= 1;
    assert.throws(() => NavMesh.open(broken), /checksum|sum|damaged/i);
});

test("tiles come and go", () => {
    const obj = new TextEncoder().encode("v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n");
    const { file } = bake([{ name: "floor.obj", bytes: obj }], "tile_size = 10");
    const mesh = NavMesh.open(file);
    assert.equal(mesh.info().tiles, 9);
    assert.equal(mesh.removeTile(1, 1, 0), true);
    assert.equal(mesh.removeTile(1, 1, 0), false);
    assert.equal(mesh.nearest([15, 0, 15]), null);
    assert.equal(mesh.addTiles(file), 9);
    assert.ok(mesh.nearest([15, 0, 15]));
    mesh.free();
});
