// What the page can do: opening, baking, asking, changing, taking away. Panels and automation call this; it changes the store.
import { Backend, WorkError } from "./backend";
import { glb } from "./glb";
import { save } from "./dom";
import * as edits from "./edits";
import type { Answer, ComparedMesh, MeshPicture, NamedFile, SettingChange, Vec3 } from "./protocol";
import { load as loadSample, SAMPLES, type Sample } from "./samples";
import * as served from "./served";
import { Projector } from "./panels/film";
import { Player } from "./panels/play";
import { pack, type Shared } from "./share";
import { Store, type Reference, type Source, type Tool } from "./store";
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
    readonly player = new Player(this);
    readonly projector = new Projector(this);
    #wanted: string | null = null;
    #running: Promise<void> | null = null;
    #settled: (() => void)[] = [];
    #camera: Shared["camera"] | null = null;
    #asked = 0;
    #session: served.Session | null = null;
    /** The history of the settings when the reference was chosen: bakes within one step have one reference. */
    #step: readonly string[] | null = null;
    #compared = 0;
    #boxed: MeshPicture | null = null;

    constructor(
        readonly store: Store,
        private readonly view: () => View,
    ) {
        store.watch(["toml"], ({ toml, source }) => {
            if (source?.kind === "level") this.#want(toml);
        });
        store.watch(["mesh", "reference", "colouring"], () => void this.#compare());
        store.watch(["mesh", "layers"], () => void this.#loadBoxes());
    }

    async start(): Promise<void> {
        this.store.set({ table: await this.backend.ask("table", {}) });
    }

    get isServed(): boolean {
        return this.#session !== null;
    }

    /** Opens what `navtile studio` serves, and follows its changes. */
    async openServed(): Promise<void> {
        const first = await served.session();
        this.#session = first;
        await this.openFiles([...(await served.files(first)), ...settingsFile(first)]);
        void this.#follow();
    }

    async #follow(): Promise<void> {
        for (;;) {
            try {
                const next = await served.changed(this.#session!.version);
                const own = this.store.state.toml;
                this.#session = next;
                const list = await served.files(next);
                await this.openFiles([...list, ...settingsFile({ ...next, toml: next.toml || own })], { keepsView: true });
                this.notice("The files changed: loaded again");
            } catch {
                this.notice("navtile studio has ended; this page goes on without it");
                return;
            }
        }
    }

    async saveServed(): Promise<void> {
        try {
            this.#session = await served.writeSettings(this.store.state.toml);
            this.notice(`Saved ${this.#session.settings ?? "the settings"}`);
        } catch (error) {
            this.notice(`The settings cannot be saved: ${message(error)}`);
        }
    }

    /** Whether what the program bakes of this level and these settings is what the page has. */
    async compareServed(): Promise<void> {
        try {
            const file = await served.bake(this.store.state.toml);
            const hash = await this.backend.ask("hash", { file });
            const same = hash === this.store.state.hash;
            this.notice(same ? `The program bakes the same bytes: ${hash.slice(0, 12)}` : `The program's file is another one: ${hash}`);
        } catch (error) {
            this.notice(`The program cannot bake it: ${message(error)}`);
        }
    }

    async openSample(id: string, toml?: string): Promise<void> {
        const sample = SAMPLES.find((each) => each.id === id) as Sample;
        this.store.set({ work: { phase: "reading", name: sample.title } });
        try {
            const loaded = await loadSample(sample);
            await this.#openLevel({ name: sample.level, sample: id, kind: "level", files: loaded.files }, toml ?? loaded.toml);
        } catch (error) {
            this.store.set({ work: { phase: "failed", failure: { message: message(error), remedy: null, problems: [] } } });
        }
    }

    async openShared(shared: Shared): Promise<void> {
        this.store.set({ cut: shared.cut, layers: shared.layers, colouring: shared.colouring });
        this.#camera = shared.camera;
        if (shared.sample) return this.openSample(shared.sample, shared.toml);
        this.store.set({ toml: shared.toml });
        this.notice(`The link is about ${shared.name}: open that level, its settings are there already`);
    }

    /** Opens files that were dropped or chosen: a level, perhaps with its settings, or a mesh. */
    async openFiles(files: NamedFile[], options: { keepsView?: boolean } = {}): Promise<void> {
        const recording = files.find((file) => RECORDINGS.test(file.name));
        if (recording) return this.#openRecording(recording, files.filter((file) => file !== recording), options);
        const settings = files.find((file) => /\.toml$/i.test(file.name));
        const mesh = files.find((file) => MESHES.test(file.name));
        const level = files.find((file) => LEVELS.test(file.name));
        if (options.keepsView && this.store.state.source) this.#camera = this.view().place();
        if (level) {
            const rest = files.filter((file) => file !== settings);
            const shared = this.store.state.source === null ? this.store.state.toml : "";
            const toml = settings ? new TextDecoder().decode(settings.bytes) : shared;
            return this.#openLevel({ name: level.name, sample: null, kind: "level", files: rest }, toml, options.keepsView ? this.#shown() : null);
        }
        if (mesh) return this.#openMesh(mesh);
        if (settings && this.store.state.source?.kind === "level") {
            this.store.edit(new TextDecoder().decode(settings.bytes), "file");
            return this.settled();
        }
        const map = files.find((file) => MAPS.test(file.name));
        if (map) return this.#fail(`${map.name}: maps of polygons are baked by the program alone`, `run \`navtile bake ${map.name}\` and drop the .navtile file that it writes`);
        const names = files.map((file) => file.name).join(", ") || "nothing";
        this.#fail(`${names}: no level and no mesh among them`, "give OBJ, glTF, GLB, .gset, .navtile, a tile set of Detour or a recording of a crowd");
    }

    /** A recording, over the files that came with it or what is open. */
    async #openRecording(recording: NamedFile, rest: NamedFile[], options: { keepsView?: boolean }): Promise<void> {
        if (rest.length > 0) await this.openFiles(rest, options);
        await this.settled();
        if (this.store.state.mesh) return this.projector.open(recording.name, recording.bytes);
        if (rest.length === 0) this.#fail(`${recording.name}: a recording says where agents were, not where the ground is`, "open the mesh or the level first, or drop both together");
    }

    #fail(text: string, remedy: string | null): void {
        this.store.set({ work: { phase: "failed", failure: { message: text, remedy, problems: [] } } });
    }

    /** Begins anew with a source; `reference` is the mesh that its own is compared with. */
    #clean(source: Source, reference: Reference | null = null): void {
        this.#step = null;
        this.store.set({
            reference, change: null, film: null,
            source, answer: null, pending: [], selection: null, baked: null, level: null, mesh: null, file: null, hash: "", stages: null,
            history: { back: [], forward: [] }, play: { ...this.store.state.play, frame: null, isRunning: false, obstacles: [], goal: null, message: "" },
        });
    }

    /** The mesh on screen, for its next version to be compared with. */
    #shown(): Reference | null {
        const { mesh, reference } = this.store.state;
        return reference?.isKept || !mesh ? reference : { mesh, isKept: false };
    }

    async #openLevel(source: Source, toml: string, reference: Reference | null = null): Promise<void> {
        await this.#running;
        this.#clean(source, reference);
        this.store.set({ work: { phase: "reading", name: source.name } });
        try {
            const { files } = source;
            await this.backend.load(files.some(hasDraco) ? await this.backend.ask("plain", { files }) : files);
        } catch (error) {
            return this.#fail(message(error), null);
        }
        const before = this.store.state.toml;
        this.store.set({ toml });
        if (before === toml) this.#want(toml);
        await this.settled();
    }

    async #openMesh(file: NamedFile): Promise<void> {
        this.store.set({ work: { phase: "reading", name: file.name } });
        try {
            const own = /\.navtile$/i.test(file.name);
            const bytes = own ? file.bytes : await this.backend.ask("importDetour", { bytes: file.bytes });
            const mesh = await this.backend.ask("open", { file: bytes });
            const hash = await this.backend.ask("hash", { file: bytes });
            // Meshes that are opened one after another are compared.
            this.#clean({ name: file.name, sample: null, kind: "mesh", files: [file] }, this.#shown());
            this.store.set({ mesh, file: bytes, hash, areas: mesh.info.areas, work: { phase: "ready" } });
            this.#place();
        } catch (error) {
            const failure = error instanceof WorkError ? error.failure : { message: message(error), remedy: null, problems: [] };
            this.store.set({ work: { phase: "failed", failure } });
        }
    }

    /** Where a new level is seen from. */
    #place(): void {
        if (this.#camera) this.view().setPlace(this.#camera);
        else this.view().frame();
        this.#camera = null;
    }

    /** Bakes these settings, in place of others. */
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
            const answer = await this.backend.bake(toml, (part) => store.set({ work: { phase: "baking", part } }));
            const mesh = await this.backend.ask("open", { file: answer.file });
            const { level, ...baked } = answer;
            const first = store.state.level === null;
            this.#refer(first);
            // Areas that are as they were: nothing that is coloured by them is made anew.
            const known = store.state.areas;
            const areas = JSON.stringify(known) === JSON.stringify(answer.areas) ? known : answer.areas;
            store.set({
                baked, mesh, file: answer.file, hash: answer.report.hash, areas, inUse: answer.settings,
                work: { phase: "ready" }, stages: null, ...(level ? { level } : {}),
            });
            if (first) this.#place();
            this.#again();
        } catch (error) {
            if (error instanceof WorkError && error.cancelled) {
                if (this.#wanted === null) store.set({ work: store.state.mesh ? { phase: "ready" } : { phase: "empty" } });
                return;
            }
            const failure = error instanceof WorkError ? error.failure : { message: message(error), remedy: null, problems: [] };
            store.set({ work: { phase: "failed", failure } });
        }
    }

    /** Before a new mesh is shown: keeps the one that was there before the last step of the settings. */
    #refer(isFirst: boolean): void {
        const { mesh, reference, history } = this.store.state;
        const isNewStep = this.#step !== history.back;
        this.#step = history.back;
        if (mesh && isNewStep && !isFirst && !reference?.isKept) this.store.set({ reference: { mesh, isKept: false } });
    }

    /** Compares with the mesh on screen until `freeReference`. */
    keepReference(): void {
        const { mesh } = this.store.state;
        if (mesh) this.store.set({ reference: { mesh, isKept: true } });
    }

    /** Goes back to comparing with the bake before. */
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

    /** The boxes of the mesh on screen, once they are to be seen. */
    async #loadBoxes(): Promise<void> {
        const { mesh, layers } = this.store.state;
        if (this.#boxed !== mesh && this.store.state.boxes) this.store.set({ boxes: null });
        if (!layers.boxes || !mesh || this.#boxed === mesh) return;
        this.#boxed = mesh;
        const boxes = await this.backend.ask("boxes", {}).catch(() => null);
        if (this.store.state.mesh === mesh) this.store.set({ boxes });
    }

    /** Resolves when nothing is being baked any more. */
    settled(): Promise<void> {
        if (!this.#running) return Promise.resolve();
        return new Promise((resolve) => this.#settled.push(resolve));
    }

    /** Ends the bake that is under way; the mesh before it stays. */
    cancel(): void {
        this.#wanted = null;
        this.backend.cancel();
    }

    /** The text of a setting's value as TOML; null for the default. */
    set(path: string, value: string | null, isOneStep = false): void {
        this.store.edit(setValue(this.store.state.toml, path, value), path, isOneStep);
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

    /** Asks again what the answer on screen is about: the mesh has changed. */
    #again(): void {
        const { answer } = this.store.state;
        if (answer?.kind === "path" && answer.to) void this.path(answer.from, answer.to);
        if (answer?.kind === "probe") void this.probe(answer.probe.at);
        if (answer?.kind === "ray" && answer.to) void this.ray(answer.from, answer.to);
        if (answer?.kind === "explain") void this.explain(answer.at);
        if (answer?.kind === "way") void this.path(answer.from, answer.to);
        if (this.store.state.layers.stage !== "none") void this.loadStages();
    }

    /** Runs a question; the answer of an older one is dropped. */
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
        const { costs, shortest, likeDetour, showsSearch: order } = this.store.state;
        const question = this.backend.ask("path", { from, to, costs, shortest, likeDetour, order });
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
        const { file, toml, mesh, areas } = this.store.state;
        const title = this.#title();
        if (what === "toml") return save(`${title}.toml`, toml, "application/toml");
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
        return `${location.origin}${location.pathname}#s=${await pack(shared)}`;
    }

    async share(): Promise<void> {
        const link = await this.link();
        history.replaceState(null, "", link);
        try {
            await navigator.clipboard.writeText(link);
            this.notice("The link is in the clipboard: level, settings and view");
        } catch {
            this.notice("The link is in the address bar: level, settings and view");
        }
    }

    notice(text: string): void {
        this.store.set({ notice: text });
        setTimeout(() => {
            if (this.store.state.notice === text) this.store.set({ notice: "" });
        }, 6000);
    }
}

function settingsFile(of: served.Session): NamedFile[] {
    return of.settings ? [{ name: of.settings, bytes: new TextEncoder().encode(of.toml) }] : [];
}

/** Whether a glTF file speaks of Draco; of a GLB, in the chunk of text that it starts with. */
function hasDraco({ name, bytes }: NamedFile): boolean {
    if (!/\.(glb|gltf)$/i.test(name) || bytes.length < 20) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = /\.glb$/i.test(name) ? 20 + view.getUint32(12, true) : bytes.length;
    return new TextDecoder().decode(bytes.subarray(0, end)).includes("KHR_draco_mesh_compression");
}

function compared({ positions, indices, areas, info }: MeshPicture): ComparedMesh {
    return { positions, indices, areas, cell: info.cell, climb: info.agent.climb };
}

export function message(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

export type { Answer };
