// Draco streams of the reference encoder, and what the reference decoder makes of them.
//
//     node draco.mjs all FILE         every shape with every choice of the encoder, some tens of thousands of streams
//     node draco.mjs few FILE         a few small ones, which the tests of navinput keep
//
// A line of the file: a name, the identifier of the positions, the number of triangles, the CRC-32 of their corners as 32-bit floats
// in the order of the decoder, and the stream in hexadecimal. The tests of navinput decode each line and compare.

import { createWriteStream } from "node:fs";
import { crc32 } from "node:zlib";
import draco3d from "draco3d";
import { shapes } from "./shapes.mjs";

const Encoding = await draco3d.createEncoderModule({});
const Decoding = await draco3d.createDecoderModule({});

/** Other attributes by a letter each; those of `T`, `N` and `G` have seams. */
const EXTRAS = {
  n: (builder, mesh, points) => builder.AddFloatAttributeToMesh(mesh, Encoding.NORMAL, points.length / 3, 3, new Float32Array(points.map((_, i) => points[i] / (Math.hypot(...points.slice(i - (i % 3), i - (i % 3) + 3)) || 1)))),
  t: (builder, mesh, points) => builder.AddFloatAttributeToMesh(mesh, Encoding.TEX_COORD, points.length / 3, 2, Float32Array.from({ length: (2 * points.length) / 3 }, (_, i) => points[3 * (i >> 1) + 2 * (i % 2)] / 7)),
  c: (builder, mesh, points) => builder.AddUInt8Attribute(mesh, Encoding.COLOR, points.length / 3, 4, Uint8Array.from({ length: (4 * points.length) / 3 }, (_, i) => i * 37)),
  g: (builder, mesh, points) => builder.AddUInt16Attribute(mesh, Encoding.GENERIC, points.length / 3, 1, Uint16Array.from({ length: points.length / 3 }, (_, i) => i % 11)),
  T: (builder, mesh, points) => builder.AddFloatAttributeToMesh(mesh, Encoding.TEX_COORD, points.length / 3, 2, Float32Array.from({ length: (2 * points.length) / 3 }, (_, i) => (Math.floor(i / 6) % 3 === 0 ? (i * 7919) % 13 : 0))),
  N: (builder, mesh, points) => builder.AddFloatAttributeToMesh(mesh, Encoding.NORMAL, points.length / 3, 3, Float32Array.from(points, (_, i) => [[0, 1, 0], [1, 0, 0], [0.6, 0.8, 0]][(Math.floor(i / 9) % 4) % 3][i % 3])),
  G: (builder, mesh, points) => builder.AddInt32Attribute(mesh, Encoding.GENERIC, points.length / 3, 1, Int32Array.from({ length: points.length / 3 }, (_, i) => (i % 3) - 1)),
};

/** The attributes of a stream, in their order; `p` are positions, `w` whole ones. */
const ATTRIBUTES = ["p", "pntc", "pg", "pT", "pTNG", "TNGp", "NTp", "ntcgp", "cp", "Gp", "w", "Tw"];

function encode({ vertices, triangles }, { isSequential, speed, bits, attributes }) {
  const [encoder, builder, mesh] = [new Encoding.Encoder(), new Encoding.MeshBuilder(), new Encoding.Mesh()];
  builder.AddFacesToMesh(mesh, triangles.length / 3, new Uint32Array(triangles));
  let id = -1;
  for (const letter of attributes) {
    const count = vertices.length / 3;
    if (letter === "p") id = builder.AddFloatAttributeToMesh(mesh, Encoding.POSITION, count, 3, new Float32Array(vertices));
    else if (letter === "w") id = builder.AddInt16Attribute(mesh, Encoding.POSITION, count, 3, new Int16Array(vertices.map((value) => Math.round(10 * value))));
    else EXTRAS[letter](builder, mesh, vertices);
  }
  encoder.SetSpeedOptions(speed, speed);
  encoder.SetEncodingMethod(isSequential ? Encoding.MESH_SEQUENTIAL_ENCODING : Encoding.MESH_EDGEBREAKER_ENCODING);
  if (bits > 0) {
    encoder.SetAttributeQuantization(Encoding.POSITION, bits);
    encoder.SetAttributeQuantization(Encoding.NORMAL, 10);
    encoder.SetAttributeQuantization(Encoding.TEX_COORD, 12);
  }
  const out = new Encoding.DracoInt8Array();
  const size = encoder.EncodeMeshToDracoBuffer(mesh, out);
  const stream = Buffer.from(Uint8Array.from({ length: size }, (_, i) => out.GetValue(i)));
  for (const object of [out, mesh, builder, encoder]) Encoding.destroy(object);
  return { stream, id };
}

