// Characters that walk over the mesh, and obstacles that are added, moved and removed under them.
import { Crowd, NavMesh, TileCache } from "navtile/bare";
import type { Answer, Ask, CrowdFrame, Vec3 } from "../protocol";
import { pictureOf } from "./picture";
import type { MeshDesk } from "./questions";

/** A seeded generator: the agents are at the same places in each run. */
function numbers(seed: number): () => number {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

export class PlayDesk {
    #mesh: NavMesh | null = null;
    #own = false;
    #crowd: Crowd | null = null;
    #cache: TileCache | null = null;
    #obstacles = new Map<number, number>();
    #seconds = 0;

    constructor(private readonly desk: MeshDesk) {}

    /** The mesh of the agents, while they exist. */
    get mesh(): NavMesh | null {
        return this.#mesh;
    }

    /** Places agents at random over the mesh; with a dynamic file, obstacles can be added and removed. */
    start({ agents, dynamic }: Ask<"play">): CrowdFrame {
        this.stop();
        if (dynamic) {
            this.#cache = TileCache.open(dynamic);
            this.#mesh = NavMesh.open(dynamic);
            this.#own = true;
        } else {
            this.#mesh = this.desk.mesh;
        }
        const mesh = this.#mesh;
        const { agent } = mesh.info();
        this.#crowd = new Crowd();
        const random = numbers(7);
        for (let i = 0; i < agents; i++) {
            const at = mesh.randomPoint(random);
            this.#crowd.add(mesh, at, { radius: Math.max(agent.radius, 0.1), height: agent.height, maxSpeed: 2.5, maxAcceleration: 10 });
        }
        return this.#frame();
    }

    #running(): { mesh: NavMesh; crowd: Crowd } {
        if (!this.#mesh || !this.#crowd) throw new Error("there are no agents: start a run first");
        return { mesh: this.#mesh, crowd: this.#crowd };
    }

    #frame(): CrowdFrame {
        const { mesh, crowd } = this.#running();
        const states = crowd.states();
        const arrived = states.reduce((count, state) => count + (state === 3 ? 1 : 0), 0);
        return { positions: crowd.positions(mesh), states, arrived, seconds: this.#seconds };
    }

    /** Sends all agents to one place, or each to a random place. */
    send(to: Vec3 | null): null {
        const { mesh, crowd } = this.#running();
        if (to) {
            crowd.sendAll(mesh, to);
            return null;
        }
        const random = numbers(Math.round(this.#seconds * 60) + 11);
        for (const agent of crowd.agents()) crowd.send(mesh, agent, mesh.randomPoint(random));
        return null;
    }

    step(seconds: number, steps: number): CrowdFrame {
        const { mesh, crowd } = this.#running();
        for (let i = 0; i < steps; i++) crowd.step(mesh, seconds);
        this.#seconds += seconds * steps;
        return this.#frame();
    }

    change({ add, remove, move }: Ask<"obstacle">): Answer<"obstacle"> {
        const { mesh } = this.#running();
        const cache = this.#cache;
        if (!cache) throw new Error("obstacles need the level: open one, not a mesh");
        if (add) {
            const shape = add.kind === "box" ? { size: [1.6, 1.6, 1.6] as Vec3 } : { radius: 0.8, height: 1.8 };
            this.#obstacles.set(add.id, cache.add({ kind: add.kind, at: add.at, solid: true, ...shape }));
        }
        if (remove !== undefined) {
            const obstacle = this.#obstacles.get(remove);
            if (obstacle !== undefined) cache.remove(obstacle);
            this.#obstacles.delete(remove);
        }
        if (move) {
            const obstacle = this.#obstacles.get(move.id);
            if (obstacle !== undefined) cache.moveTo(obstacle, move.to);
        }
        while (cache.waiting > 0) cache.update(mesh, 64);
        return pictureOf(mesh);
    }

    stop(): null {
        this.#crowd?.free();
        this.#cache?.free();
        if (this.#own) this.#mesh?.free();
        this.#crowd = this.#cache = this.#mesh = null;
        this.#own = false;
        this.#obstacles.clear();
        this.#seconds = 0;
        return null;
    }
}
