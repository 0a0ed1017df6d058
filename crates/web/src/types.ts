/** A place in the world: x, y (up) and z, metres. */
export type Point = ArrayLike<number>;

/** A file of a level. */
export interface LevelFile {
    /** Its name with extension; other files may refer to it by this name. */
    name: string;
    bytes: Uint8Array;
}

/** A problem to check in a level that could be baked. */
export interface BakeWarning {
    kind: string;
    /** True if no action is needed. */
    isNote: boolean;
    message: string;
    place: [number, number, number] | null;
    /** x, z and layer of a tile. */
    tile: [number, number, number] | null;
}

/** Figures of a bake. */
export interface BakeReport {
    grid: [number, number];
    /** Side of a tile in cells; 0 for one tile. */
    tileCells: number;
    tiles: number;
    triangles: number;
    spans: number;
    compactSpans: number;
    regions: number;
    polygons: number;
    vertices: number;
    detailTriangles: number;
    offMeshLinks: number;
    /** Square metres, seen from above. */
    walkableArea: number;
    islands: number;
    islandsDropped: number;
    bytes: number;
    /** Digest of the file: files with the same digest are the same. */
    hash: string;
    warnings: BakeWarning[];
}

/** The file of one agent. */
export interface BakedFile {
    /** The agent's name, if the settings name it. */
    agent: string | null;
    /** The content of a `.navtile` file, with the same bytes as the command line. */
    file: Uint8Array;
    report: BakeReport;
}

/** Options of a far path. */
export interface FarOptions {
    /** The name of a class of agents of the hierarchy. Default: the first. */
    class?: string;
    /** Largest distance of start and goal from the mesh along each axis, metres. Default: 2, 4, 2. */
    reach?: Point;
    /** The legs to the stop that the agent of a route walks to. More make shorter paths, and need more tiles. Default 4. */
    legsAhead?: number;
}

/** A path over a world that is not loaded. */
export interface FarPlan {
    /** The least that the cheapest path costs, and the cost of the plan. Metres, if a metre costs 1. */
    lower: number;
    upper: number;
    /** The start, the crossings between clusters of tiles, and the goal. */
    stops: FarStop[];
}

export interface FarStop {
    /** World metres. */
    point: [number, number, number];
    /** The tiles that the leg to it leads over. */
    tiles: TileSquare;
}

/** A square of tiles: the first column (x) and row (z), and the number of columns and rows. */
export interface TileSquare {
    x: number;
    z: number;
    columns: number;
}

/** The clusters of a hierarchy, for drawing. */
export interface ClusterLayout {
    /** x and z of the corner of a cluster, world metres: all others are a whole number of sides away. */
    corner: [number, number];
    /** Side of a cluster of the first level, metres. Those of each further level are four times as wide. */
    side: number;
    /** Number of clusters of each level. */
    clusters: number[];
    /** The crossings of the borders of the first level, and the ends of off-mesh links over them: x, y and z, world metres. */
    crossings: Float32Array;
}

/** Options of `NavMesh.open`. */
export interface OpenOptions {
    /** The squares whose tiles are opened. Default: all tiles. */
    tiles?: TileSquare[];
}

/** A cluster of tiles: its place in the grid of clusters. */
export interface Cluster {
    x: number;
    z: number;
}

/**
 * A connection between two clusters, which can be closed. It stays the same while the tiles at its ends do, and JSON
 * can hold it: save it with a game.
 */
export type Portal =
    | { kind: "border"; clusters: [Cluster, Cluster]; along: number; height: number }
    | { kind: "link"; clusters: [Cluster, Cluster]; places: [[number, number, number], [number, number, number]] };

/**
 * The ground that may be entered, and its costs per metre. Areas are given by their names in the file, or by
 * their ids.
 */
export interface FilterOptions {
    /** Costs of a metre, at least 0. Other areas keep the costs of the file. */
    costs?: Record<string, number>;
    /** Areas that are closed. */
    avoid?: (string | number)[];
    /** A polygon needs one of these flags. Default: all flags of the file's areas. */
    include?: number;
    /** A polygon must not have any of these flags. */
    exclude?: number;
}

