// The form of settings, made from the bake's table.
import type { TomlTable } from "smol-toml";
import type { App } from "../app";
import { bytesOf, exactMemory, h, icon, ICONS } from "../dom";
import type { Problem, SettingInUse, SettingRow } from "../protocol";
import type { State } from "../store";
import { addTable, ownerOfLine, read, removeTable, write } from "../toml";

const GROUPS: [string, (path: string) => boolean][] = [
    ["Agent", (path) => path.startsWith("agent.")],
    ["Cells and tiles", (path) => ["cell_size", "cell_height", "tile_size", "bounds", "memory_bound"].includes(path)],
    ["Regions", (path) => path.startsWith("regions.") || ["partition", "median_filter", "reachable_from"].includes(path)],
    ["Outlines and polygons", (path) => path.startsWith("contours.") || ["outlines", "max_vertices"].includes(path)],
    ["Detail of heights", (path) => path.startsWith("detail.")],
    ["Level files", (path) => path.startsWith("input.")],
    ["Far paths", (path) => path.startsWith("hierarchy.")],
];

/** Titles of settings whose explanation is not suitable. */
const TITLES: Record<string, string> = {
    outlines: "Borders of the ground",
    bounds: "Bounding box (min, max)",
    memory_bound: "Memory limit",
    "detail.sample_distance": "Height sample distance",
    "input.winding": "Walkable side of triangles",
    "input.up": "Up axis of level files",
};

/** The value of a path in a settings file; that of the first of several agents. */
export function given(table: TomlTable, path: string): unknown {
    let value: unknown = table;
    for (const key of path.split(".")) {
        const holder = Array.isArray(value) ? (value[0] as unknown) : value;
        value = holder && typeof holder === "object" ? (holder as TomlTable)[key] : undefined;
    }
    return typeof value === "bigint" ? Number(value) : value;
}

/** Problems of a failed bake by the setting that they are about; the others have the empty name. */
export function problemsByPath(state: State): Map<string, Problem[]> {
    const result = new Map<string, Problem[]>();
    if (state.work.phase !== "failed") return result;
    for (const problem of state.work.failure.problems) {
        const owner = problem.field ?? (problem.line ? ownerOfLine(state.toml, problem.line) : null) ?? "";
        result.set(owner, [...(result.get(owner) ?? []), problem]);
    }
    return result;
}

export function settingsPanel(app: App): HTMLElement {
    const body = h("div", { class: "groups" });
    const rows: Row[] = [];
    app.store.watch(["table"], ({ table }) => {
        rows.length = 0;
        const groups = GROUPS.map(([title, has]) => {
            const own = table.filter((row) => has(row.path)).map((row) => new Row(app, row));
            rows.push(...own);
            return h("section", { class: "group" }, h("h3", {}, title), title === "Far paths" ? hierarchySwitch(app) : null, own.map((row) => row.element));
        });
        body.replaceChildren(...(table.length > 0 ? groups : []));
    });
    app.store.watch(["toml", "inUse", "work", "table", "source"], (state) => {
        const table = read(state.toml);
        const problems = problemsByPath(state);
        const isLevel = state.source?.kind !== "mesh";
        body.classList.toggle("off", !isLevel);
        for (const row of rows) {
            const used = state.inUse.find((each) => each.path === row.row.path);
            row.update(given(table, row.row.path), used, problems.get(row.row.path) ?? [], isLevel);
        }
    });
    return body;
}

/** Adds the table of the hierarchy, or removes it. */
function hierarchySwitch(app: App): HTMLElement {
    const box = h("input", { type: "checkbox", onchange: () => app.edit((box.checked ? addTable : removeTable)(app.store.state.toml, "hierarchy"), "hierarchy") });
    app.store.watch(["toml", "source"], ({ toml, source }) => {
        box.checked = given(read(toml), "hierarchy") !== undefined;
        box.disabled = source?.kind === "mesh";
    });
    return h("label", { class: "check" }, box, "Hierarchy of clusters, for levels in tiles");
}

