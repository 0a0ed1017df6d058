// The changes between two meshes: both are sampled at the middles of the same squares, and samples are
// compared height by height.
import type { ComparedMesh, MeshChange } from "../protocol";

/** Maximum number of squares of the grid: larger levels have larger squares. */
const MOST_SQUARES = 500_000;
/**
 * Position of a sample in its square: next to the middle, so that no edge between corners of cells passes
 * through it.
 */
const SAMPLE: [number, number] = [0.4871, 0.5139];
const NONE = -1;

interface Grid {
    x: number;
    z: number;
    square: number;
    width: number;
    depth: number;
}

/** Samples of a mesh: those of a square are linked. */
interface Samples {
    /** By square, its first sample. */
    first: Int32Array;
    next: number[];
    square: number[];
    height: number[];
    /** The rise along x and z. */
    slope: [number, number][];
    area: number[];
}

export function compare(before: ComparedMesh, after: ComparedMesh): MeshChange {
    const grid = gridOf(before, after);
    const [old, now] = [sample(before, grid), sample(after, grid)];
    const within = Math.max(before.climb, after.climb, 2 * before.cell[1], 2 * after.cell[1]);
    const quads = { added: [] as number[], lost: [] as number[], area: [] as number[] };
    for (let i = 0; i < now.square.length; i++) {
        const partner = partnerOf(now, i, old, within);
        if (partner === NONE) quad(quads.added, now, i, grid);
        else if (old.area[partner] !== now.area[i]) quad(quads.area, now, i, grid);
    }
    for (let i = 0; i < old.square.length; i++) {
        if (partnerOf(old, i, now, within) === NONE) quad(quads.lost, old, i, grid);
    }
    const size = (list: number[]): number => (list.length / 12) * grid.square ** 2;
    return {
        square: grid.square,
        metres: { added: size(quads.added), lost: size(quads.lost), area: size(quads.area) },
        quads: { added: new Float32Array(quads.added), lost: new Float32Array(quads.lost), area: new Float32Array(quads.area) },
    };
}

function gridOf(...meshes: ComparedMesh[]): Grid {
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (const { positions } of meshes) {
        for (let i = 0; i < positions.length; i += 3) {
            for (const [at, axis] of [[0, 0], [1, 2]] as const) {
                low[at] = Math.min(low[at]!, positions[i + axis]!);
                high[at] = Math.max(high[at]!, positions[i + axis]!);
            }
        }
    }
    if (low[0] === Infinity) return { x: 0, z: 0, square: 1, width: 1, depth: 1 };
    const [wide, deep] = [high[0]! - low[0]!, high[1]! - low[1]!];
    const cell = Math.min(...meshes.map((mesh) => mesh.cell[0]));
    const square = Math.max(cell, Math.sqrt((wide * deep) / MOST_SQUARES));
    const [x, z] = [Math.floor(low[0]! / square) * square, Math.floor(low[1]! / square) * square];
    return { x, z, square, width: Math.ceil((high[0]! - x) / square) + 1, depth: Math.ceil((high[1]! - z) / square) + 1 };
}

/** The samples of a mesh: one of each triangle over the middle of each square. */
function sample({ positions, indices, areas }: ComparedMesh, grid: Grid): Samples {
    const samples: Samples = { first: new Int32Array(grid.width * grid.depth).fill(NONE), next: [], square: [], height: [], slope: [], area: [] };
    const at = (vertex: number): [number, number, number] => [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
    for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [at(indices[t]!), at(indices[t + 1]!), at(indices[t + 2]!)];
        const area = areas[indices[t]!]!;
        const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
        const whole = ux * vz - vx * uz;
        // Upright triangles have no area.
        if (Math.abs(whole) < 1e-9) continue;
        const slope: [number, number] = [(uy * vz - vy * uz) / whole, (ux * vy - vx * uy) / whole];
        const column = (x: number): number => (x - grid.x) / grid.square - SAMPLE[0];
        const row = (z: number): number => (z - grid.z) / grid.square - SAMPLE[1];
        const last = Math.floor(row(Math.max(a[2], b[2], c[2])));
        const right = Math.floor(column(Math.max(a[0], b[0], c[0])));
        for (let j = Math.ceil(row(Math.min(a[2], b[2], c[2]))); j <= last; j++) {
            const z = grid.z + (j + SAMPLE[1]) * grid.square - a[2];
            for (let i = Math.ceil(column(Math.min(a[0], b[0], c[0]))); i <= right; i++) {
                const x = grid.x + (i + SAMPLE[0]) * grid.square - a[0];
                const u = (x * vz - vx * z) / whole;
                const v = (ux * z - x * uz) / whole;
                if (u < 0 || v < 0 || u + v > 1) continue;
                const square = j * grid.width + i;
                samples.next.push(samples.first[square]!);
                samples.first[square] = samples.square.length;
                samples.square.push(square);
                samples.height.push(a[1] + x * slope[0] + z * slope[1]);
                samples.slope.push(slope);
                samples.area.push(area);
            }
        }
    }
    return samples;
}

/** The sample of the other mesh in the same square that is nearest in height. */
function partnerOf(own: Samples, sample: number, other: Samples, within: number): number {
    let [best, found] = [within, NONE];
    for (let i = other.first[own.square[sample]!]!; i !== NONE; i = other.next[i]!) {
        const away = Math.abs(other.height[i]! - own.height[sample]!);
        if (away <= best) [best, found] = [away, i];
    }
    return found;
}

/** The four corners of a sample's square, on the plane of its triangle. */
function quad(out: number[], samples: Samples, sample: number, { x, z, square, width }: Grid): void {
    const number = samples.square[sample]!;
    const [i, j] = [number % width, Math.floor(number / width)];
    const [alongX, alongZ] = samples.slope[sample]!;
    for (const [right, down] of [[0, 0], [0, 1], [1, 1], [1, 0]] as const) {
        const rise = (right - SAMPLE[0]) * alongX + (down - SAMPLE[1]) * alongZ;
        out.push(x + (i + right) * square, samples.height[sample]! + rise * square, z + (j + down) * square);
    }
}
