// Boxes of the trees that tiles use to find polygons, by their depth.
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments } from "three";
import { fillColours, rampColour } from "../colours";
import type { MeshBoxes } from "../protocol";
import { dispose, type View } from "./view";

/** Corners of the twelve edges of a box; each bit selects an end of x, y or z. */
const EDGES = [0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 2, 6, 3, 7, 4, 5, 4, 6, 5, 7, 6, 7];

/** Colour by depth, from the whole tile: light in the dark theme, dark in the light theme. */
export function depthColour(depth: number, deepest: number, theme: "dark" | "light"): number {
    const part = deepest > 0 ? depth / deepest : 0;
    return rampColour(theme === "dark" ? 0.45 + 0.55 * part : 0.6 * (1 - part));
}

export function deepest(boxes: MeshBoxes): number {
    return boxes.depths.reduce((most, depth) => Math.max(most, depth), 0);
}

export class BoxLayer {
    readonly group = new Group();

    constructor(private readonly view: View) {
        view.world.add(this.group);
    }

    /** Boxes of one depth, or of all. */
    show(boxes: MeshBoxes | null, depth: number | null, theme: "dark" | "light"): void {
        for (const child of [...this.group.children]) dispose(child);
        const chosen = boxes ? [...boxes.depths.keys()].filter((i) => depth === null || boxes.depths[i] === depth) : [];
        if (boxes && chosen.length > 0) this.#build(boxes, chosen, theme);
        this.view.invalidate();
    }

    #build({ corners, depths }: MeshBoxes, chosen: number[], theme: "dark" | "light"): void {
        const points = new Float32Array(chosen.length * EDGES.length * 3);
        chosen.forEach((box, i) => {
            EDGES.forEach((corner, j) => {
                for (let axis = 0; axis < 3; axis++) points[3 * (EDGES.length * i + j) + axis] = corners[6 * box + 3 * ((corner >> axis) & 1) + axis]!;
            });
        });
        const most = deepest({ corners, depths });
        const colours = new Uint8Array(points.length);
        fillColours(colours, points.length / 3, (point) => depthColour(depths[chosen[Math.floor(point / EDGES.length)]!]!, most, theme));
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(points, 3));
        geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
        const lines = new LineSegments(geometry, this.view.cuts(new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.9 })));
        lines.renderOrder = 3;
        this.group.add(lines);
    }
}
