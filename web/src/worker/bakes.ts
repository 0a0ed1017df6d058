// Bakes, and queries of a level.
import { LevelBake } from "navtile/bare";
import { creases } from "../creases";
import type { Baked, LevelPicture, LevelRead, NamedFile } from "../protocol";

/** Side of tiles in cells for obstacles at run time: few enough cells that a tile is baked at once. */
const PLAY_TILE_CELLS = 48;

/** Interval of progress reports. */
const PROGRESS_MILLISECONDS = 50;

/** Reports of the bake with this number before it is done. */
interface Reports {
    read(id: number, read: LevelRead): void;
    progress(id: number, part: number): void;
}

export class BakeDesk {
    #files: NamedFile[] = [];
    #ready: { toml: string; bake: LevelBake } | null = null;
    #shown: LevelPicture | null = null;

    constructor(private readonly reports: Reports) {}

    /** Takes these files; with settings, only if the level can be read with them or without. */
    load(files: NamedFile[], toml: string | null): null {
        this.#drop();
        if (toml !== null) {
            try {
                this.#ready = { toml, bake: new LevelBake(files, toml) };
            } catch (error) {
                if (toml === "") throw error;
                // The bake reports wrong settings.
                new LevelBake(files, "").free();
            }
        }
        this.#files = files;
        this.#shown = null;
        return null;
    }

    #drop(): void {
        this.#ready?.bake.free();
        this.#ready = null;
    }

    /** The level with these settings, ready to bake. */
    level(toml: string): LevelBake {
        if (this.#ready?.toml !== toml) {
            this.#drop();
            this.#ready = { toml, bake: new LevelBake(this.#files, toml) };
        }
        return this.#ready!.bake;
    }

    bake(toml: string, id: number): [Baked, Transferable[]] {
        const start = performance.now();
        const level = this.level(toml);
        const read = performance.now();
        this.reports.read(id, { level: this.#picture(level), settings: level.settingsInUse(), areas: level.areas(), warnings: level.warnings() });
        const pictured = performance.now() - read;
        // Thousands of tiles report much more often than anybody can see.
        let reported = performance.now();
        const [first] = level.run((part) => {
            const now = performance.now();
            if (now - reported < PROGRESS_MILLISECONDS) return;
            reported = now;
            this.reports.progress(id, part);
        });
        const milliseconds = performance.now() - start - pictured;
        const { file, report } = first!;
        return [{ file, report, milliseconds }, [file.buffer as ArrayBuffer]];
    }

    /** The level for rendering, unless the page already has it. */
    #picture(level: LevelBake): LevelPicture | null {
        const { positions, areas } = level.geometry();
        const same = this.#shown && equal(this.#shown.positions, positions) && equal(this.#shown.areas, areas);
        if (same) return null;
        const shape = this.#shown && equal(this.#shown.positions, positions);
        const edges = shape ? this.#shown!.edges : creases(positions);
        this.#shown = { positions, areas, edges, names: level.names() };
        return this.#shown;
    }

    /** The level as a dynamic file with small tiles, for obstacles at run time. */
    dynamic(toml: string): Uint8Array {
        const cell = this.level(toml).settingsInUse().find((row) => row.path === "cell_size")?.value ?? 0.3;
        // A key must not occur twice.
        const rest = toml.replace(/^\s*tile_size\s*=.*$/m, "");
        const bake = new LevelBake(this.#files, `tile_size = ${PLAY_TILE_CELLS * cell}\n${rest}`);
        try {
            return bake.dynamic();
        } finally {
            bake.free();
        }
    }
}

function equal(a: Float32Array | Uint8Array, b: Float32Array | Uint8Array): boolean {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
}
