// Modules of the page, for node.
import { resolve } from "node:path";
import { build } from "vite";

const web = resolve(import.meta.dirname, "..");

/** A module of the page, for node. */
export async function module(name) {
    const { output } = await build({
        configFile: false, logLevel: "silent",
        build: { write: false, minify: false, lib: { entry: resolve(web, `src/${name}.ts`), formats: ["es"] } },
    }).then((built) => (Array.isArray(built) ? built[0] : built));
    return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}
