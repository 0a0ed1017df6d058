// The runtime alone: meshes and questions, without the bake, crowds and pieces. It is a fraction of the whole.
import * as generated from "./navtile_web.js";
import { begin } from "../begin.js";

await begin(import.meta.url, "navtile_web_bg", generated);

export * from "./navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. */
export default async function ready() {}
