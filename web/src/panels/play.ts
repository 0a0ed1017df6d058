// Agents: their number, their targets, and obstacles.
import type { App } from "../app";
import { count, h } from "../dom";
import { filmPanel } from "./film";

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
