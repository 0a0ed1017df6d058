// Volumes and off-mesh links: reads them from the settings, and edits the text.
import type { TomlTable } from "smol-toml";
import type { SettingChange } from "navtile/bare";
import type { Vec3 } from "./protocol";
import { addBlock, read, removeBlock, setInBlock, setValue, write, type TomlValue } from "./toml";

export interface Link {
    index: number;
    start: Vec3;
    end: Vec3;
    radius: number;
    bothWays: boolean;
    area: string;
}

export type Shape =
    | { shape: "box"; min: Vec3; max: Vec3 }
    | { shape: "rotated_box"; centre: Vec3; half: Vec3; yaw: number }
    | { shape: "prism"; outline: [number, number][]; bottom: number; top: number }
    | { shape: "cylinder"; base: Vec3; radius: number; height: number }
    | { shape: "capsule"; a: Vec3; b: Vec3; radius: number };

export type Volume = Shape & { index: number; area: string };

const tables = (toml: string, name: string): TomlTable[] => {
    const found = read(toml)[name];
    return Array.isArray(found) ? (found as TomlTable[]) : [];
};
const numeric = (value: unknown, otherwise = 0): number => (typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : otherwise);
const point = (value: unknown): Vec3 => {
    const list = Array.isArray(value) ? value : [];
    return [numeric(list[0]), numeric(list[1]), numeric(list[2])];
};
const round = (value: number): number => Math.round(value * 1000) / 1000;
export const rounded = (place: readonly number[]): Vec3 => [round(place[0]!), round(place[1]!), round(place[2]!)];

export function links(toml: string): Link[] {
    return tables(toml, "off_mesh").map((table, index) => ({
        index,
        start: point(table.start),
        end: point(table.end),
        radius: numeric(table.radius, 0.5),
        bothWays: table.both_ways !== false,
        area: String(table.area ?? "ground"),
    }));
}

export function volumes(toml: string): Volume[] {
    return tables(toml, "volume").flatMap((table, index): Volume[] => {
        const shape = shapeOf(table);
        return shape ? [{ ...shape, index, area: String(table.area ?? "none") }] : [];
    });
}

function shapeOf(table: TomlTable): Shape | null {
    switch (table.shape) {
        case "box":
            return { shape: "box", min: point(table.min), max: point(table.max) };
        case "rotated_box":
            return { shape: "rotated_box", centre: point(table.centre), half: point(table.half_extents), yaw: numeric(table.yaw) };
        case "prism": {
            const outline = Array.isArray(table.outline) ? table.outline : [];
            const corner = (each: unknown): [number, number] => (Array.isArray(each) ? [numeric(each[0]), numeric(each[1])] : [0, 0]);
            return { shape: "prism", outline: outline.map(corner), bottom: numeric(table.bottom), top: numeric(table.top) };
        }
        case "cylinder":
            return { shape: "cylinder", base: point(table.base), radius: numeric(table.radius, 1), height: numeric(table.height, 1) };
        case "capsule":
            return { shape: "capsule", a: point(table.a), b: point(table.b), radius: numeric(table.radius, 1) };
        default:
            return null;
    }
}

/** The centre of a shape at its bottom: the place of its handle. */
export function handleOf(volume: Shape): Vec3 {
    switch (volume.shape) {
        case "box":
            return [(volume.min[0] + volume.max[0]) / 2, volume.min[1], (volume.min[2] + volume.max[2]) / 2];
        case "rotated_box":
            return [volume.centre[0], volume.centre[1] - volume.half[1], volume.centre[2]];
        case "prism": {
            const sum = volume.outline.reduce(([x, z], corner) => [x + corner[0], z + corner[1]], [0, 0]);
            const count = Math.max(volume.outline.length, 1);
            return [sum[0]! / count, volume.bottom, sum[1]! / count];
        }
        case "cylinder":
            return volume.base;
        case "capsule":
            return [(volume.a[0] + volume.b[0]) / 2, Math.min(volume.a[1], volume.b[1]), (volume.a[2] + volume.b[2]) / 2];
    }
}

const plus = (a: Vec3, by: Vec3): Vec3 => rounded([a[0] + by[0], a[1] + by[1], a[2] + by[2]]);

export function moveVolume(toml: string, volume: Volume, by: Vec3): string {
    const set = (text: string, key: string, value: TomlValue): string => setInBlock(text, "volume", volume.index, key, value);
    switch (volume.shape) {
        case "box":
            return set(set(toml, "min", plus(volume.min, by)), "max", plus(volume.max, by));
        case "rotated_box":
            return set(toml, "centre", plus(volume.centre, by));
        case "prism": {
            const moved = volume.outline.map(([x, z]) => [round(x + by[0]), round(z + by[2])]);
            const heights = by[1] === 0 ? toml : set(set(toml, "bottom", round(volume.bottom + by[1])), "top", round(volume.top + by[1]));
            return set(heights, "outline", moved);
        }
        case "cylinder":
            return set(toml, "base", plus(volume.base, by));
        case "capsule":
            return set(set(toml, "a", plus(volume.a, by)), "b", plus(volume.b, by));
    }
}

