// What the pools of browsers and of node share: they differ in how a worker starts.
import { LevelBake } from "./navtile_web.js";

/** Shares per worker: those that are done early take another. */
const SHARES_EACH = 4;

export class Pool {
    #workers;
    #waiting = new Map();
    #ids = 0;

    constructor(workers) {
        this.#workers = workers;
        this.size = workers.length;
        for (const worker of workers) {
            worker.listen((message) => this.#arrived(message), (error) => this.#fail(error));
        }
    }

    /** Starts workers by `launch`, at least one, and gives them the compiled module. */
    static async launched(size, launch, module) {
        const started = await Promise.allSettled(Array.from({ length: Math.max(1, size) }, launch));
        const pool = new this(started.flatMap(({ value }) => value ?? []));
        try {
            const failed = started.find(({ status }) => status === "rejected");
            if (failed) {
                throw failed.reason;
            }
            await Promise.all(pool.#workers.map((worker) => pool.#ask(worker, { module })));
            return pool;
        } catch (error) {
            pool.close();
            throw error;
        }
    }

    #arrived({ id, error, ...result }) {
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) {
            waiting?.reject(Object.assign(new Error(error.message), { problems: error.problems, remedy: error.remedy }));
        } else {
            waiting?.resolve(result);
        }
    }

    /** A worker has stopped: no bake of this pool can end. */
    #fail(error) {
        for (const waiting of this.#waiting.values()) {
            waiting.reject(error);
        }
        this.#waiting.clear();
    }

    #ask(worker, message) {
        const id = ++this.#ids;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            worker.post({ id, ...message });
        });
    }

    /** Bakes a level on all workers; `progress` gets the part that is done, 0 to 1. The bytes are those of `bake`. */
    async bake(files, settings, progress = () => {}) {
        // What is wrong with the level is thrown here, before anything is sent.
        const level = new LevelBake(files, settings);
        try {
            const tiles = level.tiles();
            const of = Math.min(tiles, this.size * SHARES_EACH) || 1;
            const lanes = this.#workers.slice(0, of);
            const shares = [];
            let next = 0;
            await Promise.all(lanes.map(async (worker) => {
                await this.#ask(worker, { files, settings });
                while (next < of) {
                    const { share } = await this.#ask(worker, { index: next++, of });
                    shares.push(share);
                    progress(shares.length / of);
                }
            }));
            const agents = level.join(shares);
            return { ...agents[0], agents };
        } finally {
            level.free();
        }
    }

    /** Ends all workers. A bake that is under way never ends then. */
    close() {
        for (const worker of this.#workers) {
            worker.close();
        }
        this.#workers = [];
    }
}
