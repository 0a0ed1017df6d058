// Messages between the page and its workers. Every request has one answer; a bake reports the level and its
// progress before it.
import type {
    AreaInfo, BakeReport, BakeStages, BakeWarning, CrowdMap, CrowdRecording, FarPlan, LevelNames, MeshBoxes, MeshInfo, MeshLines, Nearest, Optimality, Path,
    PlaceExplanation, Ray, SettingChange, SettingInUse, SettingRow, Wall, WayExplanation,
} from "navtile/bare";

export type {
    AreaInfo, BakeReport, BakeStages, BakeWarning, CrowdMap, CrowdRecording, FarPlan, LevelNames, MeshBoxes, MeshInfo, MeshLines, Nearest, Optimality, Path,
    PlaceExplanation, Ray, SettingChange, SettingInUse, SettingRow, Wall, WayExplanation,
};

export type Vec3 = [number, number, number];

export interface NamedFile {
    name: string;
    bytes: Uint8Array;
}

export interface Problem {
    text: string;
    field: string | null;
    line: number | null;
}

export interface Failure {
    message: string;
    remedy: string | null;
    problems: Problem[];
}

/** The level as it is baked, for rendering. */
export interface LevelPicture {
    positions: Float32Array;
    areas: Uint8Array;
    /** Creases and borders, pairs of points; empty for a level of very many triangles. */
    edges: Float32Array;
    names: LevelNames;
}

export interface Baked {
    file: Uint8Array;
    report: BakeReport;
    milliseconds: number;
}

/** The facts about a level before its bake. */
export interface LevelRead {
    /** Null if it is the level of the previous bake. */
    level: LevelPicture | null;
    settings: SettingInUse[];
    areas: AreaInfo[];
    /** Warnings about its files. */
    warnings: string[];
}

/** The mesh for rendering. */
export interface MeshPicture {
    info: MeshInfo;
    positions: Float32Array;
    indices: Uint32Array;
    areas: Uint8Array;
    islands: Uint32Array;
    /** For each vertex, the number of its polygon. */
    ordinals: Uint32Array;
    /** For each triangle, its polygon. */
    polygons: BigUint64Array;
    lines: MeshLines;
}

/** The data of a mesh that a comparison needs. */
export interface ComparedMesh {
    positions: Float32Array;
    indices: Uint32Array;
    areas: Uint8Array;
    cell: [number, number];
    climb: number;
}

/** The changes from one mesh to another, in squares as seen from above. */
export interface MeshChange {
    /** Side of a square, metres. */
    square: number;
    /** Square metres of ground that was added, that was removed, and that has another area. */
    metres: { added: number; lost: number; area: number };
    /** The same ground as squares, four corners each. */
    quads: { added: Float32Array; lost: Float32Array; area: Float32Array };
}

export interface ProbeAnswer {
    at: Vec3;
    nearest: Nearest | null;
    height: number | null;
    wall: Wall | null;
    /** Polygons within the circle that can be reached. */
    around: BigUint64Array;
    radius: number;
    area: number | null;
    flags: number | null;
}

export interface CrowdFrame {
    positions: Float32Array;
    states: Uint8Array;
    arrived: number;
    seconds: number;
}

/** The ground of a recording in cells, for the maps of it. */
export interface MapGround {
    /** Side of a cell, metres. */
    side: number;
    /** Four corners of each cell. */
    cells: Float32Array;
    /** The largest value of any cell at any time. */
    peaks: Record<CrowdMap, number>;
}

export interface Obstacle {
    id: number;
    at: Vec3;
    kind: "box" | "cylinder";
}

export interface PathRequest {
    from: Vec3;
    to: Vec3;
    costs: Record<string, number>;
    optimality: Optimality;
    /** True to include the order of the search. */
    order: boolean;
}

export interface PathAnswer extends Path {
    reachable: boolean;
    /**
     * The polygons of the search, in the order in which they were first settled; null if it was not requested
     * or does not exist.
     */
    order: BigUint64Array | null;
}

