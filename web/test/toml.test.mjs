// Settings files are edited in place: unchanged parts are kept, to the character.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { module } from "./module.mjs";

const web = resolve(import.meta.dirname, "..");

const toml = await module("toml");
const edits = await module("edits");
const { Store, START } = await module("store");
const courtyard = readFileSync(resolve(web, "../assets/courtyard.toml"), "utf8");

test("a setting is added, changed and taken out again without a trace", () => {
    const added = toml.setValue(courtyard, "agent.radius", "0.4");
    assert.equal(toml.read(added).agent.radius, 0.4);
    const changed = toml.setValue(added, "agent.radius", "0.5");
    assert.equal(toml.read(changed).agent.radius, 0.5);
    assert.ok(changed.startsWith(courtyard.trimEnd()));
    const top = toml.setValue(courtyard, "cell_size", "0.2");
    assert.equal(toml.read(top).cell_size, 0.2);
    assert.equal(toml.read(top).area.length, 3);
});

test("a table is added empty, and removed with all that is in it", () => {
    const added = toml.addTable(courtyard, "hierarchy");
    assert.deepEqual({ ...toml.read(added).hierarchy }, {});
    assert.equal(toml.removeTable(added, "hierarchy"), courtyard);
    assert.equal(toml.addTable("", "hierarchy"), "[hierarchy]\n");
    const full = "cell_size = 0.2\nhierarchy.spacing = 8.0\n\n[hierarchy.classes.cart]\nexclude = [\n  \"mud\",\n]\n# kept\n\n[agent]\nradius = 0.4\n";
    assert.equal(toml.removeTable(full, "hierarchy"), "cell_size = 0.2\n\n# kept\n\n[agent]\nradius = 0.4\n");
});

test("a remedy sets numbers and names", () => {
    const change = { words: "", setting: null, value: null, bothWays: null, removeVolume: null, start: null, end: null, radius: null };
    const changes = [{ ...change, setting: "outlines", value: "exact" }, { ...change, setting: "cell_size", value: 0.1 + 0.2 }];
    const changed = toml.read(edits.apply(courtyard, changes));
    assert.equal(changed.outlines, "exact");
    assert.equal(changed.cell_size, 0.3);
});

test("comments, values over several lines and dotted keys are kept and found", () => {
    const text = '# head\ncell_size = 0.3 # metres\nagent.radius = 0.6\nbounds = [\n  [0, 0, 0], # low\n  [1, 1, 1],\n]\n\n[regions] # about them\nmin_area = 2\n';
    assert.equal(toml.setValue(text, "cell_size", "0.25"), text.replace("0.3 #", "0.25 #"));
    assert.equal(toml.setValue(text, "agent.radius", "0.5"), text.replace("0.6", "0.5"));
    assert.equal(toml.setValue(text, "bounds", null), text.replace(/bounds[^\]]*\][^\]]*\][^\]]*\]\n/, ""));
    assert.deepEqual({ ...toml.read(toml.setValue(text, "regions.merge_area", "5.0")).regions }, { min_area: 2, merge_area: 5 });
    assert.equal(toml.ownerOfLine(text, 5), "bounds");
    assert.equal(toml.ownerOfLine(text, 10), "regions.min_area");
    assert.equal(toml.ownerOfLine(text, 1), null);
});

test("blocks are added, changed and removed; those beside them stay", () => {
    const linked = edits.addLink(courtyard, [1, 2, 3], [4.12345, 5, 6]);
    assert.deepEqual(edits.links(linked), [{ index: 0, start: [1, 2, 3], end: [4.123, 5, 6], radius: 0.5, bothWays: true, area: "ground" }]);
    assert.equal(toml.removeBlock(linked, "off_mesh", 0), courtyard);
    const one = toml.removeBlock(courtyard, "volume", 1);
    assert.equal(edits.volumes(one).length, 1);
    assert.equal(edits.volumes(one)[0].shape, "prism");
    const moved = edits.moveVolume(courtyard, edits.volumes(courtyard)[1], [1, 0, -2]);
    assert.deepEqual(edits.volumes(moved)[1].base, [22, -0.5, 8]);
    assert.ok(moved.includes("# Behind the lawn"));
});

test("materials change their area, and are left out", () => {
    const swapped = edits.setMaterialArea(courtyard, "mud", "water");
    assert.deepEqual([...edits.materialAreas(swapped)], [["water", "water"], ["mud", "water"]]);
    assert.ok(!("materials" in toml.read(swapped).area[0]));
    const out = edits.setMaterialArea(courtyard, "mud", "-");
    assert.deepEqual(toml.read(out).input.exclude_materials, ["mud"]);
    assert.deepEqual([...edits.materialAreas(edits.setMaterialArea(out, "mud", "mud"))], [...edits.materialAreas(courtyard)]);
});

test("undo goes back over settings; what follows quickly is one step", () => {
    let now = 0;
    const store = new Store(START, () => now);
    store.edit("a = 1", "a");
    now = 100;
    store.edit("a = 2", "a");
    now = 2000;
    store.edit("a = 3", "a");
    store.undo();
    assert.equal(store.state.toml, "a = 2");
    store.undo();
    assert.equal(store.state.toml, "");
    store.redo();
    store.redo();
    assert.equal(store.state.toml, "a = 3");
    store.redo();
    assert.equal(store.state.toml, "a = 3");
    // A drag is one step, however long it takes; the next one is another.
    for (const [time, toml, drag] of [[5000, "a = 4", 1], [9000, "a = 5", 1], [9100, "a = 6", 2]]) {
        now = time;
        store.edit(toml, `drag ${drag}`, true);
    }
    store.undo();
    assert.equal(store.state.toml, "a = 5");
    store.undo();
    assert.equal(store.state.toml, "a = 3");
});
