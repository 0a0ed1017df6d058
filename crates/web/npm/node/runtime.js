// The same as `../runtime/index.js` for node.
import { initSync } from "../runtime/navtile_runtime.js";
import { url } from "../runtime/url.js";
import { compiled } from "./compile.js";

initSync({ module: await compiled(url) });

export * from "../runtime/navtile_runtime.js";

/** Resolves when the module is there, which it is once it was imported. */
export default async function ready() {}