/** Options of queries. */
export interface AskOptions {
    /** Maximum distance of the mesh along x, y and z, metres. Default 2, 4 and 2. */
    reach?: Point;
    /** As `NavMesh.filter` returned it. Default: the costs of the file's areas. */
    filter?: number;
}

export type Optimality = "fast" | "near" | "shortest";

export interface PathOptions extends AskOptions {
    /**
     * The search: "fast", the default; "near" for almost the shortest path, in about twice the time; "shortest"
     * for the exact shortest path as seen from above, if all areas cost the same.
     */
    optimality?: Optimality;
}

export interface Path {
    status: "complete" | "partial" | "unreachable" | "not-on-mesh";
    /** Metres along the points in space. */
    length: number;
    /** Metres along the points as seen from above. */
    lengthFromAbove: number;
    /** x, y and z of each point, metres. */
    points: Float32Array;
    /** The polygons and off-mesh links on the path. */
    polygons: BigUint64Array;
    /** The reason if it is not complete. */
    reason: string | null;
    /** Distance from the ends to their places on the mesh, metres. */
    fromMoved: number;
    toMoved: number;
}

/** Many paths. */
export interface Paths {
    /** Metres; NaN without a path. */
    lengths: Float32Array;
    /** 0 complete, 1 partial, 2 unreachable, 3 not on the mesh. */
    statuses: Uint8Array;
    /** The points of path i are from `offsets[i]` to below `offsets[i + 1]`, in points. */
    offsets: Uint32Array;
    points: Float32Array;
}

export interface Nearest {
    polygon: bigint;
    point: Float32Array;
    /** True if the point is straight below or above. */
    over: boolean;
    distance: number;
}

/** The nearest ground to many places. */
export interface NearestMany {
    /** 0 without ground. */
    polygons: BigUint64Array;
    points: Float32Array;
    /** Metres; NaN without ground. */
    distances: Float32Array;
}

export interface Ray {
    /** True if the goal was reached. */
    clear: boolean;
    /** The free part of the walk, 0 to 1. */
    fraction: number;
    point: Float32Array;
    /** A unit vector away from the wall that it hit; zeros without a wall. */
    normal: Float32Array;
    polygons: BigUint64Array;
}

export interface Wall {
    distance: number;
    point: Float32Array;
    /** From the wall to the place. */
    normal: Float32Array;
}

export interface AreaInfo {
    id: number;
    name: string;
    flags: number;
    cost: number;
    /** 0xrrggbb, or null. */
    colour: number | null;
}

export interface MeshInfo {
    agent: { radius: number; height: number; climb: number; slope: number };
    areas: AreaInfo[];
    tiles: number;
    polygons: number;
    /** Width and height of a cell, metres. */
    cell: [number, number];
    tileCells: number;
    /** The lowest and highest corner, metres. */
    bounds: [[number, number, number], [number, number, number]];
    /** Square metres of each island, largest first. */
    islands: number[];
}

/** Triangles for a BufferGeometry. */
export interface MeshGeometry {
    /** x, y and z of each vertex, metres. */
    positions: Float32Array;
    /** Three vertices a triangle, counter-clockwise from above. */
    indices: Uint32Array;
    /** The area of each vertex's polygon. */
    areas: Uint8Array;
    /** The island of each vertex's polygon, largest first. */
    islands: Uint32Array;
    /** The polygon of each triangle. */
    polygons: BigUint64Array;
}

/** Pairs of points. */
export interface MeshLines {
    /** The outline of all polygons: edges between polygons of a tile. */
    inner: Float32Array;
    /** Edges without a neighbour. */
    border: Float32Array;
    /** Edges that lead to other tiles. */
    seams: Float32Array;
    /** Off-mesh links, from end to end; two lines for a link between edges, one at each end of the edges. */
    links: Float32Array;
    /** The edges along which off-mesh links can be crossed. */
    linkEdges: Float32Array;
    /**
     * The kind of each pair of points of `links`: 0 for the user's own, 1 drop, 2 jump, 3 climb, 4 ladder.
     */
    linkKinds: Uint8Array;
    /** The kind of each pair of points of `linkEdges`, as in `linkKinds`. */
    linkEdgeKinds: Uint8Array;
}

