// The mesh on screen, and its queries.
import { NavMesh, fromDetour } from "navtile/bare";
import type { Answer, Ask, MeshPicture, PathRequest, Vec3 } from "../protocol";
import { pictureOf } from "./picture";

/** Distances of the search for ground, metres: near ground is found in few polygons. */
const REACHES = [2, 8, 32, 128];

export class MeshDesk {
    #mesh: NavMesh | null = null;
    #filters = new Map<string, number>();

    get mesh(): NavMesh {
        if (!this.#mesh) throw new Error("there is no mesh yet");
        return this.#mesh;
    }

    open(file: Uint8Array): MeshPicture {
        const next = NavMesh.open(file);
        this.#mesh?.free();
        this.#mesh = next;
        this.#filters.clear();
        return this.picture();
    }

    picture(): MeshPicture {
        return pictureOf(this.mesh);
    }

    importDetour(bytes: Uint8Array): Uint8Array {
        return fromDetour(bytes);
    }

    exportDetour(): Uint8Array {
        return this.mesh.toDetour();
    }

    #filter(costs: Record<string, number>): number {
        const key = JSON.stringify(costs);
        let filter = this.#filters.get(key);
        if (filter === undefined) {
            filter = Object.keys(costs).length === 0 ? 0 : this.mesh.filter({ costs });
            this.#filters.set(key, filter);
        }
        return filter;
    }

    path({ from, to, costs, optimality, order }: PathRequest): Answer<"path"> {
        const filter = this.#filter(costs);
        const path = this.mesh.path(from, to, { filter, optimality });
        const settled = order && optimality !== "shortest" ? this.mesh.searchOrder(from, to, { filter, optimality }) : null;
        const once = settled && new BigUint64Array(new Set(settled));
        return { ...path, reachable: this.mesh.reachable(from, to, { filter }), order: once };
    }

    probe({ at, radius }: Ask<"probe">): Answer<"probe"> {
        const nearest = this.mesh.nearest(at);
        if (!nearest) {
            return { at, nearest, height: null, wall: null, around: new BigUint64Array(), radius, area: null, flags: null };
        }
        const { area, flags } = this.mesh.attributes(nearest.polygon);
        return {
            at, nearest, radius, area, flags,
            height: this.mesh.height(at),
            wall: this.mesh.wallDistance(at, Math.max(radius, 10)),
            around: this.mesh.around(at, radius),
        };
    }

    stand(at: Vec3): Answer<"stand"> {
        for (const reach of REACHES) {
            const nearest = this.mesh.nearest(at, { reach: [reach, reach, reach] });
            if (nearest) return [...nearest.point] as Vec3;
        }
        return null;
    }

    slide(from: Vec3, to: Vec3): Vec3 {
        return [...this.mesh.slide(from, to)] as Vec3;
    }

    ray(from: Vec3, to: Vec3): Answer<"ray"> {
        return this.mesh.raycast(from, to);
    }
}
