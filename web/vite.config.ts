import { copyFileSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = resolve(import.meta.dirname, "..");

/** The samples are levels of the repository. */
function samples(): Plugin {
    const names = ["courtyard.obj", "courtyard.toml", "terrain.obj"];
    return {
        name: "samples",
        buildStart() {
            const folder = resolve(import.meta.dirname, "public/samples");
            mkdirSync(folder, { recursive: true });
            for (const name of names) copyFileSync(resolve(root, "assets", name), resolve(folder, name));
        },
    };
}

export default defineConfig({
    base: "./",
    plugins: [samples()],
    server: { fs: { allow: [root] } },
    worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" } } },
    build: {
        target: "es2022",
        outDir: resolve(root, "target/web/site"),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: false,
        reportCompressedSize: true,
        rollupOptions: {
            output: {
                entryFileNames: "studio.js",
                chunkFileNames: "[name].js",
                assetFileNames: "[name][extname]",
                // three.js rarely changes: a browser keeps it in its cache when the studio changes.
                manualChunks: (id: string) => (id.includes("node_modules/three") ? "three" : undefined),
            },
        },
    },
});
