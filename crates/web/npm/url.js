// The module's file for this machine. Bundlers copy a file only if its name is a literal in `new URL(..., import.meta.url)`.
import { hasSimd } from "./simd.js";

export const url = hasSimd()
    ? new URL("./navtile_web_bg.wasm", import.meta.url)
    : new URL("./navtile_web_bg_scalar.wasm", import.meta.url);
