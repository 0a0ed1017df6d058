// A mesh as arrays for rendering.
import type { NavMesh } from "navtile/bare";
import type { MeshPicture } from "../protocol";

export function pictureOf(mesh: Pick<NavMesh, "geometry" | "info" | "lines">): MeshPicture {
    const { positions, indices, areas, islands, polygons } = mesh.geometry();
    const numbered = ordinals(positions, indices, polygons);
    return { info: mesh.info(), positions, indices, areas, islands, polygons, ordinals: numbered, lines: mesh.lines() };
}

/** For each vertex, the number of its polygon: polygons do not share vertices. */
function ordinals(positions: Float32Array, indices: Uint32Array, polygons: BigUint64Array): Uint32Array {
    const result = new Uint32Array(positions.length / 3);
    let ordinal = -1;
    let last: bigint | null = null;
    for (let t = 0; t < polygons.length; t++) {
        if (polygons[t] !== last) {
            last = polygons[t]!;
            ordinal++;
        }
        for (let k = 0; k < 3; k++) result[indices[3 * t + k]!] = ordinal;
    }
    return result;
}
