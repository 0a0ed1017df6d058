// Ground that was added, was removed or has another area, over the mesh.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial } from "three";
import { CHANGES } from "../colours";
import type { MeshChange } from "../protocol";
import { dispose, type View } from "./view";

export class ChangeLayer {
    readonly group = new Group();

    constructor(private readonly view: View) {
        view.world.add(this.group);
    }

    show(change: MeshChange | null): void {
        for (const child of [...this.group.children]) dispose(child);
        for (const kind of change ? (["lost", "added", "area"] as const) : []) this.#squares(change!.quads[kind], CHANGES[kind]);
        this.view.invalidate();
    }

    #squares(corners: Float32Array, colour: number): void {
        const count = corners.length / 12;
        if (count === 0) return;
        const indices = new Uint32Array(count * 6);
        for (let i = 0; i < count; i++) indices.set([0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner), 6 * i);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(corners, 3));
        geometry.setIndex(new BufferAttribute(indices, 1));
        const material = new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.85, depthWrite: false, side: DoubleSide });
        const squares = new Mesh(geometry, this.view.cuts(material));
        squares.position.y = 0.05;
        squares.renderOrder = 2;
        this.group.add(squares);
    }
}
