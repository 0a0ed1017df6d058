// Colours of areas, regions and islands, equal to those of the project's pictures.
import type { AreaInfo } from "./protocol";

export const GROUND = 0x74b7ad;
export const BLOCKED = 0xc5cacd;

/** Ground that was added or removed, or has another area. */
export const CHANGES = { added: 0x3d8bff, lost: 0xf0532d, area: 0xe8b92e };
/** Unchanged ground. */
export const SAME = 0x9aa3ad;

/** Borders of clusters, from the smallest, and the crossings between them. */
export const CLUSTERS = {
    levels: { dark: [0xffd166, 0xff8c42, 0xff4f8b], light: [0xe0a100, 0xe8590c, 0xc2255c] },
    crossing: { dark: 0xffffff, light: 0x22262b },
};
/** A far path, and the path that it is compared with. */
export const FAR = { legs: 0xff3d81, ordinary: 0x3d9bff };

/** Marks of agents: the chosen one, and the one that it waits for. */
export const MARKS = { chosen: 0xff3d81, other: 0xffd23d };

/**
 * Off-mesh links by kind: the user's own, then generated ones. The colours are those of the project's
 * pictures.
 */
export const LINKS = [
    { name: "Off-mesh link", colour: 0xa8500f },
    { name: "Drop", colour: 0xd1403a },
    { name: "Jump", colour: 0x9a4fd6 },
    { name: "Climb", colour: 0x2f74e0 },
    { name: "Ladder", colour: 0x1c8a4c },
];

/** The kinds of links in the mesh, in the order of the legend: generated ones first. */
export function usedLinks(kinds: Uint8Array): typeof LINKS {
    const used = new Set(kinds);
    return [1, 2, 3, 4, 0].filter((kind) => used.has(kind)).map((kind) => LINKS[kind]!);
}

/** A colour for each point; `points` points have the colour of each kind. */
export function linkColours(kinds: Uint8Array, points: number): Uint8Array {
    const colours = new Uint8Array(kinds.length * points * 3);
    fillColours(colours, kinds.length * points, (point) => LINKS[kinds[Math.floor(point / points)]!]!.colour);
    return colours;
}

/** Words in names of areas, and the colours of such areas. */
const NAMED: [string[], number][] = [
    [["water", "sea", "ocean", "river", "lake", "pond", "canal"], 0x3f7fc9],
    [["grass", "meadow", "field", "lawn"], 0x8fbf5a],
    [["forest", "wood", "woods", "bush", "jungle"], 0x4f7f45],
    [["road", "street", "path", "pavement", "sidewalk", "asphalt"], 0x8a8f99],
    [["sand", "beach", "desert", "dune"], 0xe6cc80],
    [["mud", "swamp", "bog", "dirt"], 0x86684c],
    [["rock", "stone", "gravel"], 0xa89f91],
    [["snow", "ice"], 0xbcdcec],
    [["door", "gate", "hatch"], 0xc4763b],
    [["jump", "ladder", "climb", "drop", "teleport"], 0xc95fa6],
    [["lava", "fire", "danger", "hazard", "trap"], 0xd9482f],
];
const AREAS = [0xe3b448, 0x5b8fd6, 0xcf7a5c, 0x9a86c4, 0xb7c95a, 0xd78bb0, 0x8a6f5a, 0x8fd0ea, 0x5f8a4e];
const REGIONS = [
    0x40b7c4, 0xecafd3, 0x849644, 0x7aa6e6, 0xf6b19f, 0x2ea285, 0xb992d6, 0xdbc184, 0x299abe, 0xdb889f, 0xa7d29e, 0x7c85ce,
    0xd79363, 0x7ed6d3, 0xb273ac, 0xaba957, 0x96caf8, 0xc6706d, 0x64b98e, 0xcab9f5, 0xb38236, 0x44b6cb, 0xefaecc, 0x79994c,
    0x85a3e7, 0xf4b398, 0x1ea28f, 0xc090d0, 0xd5c484, 0x3897c4, 0xdd8895, 0x9fd4a5, 0x8682cc, 0xd3965c, 0x7dd5da, 0xb771a4,
];
const RAMP = [0x2b1a55, 0x31437f, 0x2a6c92, 0x2a9389, 0x5cb672, 0xb2d160, 0xf7e8a0];
/** No area and no island has these colours. */
const VIOLET = [0x2a0a5e, 0x6a2fd0, 0xae86ff, 0xf1eaff];

export function areaColour(id: number, areas: AreaInfo[]): number {
    const area = areas.find((each) => each.id === id);
    if (area?.colour != null) return area.colour;
    if (id === 63) return GROUND;
    if (id === 0) return BLOCKED;
    const words = (area?.name ?? "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}]+/u);
    const named = words.map((word) => NAMED.find(([known]) => known.includes(word))).find(Boolean);
    return named?.[1] ?? AREAS[id - 1] ?? regionColour(id);
}

export function regionColour(id: number): number {
    return REGIONS[id % REGIONS.length]!;
}

/** From dark to light; `part` is 0 to 1. */
export function rampColour(part: number, ramp: number[] = RAMP): number {
    const at = Math.min(Math.max(part, 0), 1) * (ramp.length - 1);
    const low = Math.min(Math.floor(at), ramp.length - 2);
    const mix = (shift: number) => {
        const [a, b] = [(ramp[low]! >> shift) & 255, (ramp[low + 1]! >> shift) & 255];
        return Math.round(a + (b - a) * (at - low));
    };
    return (mix(16) << 16) | (mix(8) << 8) | mix(0);
}

/** Colours of polygons, from the first that a search settled to the last. */
export function searchColour(part: number): number {
    return rampColour(part, VIOLET);
}

export function css(colour: number): string {
    return `#${colour.toString(16).padStart(6, "0")}`;
}

/** Red, green and blue of many items, for a buffer of bytes. */
export function fillColours(out: Uint8Array, count: number, colourOf: (index: number) => number): void {
    for (let i = 0; i < count; i++) {
        const colour = colourOf(i);
        out[3 * i] = colour >> 16;
        out[3 * i + 1] = (colour >> 8) & 255;
        out[3 * i + 2] = colour & 255;
    }
}
