// Bakes on several workers, without shared memory: it runs wherever files can be served from.
import { LevelBake } from "./index.js";

/** Shares per worker: those that are done early take another. */
const SHARES_EACH = 4;

export class BakePool {
    #workers = [];
    #queue = new Map();
    #ids = 0;

    constructor(workers, lanes) {
        this.#workers = workers;
        for (const worker of workers) {
            worker.listen((message) => this.#arrived(message));
        }
        this.size = lanes;
    }

    /** Starts `size` workers; by default one a core, less one for the page. */
    static async start(size) {
        const cores = globalThis.navigator?.hardwareConcurrency ?? 2;
        const lanes = Math.max(1, size ?? cores - 1);
        const workers = await Promise.all(Array.from({ length: lanes }, () => launch()));
        return new BakePool(workers, lanes);
    }

    #arrived({ id, error, ...result }) {
        const waiting = this.#queue.get(id);
        this.#queue.delete(id);
        if (error) {
            waiting?.reject(Object.assign(new Error(error.message), { problems: error.problems, remedy: error.remedy }));
        } else {
            waiting?.resolve(result);
        }
    }

    #ask(worker, message) {
        const id = ++this.#ids;
        return new Promise((resolve, reject) => {
            this.#queue.set(id, { resolve, reject });
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

/** A worker, when it is ready: of the browser, or of node. */
async function launch() {
    const url = new URL("./worker.js", import.meta.url);
    if (globalThis.Worker) {
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        await new Promise((resolve, reject) => {
            worker.onmessage = resolve;
            worker.onerror = (event) => reject(new Error(event.message ?? "a worker could not start"));
        });
        return {
            post: (message) => worker.postMessage(message),
            listen: (listener) => (worker.onmessage = (event) => listener(event.data)),
            close: () => worker.terminate(),
        };
    }
    const threads = await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:worker_threads");
    const worker = new threads.Worker(url);
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    return {
        post: (message) => worker.postMessage(message),
        listen: (listener) => worker.on("message", listener),
        close: () => worker.terminate(),
    };
}
