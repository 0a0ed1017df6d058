// The visible edges of a level: edges where two triangles meet at an angle, and edges of a single triangle.

/** A level with more triangles than this is drawn without edges. */
const MOST = 200_000;
/** Cosine of the smallest angle. */
const FLAT = Math.cos((20 * Math.PI) / 180);

/** Pairs of points. `positions` has three vertices per triangle. */
export function creases(positions: Float32Array): Float32Array {
    const triangles = positions.length / 9;
    if (triangles > MOST) return new Float32Array(0);
    const ids = new Map<string, number>();
    const vertex = new Uint32Array(triangles * 3);
    for (let i = 0; i < vertex.length; i++) {
        const key = `${Math.round(positions[3 * i]! * 1e3)},${Math.round(positions[3 * i + 1]! * 1e3)},${Math.round(positions[3 * i + 2]! * 1e3)}`;
        let id = ids.get(key);
        if (id === undefined) ids.set(key, (id = i));
        vertex[i] = id;
    }
    const normals = triangleNormals(positions);
    const open = new Map<number, number>();
    const kept: number[] = [];
    for (let t = 0; t < triangles; t++) {
        for (let k = 0; k < 3; k++) {
            const a = vertex[3 * t + k]!;
            const b = vertex[3 * t + ((k + 1) % 3)]!;
            if (a === b) continue;
            const key = Math.min(a, b) * 0x4000000 + Math.max(a, b);
            const other = open.get(key);
            if (other === undefined) {
                open.set(key, t);
            } else {
                open.delete(key);
                if (cosine(normals, t, other) < FLAT) kept.push(a, b);
            }
        }
    }
    for (const key of open.keys()) kept.push(Math.floor(key / 0x4000000), key % 0x4000000);
    const lines = new Float32Array(kept.length * 3);
    kept.forEach((v, i) => lines.set(positions.subarray(3 * v, 3 * v + 3), 3 * i));
    return lines;
}

function triangleNormals(p: Float32Array): Float32Array {
    const normals = new Float32Array(p.length / 3);
    for (let i = 0, n = 0; i < p.length; i += 9, n += 3) {
        const [ux, uy, uz] = [p[i + 3]! - p[i]!, p[i + 4]! - p[i + 1]!, p[i + 5]! - p[i + 2]!];
        const [vx, vy, vz] = [p[i + 6]! - p[i]!, p[i + 7]! - p[i + 1]!, p[i + 8]! - p[i + 2]!];
        const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        const length = Math.hypot(x, y, z) || 1;
        normals.set([x / length, y / length, z / length], n);
    }
    return normals;
}

function cosine(normals: Float32Array, a: number, b: number): number {
    return (
        normals[3 * a]! * normals[3 * b]! +
        normals[3 * a + 1]! * normals[3 * b + 1]! +
        normals[3 * a + 2]! * normals[3 * b + 2]!
    );
}
