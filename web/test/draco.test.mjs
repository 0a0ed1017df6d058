// glTF with Draco streams: the page bakes the same bytes as the program for the same triangles, decoded by
// another build of the decoder.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import draco3d from "draco3d";
import { drop, dropAll, launch, missing, open, root, serve, settled } from "./page.mjs";
import { bake, program } from "./program.mjs";

const skip = missing() ?? (program ? null : "there is no navtile program: cargo build --release -p navtile-cli");
if (skip) console.log(`skipped: ${skip}`);

/** Vertices and triangles of the courtyard. */
function courtyard() {
    const [vertices, triangles] = [[], []];
    for (const line of readFileSync(resolve(root, "assets/courtyard.obj"), "utf8").split("\n")) {
        const [kind, ...rest] = line.trim().split(/\s+/);
        if (kind === "v") vertices.push(...rest.slice(0, 3).map(Number));
        const corners = rest.map((corner) => parseInt(corner, 10) - 1);
        for (let i = 2; kind === "f" && i < corners.length; i++) triangles.push(corners[0], corners[i - 1], corners[i]);
    }
    return { vertices: new Float32Array(vertices), triangles: new Uint32Array(triangles) };
}

async function encoded({ vertices, triangles }) {
    const draco = await draco3d.createEncoderModule({});
    const [encoder, builder, mesh] = [new draco.Encoder(), new draco.MeshBuilder(), new draco.Mesh()];
    builder.AddFacesToMesh(mesh, triangles.length / 3, triangles);
    builder.AddFloatAttributeToMesh(mesh, draco.POSITION, vertices.length / 3, 3, vertices);
    encoder.SetAttributeQuantization(draco.POSITION, 14);
    const out = new draco.DracoInt8Array();
    const size = encoder.EncodeMeshToDracoBuffer(mesh, out);
    return Buffer.from(Uint8Array.from({ length: size }, (_, i) => out.GetValue(i)));
}

/** The result of the decoder for node for a stream. */
async function decoded(stream) {
    const draco = await draco3d.createDecoderModule({});
    const [decoder, mesh] = [new draco.Decoder(), new draco.Mesh()];
    assert.ok(decoder.DecodeArrayToMesh(new Int8Array(stream), stream.length, mesh).ok());
    const read = (List, size, write) => {
        const at = draco._malloc(size);
        write(size, at);
        const list = new List(draco.HEAPU8.slice(at, at + size).buffer);
        draco._free(at);
        return list;
    };
    const attribute = decoder.GetAttributeByUniqueId(mesh, 0);
    return {
        vertices: read(Float32Array, 12 * mesh.num_points(), (size, at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco.DT_FLOAT32, size, at)),
        triangles: read(Uint32Array, 12 * mesh.num_faces(), (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at)),
    };
}

/** A document of one mesh; with a stream, its accessors have no bytes of their own. */
function documentOf({ vertices, triangles }, stream, buffer) {
    const axis = (at) => vertices.filter((_, i) => i % 3 === at);
    const bounds = { min: [0, 1, 2].map((at) => Math.min(...axis(at))), max: [0, 1, 2].map((at) => Math.max(...axis(at))) };
    const extension = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };
    const views = stream ? [stream.length] : [vertices.byteLength, triangles.byteLength];
    return {
        asset: { version: "2.0" },
        ...(stream ? { extensionsUsed: Object.keys(extension), extensionsRequired: Object.keys(extension) } : {}),
        scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, name: "yard" }], materials: [{ name: "stone" }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0, ...(stream ? { extensions: extension } : {}) }] }],
        accessors: [
            { ...(stream ? {} : { bufferView: 0 }), componentType: 5126, count: vertices.length / 3, type: "VEC3", ...bounds },
            { ...(stream ? {} : { bufferView: 1 }), componentType: 5125, count: triangles.length, type: "SCALAR" },
        ],
        bufferViews: views.map((byteLength, i) => ({ buffer: 0, byteOffset: i === 0 ? 0 : views[0], byteLength })),
        buffers: [{ ...buffer, byteLength: views.reduce((sum, length) => sum + length, 0) }],
    };
}

function glb(document, body) {
    const padded = (bytes, by) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, by)]);
    const [text, data] = [padded(Buffer.from(JSON.stringify(document)), 32), padded(body, 0)];
    const words = (...list) => Buffer.from(new Uint32Array(list).buffer);
    return Buffer.concat([words(0x46546c67, 2, 28 + text.length + data.length, text.length, 0x4e4f534a), text, words(data.length, 0x004e4942), data]);
}

describe("Draco", { skip: skip ?? false, concurrency: false }, () => {
    let server;
    let browser;
    let stream;
    let triangles;
    before(async () => {
        server = await serve();
        browser = await launch();
        stream = await encoded(courtyard());
        triangles = await decoded(stream);
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });
    const plain = () => glb(documentOf(triangles, null, {}), Buffer.concat([Buffer.from(triangles.vertices.buffer), Buffer.from(triangles.triangles.buffer)]));
    const file = async (page) => Buffer.from(await page.evaluate(() => [...window.navtile.file()]));

    test("a GLB of Draco streams bakes as the program bakes its triangles", async () => {
        const { page, context, errors } = await open(browser, server.url);
        const loaded = [];
        page.on("request", (request) => loaded.push(request.url().split("/").at(-1)));
        const expected = bake("yard.glb", plain(), "");
        await drop(page, "yard.glb", plain());
        assert.ok((await file(page)).equals(expected));
        assert.ok(!loaded.some((name) => name.startsWith("draco")), "a plain file loads no decoder");
        const state = await drop(page, "small.glb", glb(documentOf(triangles, stream, {}), stream));
        assert.equal(state.error, null);
        assert.ok((await file(page)).equals(expected));
        assert.deepEqual(errors, []);
        await context.close();
    });

    test("streams in a file beside a document are found; one that is damaged or not there is named", async () => {
        const { page, context, errors } = await open(browser, server.url);
        const text = Buffer.from(JSON.stringify(documentOf(triangles, stream, { uri: "yard.bin" })));
        await dropAll(page, { "yard.gltf": text, "yard.bin": stream });
        await settled(page);
        assert.ok((await file(page)).equals(bake("yard.glb", plain(), "")));
        await dropAll(page, { "alone.gltf": text });
        await page.waitForFunction(() => /alone\.gltf: meshes\[0\]\.primitives\[0\]: the bytes of its Draco stream are missing/.test(window.navtile.state().error));
        await dropAll(page, { "broken.glb": glb(documentOf(triangles, stream, {}), Buffer.alloc(stream.length, 7)) });
        await page.waitForFunction(() => /broken\.glb: meshes\[0\]\.primitives\[0\]: its Draco stream is damaged/.test(window.navtile.state().error));
        const after = await page.evaluate(() => window.navtile.openSample("courtyard"));
        assert.equal(after.error, null);
        assert.deepEqual(errors, []);
        await context.close();
    });
});
