// Characters as capsules, and the obstacles among them.
import { BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, InstancedMesh, Mesh, MeshLambertMaterial, type BufferGeometry } from "three";
import type { CrowdFrame, Obstacle } from "../protocol";
import { dispose, type View } from "./view";

/** By state: idle, searching, walking, arrived, waiting, on a link, lost, stepping out. */
const STATES = [0xaeb6c2, 0xf2c94b, 0x4aa3ff, 0x4bd07a, 0xf2994a, 0xe05fb5, 0xff5a4d, 0xff8f6b];

/** Minimum radius of a drawn body, metres. */
const THINNEST = 0.1;

export class AgentLayer {
    readonly group = new Group();
    #agents: InstancedMesh | null = null;
    #obstacles = new Group();
    #doors = new Group();
    #shut = "";
    #colours = STATES.map((colour) => new Color(colour));

    constructor(private readonly view: View) {
        this.group.add(this.#obstacles, this.#doors);
        view.scene.add(this.group);
    }

    /** With `bodies`, each has a radius and a height of its own. */
    show(frame: CrowdFrame | null, radius: number, height: number, bodies?: Float32Array): void {
        const count = frame ? frame.positions.length / 3 : 0;
        if (this.#agents && this.#agents.count !== count) {
            dispose(this.#agents);
            this.#agents = null;
        }
        if (frame && count > 0) {
            this.#agents ??= this.#make(count, radius, height);
            const matrices = this.#agents.instanceMatrix.array as Float32Array;
            for (let i = 0; i < count; i++) {
                matrices[16 * i] = matrices[16 * i + 10] = bodies ? bodies[2 * i]! / Math.max(radius, THINNEST) : 1;
                matrices[16 * i + 5] = bodies ? bodies[2 * i + 1]! / Math.max(height, 2 * THINNEST) : 1;
                matrices[16 * i + 15] = 1;
                matrices.set(frame.positions.subarray(3 * i, 3 * i + 3), 16 * i + 12);
                this.#agents.setColorAt(i, this.#colours[frame.states[i]!] ?? this.#colours[0]!);
            }
            this.#agents.instanceMatrix.needsUpdate = true;
            if (this.#agents.instanceColor) this.#agents.instanceColor.needsUpdate = true;
        }
        this.view.invalidate();
    }

    #make(count: number, radius: number, height: number): InstancedMesh {
        const thick = Math.max(radius, THINNEST);
        const body = new CapsuleGeometry(thick, Math.max(height - 2 * thick, 0.1), 4, 10).translate(0, Math.max(height, 2 * thick) / 2, 0);
        const agents = new InstancedMesh(body, new MeshLambertMaterial(), count);
        agents.frustumCulled = false;
        this.group.add(agents);
        return agents;
    }

    obstacles(list: Obstacle[]): void {
        for (const child of [...this.#obstacles.children]) dispose(child);
        for (const obstacle of list) {
            const shape: BufferGeometry =
                obstacle.kind === "box" ? new BoxGeometry(1.6, 1.6, 1.6).translate(0, 0.8, 0) : new CylinderGeometry(0.8, 0.8, 1.8, 24).translate(0, 0.9, 0);
            const mesh = new Mesh(shape, new MeshLambertMaterial({ color: 0xc4763b }));
            mesh.position.set(...obstacle.at);
            mesh.userData.obstacle = obstacle.id;
            this.#obstacles.add(mesh);
        }
        this.view.invalidate();
    }

    /** Closed doors: two corners each. */
    doors(shut: Float32Array[]): void {
        const key = shut.map((corners) => corners.join()).join(";");
        if (key === this.#shut) return;
        this.#shut = key;
        for (const child of [...this.#doors.children]) dispose(child);
        for (const [x, y, z, X, Y, Z] of shut as unknown as [number, number, number, number, number, number][]) {
            const door = new Mesh(new BoxGeometry(X - x, Y - y, Z - z), new MeshLambertMaterial({ color: 0xc4763b, transparent: true, opacity: 0.75 }));
            door.position.set((x + X) / 2, (y + Y) / 2, (z + Z) / 2);
            this.#doors.add(door);
        }
        this.view.invalidate();
    }

    /** The obstacle under a pointer. */
    obstacleUnder(event: { clientX: number; clientY: number }): number | null {
        const hit = this.view.under(event, this.#obstacles.children);
        return hit ? (hit.object.userData.obstacle as number) : null;
    }
}
