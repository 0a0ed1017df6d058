// Asks the package recast-navigation what stands in a list of questions, over a tile set that navtile exported.
//
//     node ask.mjs SET.bin QUESTIONS.json
//
// Questions: [{ kind: "path" | "ray", start: [x, y, z], goal: [x, y, z] }]. Start and goal are found as RecastDemo
// finds them, within 2, 4 and 2 metres. Answers go to standard output, in the same order:
// { polygons: [reference], points: [[x, y, z]] } for a path, { polygons, fraction } for a ray, 1 where it is clear.

import { readFile } from "node:fs/promises";
import { importNavMesh, init, NavMeshQuery } from "recast-navigation";

const EXTENTS = { x: 2, y: 4, z: 2 };
const vector = ([x, y, z]) => ({ x, y, z });

function list(array, count) {
  return Array.from({ length: count }, (_, index) => array.get(index));
}

function nearest(query, at) {
  const found = query.findNearestPoly(vector(at), { halfExtents: EXTENTS });
  if (!found.success || found.nearestRef === 0) throw new Error(`nothing near ${at}`);
  return found;
}

function path(query, { start, goal }) {
  const [from, to] = [nearest(query, start), nearest(query, goal)];
  const found = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint, { maxPathPolys: 4096 });
  if (!found.success) throw new Error(`findPath: status ${found.status}`);
  const polygons = list(found.polys, found.polys.size);
  const string = query.findStraightPath(from.nearestPoint, to.nearestPoint, polygons, { maxStraightPathPoints: 4096 });
  if (!string.success) throw new Error(`findStraightPath: status ${string.status}`);
  const flat = list(string.straightPath, 3 * string.straightPathCount);
  const points = Array.from({ length: string.straightPathCount }, (_, index) => flat.slice(3 * index, 3 * index + 3));
  return { polygons, points };
}

function ray(query, { start, goal }) {
  // RecastDemo casts from the point as it is given.
  const found = query.raycast(nearest(query, start).nearestRef, vector(start), vector(goal));
  if (!found.success) throw new Error(`raycast: status ${found.status}`);
  return { polygons: found.path, fraction: Math.min(found.t, 1) };
}

const [set, questions] = process.argv.slice(2);
await init();
const { navMesh } = importNavMesh(new Uint8Array(await readFile(set)));
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
const ask = (question) => (question.kind === "ray" ? ray : path)(query, question);
process.stdout.write(JSON.stringify(JSON.parse(await readFile(questions, "utf8")).map(ask)));
