// Areas, and the materials of the level that have them.
import type { App } from "../app";
import { areaColour, css } from "../colours";
import { h } from "../dom";
import { addArea, materialAreas, setMaterialArea } from "../edits";
import type { State } from "../store";
import { read, setInBlock } from "../toml";

export function areasPanel(app: App): HTMLElement {
    const list = h("div", {});
    const materials = h("div", {});
    const name = h("input", { type: "text", placeholder: "Name of a new area", id: "new-area", maxLength: 60, aria: { label: "Name of a new area" } });
    const add = (): void => {
        const text = name.value.trim();
        if (text === "") return;
        app.edit(addArea(app.store.state.toml, text), "area");
        name.value = "";
    };
    name.onkeydown = (event) => event.key === "Enter" && add();
    app.store.watch(["areas", "toml"], (state) => list.replaceChildren(...areaRows(app, state)));
    app.store.watch(["level", "toml", "source"], (state) => materials.replaceChildren(...materialRows(app, state)));
    return h("div", { class: "groups" },
        h("section", { class: "group" }, h("h3", {}, "Areas"), list, h("div", { class: "inline" }, name, h("button", { type: "button", onclick: add }, "Add"))),
        h("section", { class: "group" }, h("h3", {}, "Materials of the level"), materials),
    );
}

function areaRows(app: App, { areas, toml }: State): HTMLElement[] {
    const tables = read(toml).area;
    const blocks = Array.isArray(tables) ? (tables as Record<string, unknown>[]) : [];
    return areas.map((area) => {
        const swatch = h("i", { class: "swatch" });
        swatch.style.background = css(areaColour(area.id, areas));
        const index = blocks.findIndex((block) => block.name === area.name);
        const cost = h("input", {
            type: "text", inputMode: "decimal", class: "short", value: String(Number(area.cost.toFixed(3))), disabled: index < 0,
            aria: { label: `Cost per metre of ${area.name}` },
            onchange: () => {
                const value = Number(cost.value.replace(",", "."));
                if (Number.isFinite(value)) app.edit(setInBlock(app.store.state.toml, "area", index, "cost", value), `cost ${area.name}`);
            },
        });
        return h("div", { class: "entry" }, swatch, h("span", {}, area.name), h("small", {}, "cost"), cost);
    });
}

function materialRows(app: App, { level, toml, areas, source }: State): HTMLElement[] {
    const names = level?.names.materials ?? [];
    if (source?.kind === "mesh") return [h("p", { class: "hint" }, "This is a finished mesh: open the level to change areas.")];
    if (names.length === 0) return [h("p", { class: "hint" }, level ? "This level has no materials." : "No level is open.")];
    const given = materialAreas(toml);
    return names.map((material) => {
        const options = [["", "ground"], ...areas.filter((area) => area.id !== 63).map((area) => [area.name, area.name]), ["-", "not baked"]] as [string, string][];
        const select = h("select", {
            aria: { label: `Area of ${material}` },
            onchange: () => app.edit(setMaterialArea(app.store.state.toml, material, select.value || null), `material ${material}`),
        }, options.map(([value, title]) => h("option", { value }, title)));
        select.value = given.get(material) ?? "";
        return h("label", { class: "entry" }, h("span", {}, material), select);
    });
}
