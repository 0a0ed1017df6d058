// The runtime alone: meshes and questions, without the bake, crowds and obstacles. It is a fraction of the whole.
import { compiled } from "../compile.js";
import start from "./navtile_runtime.js";
import { url } from "./url.js";

await start({ module_or_path: await compiled(url) });

export * from "./navtile_runtime.js";

/** Resolves when the module is there, which it is once it was imported. */
export default async function ready() {}
