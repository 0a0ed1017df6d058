export { default } from "./navtile_web.js";
export * from "./navtile_web.js";

/**
 * Returns true if this machine has WebAssembly's SIMD. Without it only the modules whose names end in
 * `_scalar` start.
 */
export function hasSimd(): boolean;
