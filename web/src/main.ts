// Starts the studio: panels around the view, and their connections to the store.
import "./style.css";
import { App } from "./app";
import { automation, type Automation } from "./automation";
import { h, icon, ICONS } from "./dom";
import { areasPanel } from "./panels/areas";
import { cutSlider, named, overlay, statusLine, stepStorey, toolBar, topBar } from "./panels/chrome";
import { layersPanel } from "./panels/layers";
import { settingsPanel } from "./panels/settings";
import { textPanel } from "./panels/text";
import { toolPanel } from "./panels/tools";
import { warningsPanel } from "./panels/warnings";
import type { Vec3 } from "./protocol";
import { isServed } from "./served";
import { unpack } from "./share";
import { Store, START, type Panel, type State } from "./store";
import { Pointer } from "./pointer";
import { Stagehand } from "./stagehand";
import { View } from "./view/view";
import { Walker } from "./walk";

declare global {
    interface Window {
        navtile: Automation;
    }
}

const PANELS: [Panel, string][] = [["settings", "Settings"], ["areas", "Areas"], ["layers", "Layers"], ["warnings", "Warnings"], ["toml", "TOML"]];

function sidebar(app: App): HTMLElement {
    const make = { settings: settingsPanel, areas: areasPanel, layers: layersPanel, warnings: warningsPanel, toml: textPanel };
    const tabs = PANELS.map(([panel, title]) => {
        const tab = h("button", { type: "button", role: "tab", id: `tab-${panel}`, aria: { controls: `panel-${panel}` }, onclick: () => app.store.set({ panel }) }, title);
        app.store.watch(["panel"], (state) => {
            tab.setAttribute("aria-selected", String(state.panel === panel));
            tab.tabIndex = state.panel === panel ? 0 : -1;
        });
        return tab;
    });
    const list = h("div", { class: "tabs", role: "tablist", aria: { label: "Panels" } }, tabs);
    list.addEventListener("keydown", (event) => {
        const at = PANELS.findIndex(([panel]) => panel === app.store.state.panel);
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = (at + step + PANELS.length) % PANELS.length;
        app.store.set({ panel: PANELS[next]![0] });
        tabs[next]!.focus();
    });
    const bodies = PANELS.map(([panel]) => {
        const body = h("div", { class: "body", id: `panel-${panel}`, role: "tabpanel", aria: { labelledby: `tab-${panel}` }, tabIndex: 0 }, make[panel](app));
        app.store.watch(["panel"], (state) => (body.hidden = state.panel !== panel));
        return body;
    });
    return h("aside", { class: "side left", aria: { label: "Settings" } }, list, bodies);
}

function sheets(app: App): HTMLElement {
    const entries: [State["sheet"], string, string][] = [["view", "View", ICONS.view], ["settings", "Settings", ICONS.settings], ["tools", "Answer", ICONS.explain]];
    const buttons = entries.map(([sheet, title, path]) => {
        const button = h("button", { type: "button", onclick: () => app.store.set({ sheet }) }, icon(path), h("span", {}, title));
        app.store.watch(["sheet"], (state) => button.setAttribute("aria-pressed", String(state.sheet === sheet)));
        return button;
    });
    return h("nav", { class: "sheets", aria: { label: "Parts of the page" } }, buttons);
}

/** Arrow buttons for walking without a keyboard. */
function walkPad(app: App, view: () => View): HTMLElement {
    const arrows = ([["Walk forward", "KeyW", ICONS.up], ["Walk left", "KeyA", ICONS.left], ["Walk backward", "KeyS", ICONS.chevron], ["Walk right", "KeyD", ICONS.right]] as const).map(([title, key, path]) => {
        const button = h("button", { type: "button", title, data: { key }, aria: { label: title } }, icon(path));
        // The view keeps the focus, and with it the keyboard.
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("pointerdown", (event) => {
            button.setPointerCapture(event.pointerId);
            view().hold(key, true);
        });
        for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => view().hold(key, false));
        return button;
    });
    const pad = h("div", { class: "pad", role: "group", aria: { label: "Walk" } }, arrows);
    app.store.watch(["walk"], ({ walk }) => (pad.hidden = walk === null));
    return pad;
}

