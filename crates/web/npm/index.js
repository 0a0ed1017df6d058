// Loads the module once, then everything is there: `import { bake, NavMesh } from "navtile"` in browsers, workers and node.
import start from "./navtile_web.js";
import { content } from "./content.js";

await start({ module_or_path: await content(import.meta.url, "navtile_web_bg") });

export * from "./navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. For pages that want to say so. */
export default async function ready() {}
