// Far paths and the clusters that they are planned over.
import type { App } from "../app";
import { CLUSTERS, css, FAR, SAME } from "../colours";
import { count, h, metres, verdict } from "../dom";
import type { ClusterPicture } from "../protocol";
import type { Answered, Source, State } from "../store";
import { corners, rows, swatch } from "./figures";
import { showSetting } from "./settings";

/** How to get a hierarchy. */
export function hierarchyHint(app: App, source: Source | null): HTMLElement {
    if (source?.kind !== "level") return h("p", { class: "hint" }, "This file has no hierarchy. Bake its level with ", h("code", {}, "navtile bake --hierarchy"), ".");
    const show = h("button", { type: "button", onclick: () => showSetting(app, "hierarchy.cluster") }, "Show the setting");
    return h("div", { class: "stack" }, h("p", { class: "hint" }, "The mesh has no hierarchy. Give the level a tile size and check Hierarchy of clusters."), show);
}

/** The colours of clusters. Levels of a single cluster have no borders. */
export function clusterLegend({ levels, crossings }: ClusterPicture, theme: State["theme"]): HTMLElement[] {
    const entry = (colour: number, name: string, about: string): HTMLElement => h("div", { class: "entry" }, swatch(css(colour)), h("span", {}, name), h("small", {}, about));
    return [
        ...levels.flatMap(({ side, clusters }, level) => (clusters > 1 || level === 0 ? [entry(CLUSTERS.levels[theme][level]!, `Clusters of ${Number(side.toFixed(1))} m`, count(clusters))] : [])),
        entry(CLUSTERS.crossing[theme], "Crossings", count(crossings.length / 3)),
    ];
}

export function farRows(app: App, state: State, { from, to, far }: Extract<Answered, { kind: "far" }>): HTMLElement[] {
    if ("reason" in far) return verdict(false, "No plan", `${far.reason[0]!.toUpperCase()}${far.reason.slice(1)}.`);
    const { plan, path, tiles } = far;
    const all = state.mesh?.info.tiles ?? 0;
    const loaded = rows([["tiles needed", `${count(tiles)} of ${count(all)}`]]);
    if (!plan) {
        const why = h("button", { type: "button", class: "primary", onclick: () => void app.explainWay(from, to) }, "Why is there no path?");
        return [...verdict(false, "No path leads to the goal"), loaded, ...(state.source?.kind === "level" ? [why] : [])];
    }
    const key = (colour: number, name: string): HTMLElement => h("div", { class: "entry" }, swatch(css(colour)), h("span", {}, name));
    return [
        ...verdict(true, "There is a path"),
        rows([
            ["upper", metres(plan.upper, 3)], ["lower", metres(plan.lower, 3)], ["ordinary path, from above", path.status === "complete" ? metres(path.lengthFromAbove, 3) : "none"],
            ["stops", count(plan.stops.length)], ["tiles needed", `${count(tiles)} of ${count(all)}`],
        ]),
        h("p", { class: "hint" }, "The cheapest path costs at least lower and at most upper: metres, if a metre costs 1."),
        h("div", {}, key(FAR.legs, "Plan, and its stops"), key(FAR.ordinary, "Ordinary path"), key(SAME, "Tiles that the plan does not need")),
        h("details", {}, h("summary", {}, "Stops"), h("pre", {}, corners(plan.stops.flatMap(({ point }) => point)))),
    ];
}
