// A worker that bakes shares of a level. It gets `{ id, files, settings }` to prepare a level, then `{ id, index, of }` for each share.
// It runs as a web worker and as a worker of node.
import { LevelBake } from "./index.js";

const port = globalThis.self ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:worker_threads")).parentPort;
let level;

function answer({ id, files, settings, index, of }) {
    try {
        if (files) {
            level?.free();
            level = new LevelBake(files, settings);
            port.postMessage({ id, tiles: level.tiles() });
            return;
        }
        const share = level.share(index, of);
        port.postMessage({ id, share }, [share.buffer]);
    } catch (error) {
        port.postMessage({ id, error: { message: error.message, problems: error.problems, remedy: error.remedy } });
    }
}

if (globalThis.self) {
    port.onmessage = (event) => answer(event.data);
} else {
    port.on("message", answer);
}
port.postMessage({ id: "ready" });
