// The level and the mesh as objects of the scene.
import {
    BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial,
} from "three";
import { areaColour, fillColours, linkColours, regionColour, SAME } from "../colours";
import type { AreaInfo, LevelPicture, MeshPicture, Rectangle } from "../protocol";
import type { Colouring, Layers } from "../store";
import { disposeShape, type View } from "./view";

const LEVEL = { dark: 0x8d949e, light: 0xd3d7dc };
const EDGE = { dark: 0x0d1013, light: 0x59636e };
/** Share of an area's colour in the level's. */
const TINT = 0.35;

export class LevelLayer {
    readonly group = new Group();
    #picture: LevelPicture | null = null;
    /** Materials outlive pictures, because compiling them for the graphics card is slow. */
    #material = new MeshLambertMaterial({ vertexColors: true, flatShading: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    #pen = new LineBasicMaterial({ transparent: true, opacity: 0.5 });

    constructor(private readonly view: View) {
        view.cuts(this.#material);
        view.cuts(this.#pen);
        view.world.add(this.group);
    }

    set(picture: LevelPicture | null, areas: AreaInfo[], theme: "dark" | "light"): void {
        this.#picture = picture;
        for (const child of [...this.group.children]) disposeShape(child);
        if (!picture) return;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(picture.positions, 3));
        const colours = new Uint8Array(picture.positions.length);
        const known = new Map<number, number>();
        fillColours(colours, picture.positions.length / 3, (vertex) => {
            const area = picture.areas[Math.floor(vertex / 3)]!;
            let colour = known.get(area);
            if (colour === undefined) known.set(area, (colour = tinted(area, areas, LEVEL[theme])));
            return colour;
        });
        geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
        const solid = new Mesh(geometry, this.#material);
        solid.name = "level";
        this.group.add(solid);
        if (picture.edges.length > 0) {
            const lines = new BufferGeometry();
            lines.setAttribute("position", new BufferAttribute(picture.edges, 3));
            this.#pen.color.set(EDGE[theme]);
            const edges = new LineSegments(lines, this.#pen);
            edges.name = "edges";
            this.group.add(edges);
        }
        this.view.invalidate();
    }

    show(layers: Layers): void {
        for (const child of this.group.children) child.visible = layers.level && (child.name !== "edges" || layers.edges);
        this.view.invalidate();
    }

    get picture(): LevelPicture | null {
        return this.#picture;
    }
}

function tinted(area: number, areas: AreaInfo[], base: number): number {
    if (area === 63 || area === 0) return base;
    const colour = areaColour(area, areas);
    const mix = (shift: number): number => {
        const [a, b] = [(base >> shift) & 255, (colour >> shift) & 255];
        return Math.round(a + (b - a) * TINT);
    };
    return (mix(16) << 16) | (mix(8) << 8) | mix(0);
}

/** The visible part of the mesh over the ground, raised a little so that the ground does not hide it. */
export class MeshLayer {
    readonly group = new Group();
    #picture: MeshPicture | null = null;
    #surface: Mesh | null = null;
    #material = new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.72, depthWrite: false, side: DoubleSide });
    #pens = new Map<string, LineBasicMaterial>();

    constructor(private readonly view: View) {
        view.cuts(this.#material);
        view.world.add(this.group);
    }

    get picture(): MeshPicture | null {
        return this.#picture;
    }

    set(picture: MeshPicture | null, theme: "dark" | "light"): void {
        for (const child of [...this.group.children]) disposeShape(child);
        this.#picture = picture;
        this.#surface = null;
        if (!picture) return this.view.invalidate();
        const lift = Math.max(0.02, picture.info.cell[1] * 0.2);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(picture.positions, 3));
        geometry.setAttribute("color", new BufferAttribute(new Uint8Array(picture.positions.length), 3, true));
        geometry.setIndex(new BufferAttribute(picture.indices, 1));
        this.#surface = new Mesh(geometry, this.#material);
        this.#surface.name = "mesh";
        this.group.position.y = lift;
        this.group.add(this.#surface);
        const dark = theme === "dark";
        this.#lines("outlines", picture.lines.inner, dark ? 0x0f2624 : 0x2b5852, 0.55);
        this.#lines("borders", picture.lines.border, dark ? 0xe9fffb : 0x123733, 0.95);
        this.#lines("seams", picture.lines.seams, dark ? 0xb59dff : 0x6046b8, 0.95);
        const { links, linkEdges, linkKinds, linkEdgeKinds } = picture.lines;
        const colours = [...linkColours(linkKinds, ARC_POINTS), ...linkColours(linkEdgeKinds, 2)];
        this.#lines("links", new Float32Array([...arcs(links), ...linkEdges]), new Uint8Array(colours), 1);
        this.view.invalidate();
    }

    /** Lines of one colour, or with a colour for each point. */
    #lines(name: string, points: Float32Array, colour: number | Uint8Array, opacity: number): void {
        if (points.length === 0) return;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(points, 3));
        const isOne = typeof colour === "number";
        if (!isOne) geometry.setAttribute("color", new BufferAttribute(colour, 3, true));
        const lines = new LineSegments(geometry, this.#pen(name, isOne ? colour : null, opacity));
        lines.name = name;
        lines.position.y = 0.02;
        lines.renderOrder = 1;
        this.group.add(lines);
    }

    /** The material of lines with this name; without a colour, of lines with a colour for each point. */
    #pen(name: string, colour: number | null, opacity: number): LineBasicMaterial {
        let pen = this.#pens.get(name);
        // Lines have no sides: with both, lines coloured by points use the program of the surface.
        const coloured = colour === null ? { vertexColors: true, side: DoubleSide } : {};
        if (!pen) this.#pens.set(name, (pen = this.view.cuts(new LineBasicMaterial({ ...coloured, transparent: true, opacity }))));
        if (colour !== null) pen.color.set(colour);
        return pen;
    }

    /** Colours the mesh; if there is `ground`, all outside of it is grey. */
    colour(by: Colouring, areas: AreaInfo[], ground: Rectangle[] | null): void {
        const picture = this.#picture;
        const colours = this.#surface?.geometry.getAttribute("color");
        if (!picture || !colours) return;
        const inside = ground && within(picture, ground);
        const known = new Map<number, number>();
        const of = (key: number, make: (key: number) => number): number => {
            let colour = known.get(key);
            if (colour === undefined) known.set(key, (colour = make(key)));
            return colour;
        };
        fillColours(colours.array as Uint8Array, colours.count, (vertex) => {
            if (by === "change" || (inside && !inside[vertex])) return SAME;
            if (by === "area") return of(picture.areas[vertex]!, (area) => areaColour(area, areas));
            const id = by === "island" ? picture.islands[vertex]! : picture.ordinals[vertex]!;
            return regionColour(id === 0xffffffff ? 0 : id);
        });
        colours.needsUpdate = true;
        this.view.invalidate();
    }

    show(layers: Layers): void {
        for (const child of this.group.children) {
            // A stage made of squares coincides with the surface.
            const isCovered = ["floors", "distances", "regions", "spans"].includes(layers.stage);
            const on = { mesh: layers.mesh && !isCovered, outlines: layers.outlines, borders: layers.outlines, seams: layers.seams, links: layers.links };
            child.visible = on[child.name as keyof typeof on];
        }
        this.view.invalidate();
    }
}

/** For each vertex, 1 if its triangle is in one of the rectangles. */
function within({ positions, indices }: MeshPicture, ground: Rectangle[]): Uint8Array {
    const inside = new Uint8Array(positions.length / 3);
    for (let t = 0; t < indices.length; t += 3) {
        const vertices = indices.subarray(t, t + 3);
        const [x, z] = [0, 2].map((axis) => vertices.reduce((sum, vertex) => sum + positions[3 * vertex + axis]! / 3, 0)) as [number, number];
        if (ground.some(([left, top, right, bottom]) => x > left && x < right && z > top && z < bottom)) for (const vertex of vertices) inside[vertex] = 1;
    }
    return inside;
}

/** Number of segments of an arc, and of their points. */
const ARC_STEPS = 16;
const ARC_POINTS = 2 * ARC_STEPS;

/** Links as arcs: each pair of points becomes a curve over them, with an arrowhead at its end. */
export function arcs(ends: Float32Array): Float32Array {
    const points: number[] = [];
    for (let i = 0; i < ends.length; i += 6) {
        const [ax, ay, az, bx, by, bz] = ends.subarray(i, i + 6) as unknown as [number, number, number, number, number, number];
        const rise = 0.3 + 0.25 * Math.hypot(bx - ax, bz - az);
        const at = (part: number): [number, number, number] => [
            ax + (bx - ax) * part,
            ay + (by - ay) * part + rise * 4 * part * (1 - part),
            az + (bz - az) * part,
        ];
        for (let s = 0; s < ARC_STEPS; s++) points.push(...at(s / ARC_STEPS), ...at((s + 1) / ARC_STEPS));
    }
    return new Float32Array(points);
}
