// The state of the page: one object, changed by patches, and the history of the settings for undo.
import type {
    AreaInfo, Baked, BakeStages, ClusterPicture, CrowdFrame, CrowdMap, CrowdRecording, Failure, FarAnswer, LevelPicture, MapGround, MeshBoxes, MeshChange, MeshPicture, NamedFile, Obstacle,
    Optimality, PathAnswer, PlaceExplanation, ProbeAnswer, Ray, SettingInUse, SettingRow, Vec3, WayExplanation,
} from "./protocol";

export type Tool = "path" | "probe" | "ray" | "explain" | "link" | "volume" | "play";
export type Colouring = "area" | "island" | "polygon" | "change";
/** The search for paths; `far` plans by the hierarchy. */
export type Search = Optimality | "far";
export type Panel = "settings" | "layers" | "areas" | "warnings" | "toml";
export type Stage = "none" | "spans" | "floors" | "distances" | "regions" | "raw" | "simplified";

export interface Source {
    name: string;
    /** Name of a sample, so that a link can refer to it. */
    sample: string | null;
    /** A level must be baked; a mesh is complete. */
    kind: "level" | "mesh";
    /** True if `navtile studio` serves it. */
    isServed: boolean;
    files: NamedFile[];
}

/** The settings of a level, and their history. */
export interface Draft {
    toml: string;
    /** The settings in their file. */
    saved: string;
    history: { back: string[]; forward: string[] };
}

export type Work =
    | { phase: "empty" }
    | { phase: "reading"; name: string }
    | { phase: "baking"; part: number }
    | { phase: "ready" }
    | { phase: "cancelled" }
    | { phase: "failed"; failure: Failure };

export interface Layers {
    level: boolean;
    edges: boolean;
    mesh: boolean;
    outlines: boolean;
    seams: boolean;
    links: boolean;
    volumes: boolean;
    /** Boxes of the trees of tiles. */
    boxes: boolean;
    /** Clusters of the hierarchy. */
    clusters: boolean;
    stage: Stage;
}

/** The reason why there is no answer. */
export interface Refusal {
    reason: string;
}

export type Answered =
    | { kind: "path"; from: Vec3; to: Vec3 | null; path: PathAnswer | null }
    | { kind: "far"; from: Vec3; to: Vec3; far: FarAnswer | Refusal }
    | { kind: "ray"; from: Vec3; to: Vec3 | null; ray: Ray | null }
    | { kind: "probe"; probe: ProbeAnswer }
    | { kind: "explain"; at: Vec3; explanation: PlaceExplanation | null }
    | { kind: "way"; from: Vec3; to: Vec3; way: WayExplanation | null }
    | { kind: "failed"; message: string };

/** A volume or off-mesh link of the settings. */
export interface Selection {
    kind: "volume" | "off_mesh";
    index: number;
}

export interface Play {
    agents: number;
    frame: CrowdFrame | null;
    isRunning: boolean;
    goal: Vec3 | null;
    obstacles: Obstacle[];
    message: string;
}

/** The mesh to compare with the one on screen. */
export interface Reference {
    mesh: MeshPicture;
    /** True to keep it for all bakes; else it is the mesh before the last step of the settings. */
    isKept: boolean;
}

/** A recording that is being played. */
export interface Film {
    name: string;
    recording: CrowdRecording;
    /** Seconds since its first frame. */
    seconds: number;
    isPlaying: boolean;
    /** The map over the ground. */
    map: CrowdMap | "none";
    /** The cells of all maps; null until a map is shown. */
    ground: MapGround | null;
    /** The values of the cells, of the last map and time that were computed. */
    values: { map: CrowdMap; seconds: number; cells: Float32Array } | null;
    /** The agent that is marked and described. */
    selected: number | null;
}

