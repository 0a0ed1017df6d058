// An OBJ as a GLB, so that a level of the other kind can be dropped.

export function glbOf(obj) {
    const vertices = [];
    const indices = [];
    for (const line of obj.split("\n")) {
        const [kind, ...rest] = line.trim().split(/\s+/);
        if (kind === "v") vertices.push(...rest.slice(0, 3).map(Number));
        if (kind === "f") {
            const corners = rest.map((corner) => Number(corner.split("/")[0]) - 1);
            for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
        }
    }
    const positions = Buffer.from(new Float32Array(vertices).buffer);
    const triangles = Buffer.from(new Uint32Array(indices).buffer);
    const axis = (at) => vertices.filter((_, i) => i % 3 === at).map(Math.fround);
    const document = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, name: "level" }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
            { bufferView: 0, componentType: 5126, count: vertices.length / 3, type: "VEC3", min: [0, 1, 2].map((i) => Math.min(...axis(i))), max: [0, 1, 2].map((i) => Math.max(...axis(i))) },
            { bufferView: 1, componentType: 5125, count: indices.length, type: "SCALAR" },
        ],
        bufferViews: [{ buffer: 0, byteLength: positions.length }, { buffer: 0, byteOffset: positions.length, byteLength: triangles.length }],
        buffers: [{ byteLength: positions.length + triangles.length }],
    };
    const text = Buffer.from(JSON.stringify(document));
    const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 32)]);
    const words = (...list) => Buffer.from(new Uint32Array(list).buffer);
    const body = Buffer.concat([positions, triangles]);
    return Buffer.concat([words(0x46546c67, 2, 28 + json.length + body.length, json.length, 0x4e4f534a), json, words(body.length, 0x004e4942), body]);
}
