// Volumes and off-mesh links in the scene, with handles that can be dragged.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, ExtrudeGeometry, Group, LineBasicMaterial,
    LineSegments, Mesh, MeshBasicMaterial, Shape as Outline, SphereGeometry, Vector3, type BufferGeometry as Geometry, type Object3D,
} from "three";
import { handleOf, type Link, type Shape, type Volume } from "../edits";
import type { Vec3 } from "../protocol";
import type { Selection } from "../store";
import { arcs } from "./layers";
import { dispose, type View } from "./view";

export type Grip = { kind: "volume"; index: number } | { kind: "start" | "end"; index: number };

const LINK = 0xff7ac8;
const VOLUME = 0xf2b84b;
const BLOCKING = 0xff6a4d;

export class HandleLayer {
    readonly group = new Group();
    #grips: Object3D[] = [];

    constructor(private readonly view: View) {
        view.scene.add(this.group);
    }

    show(volumes: Volume[], links: Link[], selection: Selection | null, visible: boolean): void {
        for (const child of [...this.group.children]) dispose(child);
        this.#grips = [];
        if (visible) {
            for (const volume of volumes) this.#volume(volume, selection?.kind === "volume" && selection.index === volume.index);
            for (const link of links) this.#link(link, selection?.kind === "off_mesh" && selection.index === link.index);
        }
        this.view.invalidate();
    }

    /** The handle under a pointer. */
    grip(event: { clientX: number; clientY: number }): Grip | null {
        const hit = this.view.under(event, this.#grips);
        return hit ? (hit.object.userData.grip as Grip) : null;
    }

    get #size(): number {
        const { min, max } = this.view.bounds;
        return Math.min(Math.max(max.distanceTo(min) / 160, 0.18), 3);
    }

    #handle(at: Vec3, colour: number, grip: Grip, chosen: boolean): void {
        const ball = new SphereGeometry(this.#size * (chosen ? 1.35 : 1), 16, 10);
        const mesh = new Mesh(ball, new MeshBasicMaterial({ color: chosen ? 0xffffff : colour, depthTest: false, transparent: true }));
        mesh.position.set(...at);
        mesh.renderOrder = 30;
        mesh.userData.grip = grip;
        this.#grips.push(mesh);
        this.group.add(mesh);
    }

    #volume(volume: Volume, chosen: boolean): void {
        const colour = volume.area === "none" ? BLOCKING : VOLUME;
        const { geometry, at, yaw } = shapeGeometry(volume);
        const fill = new MeshBasicMaterial({ color: colour, transparent: true, opacity: chosen ? 0.3 : 0.14, depthWrite: false });
        const solid = new Mesh(geometry, this.view.cuts(fill));
        const pen = new LineBasicMaterial({ color: colour, transparent: true, opacity: chosen ? 1 : 0.75 });
        const edges = new LineSegments(new EdgesGeometry(geometry, 25), this.view.cuts(pen));
        for (const object of [solid, edges]) {
            object.position.set(...at);
            object.rotation.y = yaw;
            object.renderOrder = 5;
            this.group.add(object);
        }
        this.#handle(handleOf(volume), colour, { kind: "volume", index: volume.index }, chosen);
    }

    #link(link: Link, chosen: boolean): void {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(arcs(new Float32Array([...link.start, ...link.end])), 3));
        const arc = new LineSegments(geometry, new LineBasicMaterial({ color: chosen ? 0xffffff : LINK, depthTest: false, transparent: true }));
        arc.renderOrder = 25;
        this.group.add(arc);
        this.#handle(link.start, LINK, { kind: "start", index: link.index }, chosen);
        this.#handle(link.end, LINK, { kind: "end", index: link.index }, chosen);
    }
}

function shapeGeometry(shape: Shape): { geometry: Geometry; at: Vec3; yaw: number } {
    switch (shape.shape) {
        case "box": {
            const size = shape.max.map((value, axis) => Math.max(value - shape.min[axis]!, 0.01)) as Vec3;
            const at = shape.max.map((value, axis) => (value + shape.min[axis]!) / 2) as Vec3;
            return { geometry: new BoxGeometry(...size), at, yaw: 0 };
        }
        case "rotated_box": {
            const [x, y, z] = shape.half;
            // From the x axis towards the z axis, the reverse of the direction in three.js.
            return { geometry: new BoxGeometry(2 * x, 2 * y, 2 * z), at: shape.centre, yaw: (-shape.yaw * Math.PI) / 180 };
        }
        case "prism": {
            const outline = new Outline();
            shape.outline.forEach(([x, z], i) => (i === 0 ? outline.moveTo(x, -z) : outline.lineTo(x, -z)));
            const depth = Math.max(shape.top - shape.bottom, 0.01);
            const geometry = new ExtrudeGeometry(outline, { depth, bevelEnabled: false }).rotateX(-Math.PI / 2);
            return { geometry, at: [0, shape.bottom, 0], yaw: 0 };
        }
        case "cylinder": {
            const geometry = new CylinderGeometry(shape.radius, shape.radius, shape.height, 32).translate(0, shape.height / 2, 0);
            return { geometry, at: shape.base, yaw: 0 };
        }
        case "capsule": {
            const [a, b] = [new Vector3(...shape.a), new Vector3(...shape.b)];
            const geometry = new CapsuleGeometry(shape.radius, Math.max(a.distanceTo(b), 0.01), 6, 16);
            const along = b.clone().sub(a);
            geometry.rotateZ(-Math.PI / 2).rotateY(-Math.atan2(along.z, along.x));
            return { geometry, at: a.add(b).multiplyScalar(0.5).toArray() as Vec3, yaw: 0 };
        }
    }
}
