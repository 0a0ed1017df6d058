// Results between triangles and mesh: spans as boxes, floors as squares, contours as lines.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, Group, InstancedBufferAttribute, InstancedMesh, LineBasicMaterial, LineSegments,
    MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, type BufferGeometry as Geometry, type Material,
} from "three";
import { areaColour, rampColour, regionColour } from "../colours";
import type { AreaInfo, BakeStages } from "../protocol";
import type { Stage } from "../store";
import { dispose, type View } from "./view";

export class StageLayer {
    readonly group = new Group();

    constructor(private readonly view: View) {
        view.world.add(this.group);
    }

    show(stages: BakeStages | null, stage: Stage, areas: AreaInfo[]): void {
        for (const child of [...this.group.children]) dispose(child);
        if (stages && stage !== "none") this.#build(stages, stage, areas);
        this.view.invalidate();
    }

    #build(stages: BakeStages, stage: Stage, areas: AreaInfo[]): void {
        const [width, height] = stages.cell as unknown as [number, number];
        const { spans, floors } = stages;
        if (stage === "raw" || stage === "simplified") return this.#lines(stages[stage]);
        if (stage === "spans") {
            if (spans) this.#boxes(spans, width, areas);
            return;
        }
        if (!floors || stage === "none") return;
        const most = floors.distances.reduce((a, b) => Math.max(a, b), 1);
        const colour = {
            floors: (i: number) => areaColour(floors.areas[i]!, areas),
            distances: (i: number) => rampColour((floors.distances[i] ?? 0) / most),
            regions: (i: number) => (floors.regions[i] ? regionColour(floors.regions[i]!) : 0x555c66),
        }[stage];
        this.#squares(floors.places, width, height, colour);
    }

    #squares(places: Float32Array, width: number, height: number, colour: (i: number) => number): void {
        const square = new PlaneGeometry(width * 0.94, width * 0.94).rotateX(-Math.PI / 2).translate(0, height * 0.25, 0);
        const material = this.view.cuts(new MeshBasicMaterial());
        this.#instances(square, material, places, () => 1, colour);
    }

    #boxes(spans: NonNullable<BakeStages["spans"]>, width: number, areas: AreaInfo[]): void {
        const box = new BoxGeometry(width * 0.96, 1, width * 0.96).translate(0, 0.5, 0);
        const material = this.view.cuts(new MeshLambertMaterial());
        this.#instances(box, material, spans.places, (i) => Math.max(spans.heights[i]!, 0.01), (i) => areaColour(spans.areas[i]!, areas));
    }

    #instances(geometry: Geometry, material: Material, places: Float32Array, tall: (i: number) => number, colour: (i: number) => number): void {
        const count = places.length / 3;
        const mesh = new InstancedMesh(geometry, material, count);
        const matrices = mesh.instanceMatrix.array as Float32Array;
        const colours = new Float32Array(count * 3);
        for (let i = 0; i < count; i++) {
            matrices[16 * i] = matrices[16 * i + 10] = matrices[16 * i + 15] = 1;
            matrices[16 * i + 5] = tall(i);
            matrices.set(places.subarray(3 * i, 3 * i + 3), 16 * i + 12);
            const value = colour(i);
            colours[3 * i] = (value >> 16) / 255;
            colours[3 * i + 1] = ((value >> 8) & 255) / 255;
            colours[3 * i + 2] = (value & 255) / 255;
        }
        mesh.instanceColor = new InstancedBufferAttribute(colours, 3);
        mesh.frustumCulled = false;
        this.group.add(mesh);
    }

    #lines(points: Float32Array | undefined): void {
        if (!points || points.length === 0) return;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(points, 3));
        const lines = new LineSegments(geometry, this.view.cuts(new LineBasicMaterial({ color: 0xffb02e })));
        lines.position.y = 0.08;
        this.group.add(lines);
    }
}
