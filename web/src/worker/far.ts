// Far paths over the file of the mesh on screen: plans by its hierarchy, and the clusters for rendering.
import { Hierarchy, NavMesh, type ClusterLayout } from "navtile/bare";
import type { Answer, Ask, Rectangle } from "../protocol";
import type { MeshDesk } from "./questions";

/** Clusters along a side of a cluster of the next level. */
const BRANCH = 4;
/** Points this close to a border are on it, metres. */
const ON_BORDER = 0.02;

export class FarDesk {
    #file: Uint8Array | null = null;
    #hierarchy: Hierarchy | null = null;
    #filters = new Map<string | null, number>();

    constructor(private readonly desk: MeshDesk) {}

    /** Takes the file of the mesh on screen. Its hierarchy is read when it is needed. */
    open(file: Uint8Array): void {
        this.#hierarchy?.free();
        this.#hierarchy = null;
        this.#filters.clear();
        this.#file = file;
    }

    #opened(): Hierarchy {
        if (!this.#file) throw new Error("there is no mesh yet");
        return (this.#hierarchy ??= Hierarchy.open(this.#file));
    }

    clusters(): Answer<"clusters"> {
        let hierarchy: Hierarchy;
        try {
            hierarchy = this.#opened();
        } catch {
            // A plan reports the reason.
            return null;
        }
        const layout = hierarchy.layout();
        const borders = bordersOf(this.desk.mesh.lines().seams, layout);
        const levels = layout.clusters.map((clusters, level) => ({ side: layout.side * BRANCH ** level, clusters, borders: borders[level]! }));
        return { classes: hierarchy.classes(), levels, crossings: layout.crossings };
    }

    far({ from, to, agents }: Ask<"far">): Answer<"far"> {
        const hierarchy = this.#opened();
        const path = this.desk.mesh.path(from, to, { filter: this.#filter(hierarchy, agents), optimality: "near" });
        if (path.status === "not-on-mesh") throw new Error(path.reason ?? path.status);
        const tiles = [from, to].flatMap((at) => hierarchy.around(at));
        const part = NavMesh.open(this.#file!, { tiles });
        try {
            const plan = hierarchy.plan(part, from, to, agents === null ? {} : { class: agents });
            const { corner, side } = hierarchy.layout();
            const ground = tiles.map(({ x, z, columns }): Rectangle => {
                const [left, top] = [corner[0] + (x / columns) * side, corner[1] + (z / columns) * side];
                return [left, top, left + side, top + side];
            });
            return { plan, path, ground, tiles: part.info().tiles };
        } finally {
            part.free();
        }
    }

    #filter(hierarchy: Hierarchy, agents: string | null): number {
        const known = this.#filters.get(agents);
        if (known !== undefined) return known;
        const filter = hierarchy.filter(this.desk.mesh, agents ?? undefined);
        this.#filters.set(agents, filter);
        return filter;
    }
}

/** The seams that are on borders of clusters, by the level of the largest clusters that they bound. */
function bordersOf(seams: Float32Array, { corner, side, clusters }: ClusterLayout): Float32Array[] {
    const levels: number[][] = clusters.map(() => []);
    for (let i = 0; i < seams.length; i += 6) {
        const borders = [0, 2].map((axis, at) => {
            const [start, end] = [seams[i + axis]! - corner[at]!, seams[i + 3 + axis]! - corner[at]!];
            const border = Math.round(start / side);
            return [start, end].every((each) => Math.abs(each - border * side) < ON_BORDER) ? border : null;
        });
        let border = borders[0] ?? borders[1] ?? null;
        if (border === null) continue;
        let level = 0;
        for (; border % BRANCH === 0 && level + 1 < levels.length; level++) border /= BRANCH;
        levels[level]!.push(...seams.subarray(i, i + 6));
    }
    return levels.map((points) => new Float32Array(points));
}