/** Brings a setting of the form into view. */
export function showSetting(app: App, path: string): void {
    app.store.set({ panel: "settings", sheet: "settings" });
    const row = document.querySelector<HTMLElement>(`.row[data-path="${path}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>("input, select")?.focus();
    row?.classList.add("flash");
    setTimeout(() => row?.classList.remove("flash"), 1600);
}

/**
 * The range of a slider: around the default, because the allowed range is much larger than the useful one.
 */
function sliderRange(row: SettingRow, used: SettingInUse | undefined): [number, number, number] | null {
    if (row.unit === "°") return [0, 89, 1];
    const base = row.default ?? used?.value;
    if (!base || base <= 0 || row.kind === "switch") return null;
    if (row.kind === "whole") return row.max !== null && row.max <= 1000 ? [row.min ?? 0, Math.min(row.max, base * 4), 1] : null;
    if (row.path === "input.scale") return null;
    const rough = base / 40;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power;
    const low = (row.min ?? 0) > 0 ? Math.max(step, row.min ?? 0) : 0;
    return [low, Math.ceil((base * 4) / step) * step, step];
}

class Row {
    readonly element: HTMLElement;
    #input: HTMLInputElement | HTMLSelectElement;
    #slider: HTMLInputElement | null = null;
    #used = h("span", { class: "used" });
    #problem = h("p", { class: "problem", role: "alert", hidden: true });
    #reset: HTMLButtonElement;
    #range: [number, number, number] | null = null;
    /** True if the field has typed text that is not applied yet. */
    #isTyped = false;

    constructor(
        private readonly app: App,
        readonly row: SettingRow,
    ) {
        const id = `set-${row.path.replaceAll(".", "-")}`;
        this.#input = this.#control(id);
        this.#reset = h("button", { class: "mini", type: "button", title: `Default: ${row.initial}`, onclick: () => app.set(row.path, null) }, icon(ICONS.close));
        this.#reset.setAttribute("aria-label", `Reset ${row.path} to its default, ${row.initial}`);
        const more = h("p", { class: "more", id: `${id}-more`, hidden: true }, h("code", {}, row.path), " ", explanation(row));
        const info = h("button", {
            class: "mini", type: "button", aria: { expanded: "false", controls: `${id}-more`, label: `About ${row.path}` },
            onclick: () => {
                more.hidden = !more.hidden;
                info.setAttribute("aria-expanded", String(!more.hidden));
            },
        }, "?");
        const head = h("div", { class: "head" }, h("label", { htmlFor: id }, TITLES[row.path] ?? row.help), h("span", { class: "field" }, this.#input, row.unit && row.unit !== "bytes" ? h("span", { class: "unit" }, row.unit) : null, this.#reset, info));
        const slot = h("div", { class: "slot" }, this.#used);
        const wide = ["point", "box"].includes(row.kind);
        this.element = h("div", { class: wide ? "row stacked" : "row", title: row.path, data: { path: row.path } }, head, slot, this.#problem, more);
    }

    #control(id: string): HTMLInputElement | HTMLSelectElement {
        const { row, app } = this;
        const set = (value: string | null): void => app.set(row.path, value);
        if (row.kind === "switch") {
            return h("input", { id, type: "checkbox", onchange: (event) => set(String((event.target as HTMLInputElement).checked)) });
        }
        if (row.kind === "choice") {
            const options = row.choices.map(([name, help]) => h("option", { value: name, title: help }, name));
            return h("select", { id, onchange: (event) => set(JSON.stringify((event.target as HTMLSelectElement).value)) }, options);
        }
        return h("input", {
            id, type: "text", autocomplete: "off", spellcheck: false, inputMode: row.kind === "number" || row.kind === "whole" ? "decimal" : "text",
            oninput: () => (this.#isTyped = true),
            onblur: () => (this.#isTyped = false),
            onchange: (event) => {
                this.#isTyped = false;
                set(this.#typed((event.target as HTMLInputElement).value));
            },
        });
    }

    /**
     * The typed text as TOML. A text that is not a number is unchanged: the bake reports what is wrong with
     * it.
     */
    #typed(text: string): string | null {
        const plain = text.trim().replace(",", this.row.kind === "number" ? "." : ",");
        if (plain === "") return null;
        const memory = this.row.unit === "bytes" ? bytesOf(plain) : null;
        if (memory !== null) return String(memory);
        if (this.row.kind === "point" || this.row.kind === "box") return plain.startsWith("[") ? plain : `[${plain}]`;
        if (this.row.kind === "whole" && /^-?\d+$/.test(plain)) return plain;
        const value = Number(plain);
        return Number.isFinite(value) ? write(value) : JSON.stringify(plain);
    }

    #makeSlider(used: SettingInUse | undefined): void {
        this.#range = sliderRange(this.row, used);
        if (!this.#range) return;
        const [min, max, step] = this.#range;
        const slider = h("input", { type: "range", min: String(min), max: String(max), step: String(step), aria: { label: this.row.help } });
        // One step of undo, from the start of a move to its end.
        let isMoving = false;
        slider.oninput = () => {
            this.app.set(this.row.path, this.row.kind === "whole" ? slider.value : write(Number(Number(slider.value).toFixed(6))), isMoving);
            isMoving = true;
        };
        slider.onchange = () => (isMoving = false);
        this.#slider = slider;
        this.element.querySelector(".slot")!.prepend(slider);
    }

    update(value: unknown, used: SettingInUse | undefined, problems: Problem[], isLevel: boolean): void {
        const { row } = this;
        if (!this.#slider && ["number", "whole"].includes(row.kind) && (row.default !== null || used?.value)) this.#makeSlider(used);
        const shown = value ?? used?.value ?? row.default;
        const text = Array.isArray(value) ? JSON.stringify(value).slice(1, -1) : shown == null ? "" : typeof shown === "number" ? (row.unit === "bytes" ? exactMemory(shown) : String(Number(shown.toFixed(6)))) : String(shown);
        const input = this.#input;
        input.disabled = !isLevel;
        if (input instanceof HTMLInputElement && input.type === "checkbox") input.checked = value === undefined ? row.default === 1 : value === true;
        else if (input instanceof HTMLSelectElement) input.value = String(value ?? row.initial);
        else if (!this.#isTyped) input.value = value === undefined && row.kind === "choice-or-number" ? "" : text;
        // A narrow field has no room for a default in words.
        const isWordy = shown == null && ["number", "whole"].includes(row.kind) && row.initial.length > 6;
        if (input instanceof HTMLInputElement && input.type === "text") input.placeholder = isWordy ? "" : row.initial;
        if (this.#slider) {
            this.#slider.disabled = !isLevel;
            if (typeof shown === "number") this.#slider.value = String(shown);
        }
        this.element.classList.toggle("given", value !== undefined);
        this.#reset.disabled = value === undefined;
        this.#used.textContent = row.unit === "bytes" ? "" : isWordy ? row.initial : usedWords(used);
        this.#used.classList.toggle("far", Boolean(used?.warning));
        this.#used.title = used?.warning ?? "";
        this.#problem.hidden = problems.length === 0;
        this.#problem.textContent = problems.map((problem) => problem.text).join(" ");
        input.setAttribute("aria-invalid", String(problems.length > 0));
    }
}

function usedWords(used: SettingInUse | undefined): string {
    if (!used?.used) return "";
    const cells = used.cells === null ? "" : ` · ${Number(used.cells.toFixed(3))} ${used.cells === 1 ? "cell" : "cells"}`;
    return used.cells === null && used.used === used.words ? "" : `${used.used}${cells}`;
}

function explanation(row: SettingRow): string {
    const choices = row.choices.filter(([, help]) => help).map(([name, help]) => `${name}: ${help}`);
    const parts = [TITLES[row.path] ? `${row.help}.` : "", row.details, choices.length > 0 ? `${choices.join("; ")}.` : "", row.range ? `${row.range[0]!.toUpperCase()}${row.range.slice(1)}.` : "", row.effect ? `Once rounded to cells, ${row.effect}.` : "", `Default: ${row.initial}.`];
    return parts.filter(Boolean).join(" ");
}
