// A single-file page that shows a mesh, written by `navtile view`. Everything is in the page; nothing is
// loaded.
import start, { NavMesh } from "navtile/runtime/bare";
import style from "./style.css?inline";
import { areaColour, css, regionColour, usedLinks } from "./colours";
import { creases } from "./creases";
import { count, h, icon, ICONS, metres, verdict } from "./dom";
import type { LevelPicture, MeshPicture, Vec3 } from "./protocol";
import { START, type Answered, type Colouring, type Layers } from "./store";
import { AnswerLayer } from "./view/answers";
import { LevelLayer, MeshLayer } from "./view/layers";
import { pick } from "./view/pick";
import { View } from "./view/view";
import { pictureOf } from "./worker/picture";

/** A warning of the bake, with its number in the list and its place, if it has one. */
interface Warned {
    number: number;
    text: string;
    at: Vec3 | null;
}

interface Content {
    name: string;
    file: Uint8Array;
    level: LevelPicture | null;
    warnings: Warned[];
}

function heldText(id: string): string {
    return document.getElementById(id)?.textContent?.trim() ?? "";
}

/** Bytes that are embedded in the page. */
function held(id: string): Uint8Array | null {
    const text = heldText(id);
    return text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null;
}

async function unpacked(bytes: Uint8Array): Promise<ArrayBuffer> {
    return new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Vertices, then the triangles that refer to them. */
function levelOf(vertices: Uint8Array | null, triangles: Uint8Array | null): LevelPicture | null {
    if (!vertices || !triangles) return null;
    const corners = new Float32Array(vertices.buffer);
    const indices = new Uint32Array(triangles.buffer);
    const positions = new Float32Array(indices.length * 3);
    indices.forEach((vertex, i) => positions.set(corners.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
    const areas = new Uint8Array(indices.length / 3).fill(63);
    return { positions, areas, edges: creases(positions), names: { materials: [], groups: [], objects: [], nodes: [] } };
}

function many(number: number, what: string): string {
    return number > 1 ? `, ${count(number)} ${what}s` : "";
}

class Page {
    #layers: Layers = { ...START.layers };
    #colouring: Colouring = "area";
    #from: Vec3 | null = null;
    #answer = h("div", { class: "result", aria: { live: "polite" } });
    readonly #legend = h("div", { class: "legend" });
    readonly #view: View;
    readonly #level: LevelLayer;
    readonly #ground: MeshLayer;
    readonly #answers: AnswerLayer;
    readonly #picture: MeshPicture;
    readonly #theme: "dark" | "light";

    constructor(
        private readonly content: Content,
        private readonly mesh: NavMesh,
    ) {
        this.#theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
        document.documentElement.dataset.theme = this.#theme;
        this.#picture = pictureOf(mesh);
        const host = h("div", { class: "canvas" });
        const frame = h("button", { type: "button", class: "frame", aria: { label: "Frame all" }, onclick: () => this.#view.frame() }, icon(ICONS.frame));
        const stage = h("section", { class: "view", aria: { label: "View" } }, host, frame);
        const side = h("aside", { class: "side right", tabIndex: 0, aria: { label: "The mesh" } }, this.#panel());
        document.body.append(h("div", { class: "viewer" }, stage, side));
        this.#view = new View(host);
        this.#view.setBackground(this.#theme === "dark" ? 0x15181c : 0xeef0f2);
        this.#level = new LevelLayer(this.#view);
        this.#ground = new MeshLayer(this.#view);
        this.#answers = new AnswerLayer(this.#view);
        this.#level.set(content.level, this.#picture.info.areas, this.#theme);
        this.#ground.set(this.#picture, this.#theme);
        const [low, high] = this.#picture.info.bounds;
        this.#view.setBounds(low, high);
        this.#view.frame();
        this.#view.onClick = (event) => this.#click(event);
        this.#draw();
    }

    #panel(): HTMLElement {
        const { info } = this.#picture;
        const box = (key: "level" | "mesh" | "outlines" | "seams" | "links", title: string): HTMLElement => {
            const input = h("input", { type: "checkbox", checked: this.#layers[key], onchange: () => ((this.#layers = { ...this.#layers, [key]: input.checked, ...(key === "level" ? { edges: input.checked } : {}) }), this.#draw()) });
            return h("label", { class: "check" }, input, title);
        };
        const colours = (["area", "island", "polygon"] as const).map((by) => h("button", { type: "button", data: { by }, onclick: () => ((this.#colouring = by), this.#draw()) }, `${by[0]!.toUpperCase()}${by.slice(1)}s`));
        const { agent } = info;
        const cut = h("input", { type: "range", min: "0", max: "1000", value: "1000", aria: { label: "Hide everything above this height" } });
        cut.oninput = () => {
            const { min, max } = this.#view.bounds;
            this.#view.setCut(cut.value === "1000" ? null : min.y + ((max.y - min.y) * Number(cut.value)) / 1000 + 0.01);
        };
        return h("div", { class: "tool" },
            h("h1", { class: "title" }, this.content.name),
            h("p", { class: "hint" }, `${count(info.polygons)} polygons${many(info.islands.length, "island")}${many(info.tiles, "tile")}. Agent: radius ${agent.radius} m, height ${agent.height} m, climbs ${agent.climb} m, walks ${agent.slope}°.`),
            h("div", {}, this.content.level ? box("level", "Level") : null, box("mesh", "Mesh"), box("outlines", "Polygons and borders"), box("seams", "Seams between tiles"), box("links", "Off-mesh links")),
            h("div", { class: "segments", role: "group", aria: { label: "Colour by" } }, colours), this.#legend,
            h("label", { class: "entry" }, h("span", {}, "Height"), cut),
            ...this.#warnings(),
            h("h2", {}, "Path"), h("p", { class: "hint" }, "Click the start, then the goal."), this.#answer);
    }

    #warnings(): HTMLElement[] {
        const { warnings } = this.content;
        if (warnings.length === 0) return [];
        const entry = ({ number, text, at }: Warned): HTMLElement => {
            const show = (place: Vec3): void => {
                this.#view.flyTo(place);
                this.#answers.show(null, [place], this.#picture);
            };
            const words = `${number}. ${text}`;
            return h("div", { class: "entry warned" }, at ? h("button", { type: "button", class: "name", onclick: () => show(at) }, words) : h("span", {}, words));
        };
        return [h("h2", {}, "Warnings"), h("div", { class: "legend" }, ...warnings.map(entry))];
    }

    #draw(): void {
        this.#ground.colour(this.#colouring, this.#picture.info.areas, null);
        this.#ground.show(this.#layers);
        this.#level.show(this.#layers);
        for (const button of document.querySelectorAll<HTMLElement>("[data-by]")) button.setAttribute("aria-pressed", String(button.dataset.by === this.#colouring));
        this.#legend.replaceChildren(...this.#entries(), ...this.#links());
    }

    /** The kinds of off-mesh links in the mesh. */
    #links(): HTMLElement[] {
        return usedLinks(this.#picture.lines.linkKinds).map(({ name, colour }) => {
            const swatch = h("i", { class: "swatch" });
            swatch.style.background = css(colour);
            return h("div", { class: "entry" }, swatch, h("span", {}, name));
        });
    }

    #entries(): HTMLElement[] {
        const entry = (colour: number, name: string, about: string, act?: () => void): HTMLElement => {
            const swatch = h("i", { class: "swatch" });
            swatch.style.background = css(colour);
            const label = act ? h("button", { type: "button", class: "name", onclick: act }, name) : h("span", {}, name);
            return h("div", { class: "entry" }, swatch, label, h("small", {}, about));
        };
        const { info, areas, islands, positions } = this.#picture;
        if (this.#colouring === "area") {
            const used = new Set(areas);
            return info.areas.filter((area) => used.has(area.id)).map((area) => entry(areaColour(area.id, info.areas), area.name, `cost ${Number(area.cost.toFixed(3))}`));
        }
        if (this.#colouring === "polygon") return [];
        return info.islands.slice(0, 30).map((size, index) => {
            const vertex = islands.indexOf(index);
            const place = [...positions.subarray(3 * vertex, 3 * vertex + 3)] as Vec3;
            return entry(regionColour(index), `Island ${index + 1}`, `${size.toFixed(1)} m²`, () => this.#view.flyTo(place));
        });
    }

    #click(event: PointerEvent): void {
        const { origin, along } = this.#view.ray(event);
        const hit = pick(origin, along, this.#picture.positions, this.#picture.indices, this.#view.plane.constant, false);
        if (!hit) return;
        const from = this.#from;
        if (!from) {
            this.#from = hit.point;
            this.#answers.show(null, [hit.point], this.#picture);
            this.#answer.replaceChildren(h("p", { class: "hint" }, "Now the goal."));
            return;
        }
        this.#from = null;
        const path = { ...this.mesh.path(from, hit.point), reachable: this.mesh.reachable(from, hit.point), order: null };
        const answer: Answered = { kind: "path", from, to: hit.point, path };
        this.#answers.show(answer, [], this.#picture);
        const found = path.status === "complete";
        this.#answer.replaceChildren(...verdict(found, found ? `A path of ${metres(path.length)}` : "No path leads to the goal", path.reason));
    }
}

async function main(): Promise<void> {
    const code = held("wasm");
    const file = held("file");
    if (!code || !file) throw new Error("this page holds no mesh");
    document.head.append(h("style", {}, style));
    await start({ module_or_path: await unpacked(code) });
    const level = levelOf(held("level-vertices"), held("level-triangles"));
    const warnings = JSON.parse(heldText("warnings") || "[]") as Warned[];
    new Page({ name: document.title, file, level, warnings }, NavMesh.open(file));
}

main().catch((error: Error) => document.body.append(...verdict(false, error.message)));
