// Characters as capsules, and the obstacles among them.
import {
    BoxGeometry, CapsuleGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, Group, InstancedMesh, Mesh, MeshBasicMaterial, MeshLambertMaterial, RingGeometry,
    type BufferGeometry,
} from "three";
import { MARKS } from "../colours";
import type { CrowdFrame, Obstacle } from "../protocol";
import { pickBody } from "./pick";
import { dispose, type View } from "./view";

/** By state: idle, searching, walking, arrived, waiting, on a link, lost, stepping out. */
const STATES = [0xaeb6c2, 0xf2c94b, 0x4aa3ff, 0x4bd07a, 0xf2994a, 0xe05fb5, 0xff5a4d, 0xff8f6b];

/** A click this near to a body, in CSS pixels, is a click on it. */
const NEAR_PIXELS = 6;
/** Width and height of bodies over a map, whose ground they would hide: parts of their own. */
const SMALL = [0.5, 0.12] as const;
/** Minimum radius of a drawn body, metres. */
const THINNEST = 0.1;

export class AgentLayer {
    readonly group = new Group();
    #agents: InstancedMesh | null = null;
    #obstacles = new Group();
    #doors = new Group();
    #marks: Group[];
    #shut = "";
    /** Positions of the agents that are shown, and the radius and height of each. */
    #shown: { positions: Float32Array; sizes: (agent: number) => [number, number] } = { positions: new Float32Array(), sizes: () => [0, 0] };
    #colours = STATES.map((colour) => new Color(colour));

    constructor(private readonly view: View) {
        this.#marks = [mark(MARKS.chosen), mark(MARKS.other)];
        this.group.add(this.#obstacles, this.#doors, ...this.#marks);
        view.scene.add(this.group);
    }

    /** With `bodies`, each has a radius and a height of its own. If they are small, the ground is seen. */
    show(frame: CrowdFrame | null, radius: number, height: number, bodies?: Float32Array, isSmall = false): void {
        const count = frame ? frame.positions.length / 3 : 0;
        const sizes = (agent: number): [number, number] => (bodies ? [bodies[2 * agent]!, bodies[2 * agent + 1]!] : [radius, height]);
        this.#shown = { positions: frame?.positions ?? new Float32Array(), sizes };
        if (this.#agents && this.#agents.count !== count) {
            dispose(this.#agents);
            this.#agents = null;
        }
        if (frame && count > 0) {
            this.#agents ??= this.#make(count, radius, height);
            const [wide, tall] = isSmall ? SMALL : [1, 1];
            const matrices = this.#agents.instanceMatrix.array as Float32Array;
            for (let i = 0; i < count; i++) {
                matrices[16 * i] = matrices[16 * i + 10] = wide * (bodies ? bodies[2 * i]! / Math.max(radius, THINNEST) : 1);
                matrices[16 * i + 5] = tall * (bodies ? bodies[2 * i + 1]! / Math.max(height, 2 * THINNEST) : 1);
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
        const agents = new InstancedMesh(body, this.view.cuts(new MeshLambertMaterial()), count);
        agents.frustumCulled = false;
        this.group.add(agents);
        return agents;
    }

    /** Marks the chosen agent and another agent, for which it waits. */
    mark(...agents: [chosen: number | null, other: number | null]): void {
        const { positions, sizes } = this.#shown;
        agents.forEach((agent, index) => {
            const group = this.#marks[index]!;
            group.visible = agent !== null && 3 * agent < positions.length;
            if (agent === null || !group.visible) return;
            const [radius, height] = sizes(agent);
            group.position.set(positions[3 * agent]!, positions[3 * agent + 1]!, positions[3 * agent + 2]!);
            const [ring, pin] = group.children as [Mesh, Mesh];
            const size = Math.max(radius, THINNEST);
            ring.scale.setScalar(size);
            pin.scale.setScalar(size);
            pin.position.y = height + 0.2 * size;
        });
        this.view.invalidate();
    }

    /** The agent under a pointer and below `cut`, and its distance from the camera. */
    agentUnder(event: { clientX: number; clientY: number }, cut: number): { agent: number; distance: number } | null {
        const { origin, along } = this.view.ray(event);
        return pickBody(origin, along, this.#shown.positions, this.#shown.sizes, cut, this.view.pixelSize() * NEAR_PIXELS);
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

/** A ring around the feet and a pin over the head of a body of 1 m, drawn over everything. */
function mark(colour: number): Group {
    const material = new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, side: DoubleSide });
    const ring = new Mesh(new RingGeometry(1.35, 1.9, 32).rotateX(-Math.PI / 2).translate(0, 0.1, 0), material);
    const pin = new Mesh(new ConeGeometry(1, 2.4, 12).rotateX(Math.PI).translate(0, 1.4, 0), material);
    ring.renderOrder = pin.renderOrder = 5;
    const group = new Group().add(ring, pin);
    group.visible = false;
    return group;
}
