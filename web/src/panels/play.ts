// Agents: their number, their targets, and obstacles.
import type { App } from "../app";
import { count, h } from "../dom";
import { filmPanel } from "./film";
import type { Play } from "../store";

const STEP = 1 / 30;

/** Runs the crowd in the worker: one request at a time, with the steps since the last one. */
export class Player {
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly app: App) {}

    #set(patch: Partial<Play>): void {
        const { store } = this.app;
        store.set({ play: { ...store.state.play, ...patch } });
    }

    /** Places agents and lets them wander. */
    async start(agents: number): Promise<void> {
        const { app } = this;
        const { source, mesh, toml } = app.store.state;
        if (!mesh || mesh.info.polygons === 0) return this.#set({ message: "There is no mesh to walk on." });
        this.pause();
        this.#set({ message: "Preparing…" });
        try {
            const dynamic = source?.kind === "level" ? await app.backend.ofLevel("dynamic", { toml }) : null;
            const frame = await app.backend.ask("play", { agents, dynamic });
            this.#set({ agents, frame, obstacles: [], goal: null, message: "" });
            await this.scatter();
            this.resume();
        } catch (error) {
            this.#set({ message: error instanceof Error ? error.message : String(error) });
        }
    }

    resume(): void {
        if (this.app.store.state.play.isRunning) return;
        this.#set({ isRunning: true });
        void this.#loop();
    }

    pause(): void {
        clearTimeout(this.#timer);
        if (this.app.store.state.play.isRunning) this.#set({ isRunning: false });
    }

    async #loop(): Promise<void> {
        let last = performance.now();
        while (this.app.store.state.play.isRunning) {
            await new Promise((resolve) => (this.#timer = setTimeout(resolve, 1000 * STEP)));
            if (!this.app.store.state.play.isRunning) return;
            const now = performance.now();
            const steps = Math.min(Math.max(Math.round((now - last) / 1000 / STEP), 1), 4);
            last = now;
            try {
                this.#set({ frame: await this.app.backend.ask("step", { seconds: STEP, steps }) });
            } catch {
                return this.pause();
            }
        }
    }

    async send(to: [number, number, number]): Promise<void> {
        this.#set({ goal: to });
        await this.app.backend.ask("send", { to }).catch((error: Error) => this.#set({ message: error.message }));
    }

    async scatter(): Promise<void> {
        this.#set({ goal: null });
        await this.app.backend.ask("send", { to: null }).catch((error: Error) => this.#set({ message: error.message }));
    }

    async drop(at: [number, number, number], kind: "box" | "cylinder"): Promise<void> {
        const { obstacles } = this.app.store.state.play;
        const obstacle = { id: (obstacles.at(-1)?.id ?? 0) + 1, at, kind };
        await this.#change({ add: obstacle }, [...obstacles, obstacle]);
    }

    async move(id: number, to: [number, number, number]): Promise<void> {
        const { obstacles } = this.app.store.state.play;
        await this.#change({ move: { id, to } }, obstacles.map((each) => (each.id === id ? { ...each, at: to } : each)));
    }

    async clear(): Promise<void> {
        for (const { id } of this.app.store.state.play.obstacles) await this.#change({ remove: id }, this.app.store.state.play.obstacles.filter((each) => each.id !== id));
    }

    async #change(ask: Parameters<App["backend"]["ask"]>[1], obstacles: Play["obstacles"]): Promise<void> {
        try {
            const mesh = await this.app.backend.ask("obstacle", ask as never);
            this.app.store.set({ mesh: mesh as never });
            this.#set({ obstacles, message: "" });
        } catch (error) {
            this.#set({ message: error instanceof Error ? error.message : String(error) });
        }
    }

    /** Ends the run; the baked mesh is shown again. */
    async stop(): Promise<void> {
        this.pause();
        const { file } = this.app.store.state;
        await this.app.backend.ask("stopPlay", {});
        this.#set({ frame: null, obstacles: [], goal: null, message: "" });
        if (file) this.app.store.set({ mesh: await this.app.backend.ask("open", { file }) });
    }
}

export function playPanel(app: App): HTMLElement {
    const player = app.player;
    const agents = h("input", { type: "number", min: "1", max: "5000", value: String(app.store.state.play.agents), class: "short", aria: { label: "Number of agents" } });
    const start = h("button", { type: "button", class: "primary", onclick: () => void player.start(Math.min(Math.max(Number(agents.value) || 1, 1), 5000)) }, "Spawn agents");
    const pause = h("button", { type: "button", onclick: () => (app.store.state.play.isRunning ? player.pause() : player.resume()) }, "Pause");
    const scatter = h("button", { type: "button", onclick: () => void player.scatter() }, "Random targets");
    const stop = h("button", { type: "button", onclick: () => void player.stop() }, "Remove all");
    const clear = h("button", { type: "button", onclick: () => void player.clear() }, "Remove obstacles");
    const facts = h("p", {});
    const hint = h("p", { class: "hint" });
    const running = h("div", { class: "stack" }, h("div", { class: "inline" }, pause, scatter), facts, hint, h("div", { class: "inline" }, clear, stop));
    app.store.watch(["play", "source"], ({ play, source }) => {
        running.hidden = play.frame === null;
        start.textContent = play.frame ? "Restart" : "Spawn agents";
        pause.textContent = play.isRunning ? "Pause" : "Resume";
        clear.disabled = play.obstacles.length === 0;
        hint.textContent = source?.kind === "level" ? "Click the ground to send all there. Shift-click drops a crate, Alt-click a barrel; drag one to push it." : "Click the ground to send all there. Obstacles need the level.";
        const frame = play.frame;
        facts.textContent = play.message || (frame ? `${count(frame.positions.length / 3)} agents, ${count(frame.arrived)} arrived, ${frame.seconds.toFixed(1)} s` : "");
    });
    const live = h("div", { class: "stack" }, h("div", { class: "inline" }, h("label", { class: "inline" }, "Agents", agents), start), running);
    app.store.watch(["film"], ({ film }) => (live.hidden = film !== null));
    return h("div", { class: "stack" }, live, filmPanel(app));
}
