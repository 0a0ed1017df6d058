// `window.navtile`: the page for programs. Promises settle when the mesh is ready.
import type { App } from "./app";
import type { Vec3 } from "./protocol";
import type { View } from "./view/view";
import { heldUp } from "./held_up";
import type { Film } from "./store";
import { storeys } from "./storeys";
import { lengthOf, poses } from "./projector";
import { write, type TomlValue } from "./toml";

export interface Automation {
    /** Opens a level or a mesh; the name's extension decides which. */
    open(name: string, bytes: Uint8Array | ArrayBuffer): Promise<Snapshot>;
    openSample(id: string): Promise<Snapshot>;
    /** Gives a setting a value; null for its default. */
    set(key: string, value: TomlValue | null): Promise<Snapshot>;
    /** Replaces all settings. */
    settings(toml: string): Promise<Snapshot>;
    path(from: Vec3, to: Vec3): Promise<{ status: string; length: number; points: number[] } | null>;
    state(): Snapshot;
    /** Resolves when no bake is running. */
    settled(): Promise<Snapshot>;
    /** A place on an island, largest first; null if there is no such island. */
    islandPlace(island: number): Vec3 | null;
    /** Position of a place of the level on screen, CSS pixels. */
    project(place: Vec3): { x: number; y: number };
    link(): Promise<string>;
    /** The content of the file. */
    file(): Uint8Array | null;
}

export interface Snapshot {
    level: string | null;
    settings: string;
    hash: string;
    islands: number;
    polygons: number;
    warnings: { kind: string; message: string; place: [number, number, number] | null }[];
    busy: boolean;
    error: string | null;
    /** True if closing the page would lose edits. */
    isUnsaved: boolean;
    tool: string;
    answer: string | null;
    agents: number;
    arrived: number;
    /** Position of the feet while walking through the level. */
    walk: Vec3 | null;
    /** The recording that is played. */
    recording: {
        name: string;
        seconds: number;
        length: number;
        isPlaying: boolean;
        /** The map that is shown, its side of cells in metres, its values, and their largest at any time. */
        map: { kind: string; seconds: number; side: number; values: number[]; peak: number } | null;
        /** The agent that was clicked, and the position of its feet. */
        agent: { number: number; at: Vec3; does: string; why: string | null; by: number | null; speed: number; waited: number } | null;
    } | null;
    canUndo: boolean;
    /** Square metres of ground that changed, if the mesh is coloured by changes. */
    change: { added: number; lost: number; area: number } | null;
    /** Heights of the storeys' floors, metres, from the lowest. */
    storeys: number[];
    /** Height above which everything is hidden. */
    cut: number | null;
    /** Number of boxes of trees to show. */
    boxes: number;
    /** Number of clusters of each level; null without a hierarchy. */
    clusters: number[] | null;
    /** The bounds of the far path on screen, and its places; null if no path exists or none was asked for. */
    far: { upper: number; lower: number; stops: Vec3[] } | null;
    /** Number of polygons that the search of the path settled, if it is shown. */
    searched: number | null;
    drawCalls: number;
    triangles: number;
}

function shown({ name, seconds, recording, isPlaying, map, ground, values, selected }: Film): Snapshot["recording"] {
    const isShown = values !== null && ground !== null && values.map === map;
    const agent = (number: number): NonNullable<Snapshot["recording"]>["agent"] => {
        const { does, why, by, speed, waited } = heldUp(recording, number, seconds);
        return { number, at: [...poses(recording, seconds).positions.subarray(3 * number, 3 * number + 3)] as Vec3, does, why, by, speed, waited };
    };
    return {
        name,
        seconds,
        length: lengthOf(recording),
        isPlaying,
        map: isShown ? { kind: map, seconds: values.seconds, side: ground.side, values: [...values.cells], peak: ground.peaks[values.map] } : null,
        agent: selected === null ? null : agent(selected),
    };
}

export function automation(app: App, view: View): Automation {
    const state = (): Snapshot => {
        const { source, toml, hash, mesh, baked, work, refusal, tool, answer, play, history, draws, change, cut, boxes, clusters, film, walk } = app.store.state;
        const far = answer?.kind === "far" && "plan" in answer.far ? answer.far.plan : null;
        const frame = film ? poses(film.recording, film.seconds) : play.frame;
        const failure = refusal ?? (work.phase === "failed" ? work.failure : null);
        const warnings = (baked?.report.warnings ?? []).filter((warning) => !warning.isNote);
        return {
            level: source?.name ?? null,
            settings: toml,
            hash,
            islands: mesh?.info.islands.length ?? 0,
            polygons: mesh?.info.polygons ?? 0,
            warnings: warnings.map(({ kind, message, place }) => ({ kind, message, place })),
            busy: work.phase === "baking" || work.phase === "reading",
            error: failure ? [failure.message, ...failure.problems.map((problem) => problem.text)].join("\n") : null,
            isUnsaved: app.isUnsaved(),
            tool,
            answer: answer?.kind ?? null,
            agents: frame ? frame.positions.length / 3 : 0,
            arrived: frame?.arrived ?? 0,
            walk,
            recording: film && shown(film),
            canUndo: history.back.length > 0,
            change: change?.metres ?? null,
            storeys: mesh ? storeys(mesh).map(({ floor }) => floor) : [],
            cut,
            boxes: boxes?.depths.length ?? 0,
            clusters: clusters?.levels.map((level) => level.clusters) ?? null,
            far: far && { upper: far.upper, lower: far.lower, stops: far.stops.map(({ point }) => point) },
            searched: answer?.kind === "path" ? (answer.path?.order?.length ?? null) : null,
            drawCalls: draws.calls,
            triangles: draws.triangles,
        };
    };
    const settled = async (): Promise<Snapshot> => {
        await app.settled();
        return state();
    };
    return {
        state,
        settled,
        async open(name, bytes) {
            await app.openFiles([{ name, bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes) }]);
            return settled();
        },
        async openSample(id) {
            await app.openSample(id);
            return settled();
        },
        set(key, value) {
            app.set(key, value === null ? null : write(value));
            return settled();
        },
        settings(toml) {
            app.edit(toml, "settings");
            return settled();
        },
        async path(from, to) {
            app.setTool("path");
            await app.path(from, to);
            const { answer } = app.store.state;
            if (answer?.kind !== "path" || !answer.path) return null;
            const { status, length, points } = answer.path;
            return { status, length, points: [...points] };
        },
        islandPlace(island) {
            const { mesh } = app.store.state;
            if (!mesh) return null;
            // The centre of a triangle, because corners are on borders.
            for (let i = 0; i < mesh.indices.length; i += 3) {
                const corners = [...mesh.indices.subarray(i, i + 3)];
                if (mesh.islands[corners[0]!] !== island) continue;
                const along = (axis: number): number => corners.reduce((sum, corner) => sum + mesh.positions[3 * corner + axis]! / 3, 0);
                return [along(0), along(1), along(2)];
            }
            return null;
        },
        project: (place) => view.project(place),
        link: () => app.link(),
        file: () => app.store.state.file,
    };
}
