// The same as `../index.js` for node.
import { initSync } from "../navtile_web.js";
import { module } from "./module.js";

// `start` asks whether this is a response, for which node loads all of its `fetch`.
initSync({ module });

export * from "../navtile_web.js";

/** Resolves when the module is there, which it is once it was imported. */
export default async function ready() {}
