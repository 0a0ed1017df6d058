// The frame of the view: the bar at the top, the tools, the status line, and the message of an empty page.
import type { App } from "../app";
import { bytes, count, h, icon, ICONS } from "../dom";
import { seen, stepped, storeys } from "../storeys";
import { SAMPLES } from "../samples";
import type { State, Tool } from "../store";
import type { NamedFile } from "../protocol";
import { isUnsaved } from "../store";
import { messages } from "./messages";

const TOOLS: [Tool, string, string, string][] = [
    ["path", "Path", ICONS.path, "1"],
    ["probe", "Place", ICONS.probe, "2"],
    ["ray", "Ray", ICONS.ray, "3"],
    ["explain", "Why?", ICONS.explain, "4"],
    ["link", "Link", ICONS.jump, "5"],
    ["volume", "Volume", ICONS.volume, "6"],
    ["play", "Agents", ICONS.play, "7"],
];

export async function named(files: Iterable<File>): Promise<NamedFile[]> {
    return Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

function chooser(app: App): HTMLInputElement {
    const input = h("input", { type: "file", multiple: true, hidden: true, accept: ".obj,.gltf,.glb,.gset,.bin,.navtile,.mset,.mmtile,.toml,.navcrowd,.mtl,.png,.jpg" });
    input.onchange = async () => {
        const files = await named(input.files ?? []);
        input.value = "";
        if (files.length > 0) await app.openFiles(files);
    };
    return input;
}

/** A button with a drop-down list. */
function menu(title: string, path: string, entries: [string, string, () => void][]): HTMLElement {
    const details = h("details", { class: "menu" });
    const items = entries.map(([name, about, act]) => h("button", { type: "button", onclick: () => ((details.open = false), act()) }, h("span", {}, name), about ? h("small", {}, about) : null));
    details.append(h("summary", { aria: { label: title } }, icon(path), h("span", { class: "wide-only" }, title)), h("div", { class: "menu-list" }, items));
    document.addEventListener("pointerdown", (event) => {
        if (!details.contains(event.target as Node)) details.open = false;
    });
    details.addEventListener("keydown", (event) => event.key === "Escape" && (details.open = false));
    return details;
}

export function topBar(app: App): HTMLElement {
    const { store } = app;
    const input = chooser(app);
    const button = (title: string, path: string, act: () => void, label = false): HTMLButtonElement =>
        h("button", { type: "button", title, aria: { label: title }, onclick: act }, icon(path), label ? h("span", { class: "wide-only" }, title) : null);
    const undo = button("Undo", ICONS.undo, () => store.undo());
    const redo = button("Redo", ICONS.redo, () => store.redo());
    const name = h("span", { class: "level-name" });
    const unsaved = h("span", { class: "unsaved", title: "The settings have unsaved edits", role: "status" }, h("span", { class: "wide-only" }, "unsaved"));
    store.watch(["history"], ({ history }) => {
        undo.disabled = history.back.length === 0;
        redo.disabled = history.forward.length === 0;
    });
    store.watch(["source", "toml", "saved"], (state) => {
        const { source } = state;
        unsaved.hidden = !isUnsaved(state);
        name.textContent = source?.name ?? "";
        document.title = source ? `${isUnsaved(state) ? "● " : ""}${source.name} – navtile studio` : "navtile studio";
    });
    const theme = button("Switch theme", ICONS.theme, () => store.set({ theme: store.state.theme === "dark" ? "light" : "dark" }));
    const samples = menu("Samples", ICONS.layers, SAMPLES.map((sample) => [sample.title, sample.about, () => void app.openSample(sample.id)]));
    const away = menu("Export", ICONS.save, [
        ["Mesh, .navtile", "the same file as the program bakes", () => void app.takeAway("navtile")],
        ["Settings, .toml", "the program bakes the same bytes with them", () => void app.takeAway("toml")],
        ["Detour's tile set, .bin", "MSET, 32-bit references", () => void app.takeAway("mset")],
        ["Geometry, .glb", "the mesh as glTF, a material for each area", () => void app.takeAway("glb")],
        ["Picture, .png", "the current view", () => void app.takeAway("png")],
    ]);
    const saveBack = h("button", { type: "button", class: "primary", onclick: () => void app.served.save() }, icon(ICONS.disk), h("span", { class: "wide-only" }, "Save settings"));
    const compare = h("button", { type: "button", title: "Bakes with the program, and compares the bytes", onclick: () => void app.served.compare() }, icon(ICONS.same), h("span", { class: "wide-only" }, "Bake natively"));
    const saveAs = h("button", { type: "button", onclick: () => void app.takeAway("toml") });
    const back = h("button", { type: "button", onclick: () => void app.served.show() });
    store.watch(["source"], ({ source }) => {
        // Saving and native baking belong to the served level, even if another one is open.
        const isOther = app.served.name !== null && source !== null && !source.isServed;
        saveBack.hidden = compare.hidden = !(source?.isServed && app.served.settingsName !== null);
        saveAs.hidden = !isOther || source.kind !== "level";
        back.hidden = !isOther;
        const titles = [[saveBack, "Save settings"], [compare, "Bake natively"], [saveAs, `Save as ${source?.name.replace(/\.[^.]*$/, "")}.toml`], [back, `Back to ${app.served.name}`]] as const;
        for (const [button, title] of titles) button.setAttribute("aria-label", title);
        for (const [button, title] of titles.slice(2)) button.replaceChildren(icon(button === back ? ICONS.left : ICONS.disk), h("span", { class: "wide-only" }, title));
    });
    return h("header", { class: "top" },
        h("span", { class: "brand" }, h("span", { class: "wide-only" }, "navtile "), h("b", {}, "studio")),
        button("Open", ICONS.open, () => input.click(), true), input, samples, name, unsaved, h("span", { class: "spacer" }), back, saveAs, saveBack, compare,
        undo, redo, away, button("Copy link", ICONS.link, () => void app.share(), true), theme);
}

export function toolBar(app: App): HTMLElement {
    const buttons = TOOLS.map(([tool, title, path, key]) => {
        const button = h("button", { type: "button", title: `${title} (${key})`, data: { tool }, onclick: () => (app.setTool(tool), app.store.set({ sheet: "view" })) }, icon(path), h("span", {}, title));
        app.store.watch(["tool"], (state) => button.setAttribute("aria-pressed", String(state.tool === tool)));
        return button;
    });
    addEventListener("keydown", (event) => {
        const typing = (event.target as HTMLElement).matches?.("input, textarea, select");
        if (typing || event.ctrlKey || event.metaKey) return;
        const found = TOOLS.find(([, , , key]) => key === event.key);
        if (found) app.setTool(found[0]);
    });
    return h("div", { class: "tools", role: "toolbar", aria: { label: "Tools" } }, buttons);
}

export function cutSlider(app: App, bounds: () => [number, number]): HTMLElement {
    const slider = h("input", { type: "range", min: "0", max: "1000", step: "1", value: "1000", aria: { label: "Hide everything above this height" } });
    const shown = h("output", {});
    slider.oninput = () => {
        const [low, high] = bounds();
        const part = Number(slider.value) / 1000;
        app.store.set({ cut: part >= 1 ? null : low + (high - low) * part });
    };
    app.store.watch(["cut", "mesh", "level"], ({ cut }) => {
        const [low, high] = bounds();
        slider.value = String(cut === null ? 1000 : Math.round(((cut - low) / Math.max(high - low, 0.01)) * 1000));
        shown.textContent = cut === null ? "all" : `${cut.toFixed(1)} m`;
    });
    const step = (title: string, key: string, path: string, by: 1 | -1): HTMLButtonElement =>
        h("button", { type: "button", class: "mini", title: `${title} (${key})`, aria: { label: title }, onclick: () => stepStorey(app, by) }, icon(path));
    const up = step("One storey up", "]", ICONS.up, 1);
    const down = step("One storey down", "[", ICONS.chevron, -1);
    const storey = h("output", { class: "storey" });
    app.store.watch(["cut", "mesh"], ({ cut, mesh }) => {
        const list = mesh ? storeys(mesh) : [];
        up.disabled = cut === null;
        down.disabled = stepped(list, cut, -1) === cut;
        storey.textContent = list.length > 1 ? `${seen(list, cut)} of ${list.length}` : "";
        storey.title = list.map(({ floor }) => `${floor.toFixed(2)} m`).join(", ");
    });
    return h("div", { class: "cut" }, h("label", { class: "stack" }, h("span", {}, "Height"), slider), shown, h("div", { class: "steps", role: "group", aria: { label: "Storeys" } }, up, storey, down));
}

/** Shows one storey more, or one less. */
export function stepStorey(app: App, by: 1 | -1): void {
    const { mesh, cut } = app.store.state;
    if (mesh) app.store.set({ cut: stepped(storeys(mesh), cut, by) });
}

export function statusLine(app: App): HTMLElement {
    const hash = h("button", { type: "button", class: "hash", title: "File hash: click to copy" });
    hash.onclick = () => void navigator.clipboard.writeText(app.store.state.hash).then(() => app.notice("Hash copied"), () => app.notice(app.store.state.hash));
    const facts = h("span", { class: "facts" });
    const right = h("span", { class: "draws" });
    const warnings = h("button", { type: "button", class: "warnings", hidden: true, onclick: () => app.store.set({ panel: "warnings", sheet: "settings" }) });
    app.store.watch(["mesh", "hash", "baked", "file"], (state) => {
        hash.hidden = state.hash === "";
        hash.textContent = state.hash.slice(0, 16);
        hash.dataset.hash = state.hash;
        facts.textContent = factsOf(state);
        const count = state.baked?.report.warnings.filter((warning) => !warning.isNote).length ?? 0;
        warnings.hidden = count === 0;
        warnings.textContent = `${count} warning${count === 1 ? "" : "s"}`;
    });
    app.store.watch(["draws"], ({ draws }) => (right.textContent = `${draws.calls} draws · ${count(draws.triangles)} triangles`));
    return h("footer", { class: "status" }, hash, facts, warnings, h("span", { class: "spacer" }), right);
}

function factsOf({ mesh, baked, file }: State): string {
    if (!mesh) return "";
    const { info } = mesh;
    const islands = (number: number): string => `${count(number)} island${number === 1 ? "" : "s"}`;
    // The program counts them without off-mesh links.
    const alone = baked?.report.islands ?? info.islands.length;
    const linked = alone === info.islands.length ? "" : ` (${count(info.islands.length)} with links)`;
    const parts = [`${count(info.polygons)} polygon${info.polygons === 1 ? "" : "s"}`, `${islands(alone)}${linked}`];
    if (info.tiles > 1) parts.push(`${info.tiles} tiles`);
    if (baked) parts.push(`${baked.report.walkableArea.toFixed(0)} m²`, `${baked.milliseconds.toFixed(0)} ms`);
    if (file) parts.push(bytes(file.length));
    return parts.join(" · ");
}

export function overlay(app: App): HTMLElement {
    const { store } = app;
    const input = chooser(app);
    const cards = SAMPLES.map((sample) => h("button", { type: "button", class: "sample", data: { sample: sample.id }, onclick: () => void app.openSample(sample.id) }, h("strong", {}, sample.title), h("small", {}, sample.about)));
    const welcome = h("div", { class: "welcome" },
        h("h1", {}, "Drop a level here"),
        h("p", {}, "OBJ, glTF, GLB or .gset to bake; .navtile or a tile set of Detour to view; recordings of crowds to play. Nothing leaves this computer."),
        h("div", { class: "inline" }, h("button", { type: "button", class: "primary", onclick: () => input.click() }, "Choose files"), input),
        h("p", { class: "hint" }, "Or start with a sample:"), h("div", { class: "samples" }, cards));
    const notice = h("div", { class: "notice", role: "status" });
    store.watch(["work", "source", "refusal"], ({ work, source, refusal }) => (welcome.hidden = !(work.phase === "empty" && !source && !refusal)));
    store.watch(["notice"], ({ notice: said }) => {
        notice.textContent = said;
        notice.hidden = said === "";
    });
    return h("div", { class: "overlay" }, welcome, ...messages(app), notice);
}
