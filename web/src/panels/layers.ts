// Visible layers, their colours, and the legend.
import type { App } from "../app";
import { areaColour, CHANGES, css, regionColour, SAME, usedLinks } from "../colours";
import { h } from "../dom";
import type { MeshChange } from "../protocol";
import { deepest, depthColour } from "../view/boxes";
import type { Colouring, Layers, Reference, Stage, State } from "../store";
import { clusterLegend, hierarchyHint } from "./far";
import { swatch as swatchOf } from "./figures";

const SWITCHES: [keyof Omit<Layers, "stage">, string][] = [
    ["level", "Level"],
    ["edges", "Edges of the level"],
    ["mesh", "Navigation mesh"],
    ["outlines", "Polygons and borders"],
    ["seams", "Seams between tiles"],
    ["links", "Off-mesh links in the mesh"],
    ["volumes", "Volumes and links of the settings"],
    ["boxes", "BV tree boxes"],
    ["clusters", "Clusters of the hierarchy"],
];
const COLOURINGS: [Colouring, string][] = [["area", "Areas"], ["island", "Islands"], ["polygon", "Polygons"], ["change", "Changes"]];
const STAGES: [Stage, string][] = [
    ["none", "None"],
    ["spans", "Solid spans"],
    ["floors", "Floors after erosion"],
    ["distances", "Distance to the border"],
    ["regions", "Regions"],
    ["raw", "Raw contours"],
    ["simplified", "Contours, simplified"],
];

export function layersPanel(app: App): HTMLElement {
    const { store } = app;
    const change = (patch: Partial<Layers>): void => store.set({ layers: { ...store.state.layers, ...patch } });
    const boxes = SWITCHES.map(([key, title]) => {
        const box = h("input", { type: "checkbox", onchange: () => change({ [key]: box.checked }) });
        store.watch(["layers"], ({ layers }) => (box.checked = layers[key]));
        if (key === "clusters") store.watch(["clusters"], ({ clusters }) => (box.disabled = !clusters));
        return h("label", { class: "check" }, box, title);
    });
    const clusters = h("div", {});
    store.watch(["clusters", "layers", "source", "mesh", "theme"], (state) => {
        const missing = state.mesh && !state.clusters ? [hierarchyHint(app, state.source)] : [];
        clusters.replaceChildren(...(state.clusters && state.layers.clusters ? clusterLegend(state.clusters, state.theme) : missing));
    });
    const colours = COLOURINGS.map(([value, title]) => {
        const button = h("button", { type: "button", onclick: () => store.set({ colouring: value }) }, title);
        store.watch(["colouring"], ({ colouring }) => button.setAttribute("aria-pressed", String(colouring === value)));
        return button;
    });
    const stage = h("select", {
        id: "stage",
        onchange: () => {
            change({ stage: stage.value as Stage });
            if (stage.value !== "none" && !store.state.stages) void app.loadStages();
        },
    }, STAGES.map(([value, title]) => h("option", { value }, title)));
    store.watch(["layers", "source"], ({ layers, source }) => {
        stage.value = layers.stage;
        stage.disabled = source?.kind !== "level";
    });
    const note = h("p", { class: "hint" });
    store.watch(["stages", "layers", "baked"], ({ stages, layers, baked }) => {
        const tiled = (baked?.report.tileCells ?? 0) > 0;
        note.textContent = layers.stage === "none" ? "" : !stages ? "Baking again to record the stages…" : tiled ? `Tile ${stages.tile.join(", ")}, at the centre of the view` : "";
    });
    const legend = h("div", { class: "legend" });
    store.watch(["mesh", "areas", "colouring", "reference", "change"], (state) => legend.replaceChildren(...legendRows(app, state), ...linkRows(state)));
    return h("div", { class: "groups" },
        h("section", { class: "group" }, h("h3", {}, "Show"), boxes, depthRow(app), clusters),
        h("section", { class: "group" }, h("h3", {}, "Colour by"), h("div", { class: "segments", role: "group", aria: { label: "Colour by" } }, colours), legend),
        h("section", { class: "group" }, h("h3", {}, "Bake stage"), h("label", { class: "wide", htmlFor: "stage" }, "Result of a stage, instead of the surface"), stage, note),
    );
}