function shortcuts(app: App, view: View, walker: Walker): void {
    addEventListener("keydown", (event) => {
        const typing = (event.target as HTMLElement).matches?.("input[type=text], textarea");
        const command = event.ctrlKey || event.metaKey;
        // In a list of choices, a letter chooses an entry.
        const isLetter = !typing && !command && !(event.target as HTMLElement).matches?.("select");
        if (command && !typing && event.key.toLowerCase() === "z") {
            event.preventDefault();
            event.shiftKey ? app.store.redo() : app.store.undo();
        } else if (command && !typing && event.key.toLowerCase() === "y") {
            event.preventDefault();
            app.store.redo();
        } else if (command && event.key.toLowerCase() === "s" && app.store.state.source?.kind === "level") {
            event.preventDefault();
            void (app.store.state.source.isServed ? app.served.save() : app.takeAway("toml"));
        } else if (isLetter && event.key.toLowerCase() === "g") {
            void walker.toggle();
        } else if (isLetter && event.key.toLowerCase() === "f") {
            walker.leave();
            view.frame();
        } else if (isLetter && (event.key === "[" || event.key === "]")) {
            stepStorey(app, event.key === "]" ? 1 : -1);
        } else if (event.key === "Escape" && app.store.state.walk) {
            walker.leave();
        } else if (event.key === "Escape") {
            app.store.set({ pending: [], selection: null, answer: null });
            app.projector.select(null);
        }
    });
}

/** Handles files dropped anywhere on the page. */
function drops(app: App): void {
    addEventListener("dragover", (event) => {
        event.preventDefault();
        document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dropping"));
    addEventListener("drop", async (event) => {
        event.preventDefault();
        document.body.classList.remove("dropping");
        const files = await named(event.dataTransfer?.files ?? []);
        if (files.length > 0) await app.openFiles(files);
    });
}

/** Opens a shared link or the served level, or nothing yet. */
async function open(app: App): Promise<void> {
    const held = new URLSearchParams(location.hash.slice(1));
    const shared = held.get("s") ? await unpack(held.get("s")!) : null;
    const sample = new URLSearchParams(location.search).get("sample");
    if (isServed()) await app.served.open();
    if (shared) await app.openShared(shared);
    else if (isServed()) return;
    else if (held.get("s")) app.notice("This link is damaged: the studio starts without it");
    else if (sample) await app.openSample(sample);
}

/** Opens the first level without waiting for the settings' table, which was requested first. */
async function start(app: App): Promise<void> {
    const table = app.start();
    const opened = open(app).then(() => new Promise(requestAnimationFrame)).then(() => performance.mark("drawn"));
    await Promise.all([table, opened]);
}

function main(): void {
    const prefers: State["theme"] = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    const store = new Store({ ...START, theme: (localStorage.getItem("theme") as State["theme"] | null) ?? prefers });
    const host = h("div", { class: "canvas" });
    let view: View | undefined;
    let walker: Walker | undefined;
    const app = new App(store, () => view!);
    const bounds = (): [number, number] => (view ? [view.bounds.min.y, view.bounds.max.y + 0.01] : [0, 1]);
    const frame = h("button", { type: "button", class: "frame", title: "Frame all (F)", aria: { label: "Frame all" }, onclick: () => (walker?.leave(), view!.frame()) }, icon(ICONS.frame));
    const walk = h("button", { type: "button", class: "frame walk", title: "Walk on the mesh (G)", aria: { label: "Walk on the mesh" }, onclick: () => void walker?.toggle() }, icon(ICONS.walk));
    store.watch(["walk"], (state) => walk.setAttribute("aria-pressed", String(state.walk !== null)));
    const stage = h("section", { class: "view", aria: { label: "View" } }, host, toolBar(app), cutSlider(app, bounds), frame, walk, walkPad(app, () => view!), overlay(app));
    const right = h("aside", { class: "side right", aria: { label: "Tool" }, tabIndex: 0 }, toolPanel(app));
    document.getElementById("app")!.append(topBar(app), h("main", {}, sidebar(app), stage, right), statusLine(app), sheets(app));
    store.watch(["theme"], ({ theme }) => {
        document.documentElement.dataset.theme = theme;
        localStorage.setItem("theme", theme);
    });
    // If there is no room for both, an answer comes to the front.
    store.watch(["answer"], ({ answer }) => {
        if (answer && matchMedia("(max-width: 900px)").matches) store.set({ sheet: "tools" });
    });
    let chosen: number | null = null;
    store.watch(["film"], ({ film }) => {
        const isOther = (film?.selected ?? null) !== chosen;
        chosen = film?.selected ?? null;
        if (isOther && chosen !== null && matchMedia("(max-width: 900px)").matches) store.set({ sheet: "tools" });
    });
    store.watch(["source"], ({ source }) => document.body.classList.toggle("empty", source === null));
    store.watch(["sheet"], ({ sheet }) => (document.body.dataset.sheet = sheet));
    view = new View(host);
    new Stagehand(app, view);
    new Pointer(app, view);
    walker = new Walker(app, view);
    addEventListener("beforeunload", (event) => app.isUnsaved() && event.preventDefault());
    shortcuts(app, view, walker);
    drops(app);
    document.addEventListener("fly", (event) => (walker?.leave(), view!.flyTo((event as CustomEvent<Vec3>).detail)));
    window.navtile = automation(app, view);
    start(app).catch((error: Error) => store.set({ refusal: { message: error.message, remedy: null, problems: [] } }));
}

main();
