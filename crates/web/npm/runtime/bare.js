// The same without a module: the caller passes it, or its URL, to the default export before anything else.
export { default } from "./navtile_runtime.js";
export * from "./navtile_runtime.js";
export { hasSimd } from "../simd.js";