/** The clusters of a hierarchy for rendering. */
export interface ClusterPicture {
    /** Names of the classes of agents. */
    classes: string[];
    /** Of each level, from the smallest clusters. */
    levels: {
        /** Side of a cluster, metres. */
        side: number;
        clusters: number;
        /** Borders over the ground that bound no larger cluster, pairs of points. */
        borders: Float32Array;
    }[];
    /** Crossings of the borders of the first level. */
    crossings: Float32Array;
}

/** A rectangle as seen from above: the smallest x and z, then the largest, metres. */
export type Rectangle = [number, number, number, number];

export interface FarRequest {
    from: Vec3;
    to: Vec3;
    /** The class of agents; null for the first. */
    agents: string | null;
}

export interface FarAnswer {
    /** Null if no path exists. */
    plan: FarPlan | null;
    /** The path over all tiles, for comparison. */
    path: Path;
    /** The ground of the tiles that the plan needed, and their number. */
    ground: Rectangle[];
    tiles: number;
}

/** Requests by name, with their arguments and their answers. */
export interface Requests {
    table: [{}, SettingRow[]];
    hash: [{ file: Uint8Array }, string];
    /** The files without Draco compression. */
    plain: [{ files: NamedFile[] }, NamedFile[]];
    /** Loads the files for all following bakes; with settings, only if the level can be read. */
    load: [{ files: NamedFile[]; toml: string | null }, null];
    bake: [{ toml: string }, Baked];
    explain: [{ at: Vec3; toml: string }, PlaceExplanation];
    explainWay: [{ from: Vec3; to: Vec3; toml: string }, WayExplanation];
    stages: [{ at: Vec3; toml: string }, BakeStages];
    dynamic: [{ toml: string }, Uint8Array];
    open: [{ file: Uint8Array }, MeshPicture];
    importDetour: [{ bytes: Uint8Array }, Uint8Array];
    exportDetour: [{}, Uint8Array];
    path: [PathRequest, PathAnswer];
    far: [FarRequest, FarAnswer];
    /** Null if the file has no hierarchy. */
    clusters: [{}, ClusterPicture | null];
    boxes: [{}, MeshBoxes];
    probe: [{ at: Vec3; radius: number }, ProbeAnswer];
    compare: [{ before: ComparedMesh; after: ComparedMesh }, MeshChange];
    /** The ground nearest to a place, even from far away. */
    stand: [{ at: Vec3 }, Vec3 | null];
    /** The end of a step that slides along borders. */
    slide: [{ from: Vec3; to: Vec3 }, Vec3];
    ray: [{ from: Vec3; to: Vec3 }, Ray];
    play: [{ agents: number; dynamic: Uint8Array | null }, CrowdFrame];
    send: [{ to: Vec3 | null }, null];
    obstacle: [{ add?: Obstacle; remove?: number; move?: { id: number; to: Vec3 } }, MeshPicture];
    step: [{ seconds: number; steps: number }, CrowdFrame];
    stopPlay: [{}, null];
    /** Opens a recording. The next requests are about its maps, until it is closed. */
    recording: [{ bytes: Uint8Array }, CrowdRecording];
    mapGround: [{}, MapGround];
    /** The values of all cells at a time. */
    map: [{ map: CrowdMap; seconds: number }, Float32Array];
    closeRecording: [{}, null];
}

export type RequestName = keyof Requests;
export type Ask<N extends RequestName> = Requests[N][0];
export type Answer<N extends RequestName> = Requests[N][1];

export type ToWorker =
    | { kind: "start"; module: WebAssembly.Module }
    | { [N in RequestName]: { kind: "ask"; id: number; name: N; ask: Ask<N> } }[RequestName];

export type FromWorker =
    | { kind: "read"; id: number; read: LevelRead }
    | { kind: "progress"; id: number; part: number }
    | { kind: "answer"; id: number; answer: unknown }
    | { kind: "failed"; id: number; failure: Failure };
