// Clicks and drags in the view: their effect depends on the tool.
import type { App } from "./app";
import { addLink, addVolume, links, moveVolume, rounded, volumes } from "./edits";
import type { Vec3 } from "./protocol";
import { setInBlock } from "./toml";
import { Stagehand } from "./stagehand";
import type { Grip } from "./view/handles";
import { pick } from "./view/pick";
import type { View } from "./view/view";

type Drag = { kind: "grip"; grip: Grip; last: Vec3; about: string } | { kind: "obstacle"; id: number; busy: boolean };

/** Agents that are farther behind a surface of the level than this are hidden, metres. */
const HIDDEN = 1;

export class Pointer {
    #drag: Drag | null = null;
    #drags = 0;

    constructor(
        private readonly app: App,
        private readonly view: View,
    ) {
        view.onClick = (event) => this.#click(event);
        view.onDragStart = (event) => this.#start(event);
        view.onDrag = (event) => this.#move(event);
        view.onDragEnd = () => (this.#drag = null);
        app.store.watch(["pending"], ({ pending, tool, volumeShape }) => {
            // A click on its first corner completes an outline.
            const closed = tool === "volume" && volumeShape === "prism" && pending.length > 3 && pending[0] === pending.at(-1);
            if (closed) this.#finish("prism", pending.slice(0, -1));
        });
    }

    /** The place of the level under a pointer, or of the mesh without a level. */
    #place(event: PointerEvent): Vec3 | null {
        const { level, mesh, cut, layers } = this.app.store.state;
        const { origin, along } = this.view.ray(event);
        const height = cut ?? Infinity;
        const ground = layers.level && level ? pick(origin, along, level.positions, null, height, true) : null;
        const surface = mesh ? pick(origin, along, mesh.positions, mesh.indices, height, false) : null;
        // The mesh is closely above the ground, and under it at bends: a hit that is much nearer wins.
        const hit = ground && surface ? (surface.distance < ground.distance + 0.5 ? surface : ground) : (ground ?? surface);
        return hit ? rounded(hit.point) : null;
    }

    #click(event: PointerEvent): void {
        const { app } = this;
        const { tool, pending, source, film } = app.store.state;
        if (film && tool === "play") return this.#choose(event);
        const at = this.#place(event);
        if (!at || !source) return;
        const editing = source.kind === "level";
        if (tool === "probe") void app.probe(at);
        else if (tool === "explain") {
            if (editing) void app.explain(at);
        } else if (tool === "play") this.#play(event, at);
        else if (tool === "volume") {
            if (editing) this.#volume([...pending, at]);
        } else if (pending.length === 0) {
            if (tool !== "link" || editing) app.store.set({ pending: [at], answer: null });
        } else {
            app.store.set({ pending: [] });
            if (tool === "path") void app.path(pending[0]!, at);
            if (tool === "ray") void app.ray(pending[0]!, at);
            if (tool === "link") {
                const index = links(app.store.state.toml).length;
                app.edit(addLink(app.store.state.toml, pending[0]!, at), "add link");
                app.store.set({ selection: { kind: "off_mesh", index } });
            }
        }
    }

    /** Chooses the agent of a recording under the pointer, unless the level hides it. The mesh hides nobody. */
    #choose(event: PointerEvent): void {
        const { level, cut, layers } = this.app.store.state;
        const height = cut ?? Infinity;
        const { origin, along } = this.view.ray(event);
        const hit = Stagehand.agents.agentUnder(event, height);
        const wall = layers.level && level ? pick(origin, along, level.positions, null, height, true) : null;
        this.app.projector.select(hit && hit.distance < (wall?.distance ?? Infinity) + HIDDEN ? hit.agent : null);
    }

    #volume(pending: Vec3[]): void {
        const { volumeShape } = this.app.store.state;
        if (volumeShape !== "prism" && pending.length === 2) this.#finish(volumeShape, pending);
        else this.app.store.set({ pending });
    }

    #finish(shape: "box" | "cylinder" | "prism", places: Vec3[]): void {
        const { app } = this;
        const index = volumes(app.store.state.toml).length;
        app.store.set({ pending: [] });
        app.edit(addVolume(app.store.state.toml, shape, places, "none"), "add volume");
        app.store.set({ selection: { kind: "volume", index } });
    }

    #play(event: PointerEvent, at: Vec3): void {
        const { app } = this;
        if (!app.store.state.play.frame) return;
        const drops = app.store.state.source?.kind === "level" && (event.shiftKey || event.altKey);
        if (drops) void app.player.drop(at, event.altKey ? "cylinder" : "box");
        else void app.player.send(at);
    }

    #start(event: PointerEvent): boolean {
        const { tool, layers } = this.app.store.state;
        if (tool === "play" && !event.shiftKey && !event.altKey) {
            const id = Stagehand.agents.obstacleUnder(event);
            if (id !== null) this.#drag = { kind: "obstacle", id, busy: false };
            return id !== null;
        }
        if ((tool !== "link" && tool !== "volume") || !layers.volumes) return false;
        const grip = Stagehand.handles.grip(event);
        if (!grip) return false;
        const { toml } = this.app.store.state;
        const height = grip.kind === "volume" ? volumes(toml)[grip.index] && this.#heightOf(grip.index) : links(toml)[grip.index]![grip.kind][1];
        const last = this.view.onPlane(event, height ?? 0);
        if (!last) return false;
        // A drag is one step of undo, however long it takes.
        this.#drag = { kind: "grip", grip, last, about: `drag ${++this.#drags}` };
        this.app.store.set({ selection: { kind: grip.kind === "volume" ? "volume" : "off_mesh", index: grip.index } });
        return true;
    }

    #heightOf(index: number): number {
        const volume = volumes(this.app.store.state.toml).find((each) => each.index === index);
        return volume?.shape === "box" ? volume.min[1] : volume?.shape === "cylinder" ? volume.base[1] : volume?.shape === "prism" ? volume.bottom : 0;
    }

    #move(event: PointerEvent): void {
        const drag = this.#drag;
        if (drag?.kind === "obstacle") return void this.#push(drag, event);
        if (!drag) return;
        const { app } = this;
        const { toml } = app.store.state;
        if (drag.grip.kind === "volume") {
            const volume = volumes(toml).find((each) => each.index === drag.grip.index);
            const to = this.view.onPlane(event, drag.last[1]);
            if (!volume || !to) return;
            app.edit(moveVolume(toml, volume, [to[0] - drag.last[0], 0, to[2] - drag.last[2]]), drag.about, true);
            drag.last = to;
        } else {
            // Ends of links are kept on the ground.
            const at = this.#place(event);
            if (at) app.edit(setInBlock(toml, "off_mesh", drag.grip.index, drag.grip.kind, at), drag.about, true);
        }
    }

    /** Moves of an obstacle are sent one after another: a new move waits for the one before. */
    async #push(drag: Extract<Drag, { kind: "obstacle" }>, event: PointerEvent): Promise<void> {
        const obstacle = this.app.store.state.play.obstacles.find((each) => each.id === drag.id);
        const to = obstacle ? this.view.onPlane(event, obstacle.at[1]) : null;
        if (!to || drag.busy) return;
        drag.busy = true;
        await this.app.player.move(drag.id, rounded(to));
        drag.busy = false;
    }
}
