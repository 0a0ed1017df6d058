// Loads the module once, then everything is there: `import { bake, NavMesh } from "navtile"` in browsers and workers. Node has its own
// entries in `node/`, so that no bundle for a browser imports node's modules.
import start from "./navtile_web.js";
import { module } from "./module.js";

await start({ module_or_path: module });

export * from "./navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. For pages that want to say so. */
export default async function ready() {}
