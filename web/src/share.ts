// A link that holds the level's name, the settings and the view, after the `#` of the address: servers do not
// see it.
import type { CameraPlace } from "./view/view";
import type { Colouring, Layers } from "./store";

export interface Shared {
    /** Name of the level. */
    name: string;
    sample: string | null;
    toml: string;
    camera: CameraPlace;
    cut: number | null;
    layers: Layers;
    colouring: Colouring;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
    const body = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(body).arrayBuffer());
}

export async function pack(shared: Shared): Promise<string> {
    const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
    let text = "";
    for (const byte of packed) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The content of a link; null if it was not made by the studio. */
export async function unpack(text: string): Promise<Shared | null> {
    try {
        const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const plain = await through(packed, new DecompressionStream("deflate-raw"));
        const shared = JSON.parse(new TextDecoder().decode(plain)) as Shared;
        return typeof shared.toml === "string" && typeof shared.name === "string" ? shared : null;
    } catch {
        return null;
    }
}
