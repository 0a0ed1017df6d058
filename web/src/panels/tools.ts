// The panel of the current tool: its help, its options, and its answer.
import type { App } from "../app";
import { css, searchColour } from "../colours";
import { count, h, metres, verdict } from "../dom";
import { links, volumes } from "../edits";
import type { PlaceExplanation, SettingChange, Vec3, WayExplanation } from "../protocol";
import type { Answered, Search, State, Tool } from "../store";
import { removeBlock, setInBlock } from "../toml";
import { farRows, hierarchyHint } from "./far";
import { playPanel } from "./play";
import { showSetting } from "./settings";
import { corners, place, rows } from "./figures";

const ABOUT: Record<Tool, [string, string]> = {
    path: ["Path", "Click the start, then the goal."],
    probe: ["Place", "Click a place to show the nearest mesh, its height, the nearest wall, and the polygons in a circle."],
    ray: ["Raycast", "Click a start and a goal to find the first wall between them."],
    explain: ["Why?", "Click any place to see why there is mesh, or which stage of the bake removed the ground."],
    link: ["Off-mesh link", "Click both ends of a jump, ladder or drop. Drag its ends afterwards."],
    volume: ["Volume", "A shape that changes the area of the ground in it, or removes the ground."],
    play: ["Agents", "Agents on the mesh: give them targets, and add obstacles."],
};

/** The searches for paths. */
const SEARCHES: [Search, string][] = [["fast", "fast"], ["near", "near"], ["shortest", "exact shortest"], ["far", "far"]];

export function toolPanel(app: App): HTMLElement {
    const title = h("h2", {});
    const about = h("p", { class: "hint" });
    const options = h("div", { class: "options" });
    const result = h("div", { class: "result", aria: { live: "polite" } });
    const play = playPanel(app);
    app.store.watch(["tool", "source"], (state) => {
        const [name, text] = ABOUT[state.tool];
        title.textContent = name;
        about.textContent = state.source?.kind === "mesh" && ["explain", "link", "volume"].includes(state.tool) ? "This is a finished mesh. Open its level to use this." : text;
        play.hidden = state.tool !== "play";
    });
    app.store.watch(["tool", "costs", "search", "agents", "clusters", "showsSearch", "radius", "areas", "volumeShape", "pending"], (state) => {
        // A slider that is being moved is not replaced.
        if (!options.contains(document.activeElement) || document.activeElement?.tagName === "BUTTON") options.replaceChildren(...toolOptions(app, state));
    });
    app.store.watch(["answer", "tool", "selection", "toml", "pending"], (state) => result.replaceChildren(...toolResult(app, state)));
    return h("div", { class: "tool" }, title, about, options, result, play);
}

function toolOptions(app: App, state: State): HTMLElement[] {
    const { store } = app;
    const again = (): void => {
        const { answer } = store.state;
        if ((answer?.kind === "path" || answer?.kind === "far") && answer.to) void app.path(answer.from, answer.to);
        if (answer?.kind === "probe") void app.probe(answer.probe.at);
    };
    const check = (title: string, on: boolean, set: (on: boolean) => unknown): HTMLElement => {
        const box = h("input", { type: "checkbox", checked: on, onchange: () => (set(box.checked), again()) });
        return h("label", { class: "check" }, box, title);
    };
    if (state.tool === "path") {
        const costs = state.areas.filter((area) => area.flags !== 0).map((area) => {
            const input = h("input", {
                type: "text", inputMode: "decimal", class: "short", value: String(state.costs[area.name] ?? Number(area.cost.toFixed(3))), aria: { label: `Cost of ${area.name}` },
                onchange: () => {
                    const value = Number(input.value.replace(",", "."));
                    if (Number.isFinite(value) && value >= 0) store.set({ costs: { ...store.state.costs, [area.name]: value } });
                    again();
                },
            });
            return h("label", { class: "entry" }, h("span", {}, area.name), h("small", {}, "cost"), input);
        });
        const order = check("Show search", state.showsSearch, (showsSearch) => store.set({ showsSearch }));
        const box = order.firstChild as HTMLInputElement;
        const ofMesh = h("div", {}, order, costs.length > 1 ? h("details", {}, h("summary", {}, "Area costs for these paths"), ...costs) : null);
        const ofHierarchy = h("div", {}, ...farOptions(app, state, again));
        const search = h("select", { aria: { label: "Search" }, onchange: () => (store.set({ search: search.value as Search }), fit(), again()) }, SEARCHES.map(([value, title]) => h("option", { value }, title)));
        // The list that has the focus is not replaced.
        const fit = (): void => {
            box.disabled = search.value === "shortest";
            ofMesh.hidden = search.value === "far";
            ofHierarchy.hidden = search.value !== "far";
        };
        search.value = state.search;
        fit();
        return [h("label", { class: "entry" }, h("span", {}, "Search"), search), ofMesh, ofHierarchy];
    }
    if (state.tool === "probe") {
        const slider = h("input", { type: "range", min: "0.5", max: "30", step: "0.5", value: String(state.radius), aria: { label: "Radius of the circle" } });
        const shown = h("output", {}, `${state.radius} m`);
        slider.oninput = () => {
            store.set({ radius: Number(slider.value) });
            shown.textContent = `${slider.value} m`;
            again();
        };
        return [h("label", { class: "entry" }, h("span", {}, "Circle"), slider, shown)];
    }
    if (state.tool === "volume") return volumeOptions(app, state);
    return [];
}

