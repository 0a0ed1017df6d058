// The page that `navtile view` writes, without its mesh: one file, put together by pack.mjs.
import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = resolve(import.meta.dirname, "..");
const runtime = resolve(root, "target/web/npm/runtime/navtile_web.js");

export default defineConfig({
    publicDir: false,
    resolve: {
        alias: [
            { find: "navtile/runtime", replacement: runtime },
            { find: "navtile/bare", replacement: runtime },
        ],
    },
    // The module is handed to its code, which looks for no file beside it.
    define: { "import.meta.url": JSON.stringify("https://localhost/") },
    build: {
        target: "es2022",
        outDir: resolve(root, "target/web/view"),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        rollupOptions: {
            input: resolve(import.meta.dirname, "src/viewer.ts"),
            output: { format: "iife", entryFileNames: "view.js", assetFileNames: "[name][extname]", },
        },
    },
});
