// The runtime alone: meshes and questions, without the bake, crowds and pieces. It is a fraction of the whole.
import start from "./navtile_web.js";
import { content } from "../content.js";

await start({ module_or_path: await content(import.meta.url, "navtile_web_bg") });

export * from "./navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. */
export default async function ready() {}
