// Answers in the scene: paths, rays, circles, and the places where a path breaks off.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { FAR, searchColour } from "../colours";
import type { MeshPicture, Vec3 } from "../protocol";
import type { Answered } from "../store";
import { dispose, type View } from "./view";

const PATH = 0xff3d81;
const START = 0x3d9bff;
const BLOCKED = 0xff7a2f;
const CHOSEN = 0xfff3a3;

export class AnswerLayer {
    readonly group = new Group();

    constructor(private readonly view: View) {
        view.scene.add(this.group);
    }

    show(answer: Answered | null, pending: Vec3[], mesh: MeshPicture | null): void {
        for (const child of [...this.group.children]) dispose(child);
        for (const place of pending) this.#mark(place, START);
        if (answer) this.#answer(answer, mesh);
        this.view.invalidate();
    }

    #answer(answer: Answered, mesh: MeshPicture | null): void {
        switch (answer.kind) {
            case "path": {
                this.#mark(answer.from, START);
                if (answer.to) this.#mark(answer.to, answer.path?.status === "complete" ? PATH : BLOCKED);
                if (answer.path) {
                    if (answer.path.order) this.#order(mesh, answer.path.order);
                    this.#polygons(mesh, answer.path.polygons, CHOSEN, 0.28);
                    this.#string(answer.path.points, PATH);
                }
                return;
            }
            case "far": {
                const { far } = answer;
                const stops = "plan" in far ? (far.plan?.stops.map(({ point }) => point) ?? []) : [];
                if ("path" in far) this.#string(far.path.points, FAR.ordinary, 2);
                this.#string(new Float32Array(stops.flat()), FAR.legs);
                for (const stop of stops.slice(1, -1)) this.#mark(stop, FAR.legs, 0.6);
                this.#mark(answer.from, START);
                this.#mark(answer.to, stops.length > 0 ? PATH : BLOCKED);
                return;
            }
            case "ray": {
                this.#mark(answer.from, START);
                if (!answer.ray || !answer.to) return;
                const end = [...answer.ray.point] as Vec3;
                this.#string(new Float32Array([...answer.from, ...end]), answer.ray.clear ? 0x4bd07a : BLOCKED);
                if (!answer.ray.clear) this.#string(new Float32Array([...end, ...answer.to]), 0x8a93a0, 1.5);
                this.#mark(end, answer.ray.clear ? 0x4bd07a : BLOCKED);
                return;
            }
            case "probe": {
                const { at, nearest, wall, around, radius } = answer.probe;
                this.#mark(at, START);
                this.#polygons(mesh, around, CHOSEN, 0.3);
                this.#ring(at, radius);
                if (nearest) this.#mark([...nearest.point] as Vec3, 0x4bd07a);
                if (wall) this.#string(new Float32Array([...(nearest?.point ?? at), ...wall.point]), BLOCKED);
                return;
            }
            case "explain": {
                const floor = answer.explanation?.floors[0];
                this.#mark(answer.at, answer.explanation?.isMesh ? 0x4bd07a : BLOCKED);
                if (floor?.cause?.border) this.#string(new Float32Array([...answer.at, ...floor.cause.border]), BLOCKED);
                return;
            }
            case "way": {
                this.#mark(answer.from, START);
                this.#mark(answer.to, BLOCKED);
                for (const each of answer.way?.breaks ?? []) {
                    this.#string(new Float32Array([...each.from, ...each.to]), BLOCKED, 5);
                    for (const blocker of each.blockers) this.#mark(blocker.place, 0xffd23d);
                }
            }
        }
    }

    /** Size of a mark, in proportion to the level, because its agent is not always known. */
    get #size(): number {
        const { min, max } = this.view.bounds;
        return Math.min(Math.max(max.distanceTo(min) / 220, 0.12), 3);
    }

    #mark(place: Vec3, colour: number, part = 1): void {
        const ball = new SphereGeometry(this.#size * part, 16, 10);
        const mark = new Mesh(ball, new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }));
        mark.position.set(place[0], place[1] + this.#size, place[2]);
        mark.renderOrder = 20;
        this.group.add(mark);
    }

    #ring(at: Vec3, radius: number): void {
        const ring = new RingGeometry(radius - this.#size * 0.3, radius, 64).rotateX(-Math.PI / 2);
        const mesh = new Mesh(ring, new MeshBasicMaterial({ color: START, side: DoubleSide, transparent: true, opacity: 0.9, depthTest: false }));
        mesh.position.set(at[0], at[1] + 0.1, at[2]);
        mesh.renderOrder = 15;
        this.group.add(mesh);
    }

    /** A thick line, drawn faintly if something hides it. */
    #string(points: Float32Array, colour: number, width = 4): void {
        if (points.length < 6) return;
        const lifted = points.slice();
        for (let i = 1; i < lifted.length; i += 3) lifted[i]! += 0.12;
        for (const [depthTest, opacity] of [[true, 1], [false, 0.35]] as const) {
            const geometry = new LineGeometry().setPositions(lifted);
            const material = new LineMaterial({ color: colour, linewidth: width, depthTest, transparent: true, opacity });
            const line = new Line2(geometry, material);
            line.renderOrder = 10;
            this.group.add(line);
        }
    }

    /** Polygons in the colours of a search, from dark for the first settled one to light for the last. */
    #order(mesh: MeshPicture | null, polygons: BigUint64Array): void {
        if (!mesh || polygons.length === 0) return;
        const turns = new Map<bigint, number>();
        polygons.forEach((polygon, turn) => turns.set(polygon, turn));
        const [indices, colours]: [number[], Uint8Array] = [[], new Uint8Array(mesh.positions.length)];
        mesh.polygons.forEach((polygon, t) => {
            const turn = turns.get(polygon);
            if (turn === undefined) return;
            const colour = searchColour(turn / Math.max(polygons.length - 1, 1));
            for (let k = 0; k < 3; k++) {
                const vertex = mesh.indices[3 * t + k]!;
                indices.push(vertex);
                colours.set([colour >> 16, (colour >> 8) & 255, colour & 255], 3 * vertex);
            }
        });
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
        geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
        geometry.setIndex(indices);
        const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.9, depthWrite: false, side: DoubleSide });
        const filled = new Mesh(geometry, this.view.cuts(material));
        filled.position.y = 0.05;
        filled.renderOrder = 2;
        this.group.add(filled);
    }

    /** Polygons of the mesh, filled. */
    #polygons(mesh: MeshPicture | null, polygons: BigUint64Array, colour: number, opacity: number): void {
        if (!mesh || polygons.length === 0) return;
        const wanted = new Set(polygons);
        const indices: number[] = [];
        mesh.polygons.forEach((polygon, t) => {
            if (wanted.has(polygon)) indices.push(mesh.indices[3 * t]!, mesh.indices[3 * t + 1]!, mesh.indices[3 * t + 2]!);
        });
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
        geometry.setIndex(indices);
        const material = new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: DoubleSide });
        const filled = new Mesh(geometry, this.view.cuts(material));
        filled.position.y = 0.06;
        filled.renderOrder = 2;
        this.group.add(filled);
    }
}
