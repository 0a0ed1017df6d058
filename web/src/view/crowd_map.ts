// A map of a recording: cells of the ground, coloured by their values.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial } from "three";
import { fillColours, rampColour } from "../colours";
import type { MapGround } from "../protocol";
import { topOf } from "../projector";
import type { Film } from "../store";
import { dispose, type View } from "./view";

/** The six corners of the two triangles of a cell. */
const CORNERS = [0, 1, 2, 0, 2, 3];

export class CrowdMapLayer {
    readonly group = new Group();
    #ground: MapGround | null = null;
    #geometry: BufferGeometry | null = null;

    constructor(private readonly view: View) {
        view.world.add(this.group);
    }

    show(film: Film | null): void {
        const ground = film?.ground ?? null;
        if (ground !== this.#ground) this.#build(ground);
        const values = film && film.values?.map === film.map ? film.values : null;
        this.group.visible = values !== null;
        if (film && ground && values) this.#colour(values.cells, topOf(film));
        this.view.invalidate();
    }

    #build(ground: MapGround | null): void {
        for (const child of [...this.group.children]) dispose(child);
        this.#ground = ground;
        this.#geometry = null;
        if (!ground || ground.cells.length === 0) return;
        const count = ground.cells.length / 12;
        const geometry = (this.#geometry = new BufferGeometry());
        geometry.setAttribute("position", new BufferAttribute(ground.cells, 3));
        geometry.setAttribute("color", new BufferAttribute(new Uint8Array(count * 12), 3, true));
        geometry.setIndex(new BufferAttribute(new Uint32Array(count * CORNERS.length), 1));
        // Like the material of the mesh, so that no other program is compiled for it.
        const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.85, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8 });
        const cells = new Mesh(geometry, this.view.cuts(material));
        cells.position.y = 0.06;
        cells.renderOrder = 3;
        cells.frustumCulled = false;
        this.group.add(cells);
    }

    /** Cells of value 0 are not drawn. */
    #colour(values: Float32Array, top: number): void {
        const geometry = this.#geometry;
        if (!geometry) return;
        const [colours, indices] = [geometry.getAttribute("color"), geometry.getIndex()!];
        const [bytes, list] = [colours.array as Uint8Array, indices.array as Uint32Array];
        let drawn = 0;
        values.forEach((value, cell) => {
            if (value <= 0 || top <= 0) return;
            fillColours(bytes.subarray(12 * cell), 4, () => rampColour(value / top));
            for (const corner of CORNERS) list[drawn++] = 4 * cell + corner;
        });
        geometry.setDrawRange(0, drawn);
        colours.needsUpdate = indices.needsUpdate = true;
    }
}
