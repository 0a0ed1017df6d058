// The same without a module: the caller passes it, or its URL, to the default export before anything else.
export { default } from "./navtile_web.js";
export * from "./navtile_web.js";
export { hasSimd } from "./simd.js";
