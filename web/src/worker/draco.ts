// Converts glTF with Draco streams to plain glTF. Draco's own decoder, which is loaded with the first such
// file, decodes positions and triangles; the rest of the file is unchanged. The content of a stream is exact,
// so a bake has the same bytes with any decoder.
import decoderUrl from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import type { NamedFile } from "../protocol";

const EXTENSION = "KHR_draco_mesh_compression";
const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const FLOAT = 5126;
const WHOLE = 5125;
const TRIANGLES = 4;

interface Stream {
    bufferView: number;
    attributes: Record<string, number>;
}

interface Primitive {
    attributes: Record<string, number>;
    indices?: number;
    mode?: number;
    extensions?: Record<string, unknown>;
}

/** The parts of a document that are read and changed. */
interface Document {
    extensionsUsed?: string[];
    extensionsRequired?: string[];
    buffers?: { uri?: string; byteLength: number }[];
    bufferViews?: { buffer: number; byteOffset?: number; byteLength: number }[];
    accessors?: Record<string, unknown>[];
    meshes?: { primitives: Primitive[] }[];
}

interface Container {
    document: Document;
    /** The chunks of a GLB after the document; null for a file of text. */
    rest: Uint8Array | null;
}

/** The files as the bake takes them; without Draco, the same files. */
export async function plain(files: NamedFile[]): Promise<NamedFile[]> {
    const made: NamedFile[] = [];
    for (const file of files) {
        const container = /\.(glb|gltf)$/i.test(file.name) ? opened(file.bytes) : null;
        if (container?.document.extensionsUsed?.includes(EXTENSION)) made.push(...(await decoded(file, container, files)));
        else made.push(file);
    }
    return made;
}

/** Null if it is not glTF: the reader reports what is wrong with it. */
function opened(bytes: Uint8Array): Container | null {
    try {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const isBinary = bytes.length > 20 && view.getUint32(0, true) === GLB && view.getUint32(16, true) === JSON_CHUNK;
        const end = isBinary ? 20 + view.getUint32(12, true) : bytes.length;
        const document = JSON.parse(new TextDecoder().decode(bytes.subarray(isBinary ? 20 : 0, end))) as Document;
        return { document, rest: isBinary ? bytes.subarray(end) : null };
    } catch {
        return null;
    }
}

async function decoded(file: NamedFile, { document, rest }: Container, files: NamedFile[]): Promise<NamedFile[]> {
    const decoder = await Decoder.load();
    const name = `${file.name}.plain.bin`;
    const parts: Uint8Array[] = [];
    let size = 0;
    const buffer = (document.buffers ??= []).length;
    /** Adds a view with these bytes. */
    const store = (bytes: Uint8Array): number => {
        parts.push(bytes);
        size += bytes.length;
        return document.bufferViews!.push({ buffer, byteOffset: size - bytes.length, byteLength: bytes.length }) - 1;
    };
    for (const [m, mesh] of (document.meshes ?? []).entries()) {
        for (const [p, primitive] of mesh.primitives.entries()) {
            const stream = primitive.extensions?.[EXTENSION] as Stream | undefined;
            const positions = document.accessors?.[primitive.attributes.POSITION ?? -1];
            if (!stream || !positions || positions.componentType !== FLOAT) continue;
            const at = `${file.name}: meshes[${m}].primitives[${p}]`;
            const { points, triangles } = decoder.decode(bytesOf(document, stream.bufferView, rest, files, at), stream.attributes.POSITION ?? -1, at);
            Object.assign(positions, { bufferView: store(bytes(points)), byteOffset: 0, count: points.length / 3 });
            const indices = { bufferView: store(bytes(triangles)), byteOffset: 0, componentType: WHOLE, count: triangles.length, type: "SCALAR" };
            primitive.indices = document.accessors!.push(indices) - 1;
            // No other attribute is baked.
            primitive.attributes = { POSITION: primitive.attributes.POSITION! };
            primitive.mode = TRIANGLES;
            delete primitive.extensions![EXTENSION];
        }
    }
    const isLeft = (document.meshes ?? []).some(({ primitives }) => primitives.some(({ extensions }) => extensions?.[EXTENSION]));
    if (!isLeft) {
        for (const list of ["extensionsUsed", "extensionsRequired"] as const) {
            const others = document[list]?.filter((extension) => extension !== EXTENSION);
            // A list must not be empty.
            if (others && others.length > 0) document[list] = others;
            else delete document[list];
        }
    }
    if (parts.length > 0) document.buffers.push({ uri: encodeURIComponent(name), byteLength: size });
    const [data, text] = [joined(parts, size), new TextEncoder().encode(JSON.stringify(document))];
    return [{ name: file.name, bytes: rest ? wrapped(text, rest) : text }, { name, bytes: data }];
}

