// Bakes on several workers, without shared memory: it runs wherever files can be served from.
import "./index.js";
import { module } from "./module.js";
import { Pool } from "./pooling.js";

export class BakePool extends Pool {
    /** Starts `size` workers; by default one a core, less one for the page. */
    static start(size = (navigator.hardwareConcurrency ?? 2) - 1) {
        return this.launched(size, launch, module);
    }
}

/** A worker, when it listens. */
async function launch() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const stopped = ({ message }) => new Error(message ? `navtile's worker stopped: ${message}` : MISSING);
    await new Promise((resolve, reject) => {
        worker.onmessage = resolve;
        worker.onerror = (event) => reject(stopped(event));
    });
    return {
        post: (message) => worker.postMessage(message),
        listen: (listener, fail) => {
            worker.onmessage = ({ data }) => listener(data);
            worker.onerror = (event) => fail(stopped(event));
        },
        close: () => worker.terminate(),
    };
}

/** Browsers give no reason. */
const MISSING = "navtile's worker cannot be loaded: bundle navtile/worker as worker.js beside the code of the page";
