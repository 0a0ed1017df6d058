/** The smallest module that uses SIMD: a function that makes a vector and drops it. */
const SIMD = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 17, 26, 11,
]);

/** Whether this machine has WebAssembly's SIMD. Without it only the modules whose names end in `_scalar` start. */
export function hasSimd() {
    return WebAssembly.validate(SIMD);
}