export function addLink(toml: string, start: Vec3, end: Vec3, radius = 0.5): string {
    return addBlock(toml, "off_mesh", { start: rounded(start), end: rounded(end), radius });
}

/** Adds a volume around clicked places: two corners, a centre and a rim, or an outline. */
export function addVolume(toml: string, shape: "box" | "cylinder" | "prism", places: Vec3[], area: string): string {
    const low = Math.min(...places.map((place) => place[1])) - 0.5;
    const high = Math.max(...places.map((place) => place[1])) + 2;
    const [a, b] = [places[0]!, places[1]!];
    if (shape === "box") {
        const min = rounded([Math.min(a[0], b[0]), low, Math.min(a[2], b[2])]);
        return addBlock(toml, "volume", { shape, min, max: rounded([Math.max(a[0], b[0]), high, Math.max(a[2], b[2])]), area });
    }
    if (shape === "cylinder") {
        const radius = round(Math.max(Math.hypot(b[0] - a[0], b[2] - a[2]), 0.1));
        return addBlock(toml, "volume", { shape, base: rounded([a[0], low, a[2]]), radius, height: round(high - low), area });
    }
    const outline = places.map((place) => [round(place[0]), round(place[2])]);
    return addBlock(toml, "volume", { shape, outline, bottom: round(low), top: round(high), area });
}

/** Makes the changes that an explanation proposes. */
export function apply(toml: string, changes: SettingChange[]): string {
    // Of several volumes the last is removed first, because the following ones move up.
    const sorted = [...changes].sort((a, b) => (b.removeVolume ?? -1) - (a.removeVolume ?? -1));
    return sorted.reduce((text, change) => {
        if (change.setting !== null && change.value !== null) return setValue(text, change.setting, write(typeof change.value === "number" ? Math.round(change.value * 1e6) / 1e6 : change.value));
        if (change.bothWays !== null) return setInBlock(text, "off_mesh", change.bothWays, "both_ways", true);
        if (change.removeVolume !== null) return removeBlock(text, "volume", change.removeVolume);
        if (change.start && change.end) return addLink(text, change.start, change.end, change.radius ?? 0.5);
        return text;
    }, toml);
}

/** The area of each material in the settings: a name, `-` if it is not baked. */
export function materialAreas(toml: string): Map<string, string> {
    const result = new Map<string, string>();
    for (const table of tables(toml, "area")) {
        for (const material of Array.isArray(table.materials) ? table.materials : []) result.set(String(material), String(table.name));
    }
    const input = read(toml).input as TomlTable | undefined;
    for (const material of Array.isArray(input?.exclude_materials) ? input.exclude_materials : []) result.set(String(material), "-");
    return result;
}

/** Gives a material an area by name, `-` to leave it out of the bake, or null for plain ground. */
export function setMaterialArea(toml: string, material: string, area: string | null): string {
    let text = toml;
    const without = (list: unknown): TomlValue[] => (Array.isArray(list) ? list.map(String).filter((each) => each !== material) : []);
    tables(toml, "area").forEach((table, index) => {
        const before = Array.isArray(table.materials) ? table.materials.map(String) : [];
        const after = [...without(table.materials), ...(table.name === area ? [material] : [])];
        if (before.includes(material) !== after.includes(material)) text = setInBlock(text, "area", index, "materials", after.length > 0 ? after : null);
    });
    const input = read(toml).input as TomlTable | undefined;
    const excluded = [...without(input?.exclude_materials), ...(area === "-" ? [material] : [])];
    const had = Array.isArray(input?.exclude_materials) && input.exclude_materials.map(String).includes(material);
    if (had || area === "-") text = setValue(text, "input.exclude_materials", excluded.length > 0 ? write(excluded) : null);
    return text;
}

/** A new area with a free id. */
export function addArea(toml: string, name: string): string {
    const used = new Set(tables(toml, "area").map((table) => numeric(table.id)));
    let id = 1;
    while (used.has(id) || id === 63) id++;
    // Ids and flags are whole numbers, without a decimal point.
    const gap = toml === "" ? "" : toml.endsWith("\n") ? "\n" : "\n\n";
    return `${toml}${gap}[[area]]\nid = ${id}\nname = ${write(name)}\nflags = 1\ncost = 2.0\n`;
}
