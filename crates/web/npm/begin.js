// Starting the WebAssembly: it lies beside this file, in a build with SIMD, and one for machines without.

/** The smallest module that uses SIMD: a function that makes a vector and drops it. */
const SIMD = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 17, 26, 11,
]);

/** Starts the module beside `base` by its generated code. */
export async function begin(base, name, { default: start, initSync }) {
    const suffix = WebAssembly.validate(SIMD) ? "" : "_scalar";
    const url = new URL(`${name}${suffix}.wasm`, base);
    if (url.protocol !== "file:") {
        return start({ module_or_path: fetch(url) });
    }
    // Bundlers for browsers need not look for node's modules.
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:fs/promises");
    // Where `start` asks whether this is a response, node loads all of its `fetch`, which takes longer than the rest.
    return initSync({ module: await WebAssembly.compile(await readFile(url)) });
}