/** The class of agents, or the hint that there is no hierarchy. */
function farOptions(app: App, { source, clusters, agents, mesh }: State, again: () => void): HTMLElement[] {
    if (!clusters) return mesh ? [hierarchyHint(app, source)] : [];
    if (clusters.classes.length === 1) return [];
    const list = h("select", { aria: { label: "Class of agents" }, onchange: () => (app.store.set({ agents: list.value }), again()) }, clusters.classes.map((name) => h("option", { value: name }, name)));
    list.value = agents ?? clusters.classes[0]!;
    return [h("label", { class: "entry" }, h("span", {}, "Class"), list)];
}

function volumeOptions(app: App, state: State): HTMLElement[] {
    const shapes = (["box", "cylinder", "prism"] as const).map((shape) => {
        const button = h("button", { type: "button", aria: { pressed: String(state.volumeShape === shape) }, onclick: () => app.store.set({ volumeShape: shape, pending: [] }) }, shape);
        return button;
    });
    const hint = { box: "Click two opposite corners.", cylinder: "Click the centre, then a point on the rim.", prism: "Click the corners of an outline, then finish it." }[state.volumeShape];
    const finish = h("button", { type: "button", class: "primary", disabled: state.pending.length < 3, onclick: () => app.store.set({ pending: [...state.pending, state.pending[0]!] }) }, "Finish outline");
    return [h("div", { class: "segments", role: "group", aria: { label: "Shape" } }, shapes), h("p", { class: "hint" }, hint), ...(state.volumeShape === "prism" ? [finish] : [])];
}

function toolResult(app: App, state: State): HTMLElement[] {
    if (state.tool === "link" || state.tool === "volume") return editList(app, state);
    if (state.tool === "play") return [];
    if (state.pending.length > 0) return [h("p", { class: "hint" }, `From ${place(state.pending[0]!)}. Now the goal.`)];
    return state.answer ? answerRows(app, state, state.answer) : [];
}

function answerRows(app: App, state: State, answer: Answered): HTMLElement[] {
    switch (answer.kind) {
        case "failed":
            return verdict(false, answer.message);
        case "path":
            return pathRows(app, state, answer);
        case "far":
            return farRows(app, state, answer);
        case "ray": {
            if (!answer.ray) return [];
            const walked = distance(answer.ray.point, answer.from);
            return [
                ...verdict(answer.ray.clear, answer.ray.clear ? "No wall in between" : `A wall after ${(answer.ray.fraction * 100).toFixed(0)} %`),
                rows([["walked", metres(walked)], ["ends at", place(answer.ray.point)], ["wall faces", answer.ray.clear ? null : place(answer.ray.normal)], ["polygons", count(answer.ray.polygons.length)]]),
            ];
        }
        case "probe": {
            const { probe } = answer;
            const area = state.areas.find((each) => each.id === probe.area)?.name;
            return [
                ...verdict(probe.nearest !== null, probe.nearest ? (probe.nearest.over ? "On the mesh" : "Off the mesh") : "No mesh within reach"),
                rows([
                    ["place", place(probe.at)], ["nearest", probe.nearest ? place(probe.nearest.point) : null], ["distance", probe.nearest ? metres(probe.nearest.distance) : null],
                    ["height", probe.height === null ? null : metres(probe.height)], ["area", area ?? null], ["flags", probe.flags === null ? null : `0x${probe.flags.toString(16)}`],
                    ["polygon", probe.nearest ? String(probe.nearest.polygon) : null], ["nearest wall", probe.wall ? metres(probe.wall.distance) : "none within reach"],
                    ["in the circle", `${count(probe.around.length)} polygons`],
                ]),
                ...(probe.nearest?.over || state.source?.kind !== "level" ? [] : [whyButton(app, probe.at)]),
            ];
        }
        case "explain":
            return answer.explanation ? explainRows(app, answer.explanation) : [h("p", { class: "hint busy" }, "Baking again to explain the place…")];
        case "way":
            return answer.way ? wayRows(app, answer.way) : [h("p", { class: "hint busy" }, "Baking, and trying remedies…")];
    }
}

