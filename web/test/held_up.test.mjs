// The words about an agent of a recording, without a browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { module } from "./module.mjs";

const { heldUp, queue } = await module("held_up");

/** Four agents over five seconds, a frame each second. */
function recording({ causes = [], by = [], headings = [0, 0, 0, 0] } = {}) {
    const [agents, frames] = [4, 6];
    const all = (make) => Array.from({ length: frames * agents }, (_, at) => make(Math.floor(at / agents), at % agents));
    return {
        agents, rate: 60,
        steps: Uint32Array.from({ length: frames }, (_, frame) => 60 * frame),
        // Agent 0 walks 1.5 m a second until frame 2, and waits from then on.
        positions: Float32Array.from(all((frame, agent) => [agent === 0 ? 1.5 * Math.min(frame, 2) : 10 * agent, 0, 0]).flat()),
        states: Uint8Array.from(all((frame, agent) => (agent === 3 ? 3 : 2))),
        headings: Uint8Array.from(all((_, agent) => headings[agent])),
        waits: Uint8Array.from(all((frame, agent) => Number(agent === 0 && (frame > 2 || frame === 1)))),
        causes: Uint8Array.from(all((_, agent) => causes[agent] ?? 0)),
        heldBy: Int32Array.from(all((_, agent) => by[agent] ?? -1)),
    };
}

describe("what holds an agent up", () => {
    test("its speed, and the time that it has waited", () => {
        const film = recording();
        const at = (seconds) => heldUp(film, 0, seconds);
        assert.deepEqual([at(2).speed, at(2).waiting, at(2).waited], [1.5, 0, 1]);
        assert.deepEqual([at(4).speed, at(4).waiting, at(4).waited], [0, 2, 3]);
        assert.deepEqual([at(2.9).waited, at(0).waited, at(0).speed], [1, 0, 1.5]);
        assert.deepEqual([heldUp(film, 3, 1).does, heldUp(film, 3, 1).why, heldUp(film, 3, 1).by], ["has arrived", null, null]);
    });

    test("every reason has words, with the other agent if there is one", () => {
        const why = (cause, by, headings) => heldUp(recording({ causes: [cause], by: [by], headings }), 0, 1).why;
        assert.equal(why(1, 2), "stands behind agent 2");
        assert.equal(why(1, 2, [0, 0, 128, 0]), "waits, because agent 2 is in its way");
        // Headings go round: 250 and 10 differ by 16.
        assert.equal(why(1, 2, [250, 0, 10, 0]), "stands behind agent 2");
        assert.equal(why(1, -1), "waits, because something that is no agent is in its way");
        assert.equal(why(2, 3), "makes room for agent 3, which has the right of way");
        assert.equal(why(3, 1), "waits for an off-mesh link that agent 1 is on");
        const rest = [2, 3, 4, 5, 6, 7].map((cause) => why(cause, -1));
        assert.equal(new Set(rest).size, 6);
        assert.ok(rest.every((words) => words && !words.includes("-1")), rest.join());
    });

    test("a queue ends with the agent that waits for nobody, or goes round", () => {
        assert.deepEqual(queue(recording({ by: [1, 2, 3] }), 1, 0), [1, 2, 3]);
        assert.deepEqual(queue(recording({ by: [1, 2, 1] }), 1, 0), [1, 2, 1]);
        assert.deepEqual(queue(recording(), 1, 0), []);
    });
});