export interface State extends Draft {
    source: Source | null;
    work: Work;
    /** The reason why the last opened file cannot be shown; the page does not change. */
    refusal: Failure | null;
    /** The new settings of the file, if it has changed while there are unsaved edits. */
    conflict: string | null;
    table: SettingRow[];
    /** Warnings about the level's files, before its bake. */
    warnings: string[];
    baked: Baked | null;
    level: LevelPicture | null;
    mesh: MeshPicture | null;
    /** The content of the file. */
    file: Uint8Array | null;
    hash: string;
    areas: AreaInfo[];
    inUse: SettingInUse[];
    tool: Tool;
    panel: Panel;
    colouring: Colouring;
    reference: Reference | null;
    /** From the reference to the mesh; null until it is compared. */
    change: MeshChange | null;
    layers: Layers;
    stages: BakeStages | null;
    boxes: MeshBoxes | null;
    /** The clusters of the mesh; null if it has no hierarchy. */
    clusters: ClusterPicture | null;
    /** The depth whose boxes are shown; null for all depths. */
    boxDepth: number | null;
    /** True if paths include the order of their search. */
    showsSearch: boolean;
    /** Height in metres above which everything is hidden. */
    cut: number | null;
    answer: Answered | null;
    selection: Selection | null;
    /** Options of paths. */
    costs: Record<string, number>;
    search: Search;
    /** The class of agents of far paths; null for the first. */
    agents: string | null;
    radius: number;
    volumeShape: "box" | "cylinder" | "prism";
    /** Places clicked for the item that is being placed. */
    pending: Vec3[];
    play: Play;
    /** Position of the feet while walking through the level. */
    walk: Vec3 | null;
    film: Film | null;
    theme: "dark" | "light";
    draws: { calls: number; triangles: number };
    /** A sentence that disappears after a while. */
    notice: string;
    /** The part of the page in front if there is no room for all. */
    sheet: "view" | "settings" | "tools";
}

export const START: State = {
    source: null,
    toml: "",
    saved: "",
    work: { phase: "empty" },
    refusal: null,
    conflict: null,
    table: [],
    warnings: [],
    baked: null,
    level: null,
    mesh: null,
    file: null,
    hash: "",
    areas: [],
    inUse: [],
    tool: "path",
    panel: "settings",
    colouring: "area",
    reference: null,
    change: null,
    layers: { level: true, edges: true, mesh: true, outlines: true, seams: true, links: true, volumes: true, boxes: false, clusters: false, stage: "none" },
    boxes: null,
    clusters: null,
    boxDepth: null,
    showsSearch: false,
    stages: null,
    cut: null,
    answer: null,
    selection: null,
    costs: {},
    search: "fast",
    agents: null,
    radius: 4,
    volumeShape: "box",
    pending: [],
    play: { agents: 200, frame: null, isRunning: false, goal: null, obstacles: [], message: "" },
    walk: null,
    film: null,
    theme: "dark",
    draws: { calls: 0, triangles: 0 },
    notice: "",
    sheet: "view",
    history: { back: [], forward: [] },
};

/** Changes that follow each other faster than this are one step of undo. */
const ONE_STEP_MILLISECONDS = 600;
const MOST_STEPS = 200;

type Listener = (state: State) => void;

/** Returns true if there are edits that their file does not have. */
export function isUnsaved({ source, toml, saved }: State): boolean {
    return source?.kind === "level" && toml !== saved;
}

export class Store {
    #state: State;
    #listeners: { keys: (keyof State)[]; call: Listener }[] = [];
    #edited = { at: -Infinity, about: "" };

    constructor(state: State = START, private readonly now: () => number = () => performance.now()) {
        this.#state = state;
    }

    get state(): State {
        return this.#state;
    }

    set(patch: Partial<State>): void {
        const before = this.#state;
        this.#state = { ...before, ...patch };
        const changed = (key: keyof State) => before[key] !== this.#state[key];
        for (const { keys, call } of this.#listeners) if (keys.some(changed)) call(this.#state);
    }

    /** Calls back now, and whenever one of these changes. */
    watch(keys: (keyof State)[], call: Listener): void {
        this.#listeners.push({ keys, call });
        call(this.#state);
    }

    /**
     * Changes the settings. Changes of the same thing within a short time are one step of undo; with
     * `isOneStep`, regardless of the time.
     */
    edit(toml: string, about: string, isOneStep = false): void {
        const { toml: old, history } = this.#state;
        if (toml === old) return;
        const joins = about === this.#edited.about && (isOneStep || this.now() - this.#edited.at < ONE_STEP_MILLISECONDS);
        this.#edited = { at: this.now(), about };
        let back = joins && history.back.length > 0 ? history.back : [...history.back, old].slice(-MOST_STEPS);
        // A step that ends with the text that it began with is removed.
        if (back.at(-1) === toml) back = back.slice(0, -1);
        this.set({ toml, history: { back, forward: [] } });
    }

    undo(): void {
        const { toml, history } = this.#state;
        const last = history.back.at(-1);
        if (last === undefined) return;
        this.#edited.about = "";
        const selection = null;
        this.set({ toml: last, selection, history: { back: history.back.slice(0, -1), forward: [...history.forward, toml] } });
    }

    redo(): void {
        const { toml, history } = this.#state;
        const next = history.forward.at(-1);
        if (next === undefined) return;
        this.#edited.about = "";
        const selection = null;
        this.set({ toml: next, selection, history: { back: [...history.back, toml], forward: history.forward.slice(0, -1) } });
    }
}
