// The page's side of `navtile studio`: the level's files, the settings, and their changes.

export interface Session {
    /** Names of the files: those of the level, or the one mesh. */
    files: string[];
    /** For each file, the version of its last change. */
    versions: number[];
    /** Name of the settings file; null without a level. */
    settings: string | null;
    toml: string;
    /** Digest of the settings: it identifies the settings that are overwritten. */
    digest: string;
    /** Grows with each change of a file. */
    version: number;
}

/** The program refuses; any other error means that it does not answer. */
export class RefusedError extends Error {
    constructor(
        message: string,
        readonly status: number,
    ) {
        super(message);
    }
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`api/${path}`, init);
    if (!response.ok) throw new RefusedError((await response.text()) || response.statusText, response.status);
    return response;
}

export function isServed(): boolean {
    return new URLSearchParams(location.search).has("served");
}

export async function session(): Promise<Session> {
    return (await ask("session")).json() as Promise<Session>;
}

export async function file(index: number): Promise<Uint8Array> {
    return new Uint8Array(await (await ask(`file/${index}`)).arrayBuffer());
}

/** Resolves when a file is newer than this version. */
export async function changed(version: number): Promise<Session> {
    for (;;) {
        const response = await ask(`changes?since=${version}`);
        if (response.status === 200) return response.json() as Promise<Session>;
    }
}

/** Writes the settings file if it has this digest; null to write in any case. */
export async function writeSettings(toml: string, over: string | null): Promise<Session> {
    const query = over === null ? "" : `?over=${over}`;
    return (await ask(`settings${query}`, { method: "PUT", body: toml })).json() as Promise<Session>;
}

/** Lets the program bake the level with these settings, and returns the file. */
export async function bake(toml: string, signal: AbortSignal): Promise<Uint8Array> {
    return new Uint8Array(await (await ask("bake", { method: "POST", body: toml, signal })).arrayBuffer());
}
