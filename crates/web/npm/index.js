// Loads the module once, then everything is there: `import { bake, NavMesh } from "navtile"` in browsers, workers and node.
import * as generated from "./navtile_web.js";
import { begin } from "./begin.js";

await begin(import.meta.url, "navtile_web_bg", generated);

export * from "./navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. For pages that want to say so. */
export default async function ready() {}
