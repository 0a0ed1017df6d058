// The crowd that walks on the mesh, and its obstacles.
import type { Backend } from "./backend";
import { message } from "./dom";
import type { Play, Store } from "./store";

const STEP = 1 / 30;

/** Runs the crowd in the worker: one request at a time, with the steps since the last one. */
export class Player {
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly store: Store,
        private readonly backend: Backend,
    ) {}

    #set(patch: Partial<Play>): void {
        this.store.set({ play: { ...this.store.state.play, ...patch } });
    }

    /** Places agents and lets them wander. */
    async start(agents: number): Promise<void> {
        const { backend } = this;
        const { source, mesh, toml } = this.store.state;
        if (!mesh || mesh.info.polygons === 0) return this.#set({ message: "There is no mesh to walk on." });
        this.pause();
        this.#set({ message: "Preparing…" });
        try {
            const dynamic = source?.kind === "level" ? await backend.ofLevel("dynamic", { toml }) : null;
            const frame = await backend.ask("play", { agents, dynamic });
            this.#set({ agents, frame, obstacles: [], goal: null, message: "" });
            await this.scatter();
            this.resume();
        } catch (error) {
            this.#set({ message: message(error) });
        }
    }

    resume(): void {
        if (this.store.state.play.isRunning) return;
        this.#set({ isRunning: true });
        void this.#loop();
    }

    pause(): void {
        clearTimeout(this.#timer);
        if (this.store.state.play.isRunning) this.#set({ isRunning: false });
    }

    async #loop(): Promise<void> {
        let last = performance.now();
        while (this.store.state.play.isRunning) {
            await new Promise((resolve) => (this.#timer = setTimeout(resolve, 1000 * STEP)));
            if (!this.store.state.play.isRunning) return;
            const now = performance.now();
            const steps = Math.min(Math.max(Math.round((now - last) / 1000 / STEP), 1), 4);
            last = now;
            try {
                this.#set({ frame: await this.backend.ask("step", { seconds: STEP, steps }) });
            } catch {
                return this.pause();
            }
        }
    }

    async send(to: [number, number, number]): Promise<void> {
        this.#set({ goal: to });
        await this.backend.ask("send", { to }).catch((error: Error) => this.#set({ message: error.message }));
    }

    async scatter(): Promise<void> {
        this.#set({ goal: null });
        await this.backend.ask("send", { to: null }).catch((error: Error) => this.#set({ message: error.message }));
    }

    async drop(at: [number, number, number], kind: "box" | "cylinder"): Promise<void> {
        const { obstacles } = this.store.state.play;
        const obstacle = { id: (obstacles.at(-1)?.id ?? 0) + 1, at, kind };
        await this.#change({ add: obstacle }, [...obstacles, obstacle]);
    }

    async move(id: number, to: [number, number, number]): Promise<void> {
        const { obstacles } = this.store.state.play;
        await this.#change({ move: { id, to } }, obstacles.map((each) => (each.id === id ? { ...each, at: to } : each)));
    }

    async clear(): Promise<void> {
        for (const { id } of this.store.state.play.obstacles) await this.#change({ remove: id }, this.store.state.play.obstacles.filter((each) => each.id !== id));
    }

    async #change(ask: Parameters<Backend["ask"]>[1], obstacles: Play["obstacles"]): Promise<void> {
        try {
            const mesh = await this.backend.ask("obstacle", ask as never);
            this.store.set({ mesh: mesh as never });
            this.#set({ obstacles, message: "" });
        } catch (error) {
            this.#set({ message: message(error) });
        }
    }

    /** Ends the run; the baked mesh is shown again. */
    async stop(): Promise<void> {
        this.pause();
        const { file } = this.store.state;
        await this.backend.ask("stopPlay", {});
        this.#set({ frame: null, obstacles: [], goal: null, message: "" });
        if (file) this.store.set({ mesh: await this.backend.ask("open", { file }) });
    }
}
