// Levels to start with.
import type { NamedFile } from "./protocol";

export interface Sample {
    id: string;
    title: string;
    about: string;
    level: string;
    settings: string | null;
}

export const SAMPLES: Sample[] = [
    {
        id: "courtyard",
        title: "Courtyard",
        about: "Stairs, a bridge, a hall, a stream, and a pit without an exit",
        level: "courtyard.obj",
        settings: "courtyard.toml",
    },
    { id: "terrain", title: "Terrain", about: "Hills with slopes too steep to walk", level: "terrain.obj", settings: null },
];

async function content(name: string): Promise<Uint8Array> {
    const response = await fetch(`samples/${name}`);
    if (!response.ok) throw new Error(`${name} cannot be loaded: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
}

export async function load(sample: Sample): Promise<{ files: NamedFile[]; toml: string }> {
    const [bytes, settings] = await Promise.all([content(sample.level), sample.settings ? content(sample.settings) : null]);
    return { files: [{ name: sample.level, bytes }], toml: settings ? new TextDecoder().decode(settings) : "" };
}
