// The side of the page that talks to `navtile studio`, where that serves it: the level's files, the settings, and their changes.
import type { NamedFile } from "./protocol";

export interface Session {
    /** Names of the files, those of the level or the one mesh. */
    files: string[];
    /** Name of the settings file; null without a level. */
    settings: string | null;
    toml: string;
    /** Grows with each change of a file. */
    version: number;
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`api/${path}`, init);
    if (!response.ok) throw new Error((await response.text()) || response.statusText);
    return response;
}

export function isServed(): boolean {
    return new URLSearchParams(location.search).has("served");
}

export async function session(): Promise<Session> {
    return (await ask("session")).json() as Promise<Session>;
}

export async function files(of: Session): Promise<NamedFile[]> {
    return Promise.all(
        of.files.map(async (name, index) => ({ name, bytes: new Uint8Array(await (await ask(`file/${index}`)).arrayBuffer()) })),
    );
}

/** Resolves with the session once something is newer than `version`. */
export async function changed(version: number): Promise<Session> {
    for (;;) {
        const response = await ask(`changes?since=${version}`);
        if (response.status === 200) return response.json() as Promise<Session>;
    }
}

export async function writeSettings(toml: string): Promise<Session> {
    return (await ask("settings", { method: "PUT", body: toml })).json() as Promise<Session>;
}

/** The file that the program bakes of the level and these settings. */
export async function bake(toml: string): Promise<Uint8Array> {
    return new Uint8Array(await (await ask("bake", { method: "POST", body: toml })).arrayBuffer());
}
