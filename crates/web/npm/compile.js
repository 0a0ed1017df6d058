/** Compiles the module while it arrives. */
export async function compiled(url) {
    const response = await fetch(url);
    const kind = response.headers.get("Content-Type");
    if (response.ok && kind?.startsWith("application/wasm")) {
        return WebAssembly.compileStreaming(response);
    }
    const bytes = await response.arrayBuffer();
    // Many servers answer with a page for a file that they do not have.
    if (!response.ok || new Uint8Array(bytes)[0] !== 0) {
        throw new Error(
            `navtile: ${url}: expected WebAssembly, found status ${response.status}, ${kind}; ` +
            "copy the package's .wasm files to this place, or import navtile/bare and pass it their URL",
        );
    }
    return WebAssembly.compile(bytes);
}
