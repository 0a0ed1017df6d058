// Intersection of a ray with triangles. Plain loops: half a million triangles take some milliseconds, and
// need no tree.
import type { Vec3 } from "../protocol";

export interface Hit {
    point: Vec3;
    distance: number;
    triangle: number;
}

/** The nearest triangle that a ray meets below `cut`. Without indices, each three vertices are a triangle. */
export function pick(
    origin: Vec3,
    along: Vec3,
    positions: Float32Array,
    indices: Uint32Array | null,
    cut: number,
    frontOnly: boolean,
): Hit | null {
    const [ox, oy, oz] = origin;
    const [dx, dy, dz] = along;
    const count = (indices ? indices.length : positions.length / 3) / 3;
    let best = Infinity;
    let triangle = -1;
    for (let t = 0; t < count; t++) {
        const a = 3 * (indices ? indices[3 * t]! : 3 * t);
        const b = 3 * (indices ? indices[3 * t + 1]! : 3 * t + 1);
        const c = 3 * (indices ? indices[3 * t + 2]! : 3 * t + 2);
        const [ax, ay, az] = [positions[a]!, positions[a + 1]!, positions[a + 2]!];
        const [ux, uy, uz] = [positions[b]! - ax, positions[b + 1]! - ay, positions[b + 2]! - az];
        const [vx, vy, vz] = [positions[c]! - ax, positions[c + 1]! - ay, positions[c + 2]! - az];
        const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
        const side = ux * px + uy * py + uz * pz;
        if (frontOnly ? side < 1e-12 : Math.abs(side) < 1e-12) continue;
        const [sx, sy, sz] = [ox - ax, oy - ay, oz - az];
        const u = (sx * px + sy * py + sz * pz) / side;
        if (u < 0 || u > 1) continue;
        const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
        const v = (dx * qx + dy * qy + dz * qz) / side;
        if (v < 0 || u + v > 1) continue;
        const distance = (vx * qx + vy * qy + vz * qz) / side;
        if (distance > 1e-6 && distance < best && oy + dy * distance <= cut) {
            best = distance;
            triangle = t;
        }
    }
    if (triangle < 0) return null;
    return { point: [ox + dx * best, oy + dy * best, oz + dz * best], distance: best, triangle };
}

/**
 * The nearest upright body that a ray meets or passes closely: within its radius, or within `slack` per metre
 * from the origin. `sizes` gives the radius and the height of each. Bodies above `cut` are left out.
 */
export function pickBody(
    origin: Vec3,
    along: Vec3,
    positions: Float32Array,
    sizes: (body: number) => [number, number],
    cut: number,
    slack: number,
): { agent: number; distance: number } | null {
    let best: { agent: number; distance: number } | null = null;
    let least = Infinity;
    for (let agent = 0; 3 * agent < positions.length; agent++) {
        if (positions[3 * agent + 1]! > cut) continue;
        const [radius, height] = sizes(agent);
        const [x, y, z] = [0, 1, 2].map((axis) => positions[3 * agent + axis]! - origin[axis]!) as Vec3;
        // The point of the body's axis that is nearest to the ray, and the ray's point next to it.
        const flat = along[0] * along[0] + along[2] * along[2];
        const across = flat > 1e-9 ? (x * along[0] + z * along[2]) / flat : y / along[1];
        const up = Math.min(Math.max(across * along[1], y + Math.min(radius, height / 2)), y + Math.max(height - radius, height / 2));
        const distance = x * along[0] + up * along[1] + z * along[2];
        if (distance <= 0) continue;
        const away = Math.hypot(x - distance * along[0], up - distance * along[1], z - distance * along[2]);
        // A body on the ray wins over a body next to it.
        const miss = Math.max(away - radius, 0);
        if (miss > slack * distance) continue;
        const cost = miss > 0 ? 1e6 + miss / distance : distance;
        if (cost < least) [least, best] = [cost, { agent, distance }];
    }
    return best;
}
