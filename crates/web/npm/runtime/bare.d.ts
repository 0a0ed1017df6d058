export { default } from "./navtile_runtime.js";
export * from "./navtile_runtime.js";

/**
 * Returns true if this machine has WebAssembly's SIMD. Without it only the modules whose names end in
 * `_scalar` start.
 */
export function hasSimd(): boolean;
