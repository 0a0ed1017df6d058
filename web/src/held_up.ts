// The state of an agent of a recording, and the reason why it is held up, in words.
import { frameAt, LEAP } from "./projector";
import type { CrowdRecording } from "./protocol";

/** Words for the states of agents, by their numbers in `CrowdRecording.states`. */
const DOES = ["has no target", "is looking for its path", "walks", "has arrived", "waits for an off-mesh link", "is on an off-mesh link", "has no ground under it"];
/** Headings that differ by less are the same way, 256ths of a turn. */
const SAME_WAY = 64;

export interface HeldUp {
    /** Its state in words. */
    does: string;
    /** Why it is much slower than it wants to be; null if it is not. */
    why: string | null;
    /** The agent that it waits for. */
    by: number | null;
    /** Metres per second. */
    speed: number;
    /** Seconds for which it has waited without a break, and in all. */
    waiting: number;
    waited: number;
}

/** An agent of a recording at a time. */
export function heldUp(recording: CrowdRecording, agent: number, seconds: number): HeldUp {
    const { agents, states, heldBy, waits, steps, rate } = recording;
    const [frame] = frameAt(recording, seconds);
    const at = frame * agents + agent;
    let [waiting, waited, isBroken] = [0, 0, false];
    for (let earlier = frame; earlier > 0; earlier--) {
        const waitsThere = waits[earlier * agents + agent] === 1;
        isBroken ||= !waitsThere;
        if (!waitsThere) continue;
        const length = (steps[earlier]! - steps[earlier - 1]!) / rate;
        waited += length;
        if (!isBroken) waiting += length;
    }
    const by = heldBy[at]!;
    return { does: DOES[states[at]!] ?? "", why: why(recording, frame, agent), by: by < 0 ? null : by, speed: speed(recording, frame, agent), waiting, waited };
}

function why({ agents, causes, heldBy, headings }: CrowdRecording, frame: number, agent: number): string | null {
    const at = frame * agents + agent;
    const by = heldBy[at]!;
    const other = `agent ${by}`;
    const turn = by < 0 ? 0 : Math.abs(((headings[at]! - headings[frame * agents + by]! + 384) % 256) - 128);
    switch (causes[at]) {
        case 1:
            return by >= 0 && turn < SAME_WAY ? `stands behind ${other}` : `waits, because ${by < 0 ? "something that is no agent" : other} is in its way`;
        case 2:
            return by < 0 ? "makes room for another that has the right of way" : `makes room for ${other}, which has the right of way`;
        case 3:
            return by < 0 ? "waits for an off-mesh link" : `waits for an off-mesh link that ${other} is on`;
        case 4:
            return "waits for its followers";
        case 5:
            return "waits for its path, which is being searched for";
        case 6:
            return "has no path that leads on, and is as near to its target as it can get";
        case 7:
            return "has no ground under it";
        default:
            return null;
    }
}

/** Speed since the frame before, or to the next one. */
function speed({ agents, positions, steps, rate }: CrowdRecording, frame: number, agent: number): number {
    const last = Math.min(Math.max(frame, 1), steps.length - 1);
    if (last < 1) return 0;
    const place = (of: number, axis: number): number => positions[3 * (of * agents + agent) + axis]!;
    const way = Math.hypot(place(last, 0) - place(last - 1, 0), place(last, 2) - place(last - 1, 2));
    return way > LEAP ? 0 : (way * rate) / (steps[last]! - steps[last - 1]!);
}

/**
 * The agents that an agent waits for, one after the other: the last waits for nobody. If they wait for each
 * other, the first of them comes again at the end.
 */
export function queue({ agents, heldBy }: CrowdRecording, frame: number, agent: number): number[] {
    const found = [agent];
    for (;;) {
        const next = heldBy[frame * agents + found.at(-1)!]!;
        if (next < 0) return found.slice(1);
        const isRound = found.includes(next);
        found.push(next);
        if (isRound) return found.slice(1);
    }
}
