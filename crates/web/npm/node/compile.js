import { readFile } from "node:fs/promises";

/** Compiles the module: node's `fetch` reads no files, and takes longer to load than everything else here. */
export async function compiled(url) {
    return WebAssembly.compile(await readFile(url));
}
