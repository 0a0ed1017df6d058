// Actions of the page: opening, baking, queries, editing. Panels and automation call this; it changes the
// store.
import { Backend, WorkError } from "./backend";
import { glb } from "./glb";
import type { Hint } from "./hints";
import { message, save } from "./dom";
import * as edits from "./edits";
import type { Answer, ComparedMesh, Failure, LevelRead, MeshPicture, NamedFile, SettingChange, Vec3 } from "./protocol";
import { load as loadSample, SAMPLES, type Sample } from "./samples";
import { ServedLevel } from "./served_level";
import { Player } from "./player";
import { Projector } from "./projector";
import { pack, type Shared } from "./share";
import { isUnsaved, Store, type Draft, type Reference, type Refusal, type Source, type Tool, type Work } from "./store";
import { setValue } from "./toml";
import type { View } from "./view/view";

const LEVELS = /\.(obj|gltf|glb|gset)$/i;
const MESHES = /\.(navtile|bin|mset|nav|navmesh|mmtile)$/i;
const MAPS = /\.(geojson|poly)$/i;
const RECORDINGS = /\.navcrowd$/i;
/** A bake that is nearly done is worth waiting for, milliseconds. */
const PATIENCE = 120;

export class App {
    readonly backend = new Backend();
    readonly player: Player;
    readonly projector: Projector;
    readonly served = new ServedLevel(this);
    #wanted: string | null = null;
    #running: Promise<void> | null = null;
    #settled: (() => void)[] = [];
    #camera: Shared["camera"] | null = null;
    #asked = 0;
    /** The work that was in progress before reading began. */
    #before: Work = { phase: "empty" };
    /** True if the next bake reads the level with another unit or axis. */
    #isTurned = false;
    /** Number of the last opening: of two, only the last is shown. */
    #opened = 0;
    /** Unsaved edits of levels that were replaced. */
    #aside = new Map<string, Draft>();
    /** The history of the settings when the reference was chosen: all bakes of one step share a reference. */
    #step: readonly string[] | null = null;
    #compared = 0;
    #boxed: MeshPicture | null = null;

