// The page that `navtile view` writes, without its mesh: one file, put together by pack.mjs.
import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = resolve(import.meta.dirname, "..");

export default defineConfig({
    publicDir: false,
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
