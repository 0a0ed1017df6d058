// Changes between two meshes, and their storeys, on ground whose sizes are known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { module } from "./module.mjs";

const { compare } = await module("worker/compare");
const { seen, stepped, storeys } = await module("storeys");

/** Rectangles, each two triangles: from and to along x and z, the heights at both ends of x, the area. */
function ground(...rectangles) {
    const [positions, indices, areas] = [[], [], []];
    for (const [x0, x1, z0, z1, low, high = low, area = 63] of rectangles) {
        const first = positions.length / 3;
        positions.push(x0, low, z0, x0, low, z1, x1, high, z1, x1, high, z0);
        indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
        areas.push(area, area, area, area);
    }
    return { positions: new Float32Array(positions), indices: new Uint32Array(indices), areas: new Uint8Array(areas), cell: [0.25, 0.2], climb: 0.5 };
}

const near = (found, expected) => assert.ok(Math.abs(found - expected) <= 0.02 * expected + 1e-6, `${found} is not ${expected}`);

test("ground that came and went is measured, and nothing else", () => {
    const change = compare(ground([0, 10, 0, 10, 0]), ground([0, 10, 0, 6, 0], [10, 14, 0, 5, 0]));
    near(change.metres.lost, 40);
    near(change.metres.added, 20);
    assert.equal(change.metres.area, 0);
    assert.equal(change.quads.lost.length / 12, Math.round(change.metres.lost / change.square ** 2));
    for (let i = 2; i < change.quads.lost.length; i += 3) assert.ok(change.quads.lost[i] >= 5.7, "lost ground is beyond 6 m");
});

test("polygons that are cut otherwise are the same ground", () => {
    const change = compare(ground([0, 10, 0, 10, 0]), ground([0, 3.3, 0, 10, 0.1], [3.3, 10, 0, 7.1, 0.1], [3.3, 10, 7.1, 10, 0.1]));
    assert.deepEqual(change.metres, { added: 0, lost: 0, area: 0 });
});

test("a storey above another is ground of its own; a slope keeps its heights", () => {
    const below = ground([0, 10, 0, 10, 0]);
    const both = ground([0, 10, 0, 10, 0], [0, 5, 0, 10, 3, 5]);
    const change = compare(below, both);
    near(change.metres.added, 50);
    assert.equal(change.metres.lost, 0);
    for (let i = 0; i < change.quads.added.length; i += 3) {
        const [x, y] = change.quads.added.slice(i, i + 2);
        assert.ok(Math.abs(y - (3 + (2 / 5) * x)) < 1e-3, `${y} at ${x}`);
    }
    near(compare(both, below).metres.lost, 50);
});

test("another area of the same ground is neither new nor lost", () => {
    const change = compare(ground([0, 10, 0, 10, 0]), ground([0, 4, 0, 10, 0, 0, 5], [4, 10, 0, 10, 0]));
    near(change.metres.area, 40);
    assert.deepEqual([change.metres.added, change.metres.lost], [0, 0]);
});

test("large ground is compared in fewer squares; no ground is all lost", () => {
    const large = compare(ground([0, 4000, 0, 4000, 0]), ground([0, 4000, 0, 3000, 0]));
    near(large.metres.lost, 4e6);
    assert.ok(large.square > 1);
    near(compare(ground([0, 10, 0, 10, 0]), ground()).metres.lost, 100);
    assert.equal(compare(ground(), ground()).metres.lost, 0);
});

test("storeys are where much is level, and cuts lie between them", () => {
    const mesh = { ...ground([0, 20, 0, 20, 0.1], [20, 26, 0, 3, 0.1, 3.1], [26, 40, 0, 20, 3.1], [0, 20, 0, 20, 3.12], [0, 8, 0, 8, 6.4]), info: { agent: { height: 2 } } };
    const list = storeys(mesh);
    assert.equal(list.length, 3);
    [0.1, 3.11, 6.4].forEach((floor, i) => assert.ok(Math.abs(list[i].floor - floor) < 0.02, `${list[i].floor} is not ${floor}`));
    assert.ok(list[0].cut > 0.1 && list[0].cut < 3.1);
    let cut = null;
    const walked = [-1, -1, -1, 1, 1, 1].map((by) => seen(list, (cut = stepped(list, cut, by))));
    assert.deepEqual(walked, [2, 1, 1, 2, 3, 3]);
    assert.equal(cut, null);
    // From anywhere on the slider.
    assert.equal(stepped(list, 4, -1), list[0].cut);
    assert.equal(stepped(list, 0.5, 1), list[0].cut);
});