/** Boxes of the trees that tiles use to find polygons. */
export interface MeshBoxes {
    /** The lowest and the highest corner of each, world metres. */
    corners: Float32Array;
    /** Depth of each in its tree: 0 for the whole tile. */
    depths: Uint8Array;
}

/** A recording of `navtile crowd --record`. Lists of agents hold the frames one after another. */
export interface CrowdRecording {
    agents: number;
    /** Steps a second. */
    rate: number;
    /** Radius and height of each agent, metres. */
    bodies: Float32Array;
    cohorts: { name: string; agents: number }[];
    /** Two corners of each door, world metres. */
    doors: Float32Array;
    /** The step of each frame. */
    steps: Uint32Array;
    /** x, y and z, world metres. */
    positions: Float32Array;
    /** 256ths of a turn, 0 along z and 64 along x. */
    headings: Uint8Array;
    /** As `Crowd.states`. */
    states: Uint8Array;
    /** 1 for agents that waited since the frame before: they wanted to walk and were slower than 0.2 m/s. */
    waits: Uint8Array;
    /**
     * The reason why an agent is much slower than it wants to be: 0 it is not, 1 another blocks it, 2 it makes room for another, to
     * whose claim it yields, 3 another is on its off-mesh link, 4 it waits for its followers, 5 its path is being searched for,
     * 6 no path leads on, 7 there is no ground under it.
     */
    causes: Uint8Array;
    /** The number of the agent that it waits for; -1 without one. */
    heldBy: Int32Array;
    /** Doors and tiles that changed, before a frame. */
    changes: { frame: number; kind: "door-shut" | "door-opened" | "tile-gone" | "tile-back" | "tile-replaced"; number: number }[];
}

/**
 * A map of a recording: `density` in agents per square metre, the mean over a second around the moment; `flow` in agents per second
 * and metre of width, which is density times speed, the mean over the 10 seconds before the moment; `waiting` in seconds since the
 * first frame, of all agents together.
 */
export type CrowdMap = "density" | "flow" | "waiting";

/** Properties of an agent; the default is a walking person. */
export interface AgentOptions {
    /** Metres. */
    radius?: number;
    height?: number;
    /** Metres a second. */
    maxSpeed?: number;
    maxAcceleration?: number;
    /** Radians a second. */
    turnRate?: number;
    stoppingDistance?: number;
    /** Agents give way to those of higher priority. */
    priority?: number;
    avoidance?: "orca" | "none";
    /** Its speed among others: full as far as they leave room, or slower the more are ahead, as people walk. Default "free". */
    flow?: "free" | "people";
    linkSpeed?: number;
    /** What the agent does if the ground under it is removed. */
    groundLoss?: "step-out" | "wait" | "fall" | "remove";
    /** The greatest depth of a fall, metres. */
    fallHeight?: number;
}

/** An exit that agents choose by distance and queue. */
export interface CrowdExit {
    /** Behind the exit: an agent is through when it arrives there. Agents that have arrived are around it. */
    at: Point;
    /** Number of agents that it lets through per second, 0.001 to 1000: for people, about 1.3 for each metre of its width. */
    rate: number;
}

/** The reason why an agent is held up. */
export interface HoldUp {
    cause: "crowded" | "right-of-way" | "link-busy" | "followers" | "searching" | "no-way" | "ground-lost";
    /** The agent that it waits for, if it waits for one. */
    by: bigint | null;
}

export interface CrowdEvent {
    agent: bigint;
    kind:
        | "arrived" | "stuck" | "path-partial" | "path-lost" | "ground-lost" | "ground-found" | "stepping-out" | "falling"
        | "removed" | "slot-changed" | "link-entered" | "link-left";
    /** The cause, the slot or the link. */
    about: string | number | bigint | null;
}

/**
 * An obstacle of the level that is added, moved and removed. It has one effect: `solid`, `blocks`, `removes`, or
 * `area` alone.
 */
export interface Obstacle {
    kind: "box" | "cylinder" | "capsule" | "hull";
    /** The centre of its bottom. */
    at?: [number, number, number];
    /** Degrees about the vertical. */
    yaw?: number;
    /** Of a box. */
    size?: [number, number, number];
    /** Of a cylinder or capsule. */
    radius?: number;
    height?: number;
    /** Of a hull. */
    points?: [number, number, number][];
    /** A solid: agents can walk on it. */
    solid?: boolean;
    /** Removes the ground around it. */
    blocks?: boolean;
    /** Removes the level within it. */
    removes?: boolean;
    /** The area of its top, or of the ground within it. */
    area?: string;
    /** True to extend it by the agent's radius. */
    inflate?: boolean;
}