function whyButton(app: App, at: Vec3): HTMLElement {
    return h("button", { type: "button", class: "primary", onclick: () => (app.setTool("explain"), void app.explain(at)) }, "Why is there no mesh?");
}

function distance(from: ArrayLike<number>, to: ArrayLike<number>): number {
    return Math.hypot(from[0]! - to[0]!, from[1]! - to[1]!, from[2]! - to[2]!);
}

function pathRows(app: App, state: State, { from, to, path }: Extract<Answered, { kind: "path" }>): HTMLElement[] {
    if (!path || !to) return [];
    const words = { complete: "There is a path", partial: "The search ended early", unreachable: "No path leads to the goal", "not-on-mesh": "An end is not on the mesh" }[path.status];
    const left = path.status === "complete" || path.points.length === 0 ? null : distance(path.points.slice(-3), to);
    const why = h("button", { type: "button", class: "primary", onclick: () => void app.explainWay(from, to) }, "Why is there no path?");
    return [
        ...verdict(path.status === "complete", words, path.reason),
        rows([
            ["short of the goal", left === null ? null : metres(left)], ["length", metres(path.length, 3)], ["from above", metres(path.lengthFromAbove, 3)], ["corners", count(path.points.length / 3)], ["polygons", count(path.polygons.length)],
            ["reachable", path.reachable ? "yes" : "no"], ["start moved", path.fromMoved > 0.005 ? metres(path.fromMoved) : null], ["goal moved", path.toMoved > 0.005 ? metres(path.toMoved) : null],
        ]),
        ...(path.order ? [searchLegend(path.order.length)] : []),
        ...(path.status !== "complete" && state.source?.kind === "level" ? [why] : []),
        ...(path.points.length > 0 ? [h("details", {}, h("summary", {}, "Corners"), h("pre", {}, corners(path.points)))] : []),
    ];
}

/** The colours of a search, from its first polygon to its last. */
function searchLegend(polygons: number): HTMLElement {
    const bar = h("i", { class: "ramp" });
    bar.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => css(searchColour(part))).join(", ")})`;
    return h("div", { class: "search" }, h("span", {}, `The search settled ${count(polygons)} polygon${polygons === 1 ? "" : "s"}`), bar, h("small", {}, "first"), h("small", {}, "last"));
}

function explainRows(app: App, { at, isMesh, reason, floors, otherFloors, remedy }: PlaceExplanation): HTMLElement[] {
    const cards = floors.map((floor) => {
        const { cause } = floor;
        const numbers = cause?.comparison;
        const show = numbers ? h("button", { type: "button", onclick: () => showSetting(app, numbers.setting) }, `Show ${numbers.setting}`) : null;
        return h("div", { class: "card" },
            h("strong", {}, `Floor at ${floor.height.toFixed(2)} m`),
            floor.names.length > 0 ? h("p", { class: "names" }, floor.names.join(", ").replaceAll("`", "")) : null,
            cause ? h("p", {}, `Dropped by ${cause.stage.replaceAll("_", " ")}: ${cause.message}.`) : h("p", {}, `Part of the mesh${floor.area ? `, area ${floor.area}` : ""}.`),
            cause ? h("p", { class: "remedy" }, `To change that, ${cause.remedy}.`) : null,
            show,
        );
    });
    return [
        ...verdict(isMesh, isMesh ? "Mesh here" : "No mesh here"),
        h("p", {}, `${reason[0]!.toUpperCase()}${reason.slice(1)}.`),
        ...cards,
        ...changeCard(app, remedy, "Settings that bring the mesh here"),
        ...(otherFloors > 0 ? [h("p", { class: "hint" }, `${otherFloors} more floors above or below`)] : []),
        h("p", { class: "hint" }, `At ${place(at)}`),
    ];
}

