// Meshes of every topology, as lists of coordinates and indices: boundaries, holes, handles, several parts, edges of three triangles,
// one-sided bands, triangles without area, points and triangles that occur twice.

/** Numbers below one, the same in each run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

function grid(width, depth, height = () => 0, isHole = () => false) {
  const [vertices, triangles] = [[], []];
  const at = (x, z) => z * (width + 1) + x;
  for (let z = 0; z <= depth; z++) for (let x = 0; x <= width; x++) vertices.push(x, height(x, z), z);
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      if (!isHole(x, z)) triangles.push(at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x, z), at(x + 1, z + 1), at(x + 1, z));
    }
  }
  return { vertices, triangles };
}

function torus(long, short) {
  const [vertices, triangles] = [[], []];
  const at = (i, j) => (i % long) * short + (j % short);
  for (let i = 0; i < long; i++) {
    for (let j = 0; j < short; j++) {
      const [a, b] = [(2 * Math.PI * i) / long, (2 * Math.PI * j) / short];
      const radius = 5 + 2 * Math.cos(b);
      vertices.push(radius * Math.cos(a), 2 * Math.sin(b), radius * Math.sin(a));
      triangles.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  return { vertices, triangles };
}

function sphere(rings, sides) {
  const [vertices, triangles] = [[0, 1, 0], []];
  const last = 1 + (rings - 1) * sides;
  const at = (ring, side) => (ring === 0 ? 0 : ring === rings ? last : 1 + (ring - 1) * sides + (side % sides));
  for (let ring = 1; ring < rings; ring++) {
    for (let side = 0; side < sides; side++) {
      const [a, b] = [(Math.PI * ring) / rings, (2 * Math.PI * side) / sides];
      vertices.push(Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b));
    }
  }
  vertices.push(0, -1, 0);
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < sides; side++) {
      if (ring > 0) triangles.push(at(ring, side), at(ring, side + 1), at(ring + 1, side));
      if (ring < rings - 1) triangles.push(at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side));
    }
  }
  return { vertices, triangles };
}

/** A slab with `count` square tunnels through it: closed, of genus `count`. */
function handles(count) {
  const [vertices, triangles, known] = [[], [], new Map()];
  const [width, depth] = [4 * count + 1, 5];
  const isSolid = (x, z) => x >= 0 && z >= 0 && x < width && z < depth && !(z === 2 && x % 4 === 2);
  const vertex = (x, y, z) => {
    const key = [x, y, z].join();
    if (!known.has(key)) known.set(key, vertices.push(x, y, z) / 3 - 1);
    return known.get(key);
  };
  const square = (...corners) => {
    const [a, b, c, d] = corners.map((corner) => vertex(...corner));
    triangles.push(a, b, c, a, c, d);
  };
  for (let x = 0; x < width; x++) {
    for (let z = 0; z < depth; z++) {
      if (!isSolid(x, z)) continue;
      square([x, 1, z], [x, 1, z + 1], [x + 1, 1, z + 1], [x + 1, 1, z]);
      square([x, 0, z], [x + 1, 0, z], [x + 1, 0, z + 1], [x, 0, z + 1]);
      if (!isSolid(x - 1, z)) square([x, 0, z], [x, 0, z + 1], [x, 1, z + 1], [x, 1, z]);
      if (!isSolid(x + 1, z)) square([x + 1, 0, z], [x + 1, 1, z], [x + 1, 1, z + 1], [x + 1, 0, z + 1]);
      if (!isSolid(x, z - 1)) square([x, 0, z], [x, 1, z], [x + 1, 1, z], [x + 1, 0, z]);
      if (!isSolid(x, z + 1)) square([x, 0, z + 1], [x + 1, 0, z + 1], [x + 1, 1, z + 1], [x, 1, z + 1]);
    }
  }
  return { vertices, triangles };
}

