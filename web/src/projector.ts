// Recordings of `navtile crowd --record`: playing, pausing, seeking.
import type { Backend } from "./backend";
import { message } from "./dom";
import type { Player } from "./player";
import type { CrowdFrame, CrowdMap, CrowdRecording } from "./protocol";
import type { Film, Store } from "./store";

/** An agent that moves further than this between two frames was teleported, metres. */
export const LEAP = 5;
/** The number of `states` for an agent that has arrived. */
const ARRIVED = 3;

export function lengthOf({ steps, rate }: CrowdRecording): number {
    return steps.length > 0 ? (steps.at(-1)! - steps[0]!) / rate : 0;
}

/** The last frame that is not after a time, and the position of the time between it and the next, 0 to 1. */
export function frameAt({ steps, rate }: CrowdRecording, seconds: number): [number, number] {
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

/** The value of the brightest colour of a map: the largest at any time. Waiting only grows: the largest now. */
export function topOf({ map, ground, values }: Film): number {
    if (map === "none" || !ground) return 0;
    if (map !== "waiting") return ground.peaks[map];
    return values?.map === map ? values.cells.reduce((most, value) => Math.max(most, value), 0) : 0;
}

/** The parts of the page that a projector uses. */
export interface Screen {
    readonly store: Store;
    readonly backend: Backend;
    readonly player: Player;
    setTool(tool: "play"): void;
    notice(text: string): void;
}

export class Projector {
    #last = 0;
    #isComputing = false;
    #isOpen = false;

    constructor(private readonly screen: Screen) {
        screen.store.watch(["film"], ({ film }) => {
            if (this.#isOpen && !film) void screen.backend.ask("closeRecording", {});
            this.#isOpen = film !== null;
            void this.#compute();
        });
    }

    #set(patch: Partial<Film>): void {
        const { film } = this.screen.store.state;
        if (film) this.screen.store.set({ film: { ...film, ...patch } });
    }

    /** Opens a recording over the mesh on screen, and plays it. */
    async open(name: string, bytes: Uint8Array): Promise<void> {
        const { screen } = this;
        try {
            const recording = await screen.backend.ask("recording", { bytes });
            if (recording.steps.length === 0 || recording.agents === 0) throw new Error("it has no agents");
            if (screen.store.state.play.frame) await screen.player.stop();
            screen.setTool("play");
            screen.store.set({ film: { name, recording, seconds: 0, isPlaying: false, map: "none", ground: null, values: null, selected: null } });
            this.play();
        } catch (error) {
            screen.notice(`${name} cannot be played: ${message(error)}`);
        }
    }

    play(): void {
        const { film } = this.screen.store.state;
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
        const { film } = this.screen.store.state;
        if (film) this.#set({ isPlaying: false, seconds: Math.min(Math.max(seconds, 0), lengthOf(film.recording)) });
    }

    /** Shows a map over the ground. */
    show(map: CrowdMap | "none"): void {
        this.#set({ map });
    }

    /** Marks and describes an agent. */
    select(agent: number | null): void {
        const { film } = this.screen.store.state;
        if (!film || film.selected === agent) return;
        const isThere = agent === null || (Number.isInteger(agent) && agent >= 0 && agent < film.recording.agents);
        if (isThere) this.#set({ selected: agent });
        else this.screen.notice(`There is no agent ${agent}: they count from 0 to ${film.recording.agents - 1}`);
    }

    /** Computes the map of the shown time, one time after another: times in between are left out. */
    async #compute(): Promise<void> {
        const { film } = this.screen.store.state;
        if (!film || film.map === "none" || this.#isComputing) return;
        const { map, seconds, recording, values } = film;
        if (values?.map === map && values.seconds === seconds) return;
        const { backend } = this.screen;
        const isOpen = (): boolean => this.screen.store.state.film?.recording === recording;
        this.#isComputing = true;
        let patch: Partial<Film> = { map: "none" };
        try {
            const ground = film.ground ?? (await backend.ask("mapGround", {}));
            patch = { ground, values: { map, seconds, cells: await backend.ask("map", { map, seconds }) } };
        } catch (error) {
            if (isOpen()) this.screen.notice(`The map cannot be shown: ${message(error)}`);
        }
        this.#isComputing = false;
        if (isOpen()) this.#set(patch);
        else void this.#compute();
    }

    close(): void {
        this.screen.store.set({ film: null });
    }

    #tick(): void {
        const { film } = this.screen.store.state;
        if (!film?.isPlaying) return;
        const now = performance.now();
        const seconds = film.seconds + (now - this.#last) / 1000;
        this.#last = now;
        const length = lengthOf(film.recording);
        this.#set({ seconds: Math.min(seconds, length), isPlaying: seconds < length });
        requestAnimationFrame(() => this.#tick());
    }
}