/** The corners of all triangles, or null if the decoder refuses the stream. */
function decode(stream, id) {
  const [decoder, mesh] = [new Decoding.Decoder(), new Decoding.Mesh()];
  const read = (List, size, write) => {
    const at = Decoding._malloc(size);
    write(size, at);
    const list = new List(Decoding.HEAPU8.slice(at, at + size).buffer);
    Decoding._free(at);
    return list;
  };
  try {
    if (!decoder.DecodeArrayToMesh(new Int8Array(stream), stream.length, mesh).ok()) return null;
    const attribute = decoder.GetAttributeByUniqueId(mesh, id);
    const points = read(Float32Array, 12 * mesh.num_points(), (size, at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, Decoding.DT_FLOAT32, size, at));
    const indices = read(Uint32Array, 12 * mesh.num_faces(), (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at));
    return Float32Array.from({ length: 3 * indices.length }, (_, i) => points[3 * indices[Math.floor(i / 3)] + (i % 3)]);
  } finally {
    Decoding.destroy(mesh);
    Decoding.destroy(decoder);
  }
}

function* choices(isAll) {
  for (const [shape, mesh] of Object.entries(shapes())) {
    for (const isSequential of [false, true]) {
      for (const speed of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        for (const bits of [0, 8, 11, 14, 16]) {
          for (const attributes of ATTRIBUTES) {
            const choice = { isSequential, speed, bits, attributes };
            const name = [shape, isSequential ? "sequential" : "edgebreaker", speed, bits, attributes].join("-");
            if (isAll ? bits % 2 === 0 || attributes.length < 3 : FEW.includes(name)) yield { name, mesh, choice };
          }
        }
      }
    }
  }
}

/** One of every kind that the decoder distinguishes. */
const FEW = [
  "triangle-edgebreaker-5-11-p", "grid-edgebreaker-0-11-p", "moebius-edgebreaker-2-14-pntc", "grid-sequential-7-11-p", "bow-sequential-10-0-p",
  "holes-edgebreaker-1-11-p", "torus-edgebreaker-0-8-p", "handles-edgebreaker-7-8-p", "handles-edgebreaker-2-8-p", "many-edgebreaker-4-8-pg", "book-edgebreaker-5-0-p",
  "moebius-edgebreaker-3-11-p", "degenerate-sequential-9-8-pg", "soup-edgebreaker-4-8-TNGp", "soup-edgebreaker-8-11-Tw", "moebius-sequential-5-0-w", "soup-edgebreaker-2-14-NTp",
];

const [which, file] = process.argv.slice(2);
const output = createWriteStream(file);
let [written, refused] = [0, 0];
for (const { name, mesh, choice } of choices(which === "all")) {
  const { stream, id } = encode(mesh, choice);
  const corners = stream.length > 0 ? decode(stream, id) : null;
  if (corners === null) {
    // Nothing is left of a mesh of triangles without area, and whole positions do not fit all.
    refused += 1;
    continue;
  }
  const sum = crc32(Buffer.from(corners.buffer)).toString(16).padStart(8, "0");
  output.write(`${name} ${id} ${corners.length / 9} ${sum} ${stream.toString("hex")}\n`);
  written += 1;
}
output.end(() => console.log(`${written} streams; the reference encoder refused ${refused} meshes`));