/** A setting of the table: the data that a form needs. */
export interface SettingRow {
    /** As a settings file names it: `agent.radius`. */
    path: string;
    /** The option of the command line: `agent-radius`; empty without one. */
    option: string;
    kind: "number" | "whole" | "switch" | "choice" | "choice-or-number" | "point" | "box";
    /** Symbol of its unit; empty for none. */
    unit: string;
    min: number | null;
    max: number | null;
    /** The range in words. */
    range: string | null;
    /** Names of choices, each with its meaning. */
    choices: [string, string][];
    /** The meaning of 0, if that is not the number itself. */
    zero: string | null;
    /** The default in words. */
    initial: string;
    /** The default, if it does not depend on other settings; 1 for a switch that is on. */
    default: number | null;
    /** True if it is rounded to a whole number of cells. */
    isRounded: boolean;
    help: string;
    details: string;
    /** The effect of its rounding. */
    effect: string;
}

/** A setting of a bake. */
export interface SettingInUse {
    path: string;
    isGiven: boolean;
    /** As given or derived. */
    value: number | null;
    words: string | null;
    /** As rounded to cells. */
    used: string | null;
    cells: number | null;
    /** Set if rounding changes it by more than a tenth. */
    warning: string | null;
}

export interface LevelGeometry {
    /** Three vertices a triangle, world metres. */
    positions: Float32Array;
    /** The area of each triangle. */
    areas: Uint8Array;
}

export interface LevelNames {
    materials: string[];
    groups: string[];
    objects: string[];
    nodes: string[];
}

export interface FloorExplanation {
    height: number;
    clearance: number | null;
    area: string | null;
    /** True if the place is inside the solid below. */
    buried: boolean;
    /** Names of the surface in the level's files. */
    names: string[];
    /** The reason why it is not part of the mesh; null if it is. */
    cause: {
        name: string;
        stage: string;
        message: string;
        remedy: string;
        border: [number, number, number] | null;
        comparison: { what: string; found: number; limit: number; unit: string; setting: string } | null;
    } | null;
}

export interface PlaceExplanation {
    at: [number, number, number];
    isMesh: boolean;
    reason: string;
    floors: FloorExplanation[];
    otherFloors: number;
    /** The change to exact outlines, if a bake with it has mesh at the place, which has none; else empty. */
    remedy: SettingChange[];
}

/**
 * A change of the settings: a setting with a value, a two-way off-mesh connection, a removed volume, or a new
 * connection.
 */
export interface SettingChange {
    words: string;
    setting: string | null;
    /** A number, or a name such as `exact`. */
    value: number | string | null;
    bothWays: number | null;
    removeVolume: number | null;
    start: [number, number, number] | null;
    end: [number, number, number] | null;
    radius: number | null;
}

export interface WayExplanation {
    from: [number, number, number];
    to: [number, number, number];
    onMesh: [boolean, boolean];
    isWay: boolean;
    reason: string;
    breaks: {
        from: [number, number, number];
        to: [number, number, number];
        blockers: { name: string; message: string; place: [number, number, number]; names: string[] }[];
    }[];
    /** Changes with which a bake has the path; null if none were found. */
    remedy: SettingChange[] | null;
    connections: SettingChange[] | null;
}

/** The results of each stage of a bake for a tile. Places are x, y and z, world metres. */
export interface BakeStages {
    /** Width and height of a cell. */
    cell: Float32Array;
    tile: [number, number];
    /** Solid space: the centre of the bottom, the height and the area of each box. */
    spans?: { places: Float32Array; heights: Float32Array; areas: Uint8Array };
    /** Floors after erosion and marking; distances are empty without a watershed. */
    floors?: { places: Float32Array; areas: Uint8Array; distances: Uint16Array; regions: Uint32Array };
    /** Outlines, pairs of points. */
    raw?: Float32Array;
    simplified?: Float32Array;
}