const bytes = (list: Float32Array | Uint32Array): Uint8Array => new Uint8Array(list.buffer, list.byteOffset, list.byteLength);

function joined(parts: Uint8Array[], size: number): Uint8Array {
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/** A GLB of a document and the chunks that follow it. */
function wrapped(text: Uint8Array, rest: Uint8Array): Uint8Array {
    const length = Math.ceil(text.length / 4) * 4;
    const whole = new Uint8Array(20 + length + rest.length).fill(0x20, 20, 20 + length);
    new Uint32Array(whole.buffer, 0, 5).set([GLB, 2, whole.length, length, JSON_CHUNK]);
    whole.set(text, 20);
    whole.set(rest, 20 + length);
    return whole;
}

/** The bytes of a view: in the GLB, in the text, or in a file next to it. */
function bytesOf(document: Document, number: number, rest: Uint8Array | null, files: NamedFile[], at: string): Uint8Array {
    const view = document.bufferViews?.[number];
    const uri = view && document.buffers?.[view.buffer]?.uri;
    let whole: Uint8Array | undefined;
    if (uri === undefined) whole = rest?.subarray(8);
    else if (uri.startsWith("data:")) whole = Uint8Array.from(atob(uri.slice(uri.indexOf(",") + 1)), (c) => c.charCodeAt(0));
    else {
        const name = decodeURIComponent(uri).split("/").at(-1);
        whole = files.find((file) => file.name.split("/").at(-1) === name)?.bytes;
    }
    const from = view?.byteOffset ?? 0;
    if (!view || !whole || from + view.byteLength > whole.length) throw new Error(`${at}: the bytes of its Draco stream are missing`);
    return whole.subarray(from, from + view.byteLength);
}

/** The few functions of Draco's module that are used. */
interface Draco {
    Decoder: new () => {
        DecodeArrayToMesh(bytes: Int8Array, size: number, mesh: object): { ok(): boolean; error_msg(): string };
        GetAttributeByUniqueId(mesh: object, id: number): { ptr: number };
        GetAttributeDataArrayForAllPoints(mesh: object, attribute: object, type: number, size: number, out: number): boolean;
        GetTrianglesUInt32Array(mesh: object, size: number, out: number): boolean;
    };
    Mesh: new () => { num_points(): number; num_faces(): number };
    DT_FLOAT32: number;
    HEAPU8: Uint8Array;
    _malloc(size: number): number;
    _free(at: number): void;
    destroy(object: object): void;
}

class Decoder {
    static #loaded: Promise<Decoder> | null = null;

    private constructor(private readonly draco: Draco) {}

    static load(): Promise<Decoder> {
        this.#loaded ??= (async () => {
            const [{ default: make }, binary] = await Promise.all([
                import("three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js"),
                fetch(decoderUrl).then((response) => {
                    if (!response.ok) throw new Error(`Draco's decoder cannot be loaded: ${response.status} ${response.statusText}`);
                    return response.arrayBuffer();
                }),
            ]);
            return new Decoder((await make({ wasmBinary: binary })) as Draco);
        })();
        // If loading failed, the next file tries again.
        this.#loaded.catch(() => (this.#loaded = null));
        return this.#loaded;
    }

    decode(stream: Uint8Array, position: number, at: string): { points: Float32Array; triangles: Uint32Array } {
        const { draco } = this;
        const [decoder, mesh] = [new draco.Decoder(), new draco.Mesh()];
        try {
            const status = decoder.DecodeArrayToMesh(new Int8Array(stream.buffer, stream.byteOffset, stream.byteLength), stream.byteLength, mesh);
            if (!status.ok()) throw new Error(`${at}: its Draco stream is damaged: ${status.error_msg()}`);
            const attribute = decoder.GetAttributeByUniqueId(mesh, position);
            if (attribute.ptr === 0) throw new Error(`${at}: its Draco stream has no positions`);
            const points = this.#read(12 * mesh.num_points(), (size, out) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco.DT_FLOAT32, size, out));
            const triangles = this.#read(12 * mesh.num_faces(), (size, out) => decoder.GetTrianglesUInt32Array(mesh, size, out));
            return { points: new Float32Array(points), triangles: new Uint32Array(triangles) };
        } finally {
            draco.destroy(mesh);
            draco.destroy(decoder);
        }
    }

    /** A copy of data that a function writes to the module's memory. */
    #read(size: number, write: (size: number, out: number) => boolean): ArrayBuffer {
        const out = this.draco._malloc(size);
        write(size, out);
        const copy = this.draco.HEAPU8.slice(out, out + size).buffer;
        this.draco._free(out);
        return copy;
    }
}
