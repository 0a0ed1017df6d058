import type { BakedFile, LevelFile } from "./index.js";

/** Workers that bake levels together, without shared memory or special headers. */
export class BakePool {
    /** Starts `size` workers; by default one per core, less one for the page. */
    static start(size?: number): Promise<BakePool>;
    /** Number of workers. */
    readonly size: number;
    /**
     * Bakes a level on all workers; `progress` gets the finished part, 0 to 1. The bytes equal those of
     * `bake`.
     */
    bake(
        files: LevelFile[],
        settingsToml?: string,
        progress?: (part: number) => void,
    ): Promise<BakedFile & { agents: BakedFile[] }>;
    /** Ends all workers. */
    close(): void;
}
