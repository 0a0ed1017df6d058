// Packs the built pages into the program's sources: `node pack.mjs`. With `--check` it only reports
// differences.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const root = resolve(import.meta.dirname, "..");
const built = resolve(root, "target/web/site");
const packed = resolve(root, "crates/cli/src/studio/site");
const isCheck = process.argv.includes("--check");

const pack = (bytes) => gzipSync(bytes, { level: 9 });
const base64 = (path) => pack(readFileSync(path)).toString("base64");

function all(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? all(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/**
 * The single-file page: code and module packed in a format that a browser can unpack. The program adds the
 * mesh.
 */
function viewPage() {
    const folder = resolve(root, "target/web/view");
    const held = (id, text) => `<script type="text/plain" id="${id}">${text}</script>`;
    const boot = `(async()=>{const t=Uint8Array.from(atob(document.getElementById("code").textContent),c=>c.charCodeAt(0));const s=document.createElement("script");s.textContent=await new Response(new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip"))).text();document.body.append(s)})()`;
    return [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<title>{{title}}</title><link rel="icon" href="data:,"></head><body>`,
        held("file", "{{file}}"), held("level-vertices", "{{vertices}}"), held("level-triangles", "{{triangles}}"), held("warnings", "{{warnings}}"),
        held("wasm", base64(resolve(root, "target/web/npm/runtime/navtile_runtime_bg.wasm"))), held("code", base64(join(folder, "view.js"))),
        `<script>${boot}</script></body></html>`,
    ].join("\n");
}

/** The content of a checked-in file, however it was packed: packers differ between machines. */
function content(name, bytes) {
    if (name.endsWith(".gz")) return gunzipSync(bytes);
    const unpacked = (_, text) => `>${gunzipSync(Buffer.from(text, "base64")).toString("base64")}<`;
    return Buffer.from(bytes.toString().replace(/>(H4sI[A-Za-z0-9+/=]+)</g, unpacked));
}

let different = 0;
let own = 0;
const files = all(built).map((path) => [`${relative(built, path)}.gz`, pack(readFileSync(path))]);
const view = Buffer.from(viewPage());
for (const [name, bytes] of [...files, ["view.html", view]]) {
    const target = join(packed, name);
    const same = existsSync(target) && content(name, readFileSync(target)).equals(content(name, bytes));
    console.log(`${name.padEnd(28)} ${String(Math.round(bytes.length / 1000)).padStart(6)} kB${same ? "" : isCheck ? "  differs from what is checked in" : "  written"}`);
    if (!/^(three|samples|view|draco)/.test(name)) own += bytes.length;
    if (same) continue;
    different++;
    if (!isCheck) {
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, bytes);
    }
}
console.log(`the page without three.js, samples and Draco's decoder: ${Math.round(own / 1000)} kB`);
if (isCheck && different > 0) {
    console.error("what is checked in is not what the sources build: cargo xtask web --update writes it");
    process.exit(1);
}