function moebius(count) {
  const [vertices, triangles] = [[], []];
  const at = (i, side) => (i < count ? 2 * i + side : 1 - side);
  for (let i = 0; i < count; i++) {
    const a = (2 * Math.PI * i) / count;
    for (const side of [-1, 1]) {
      const radius = 5 + side * Math.cos(a / 2);
      vertices.push(radius * Math.cos(a), side * Math.sin(a / 2), radius * Math.sin(a));
    }
    triangles.push(at(i, 0), at(i, 1), at(i + 1, 1), at(i, 0), at(i + 1, 1), at(i + 1, 0));
  }
  return { vertices, triangles };
}

function joined(...meshes) {
  const [vertices, triangles] = [[], []];
  for (const mesh of meshes) {
    triangles.push(...mesh.triangles.map((index) => vertices.length / 3 + index));
    vertices.push(...mesh.vertices);
  }
  return { vertices, triangles };
}

const moved = ({ vertices, triangles }, ...by) => ({ vertices: vertices.map((value, i) => value + by[i % 3]), triangles });

/** Each triangle with points of its own, so that other attributes have seams. */
const soup = ({ vertices, triangles }) => ({ vertices: triangles.flatMap((index) => vertices.slice(3 * index, 3 * index + 3)), triangles: triangles.map((_, i) => i) });

/** Every third triangle the other way around. */
const flipped = ({ vertices, triangles }) => ({ vertices, triangles: triangles.map((index, i) => (i % 9 === 1 ? triangles[i + 1] : i % 9 === 2 ? triangles[i - 1] : index)) });

export function shapes() {
  const next = random(7);
  const slope = grid(6, 5, (x, z) => 0.2 * x * z);
  const count = slope.vertices.length / 3;
  const list = {
    triangle: { vertices: [0, 0, 0, 0, 0, 1, 1, 0, 0], triangles: [0, 1, 2] },
    grid: grid(9, 7, (x, z) => Math.sin(x) + Math.cos(0.7 * z)),
    flat: grid(6, 6),
    rough: grid(12, 12, () => 3 * next()),
    holes: grid(14, 11, (x) => 0.3 * x * next(), (x, z) => x % 3 === 1 && z % 3 === 1),
    torus: torus(14, 9),
    sphere: sphere(8, 11),
    many: joined(torus(9, 7), moved(torus(8, 6), 20, 1, 3), moved(grid(5, 5), -20, 0, 0), moved(sphere(3, 4), 0, 9, 0)),
    handles: handles(3),
    book: { vertices: [0, 0, 0, 0, 0, 4, 3, 0, 0, 3, 0, 4, -3, 0, 0, -3, 0, 4, 0, 3, 0, 0, 3, 4], triangles: [0, 1, 3, 0, 3, 2, 0, 1, 5, 0, 5, 4, 0, 1, 7, 0, 7, 6] },
    bow: { vertices: [0, 0, 0, 1, 0, 1, 1, 0, -1, -1, 0, 1, -1, 0, -1, 2, 1, 0], triangles: [0, 1, 2, 0, 4, 3, 1, 5, 2] },
    degenerate: { vertices: slope.vertices, triangles: [...slope.triangles, 0, 0, 1, 3, 4, 4, 5, 5, 5, 1, 2, 1] },
    doubled: { vertices: [...slope.vertices, ...slope.vertices], triangles: slope.triangles.map((index, i) => (i < 60 ? index : index + count)) },
    twice: { vertices: slope.vertices, triangles: [...slope.triangles, ...slope.triangles.slice(0, 30)] },
    flipped: flipped(slope),
    random: { vertices: Array.from({ length: 120 }, () => 10 * next() - 5), triangles: Array.from({ length: 270 }, () => Math.floor(40 * next())) },
    moebius: moebius(21),
    far: moved(grid(8, 8, next), 5000, -300, 70000),
    line: { vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], triangles: [0, 1, 2, 1, 2, 3] },
    point: { vertices: [1, 2, 3, 1, 2, 3, 1, 2, 3], triangles: [0, 1, 2] },
  };
  for (const [name, mesh] of Object.entries(list)) {
    if (mesh.triangles.length < 600) list[`${name}_soup`] = soup(mesh);
  }
  return { ...list, soup: soup(grid(4, 4, (x, z) => 0.5 * x + 0.1 * z)) };
}