/** Changes of the settings, to apply together. */
function changeCard(app: App, changes: SettingChange[] | null, title: string): HTMLElement[] {
    if (!changes || changes.length === 0) return [];
    const apply = h("button", { type: "button", class: "primary", onclick: () => app.apply(changes) }, "Apply");
    return [h("div", { class: "card" }, h("strong", {}, title), ...changes.map((each) => h("p", {}, each.words)), apply)];
}

function wayRows(app: App, way: WayExplanation): HTMLElement[] {
    const breaks = way.breaks.map((each, index) =>
        h("div", { class: "card" },
            h("strong", {}, way.breaks.length > 1 ? `Break ${index + 1}` : "Break in the path"),
            ...each.blockers.map((blocker) => h("p", {}, `${blocker.message[0]!.toUpperCase()}${blocker.message.slice(1)}${blocker.names.length > 0 ? ` (${blocker.names.join(", ").replaceAll("`", "")})` : ""}.`)),
            h("p", { class: "hint" }, `${place(each.from)} to ${place(each.to)}`),
            h("button", { type: "button", onclick: () => document.dispatchEvent(new CustomEvent("fly", { detail: each.blockers[0]?.place ?? each.from })) }, "Fly there"),
        ),
    );
    const none = !way.isWay && way.breaks.length > 0 && !way.remedy && !way.connections;
    return [
        ...verdict(way.isWay, way.isWay ? "There is a path" : "No path"),
        h("p", {}, `${way.reason[0]!.toUpperCase()}${way.reason.slice(1)}.`),
        ...breaks,
        ...changeCard(app, way.remedy, "Settings that open a path"),
        ...changeCard(app, way.connections, "Off-mesh links that open a path"),
        ...(none ? [h("p", { class: "hint" }, "No setting connects them: change the geometry there.")] : []),
    ];
}

function editList(app: App, state: State): HTMLElement[] {
    if (state.source?.kind !== "level") return [];
    const pending = state.pending.length > 0 ? [h("p", { class: "hint" }, `${state.pending.length} placed`), h("button", { type: "button", onclick: () => app.store.set({ pending: [] }) }, "Restart")] : [];
    const kind = state.tool === "link" ? "off_mesh" : "volume";
    const chosen = (index: number): boolean => state.selection?.kind === kind && state.selection.index === index;
    const list = kind === "off_mesh"
        ? links(state.toml).map((link) => linkRow(app, link, chosen(link.index)))
        : volumes(state.toml).map((volume) => {
              const names = ["none", ...state.areas.map((area) => area.name)];
              const area = h("select", { aria: { label: `Area of volume ${volume.index + 1}` }, onchange: () => app.edit(setInBlock(app.store.state.toml, "volume", volume.index, "area", area.value), "volume area") }, names.map((name) => h("option", { value: name }, name === "none" ? "unwalkable" : name)));
              area.value = volume.area;
              return entry(app, kind, volume.index, `${volume.shape.replace("_", " ")} ${volume.index + 1}`, chosen(volume.index), area);
          });
    const empty = list.length === 0 && pending.length === 0 ? [h("p", { class: "hint" }, kind === "off_mesh" ? "No links yet." : "No volumes yet.")] : [];
    return [...pending, ...list, ...empty];
}

function linkRow(app: App, link: ReturnType<typeof links>[number], chosen: boolean): HTMLElement {
    const both = h("input", { type: "checkbox", checked: link.bothWays, onchange: () => app.edit(setInBlock(app.store.state.toml, "off_mesh", link.index, "both_ways", both.checked), "link") });
    return entry(app, "off_mesh", link.index, `Link ${link.index + 1}`, chosen, h("label", { class: "check" }, both, "both ways"));
}

function entry(app: App, kind: "volume" | "off_mesh", index: number, title: string, chosen: boolean, control: HTMLElement): HTMLElement {
    return h("div", { class: chosen ? "entry chosen" : "entry" },
        h("button", { type: "button", class: "name", aria: { pressed: String(chosen) }, onclick: () => app.store.set({ selection: { kind, index } }) }, title),
        control,
        h("button", { type: "button", class: "mini", aria: { label: `Remove ${title}` }, onclick: () => (app.store.set({ selection: null }), app.edit(removeBlock(app.store.state.toml, kind, index), `remove ${kind}`)) }, "✕"),
    );
}
