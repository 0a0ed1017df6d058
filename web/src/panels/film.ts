// Recordings of `navtile crowd --record`: playing, pausing, seeking.
import type { App } from "../app";
import { count, h } from "../dom";
import type { CrowdFrame, CrowdRecording } from "../protocol";
import type { Film } from "../store";

/** An agent that moves further than this between two frames was teleported, metres. */
const LEAP = 5;
/** The number of `states` for an agent that has arrived. */
const ARRIVED = 3;

export function lengthOf({ steps, rate }: CrowdRecording): number {
    return steps.length > 0 ? (steps.at(-1)! - steps[0]!) / rate : 0;
}

/** The last frame that is not after a time, and the position of the time between it and the next, 0 to 1. */
function frameAt({ steps, rate }: CrowdRecording, seconds: number): [number, number] {
    const step = (steps[0] ?? 0) + seconds * rate;
    let [low, high] = [0, steps.length - 1];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (steps[middle]! <= step + 1e-3) low = middle;
        else high = middle - 1;
    }
    const next = steps[low + 1];
    return [low, next === undefined ? 0 : Math.min(Math.max((step - steps[low]!) / (next - steps[low]!), 0), 1)];
}

/** All agents at a time, interpolated between two frames if there is a later one. */
export function poses(recording: CrowdRecording, seconds: number): CrowdFrame {
    const { agents, positions, states } = recording;
    const [frame, part] = frameAt(recording, seconds);
    const now = positions.slice(3 * agents * frame, 3 * agents * (frame + 1));
    for (let i = 0; part > 0 && i < now.length; i += 3) {
        const next = positions.subarray(3 * agents * (frame + 1) + i);
        const [x, y, z] = [next[0]! - now[i]!, next[1]! - now[i + 1]!, next[2]! - now[i + 2]!];
        if (Math.hypot(x, y, z) > LEAP) continue;
        now[i]! += part * x;
        now[i + 1]! += part * y;
        now[i + 2]! += part * z;
    }
    const doing = states.slice(agents * frame, agents * (frame + 1));
    return { positions: now, states: doing, arrived: doing.filter((state) => state === ARRIVED).length, seconds };
}

/** The doors that are closed at a time: two corners each. */
export function shutDoors(recording: CrowdRecording, seconds: number): Float32Array[] {
    const [frame] = frameAt(recording, seconds);
    const shut = new Set<number>();
    for (const change of recording.changes) {
        if (change.frame > frame) break;
        if (change.kind === "door-shut") shut.add(change.number);
        if (change.kind === "door-opened") shut.delete(change.number);
    }
    return [...shut].map((door) => recording.doors.subarray(6 * door, 6 * door + 6));
}

export class Projector {
    #last = 0;

    constructor(private readonly app: App) {}

    #set(patch: Partial<Film>): void {
        const { film } = this.app.store.state;
        if (film) this.app.store.set({ film: { ...film, ...patch } });
    }

    /** Opens a recording over the mesh on screen, and plays it. */
    async open(name: string, bytes: Uint8Array): Promise<void> {
        const { app } = this;
        try {
            const recording = await app.backend.ask("recording", { bytes });
            if (recording.steps.length === 0 || recording.agents === 0) throw new Error("it has no agents");
            if (app.store.state.play.frame) await app.player.stop();
            app.setTool("play");
            app.store.set({ film: { name, recording, seconds: 0, isPlaying: false } });
            this.play();
        } catch (error) {
            app.notice(`${name} cannot be played: ${error instanceof Error ? error.message : String(error)}`);
        }
    }

    play(): void {
        const { film } = this.app.store.state;
        if (!film || film.isPlaying) return;
        const isOver = film.seconds >= lengthOf(film.recording);
        this.#set({ isPlaying: true, ...(isOver ? { seconds: 0 } : {}) });
        this.#last = performance.now();
        requestAnimationFrame(() => this.#tick());
    }

    pause(): void {
        this.#set({ isPlaying: false });
    }

    /** Pauses at a time. */
    seek(seconds: number): void {
        const { film } = this.app.store.state;
        if (film) this.#set({ isPlaying: false, seconds: Math.min(Math.max(seconds, 0), lengthOf(film.recording)) });
    }

    close(): void {
        this.app.store.set({ film: null });
    }

    #tick(): void {
        const { film } = this.app.store.state;
        if (!film?.isPlaying) return;
        const now = performance.now();
        const seconds = film.seconds + (now - this.#last) / 1000;
        this.#last = now;
        const length = lengthOf(film.recording);
        this.#set({ seconds: Math.min(seconds, length), isPlaying: seconds < length });
        requestAnimationFrame(() => this.#tick());
    }
}

export function filmPanel(app: App): HTMLElement {
    const { projector } = app;
    const input = h("input", { type: "file", hidden: true, accept: ".navcrowd" });
    input.onchange = async () => {
        const file = input.files?.[0];
        if (file) await projector.open(file.name, new Uint8Array(await file.arrayBuffer()));
        input.value = "";
    };
    const open = h("button", { type: "button", onclick: () => input.click() }, "Play a recording");
    const title = h("strong", {});
    const slider = h("input", { type: "range", min: "0", step: "0.05", aria: { label: "Time of the recording" }, oninput: () => projector.seek(Number(slider.value)) });
    const time = h("output", {});
    const play = h("button", { type: "button", class: "primary", onclick: () => (app.store.state.film?.isPlaying ? projector.pause() : projector.play()) }, "Play");
    const close = h("button", { type: "button", onclick: () => projector.close() }, "Close");
    const facts = h("p", { class: "hint" });
    const controls = h("div", { class: "card film" }, title, h("div", { class: "entry" }, slider, time), h("div", { class: "inline" }, play, close), facts);
    app.store.watch(["film", "mesh"], ({ film, mesh }) => {
        controls.hidden = film === null;
        open.disabled = mesh === null;
        if (!film) return;
        const length = lengthOf(film.recording);
        title.textContent = film.name;
        slider.max = String(length);
        slider.value = String(film.seconds);
        time.textContent = `${film.seconds.toFixed(1)} of ${length.toFixed(1)} s`;
        play.textContent = film.isPlaying ? "Pause" : "Play";
        const groups = film.recording.cohorts.filter(({ name }) => name !== "").map(({ name, agents }) => `${name} ${count(agents)}`).join(", ");
        facts.textContent = `${count(film.recording.agents)} agents, ${count(poses(film.recording, film.seconds).arrived)} arrived${groups ? `. ${groups}` : ""}`;
    });
    return h("div", { class: "stack" }, h("div", { class: "inline" }, open, input), controls);
}