const swatch = (colour: number): HTMLElement => swatchOf(css(colour));

function legendRows(app: App, { mesh, areas, colouring, reference, change }: State): HTMLElement[] {
    if (!mesh) return [];
    if (colouring === "change") return changeRows(app, reference, change);
    if (colouring === "area") {
        const used = new Set(mesh.areas);
        return areas
            .filter((area) => used.has(area.id))
            .map((area) => h("div", { class: "entry" }, swatch(areaColour(area.id, areas)), h("span", {}, area.name), h("small", {}, `cost ${Number(area.cost.toFixed(3))}`)));
    }
    if (colouring === "island") {
        const shown = mesh.info.islands.slice(0, 12).map((size, index) => h("div", { class: "entry" }, swatch(regionColour(index)), h("span", {}, `Island ${index + 1}`), h("small", {}, `${size.toFixed(1)} m²`)));
        const more = mesh.info.islands.length - shown.length;
        return more > 0 ? [...shown, h("p", { class: "hint" }, `and ${more} smaller ones`)] : shown;
    }
    return [h("p", { class: "hint" }, `${mesh.info.polygons} polygons, each in its own colour`)];
}

/** The kinds of off-mesh links in the mesh. */
function linkRows({ mesh }: State): HTMLElement[] {
    if (!mesh) return [];
    return usedLinks(mesh.lines.linkKinds).map(({ name, colour }) => h("div", { class: "entry" }, swatch(colour), h("span", {}, name)));
}

/** The depth of the trees to show. */
function depthRow(app: App): HTMLElement {
    const slider = h("input", { type: "range", min: "-1", step: "1", aria: { label: "Depth of the BV trees" } });
    slider.oninput = () => app.store.set({ boxDepth: slider.value === "-1" ? null : Number(slider.value) });
    const shown = h("output", {});
    const key = h("i", { class: "swatch" });
    const row = h("div", { class: "entry" }, key, h("label", { class: "entry" }, h("span", {}, "Depth"), slider, shown));
    app.store.watch(["boxes", "boxDepth", "layers", "theme"], ({ boxes, boxDepth, layers, theme }) => {
        row.hidden = !layers.boxes || !boxes;
        if (!boxes) return;
        const most = deepest(boxes);
        slider.max = String(most);
        slider.value = String(boxDepth ?? -1);
        const count = boxes.depths.reduce((sum, depth) => sum + Number(boxDepth === null || depth === boxDepth), 0);
        shown.textContent = boxDepth === null ? `all, ${count}` : `${boxDepth}, ${count}`;
        key.style.background = boxDepth === null ? `linear-gradient(to right, ${css(depthColour(0, most, theme))}, ${css(depthColour(most, most, theme))})` : css(depthColour(boxDepth, most, theme));
    });
    return row;
}

function changeRows(app: App, reference: Reference | null, change: MeshChange | null): HTMLElement[] {
    const keep = h("button", { type: "button", onclick: () => app.keepReference() }, "Keep this mesh as the reference");
    const free = h("button", { type: "button", onclick: () => app.freeReference() }, "Compare with the previous bake");
    if (!reference) return [h("p", { class: "hint" }, "There is no mesh to compare with yet: change a setting, or keep this mesh."), keep];
    if (!change) return [h("p", { class: "hint busy" }, "Comparing…")];
    const { added, lost, area } = change.metres;
    const row = (colour: number, title: string, size: number): HTMLElement => h("div", { class: "entry" }, swatch(colour), h("span", {}, title), h("small", {}, `${size.toFixed(1)} m²`));
    const isSame = added + lost + area === 0;
    return [
        row(CHANGES.added, "New ground", added), row(CHANGES.lost, "Lost ground", lost), row(CHANGES.area, "Changed area", area),
        h("div", { class: "entry" }, swatch(SAME), h("span", {}, isSame ? "No changes" : "Unchanged")),
        h("p", { class: "hint" }, `${reference.isKept ? "Compared with the reference mesh" : "Compared with the bake before the last change"}, in squares of ${change.square.toFixed(2)} m as seen from above.`),
        reference.isKept ? free : keep,
    ];
}
