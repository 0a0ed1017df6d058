// The mesh as a binary glTF: the detail mesh, one primitive for each area.
import { areaColour } from "./colours";
import type { AreaInfo, MeshPicture } from "./protocol";

const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

export function glb(mesh: MeshPicture, areas: AreaInfo[]): Uint8Array {
    const byArea = new Map<number, number[]>();
    for (let i = 0; i < mesh.indices.length; i += 3) {
        const area = mesh.areas[mesh.indices[i]!]!;
        const list = byArea.get(area) ?? [];
        list.push(mesh.indices[i]!, mesh.indices[i + 1]!, mesh.indices[i + 2]!);
        byArea.set(area, list);
    }
    const used = [...byArea.keys()].sort((a, b) => a - b);
    const indices = new Uint32Array(mesh.indices.length);
    let offset = 0;
    const parts = used.map((area) => {
        const list = byArea.get(area)!;
        indices.set(list, offset);
        const part = { area, byteOffset: offset * 4, count: list.length };
        offset += list.length;
        return part;
    });
    const positions = mesh.positions;
    const ends = (pick: (a: number, b: number) => number, from: number): number[] =>
        [0, 1, 2].map((axis) => {
            let value = from;
            for (let i = axis; i < positions.length; i += 3) value = pick(value, positions[i]!);
            return value;
        });
    const name = (area: number): string => areas.find((each) => each.id === area)?.name ?? (area === 63 ? "ground" : `area ${area}`);
    const document = {
        asset: { version: "2.0", generator: "navtile studio" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, name: "navmesh" }],
        meshes: [{ primitives: parts.map((_, i) => ({ attributes: { POSITION: 0 }, indices: i + 1, material: i })) }],
        materials: parts.map(({ area }) => ({ name: name(area), doubleSided: true, pbrMetallicRoughness: { baseColorFactor: linear(areaColour(area, areas)), metallicFactor: 0 } })),
        accessors: [
            { bufferView: 0, componentType: 5126, count: positions.length / 3, type: "VEC3", min: ends(Math.min, Infinity), max: ends(Math.max, -Infinity) },
            ...parts.map(({ byteOffset, count }) => ({ bufferView: 1, byteOffset, componentType: 5125, count, type: "SCALAR" })),
        ],
        bufferViews: [
            { buffer: 0, byteLength: positions.byteLength, target: 34962 },
            { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength, target: 34963 },
        ],
        buffers: [{ byteLength: positions.byteLength + indices.byteLength }],
    };
    return container(document, [positions, indices]);
}

function linear(colour: number): number[] {
    const part = (shift: number): number => (((colour >> shift) & 255) / 255) ** 2.2;
    return [part(16), part(8), part(0), 1];
}

function container(document: unknown, arrays: (Float32Array | Uint32Array)[]): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(document));
    const padded = Math.ceil(text.length / 4) * 4;
    const length = arrays.reduce((sum, array) => sum + array.byteLength, 0);
    const out = new Uint8Array(12 + 8 + padded + 8 + length);
    const head = new DataView(out.buffer);
    [GLB, 2, out.length, padded, JSON_CHUNK].forEach((word, i) => head.setUint32(4 * i, word, true));
    out.set(text, 20);
    out.fill(32, 20 + text.length, 20 + padded);
    head.setUint32(20 + padded, length, true);
    head.setUint32(24 + padded, BIN_CHUNK, true);
    let at = 28 + padded;
    for (const array of arrays) {
        out.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
        at += array.byteLength;
    }
    return out;
}