    constructor(
        readonly store: Store,
        private readonly view: () => View,
    ) {
        this.player = new Player(store, this.backend);
        this.projector = new Projector(this);
        store.watch(["toml"], ({ toml, source }) => {
            if (source?.kind === "level") this.#want(toml);
        });
        store.watch(["mesh", "reference", "colouring"], () => void this.#compare());
        store.watch(["mesh", "layers"], () => void this.#loadBoxes());
        store.watch(["file"], () => void this.#loadClusters());
    }

    async start(): Promise<void> {
        this.store.set({ table: await this.backend.ask("table", {}) });
    }

    async openSample(id: string, toml?: string): Promise<void> {
        const sample = SAMPLES.find((each) => each.id === id) as Sample;
        let [files, own]: [NamedFile[], string] = [[], ""];
        try {
            const loaded = await loadSample(sample);
            files = loaded.files;
            own = loaded.toml;
        } catch (error) {
            return this.#refuse(error);
        }
        await this.#openLevel({ name: sample.level, sample: id, kind: "level", isServed: false, files }, own, toml);
    }

    async openShared(shared: Shared): Promise<void> {
        this.store.set({ cut: shared.cut, layers: shared.layers, colouring: shared.colouring });
        this.#camera = shared.camera;
        if (shared.sample) return this.openSample(shared.sample, shared.toml);
        const { source } = this.store.state;
        if (source?.isServed && source.name === shared.name) {
            this.#place();
            this.store.edit(shared.toml, "link");
            return this.settled();
        }
        if (source) return;
        this.store.set({ toml: shared.toml });
        this.notice(`The link is for ${shared.name}: open that level; its settings are already loaded`);
    }

    /** Opens files that were dropped, chosen or served: a level, perhaps with its settings, or a mesh. */
    async openFiles(files: NamedFile[], { isServed = false, toml = null }: { isServed?: boolean; toml?: string | null } = {}): Promise<void> {
        const recording = files.find((file) => RECORDINGS.test(file.name));
        if (recording) return this.#openRecording(recording, files.filter((file) => file !== recording));
        const settings = files.find((file) => /\.toml$/i.test(file.name));
        const own = settings ? new TextDecoder().decode(settings.bytes) : toml;
        const mesh = files.find((file) => MESHES.test(file.name));
        const level = files.find((file) => LEVELS.test(file.name));
        if (level) {
            const rest = files.filter((file) => file !== settings);
            return this.#openLevel({ name: level.name, sample: null, kind: "level", isServed, files: rest }, own);
        }
        if (mesh) return this.#openMesh({ name: mesh.name, sample: null, kind: "mesh", isServed, files: [mesh] });
        if (own !== null && this.store.state.source?.kind === "level") {
            this.store.edit(own, "file");
            return this.settled();
        }
        const map = files.find((file) => MAPS.test(file.name));
        if (map) return this.#refuse(`${map.name}: only the program bakes maps of polygons`, `run \`navtile bake ${map.name}\` and drop the .navtile file that it writes`);
        const names = files.map((file) => file.name).join(", ") || "nothing";
        this.#refuse(`${names}: not a level or a mesh`, "give OBJ, glTF, GLB, .gset, .navtile, a tile set of Detour or a recording of a crowd");
    }

    /** Opens a recording over the files that came with it, or over the current mesh. */
    async #openRecording(recording: NamedFile, rest: NamedFile[]): Promise<void> {
        if (rest.length > 0) await this.openFiles(rest);
        await this.settled();
        if (this.store.state.mesh) return this.projector.open(recording.name, recording.bytes);
        if (rest.length === 0) this.#refuse(`${recording.name}: a recording has agents, but no ground`, "open the mesh or the level first, or drop both together");
    }

    /** Reports why something cannot be shown; the page does not change. */
    #refuse(error: unknown, remedy: string | null = null): void {
        const refusal = error instanceof WorkError ? error.failure : { message: message(error), remedy, problems: [] };
        this.store.set({ refusal });
    }

    /**
     * Cancels the current work and shows the name of the file that is read. Returns a function that reports
     * an error and restores the previous state.
     */
    async #reading(name: string): Promise<(error: unknown) => void> {
        const { work, toml } = this.store.state;
        if (work.phase !== "reading") this.#before = work;
        this.cancel();
        this.store.set({ work: { phase: "reading", name }, refusal: null });
        await this.#running;
        return (error) => {
            this.store.set({ work: this.#before });
            if (this.#before.phase === "baking") this.#want(toml);
            this.#refuse(error);
        };
    }

    /** Resets the state for a source. `reference` is the mesh to compare its mesh with. */
    #clean(source: Source, draft: Draft, reference: Reference | null = null): void {
        this.#step = null;
        this.store.set({
            ...draft, conflict: null, refusal: null, warnings: [], reference, change: null, film: null,
            source, answer: null, pending: [], selection: null, baked: null, level: null, mesh: null, file: null, hash: "", stages: null,
            play: { ...this.store.state.play, frame: null, isRunning: false, obstacles: [], goal: null, message: "" },
        });
    }

    /** Returns true if closing the page would lose edits, of the open level or of an earlier one. */
    isUnsaved(): boolean {
        return isUnsaved(this.store.state) || this.#aside.size > 0;
    }

    /** Keeps the unsaved edits of the open level for the next time it is opened. */
    #putAside(): void {
        const { source, toml, saved, history } = this.store.state;
        if (source && isUnsaved(this.store.state)) this.#aside.set(keyOf(source), { toml, saved, history });
    }

    /** The settings file has this text. If there are unsaved edits, they are kept, and the user is asked. */
    fileHas(text: string): void {
        const { toml, saved } = this.store.state;
        if (text === saved) return this.store.set({ conflict: null });
        if (text === toml) return this.store.set({ saved: text, conflict: null });
        if (toml !== saved) return this.store.set({ conflict: text });
        this.store.set({ saved: text });
        this.store.edit(text, "file");
    }

    /**
     * The user's decision after the settings file has changed: the edits are kept, or the file replaces them.
     */
    resolve(takes: "mine" | "file"): void {
        const { conflict } = this.store.state;
        if (conflict === null) return;
        this.store.set({ saved: conflict, conflict: null });
        if (takes === "file") this.store.edit(conflict, "file");
    }

    /** The mesh on screen, to compare its next version with. */
    #shown(): Reference | null {
        const { mesh, reference } = this.store.state;
        return reference?.isKept || !mesh ? reference : { mesh, isKept: false };
    }

