// Crowds, and levels that change at run time.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Crowd, NavMesh, TileCache } from "navtile";

const levels = new URL("../../levels/", import.meta.url);
const dynamic = new Uint8Array(await readFile(new URL("courtyard.dynamic.navtile", levels)));
const original = new Uint8Array(await readFile(new URL("courtyard.navtile", levels)));

/** Pseudo-random numbers from a seed. */
function random(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

function walk(steps) {
    const mesh = NavMesh.open(original);
    const crowd = new Crowd();
    const next = random(7);
    const agents = Array.from({ length: 40 }, () => crowd.add(mesh, mesh.randomPoint(next)));
    agents.forEach((agent) => crowd.send(mesh, agent, mesh.randomPoint(next)));
    const events = [];
    for (let step = 0; step < steps; step++) {
        events.push(...crowd.step(mesh, 1 / 60));
    }
    return { mesh, crowd, agents, events };
}

test("a crowd walks, and the same calls give the same hash", () => {
    const one = walk(1200);
    assert.equal(one.crowd.size, 40);
    assert.ok(one.events.filter((event) => event.kind === "arrived").length > 20);
    assert.equal(one.crowd.positions(one.mesh).length, 120);
    assert.equal(one.crowd.states().length, 40);
    assert.equal(one.crowd.hash(), walk(1200).crowd.hash());
});

test("a crowd goes on from its bytes, bit for bit", () => {
    const { mesh, crowd } = walk(100);
    const saved = crowd.save();
    for (let step = 0; step < 100; step++) {
        crowd.step(mesh, 1 / 60);
    }
    const after = crowd.hash();
    crowd.restore(mesh, saved);
    for (let step = 0; step < 100; step++) {
        crowd.step(mesh, 1 / 60);
    }
    assert.equal(crowd.hash(), after);
});

test("all go to one place by one search", () => {
    const { mesh, crowd } = walk(1);
    crowd.sendAll(mesh, mesh.randomPoint(random(3)));
    crowd.sendAll(mesh, mesh.randomPoint(random(4)));
    crowd.step(mesh, 1 / 60);
    crowd.remove(crowd.agents()[0]);
    assert.equal(crowd.size, 39);
    assert.throws(() => crowd.add(mesh, [1e6, 0, 0]), Error);
    assert.throws(() => crowd.add(mesh, [0, 0, 0], { speed: 3 }), /there is no key `speed`/);
});

test("all choose among exits", () => {
    const { mesh, crowd, agents } = walk(1);
    const exits = [3, 4].map((seed) => ({ at: mesh.randomPoint(random(seed)), rate: 0.2 }));
    crowd.sendAll(mesh, exits[0].at);
    crowd.sendAllToExits(mesh, exits);
    assert.equal(crowd.exitOf(agents[0]), undefined);
    crowd.step(mesh, 1 / 60);
    // Agents on islands without an exit choose none.
    const chosen = agents.map((agent) => crowd.exitOf(agent)).filter((exit) => exit !== undefined);
    assert.deepEqual([...new Set(chosen)].sort(), [0, 1]);
    assert.throws(() => crowd.sendAllToExits(mesh, [{ at: exits[0].at }]), /no `rate`/);
    assert.throws(() => crowd.sendAllToExits(mesh, [{ ...exits[0], rate: 0 }]), /the rate of an exit is 0/);
    assert.throws(() => crowd.sendAllToExits(mesh, []), /the number of exits is 0/);
});

test("an agent that is held up says why, and by whom", () => {
    const { mesh, crowd, agents } = walk(1);
    assert.equal(crowd.holdUp(agents[0]), null, "it has not walked yet");
    crowd.sendAll(mesh, mesh.randomPoint(random(3)));
    const held = [];
    for (let step = 0; step < 600; step++) {
        crowd.step(mesh, 1 / 60);
        held.push(...agents.map((agent) => crowd.holdUp(agent)).filter((reason) => reason?.cause === "crowded"));
    }
    assert.ok(held.length > 0 && held.every(({ by }) => agents.includes(by)), "only agents are in the way");
    crowd.remove(agents[0]);
    assert.throws(() => crowd.holdUp(agents[0]), /no agent/);
});

test("an obstacle changes the mesh, and without it the file is the original", () => {
    const cache = TileCache.open(dynamic);
    const mesh = NavMesh.open(dynamic);
    const place = mesh.randomPoint(random(5));
    const before = mesh.nearest(place);
    const obstacle = cache.add({ kind: "cylinder", at: [...place], radius: 1, height: 2, blocks: true });
    assert.ok(cache.waiting > 0);
    assert.throws(() => cache.write(), Error);
    const { baked, waiting, changed } = cache.update(mesh, 1000);
    assert.ok(baked > 0 && waiting === 0 && changed.length > 0);
    const after = mesh.nearest(place);
    assert.ok(after === null || after.distance > before.distance + 0.5, "the ground is gone");
    cache.moveTo(obstacle, [place[0] + 1, place[1], place[2]], 30);
    cache.update(mesh, 1000);
    cache.remove(obstacle);
    cache.update(mesh, 1000);
    assert.deepEqual(Buffer.from(cache.write()), Buffer.from(dynamic));
    assert.throws(() => cache.remove(obstacle), /there is no obstacle/);
    assert.throws(() => cache.add({ kind: "ball", solid: true }), /kind is "ball"/);
    assert.throws(() => cache.add({ kind: "box", size: [1, 1, 1] }), /does one thing/);
    assert.throws(() => TileCache.open(original), Error);
    cache.free();
    mesh.free();
});
