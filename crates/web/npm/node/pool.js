// The same as `../pool.js` for node.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Pool } from "../pooling.js";
import "./index.js";
import { module } from "./module.js";

export class BakePool extends Pool {
    /** Starts `size` workers; by default one a core, less one for the main thread. */
    static start(size = availableParallelism() - 1) {
        return this.launched(size, launch, module);
    }
}

/** A worker, when it listens. */
async function launch() {
    const worker = new Worker(new URL("./worker.js", import.meta.url));
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    return {
        post: (message) => worker.postMessage(message),
        listen: (listener, fail) => worker.on("message", listener).on("error", fail),
        close: () => worker.terminate(),
    };
}
