// Clusters of the hierarchy: their borders over the ground, wider for larger ones, and the crossings.
import { BufferAttribute, BufferGeometry, Group, Points, PointsMaterial } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { CLUSTERS } from "../colours";
import type { ClusterPicture } from "../protocol";
import { dispose, type View } from "./view";

/** Width of the borders of each level, and size of a crossing, CSS pixels. */
const WIDTHS = [2, 4, 6];
const CROSSING = 5;

export class ClusterLayer {
    readonly group = new Group();

    constructor(private readonly view: View) {
        // Above the mesh, which is above the ground.
        this.group.position.y = 0.1;
        view.world.add(this.group);
    }

    show(clusters: ClusterPicture | null, theme: "dark" | "light"): void {
        for (const child of [...this.group.children]) dispose(child);
        clusters?.levels.forEach(({ borders }, level) => this.#borders(borders, CLUSTERS.levels[theme][level]!, WIDTHS[level]!));
        if (clusters) this.#crossings(clusters.crossings, CLUSTERS.crossing[theme]);
        this.view.invalidate();
    }

    #borders(points: Float32Array, colour: number, width: number): void {
        if (points.length === 0) return;
        const material = new LineMaterial({ color: colour, linewidth: width, transparent: true });
        const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(points), this.view.cuts(material));
        lines.renderOrder = 4;
        this.group.add(lines);
    }

    #crossings(points: Float32Array, colour: number): void {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(points, 3));
        const material = new PointsMaterial({ color: colour, size: CROSSING, sizeAttenuation: false, transparent: true });
        const crossings = new Points(geometry, this.view.cuts(material));
        crossings.position.y = 0.05;
        crossings.renderOrder = 5;
        this.group.add(crossings);
    }
}
