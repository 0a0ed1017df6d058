// Storeys of a mesh: heights with much level ground, and the cut above each that shows it as the highest
// storey.
import type { MeshPicture } from "./protocol";

export interface Storey {
    /** Metres. */
    floor: number;
    /** Height above which everything is hidden to show the storey; null for the highest. */
    cut: number | null;
}

/** Heights are counted in steps of this, metres. */
const STEP = 0.25;
/** A storey has at least this part of the level ground. */
const LEAST_PART = 0.01;
/** Ground is level up to this rise per metre. */
const LEVEL = 0.12;

const known = new WeakMap<MeshPicture, Storey[]>();

/** From the lowest to the highest. */
export function storeys(mesh: MeshPicture): Storey[] {
    let found = known.get(mesh);
    if (!found) known.set(mesh, (found = find(mesh)));
    return found;
}

function find(mesh: MeshPicture): Storey[] {
    const bins = levelGround(mesh);
    const whole = [...bins.values()].reduce((sum, { area }) => sum + area, 0);
    const clearance = Math.max(mesh.info.agent.height, STEP);
    const floors: number[] = [];
    // The largest storey first. Ground without enough room above or below another storey belongs to it.
    for (const [step, { area }] of [...bins].sort((a, b) => b[1].area - a[1].area || a[0] - b[0])) {
        const floor = meanHeight([step - 1, step, step + 1].flatMap((near) => bins.get(near) ?? []));
        if (area >= LEAST_PART * whole && floors.every((other) => Math.abs(other - floor) >= clearance)) floors.push(floor);
    }
    floors.sort((a, b) => a - b);
    return floors.map((floor, i) => {
        const above = floors[i + 1];
        return { floor, cut: above === undefined ? null : Math.min(floor + clearance, above - STEP / 2) };
    });
}

interface Ground {
    /** Square metres, as seen from above. */
    area: number;
    /** The sum of heights, weighted by area. */
    moment: number;
}

function meanHeight(bins: Ground[]): number {
    const sum = (of: keyof Ground): number => bins.reduce((all, bin) => all + bin[of], 0);
    return sum("moment") / sum("area");
}

/** Level ground by height, in steps. */
function levelGround({ positions, indices }: MeshPicture): Map<number, Ground> {
    const bins = new Map<number, Ground>();
    for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!];
        const side = (to: number, axis: number): number => positions[to + axis]! - positions[a + axis]!;
        const area = Math.abs(side(c, 0) * side(b, 2) - side(b, 0) * side(c, 2)) / 2;
        const x = side(b, 1) * side(c, 2) - side(c, 1) * side(b, 2);
        const z = side(b, 0) * side(c, 1) - side(c, 0) * side(b, 1);
        if (area === 0 || Math.hypot(x, z) > LEVEL * 2 * area) continue;
        const height = (positions[a + 1]! + positions[b + 1]! + positions[c + 1]!) / 3;
        const step = Math.round(height / STEP);
        const bin = bins.get(step) ?? { area: 0, moment: 0 };
        bins.set(step, { area: bin.area + area, moment: bin.moment + area * height });
    }
    return bins;
}

/** The cut that shows one storey more or one less than `cut`; if there is no such storey, the current cut. */
export function stepped(list: Storey[], cut: number | null, by: 1 | -1): number | null {
    const cuts = list.flatMap((storey) => (storey.cut === null ? [] : [storey.cut]));
    if (by > 0) return cut === null ? null : (cuts.find((each) => each > cut + 1e-6) ?? null);
    return cuts.findLast((each) => cut === null || each < cut - 1e-6) ?? cut;
}

/** Number of visible storeys. */
export function seen(list: Storey[], cut: number | null): number {
    return cut === null ? list.length : list.filter((storey) => storey.floor <= cut).length;
}