    /**
     * Opens a level with the settings of its file, and `edited` ones over them. The level that is open is read again: its edits, its
     * history and the view stay.
     */
    async #openLevel(source: Source, own: string | null, edited?: string): Promise<void> {
        const { store } = this;
        const mine = ++this.#opened;
        const refuse = await this.#reading(source.name);
        const { source: open, toml, saved, history } = store.state;
        const isSame = open !== null && keyOf(open) === keyOf(source);
        const kept = this.#aside.get(keyOf(source));
        // Before anything is open, a link may have provided settings.
        const first = own ?? (open ? "" : toml);
        const fresh = { toml: first, saved: first, history: { back: [], forward: [] } };
        const draft = isSame ? { toml, saved, history } : (kept ?? fresh);
        try {
            const { files } = source;
            await this.backend.load(files.some(hasDraco) ? await this.backend.ask("plain", { files }) : files, draft.toml);
        } catch (error) {
            if (mine === this.#opened) refuse(error);
            return;
        }
        if (mine !== this.#opened) return;
        if (isSame) store.set({ source, reference: this.#shown(), refusal: null });
        else {
            this.#putAside();
            this.#aside.delete(keyOf(source));
            this.#clean(source, draft);
            if (kept) this.notice(`Restored the unsaved edits of ${source.name}`);
        }
        if (own !== null) this.fileHas(own);
        if (edited !== undefined) {
            store.edit(edited, "link");
            // The link has these edits.
            store.set({ saved: edited });
        }
        if (!this.#running) this.#want(store.state.toml);
        await this.settled();
    }

    async #openMesh(source: Source): Promise<void> {
        const [file] = source.files as [NamedFile];
        const { source: open } = this.store.state;
        const isSame = open !== null && keyOf(open) === keyOf(source);
        const mine = ++this.#opened;
        const refuse = await this.#reading(file.name);
        try {
            const own = /\.navtile$/i.test(file.name);
            const bytes = own ? file.bytes : await this.backend.ask("importDetour", { bytes: file.bytes });
            const mesh = await this.backend.ask("open", { file: bytes });
            const hash = await this.backend.ask("hash", { file: bytes });
            if (mine !== this.#opened) return;
            // Meshes that are opened one after another are compared.
            const reference = this.#shown();
            if (isSame) this.#camera = this.view().place();
            this.#putAside();
            this.#clean(source, { toml: "", saved: "", history: { back: [], forward: [] } }, reference);
            this.store.set({ mesh, file: bytes, hash, areas: mesh.info.areas, work: { phase: "ready" } });
            this.#place();
        } catch (error) {
            if (mine === this.#opened) refuse(error);
        }
    }

    /** The first view of a new level. */
    #place(): void {
        if (this.#camera) this.view().setPlace(this.#camera);
        else this.view().frame();
        this.#camera = null;
    }

    /** Bakes these settings. A running bake is cancelled. */
    #want(toml: string): void {
        this.#wanted = toml;
        if (!this.#running) {
            this.#running = this.#work().finally(() => {
                this.#running = null;
                this.#settled.splice(0).forEach((resolve) => resolve());
            });
        }
    }

    async #work(): Promise<void> {
        while (this.#wanted !== null) {
            const toml = this.#wanted;
            this.#wanted = null;
            const bake = this.#bake(toml);
            let done = false;
            void bake.finally(() => (done = true)).catch(() => {});
            while (!done) {
                await Promise.race([bake.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
                if (!done && this.#wanted !== null) this.backend.cancel();
            }
        }
    }

    async #bake(toml: string): Promise<void> {
        const { store } = this;
        store.set({ work: { phase: "baking", part: 0 } });
        try {
            const progress = (part: number): void => store.set({ work: { phase: "baking", part } });
            const baked = await this.backend.bake(toml, { read: (read) => this.#show(read), progress });
            const mesh = await this.backend.ask("open", { file: baked.file });
            this.#refer();
            store.set({ baked, mesh, file: baked.file, hash: baked.report.hash, work: { phase: "ready" }, stages: null });
            this.#again();
        } catch (error) {
            if (error instanceof WorkError && error.cancelled) {
                if (this.#wanted === null && store.state.work.phase === "baking") store.set({ work: { phase: "cancelled" } });
                return;
            }
            const failure: Failure = error instanceof WorkError ? error.failure : { message: message(error), remedy: null, problems: [] };
            store.set({ work: { phase: "failed", failure } });
        }
    }

    /** Shows a level at the start of its bake. */
    #show({ level, areas: found, settings: inUse, warnings }: LevelRead): void {
        const { store } = this;
        const isSeenAnew = store.state.level === null || (this.#isTurned && level !== null);
        // If the areas are the same, the object is the same, so that nothing is coloured again.
        const known = store.state.areas;
        const areas = JSON.stringify(known) === JSON.stringify(found) ? known : found;
        store.set({ areas, inUse, warnings, ...(level ? { level } : {}) });
        if (isSeenAnew) this.#place();
        this.#isTurned = false;
    }

    /** Called before a new mesh is shown: keeps the mesh from before the last step of the settings. */
    #refer(): void {
        const { mesh, reference, history } = this.store.state;
        const isNewStep = this.#step !== history.back;
        this.#step = history.back;
        if (mesh && isNewStep && !reference?.isKept) this.store.set({ reference: { mesh, isKept: false } });
    }

    /** Compares with the mesh on screen until `freeReference`. */
    keepReference(): void {
        const { mesh } = this.store.state;
        if (mesh) this.store.set({ reference: { mesh, isKept: true } });
    }

    /** Compares with the previous bake again. */
    freeReference(): void {
        const { reference } = this.store.state;
        if (reference) this.store.set({ reference: { ...reference, isKept: false } });
    }

    async #compare(): Promise<void> {
        const { mesh, reference, colouring } = this.store.state;
        const mine = ++this.#compared;
        if (this.store.state.change) this.store.set({ change: null });
        if (colouring !== "change" || !mesh || !reference) return;
        try {
            const change = await this.backend.ask("compare", { before: compared(reference.mesh), after: compared(mesh) });
            if (mine === this.#compared) this.store.set({ change });
        } catch (error) {
            this.notice(`The meshes cannot be compared: ${message(error)}`);
        }
    }

    /** Loads the boxes of the mesh on screen when they are first shown. */
    async #loadBoxes(): Promise<void> {
        const { mesh, layers } = this.store.state;
        if (this.#boxed !== mesh && this.store.state.boxes) this.store.set({ boxes: null });
        if (!layers.boxes || !mesh || this.#boxed === mesh) return;
        this.#boxed = mesh;
        const boxes = await this.backend.ask("boxes", {}).catch(() => null);
        if (this.store.state.mesh === mesh) this.store.set({ boxes });
    }

    /** Loads the clusters of the file on screen. */
    async #loadClusters(): Promise<void> {
        const { file } = this.store.state;
        const clusters = file ? await this.backend.ask("clusters", {}).catch(() => null) : null;
        if (this.store.state.file !== file) return;
        const { agents } = this.store.state;
        this.store.set({ clusters, agents: agents !== null && clusters?.classes.includes(agents) ? agents : null });
    }

    /** Resolves when no bake is running. */
    settled(): Promise<void> {
        if (!this.#running) return Promise.resolve();
        return new Promise((resolve) => this.#settled.push(resolve));
    }

    /** Cancels the running bake; the previous mesh remains. */
    cancel(): void {
        this.#wanted = null;
        this.backend.cancel();
    }

    /** Bakes the open level again. */
    bakeAgain(): void {
        this.#want(this.store.state.toml);
    }

    /** The text of a setting's value as TOML; null for the default. */
    set(path: string, value: string | null, isOneStep = false): void {
        this.store.edit(setValue(this.store.state.toml, path, value), path, isOneStep);
    }

    /** Applies the proposal of a warning about the unit or the axes of the level. */
    follow(hint: Hint): void {
        this.#isTurned = true;
        this.set(hint.setting, hint.value);
    }

    edit(toml: string, about: string, isOneStep = false): void {
        this.store.edit(toml, about, isOneStep);
    }

    apply(changes: SettingChange[]): void {
        this.store.edit(edits.apply(this.store.state.toml, changes), "remedy");
    }

    setTool(tool: Tool): void {
        this.store.set({ tool, pending: [], selection: null, answer: tool === this.store.state.tool ? this.store.state.answer : null });
    }

    /** Repeats the query on screen, because the mesh has changed. */
    #again(): void {
        const { answer } = this.store.state;
        if ((answer?.kind === "path" || answer?.kind === "far") && answer.to) void this.path(answer.from, answer.to);
        if (answer?.kind === "probe") void this.probe(answer.probe.at);
        if (answer?.kind === "ray" && answer.to) void this.ray(answer.from, answer.to);
        if (answer?.kind === "explain") void this.explain(answer.at);
        if (answer?.kind === "way") void this.path(answer.from, answer.to);
        if (this.store.state.layers.stage !== "none") void this.loadStages();
    }

    /** Runs a query; the answer of an older one is dropped. */
    async #ask<T>(question: Promise<T>, show: (answer: T) => void): Promise<void> {
        const mine = ++this.#asked;
        try {
            const answer = await question;
            if (mine === this.#asked) show(answer);
        } catch (error) {
            if (mine === this.#asked && !(error instanceof WorkError && error.cancelled)) this.store.set({ answer: { kind: "failed", message: message(error) } });
        }
    }

    async path(from: Vec3, to: Vec3): Promise<void> {
        const { costs, search: optimality, agents, showsSearch: order } = this.store.state;
        if (optimality === "far") {
            // A refusal is asked again, too: the next mesh may have a hierarchy.
            const refused = (error: Error): Refusal => ({ reason: message(error) });
            return this.#ask(this.backend.ask("far", { from, to, agents }).catch(refused), (far) => this.store.set({ answer: { kind: "far", from, to, far } }));
        }
        const question = this.backend.ask("path", { from, to, costs, optimality, order });
        await this.#ask(question, (path) => this.store.set({ answer: { kind: "path", from, to, path } }));
    }

    async probe(at: Vec3): Promise<void> {
        const question = this.backend.ask("probe", { at, radius: this.store.state.radius });
        await this.#ask(question, (probe) => this.store.set({ answer: { kind: "probe", probe } }));
    }

    async ray(from: Vec3, to: Vec3): Promise<void> {
        await this.#ask(this.backend.ask("ray", { from, to }), (ray) => this.store.set({ answer: { kind: "ray", from, to, ray } }));
    }

    async explain(at: Vec3): Promise<void> {
        this.store.set({ answer: { kind: "explain", at, explanation: null } });
        const question = this.backend.ofLevel("explain", { at, toml: this.store.state.toml });
        await this.#ask(question, (explanation) => this.store.set({ answer: { kind: "explain", at, explanation } }));
    }

    async explainWay(from: Vec3, to: Vec3): Promise<void> {
        this.store.set({ answer: { kind: "way", from, to, way: null } });
        const question = this.backend.ofLevel("explainWay", { from, to, toml: this.store.state.toml });
        await this.#ask(question, (way) => this.store.set({ answer: { kind: "way", from, to, way } }));
    }

    async loadStages(): Promise<void> {
        const at = this.view().place().to;
        try {
            this.store.set({ stages: await this.backend.ofLevel("stages", { at, toml: this.store.state.toml }) });
        } catch (error) {
            if (!(error instanceof WorkError && error.cancelled)) this.notice(`The stages cannot be shown: ${message(error)}`);
        }
    }

    #title(): string {
        return (this.store.state.source?.name ?? "level").replace(/\.[^.]*$/, "");
    }

    async takeAway(what: "navtile" | "mset" | "glb" | "toml" | "png"): Promise<void> {
        const { file, toml, mesh, areas, source } = this.store.state;
        const title = this.#title();
        if (what === "toml") {
            save(`${title}.toml`, toml, "application/toml");
            // A level that the program serves has a file of its own.
            if (!source?.isServed) this.store.set({ saved: toml });
            return;
        }
        if (what === "png") return save(`${title}.png`, await this.view().picture());
        if (!file || !mesh) return this.notice("There is no mesh yet");
        if (what === "navtile") return save(`${title}.navtile`, file);
        if (what === "glb") return save(`${title}-navmesh.glb`, glb(mesh, areas), "model/gltf-binary");
        try {
            save(`${title}.bin`, await this.backend.ask("exportDetour", {}));
        } catch (error) {
            this.notice(`Detour's tile set cannot be made: ${message(error)}`);
        }
    }

    async link(): Promise<string> {
        const { source, toml, cut, layers, colouring } = this.store.state;
        const shared = { name: source?.name ?? "", sample: source?.sample ?? null, toml, camera: this.view().place(), cut, layers, colouring };
        return `${location.origin}${location.pathname}${this.served.name === null ? "" : "?served"}#s=${await pack(shared)}`;
    }

    async share(): Promise<void> {
        const link = await this.link();
        history.replaceState(null, "", link);
        const holds = this.store.state.source?.sample ? "level, settings and view" : "settings and view, not the level";
        const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
        const reach = this.served.name !== null ? " It only opens on this computer, while navtile studio runs" : isLocal ? " It only opens on this computer" : "";
        const where = await navigator.clipboard.writeText(link).then(() => "clipboard", () => "address bar");
        this.notice(`The link is in the ${where}: ${holds}.${reach}`);
    }

    notice(text: string): void {
        this.store.set({ notice: text });
        setTimeout(() => {
            if (this.store.state.notice === text) this.store.set({ notice: "" });
        }, 6000);
    }
}

/** The key that identifies a level that was open before. */
function keyOf({ name, isServed, sample, kind }: Source): string {
    return JSON.stringify([name, isServed, sample, kind]);
}

/** Returns true if a glTF file mentions Draco; of a GLB, only the text chunk at its start is searched. */
function hasDraco({ name, bytes }: NamedFile): boolean {
    if (!/\.(glb|gltf)$/i.test(name) || bytes.length < 20) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = /\.glb$/i.test(name) ? 20 + view.getUint32(12, true) : bytes.length;
    return new TextDecoder().decode(bytes.subarray(0, end)).includes("KHR_draco_mesh_compression");
}

function compared({ positions, indices, areas, info }: MeshPicture): ComparedMesh {
    return { positions, indices, areas, cell: info.cell, climb: info.agent.climb };
}

export type { Answer };
