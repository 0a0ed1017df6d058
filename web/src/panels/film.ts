// The controls of a recording: its time, its maps, and the agent that was clicked.
import type { App } from "../app";
import { css, MARKS, rampColour } from "../colours";
import { count, h } from "../dom";
import { heldUp, queue } from "../held_up";
import { frameAt, lengthOf, poses, topOf } from "../projector";
import type { CrowdMap, CrowdRecording } from "../protocol";
import type { Film } from "../store";

const MAPS: [CrowdMap | "none", string][] = [["none", "None"], ["density", "Density"], ["flow", "Flow"], ["waiting", "Waiting time"]];
/** Unit and meaning of each map. */
const ABOUT: Record<CrowdMap, [string, string]> = {
    density: ["agents/m²", "The mean over a second"],
    flow: ["agents/(m·s)", "Density times speed, whatever the direction: the mean over the last 10 s"],
    waiting: ["s", "Waited since the start, all agents together"],
};

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
    const controls = h("div", { class: "card film" }, title, h("div", { class: "entry" }, slider, time), h("div", { class: "inline" }, play, close), facts, mapRow(app), agentRow(app));
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

/** The choice of a map, and its legend. */
function mapRow(app: App): HTMLElement {
    const choice = h("select", { id: "crowd-map", onchange: () => app.projector.show(choice.value as CrowdMap | "none") }, MAPS.map(([value, title]) => h("option", { value }, title)));
    const bar = h("i", { class: "ramp" });
    bar.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => css(rampColour(part))).join(", ")})`;
    const [about, most] = [h("span", {}), h("small", {})];
    const legend = h("div", { class: "scale" }, about, bar, h("small", {}, "0"), most);
    app.store.watch(["film"], ({ film }) => {
        choice.value = film?.map ?? "none";
        legend.hidden = !film || film.map === "none";
        if (!film || film.map === "none") return;
        const [unit, meaning] = ABOUT[film.map];
        about.textContent = film.ground ? `${meaning}, in cells of ${film.ground.side} m` : "Computing…";
        most.textContent = film.ground ? `${Number(topOf(film).toPrecision(3))} ${unit}` : "";
    });
    return h("div", { class: "map" }, h("div", { class: "entry" }, h("label", { htmlFor: "crowd-map" }, "Map"), choice), legend);
}

/** The agent that was clicked: what it does, and why it waits. */
function agentRow(app: App): HTMLElement {
    const { projector } = app;
    const number = h("input", { type: "number", min: "0", class: "short", aria: { label: "Number of the agent" } });
    number.onchange = () => projector.select(number.value === "" ? null : Number(number.value));
    const said = h("p", { class: "said" });
    const group = h("small", {});
    const more = h("p", { class: "hint" });
    const other = h("button", { type: "button" });
    other.onclick = () => projector.select(Number(other.dataset.agent));
    const [state, speed, waiting, waited] = [h("dd", {}), h("dd", {}), h("dd", {}), h("dd", {})];
    const figures = h("dl", {}, h("dt", {}, "state"), state, h("dt", {}, "speed"), speed, h("dt", {}, "has waited"), waiting, h("dt", {}, "waited in all"), waited);
    const hint = h("p", { class: "hint" }, "Click an agent to see what it does, and why it waits.");
    const waitsFor = h("span", { class: "marks" }, swatch(MARKS.other), "waits for");
    const marks = h("div", { class: "marks" }, h("span", { class: "marks" }, swatch(MARKS.chosen), "chosen"), waitsFor);
    const card = h("div", { class: "stack" }, said, figures, more, other, marks);
    let shown: number | null = null;
    app.store.watch(["film"], ({ film }) => {
        const agent = film?.selected ?? null;
        // A number that is being typed is not replaced.
        if (agent !== shown || document.activeElement !== number) number.value = agent === null ? "" : String(agent);
        if (agent !== shown && agent !== null) requestAnimationFrame(() => card.scrollIntoView({ block: "nearest" }));
        shown = agent;
        card.hidden = group.hidden = agent === null;
        hint.hidden = agent !== null;
        if (film) number.max = String(film.recording.agents - 1);
        if (!film || agent === null) return;
        // While it plays, the reason may change several times a second.
        said.setAttribute("aria-live", film.isPlaying ? "off" : "polite");
        const { does, why, by, ...facts } = heldUp(film.recording, agent, film.seconds);
        write(said, `Agent ${agent} ${why ?? does}.`);
        write(state, does);
        write(group, cohortOf(film.recording, agent));
        write(speed, `${facts.speed.toFixed(2)} m/s`);
        write(waiting, `${facts.waiting.toFixed(1)} s`);
        write(waited, `${facts.waited.toFixed(1)} s`);
        write(more, head(film, agent));
        more.hidden = more.textContent === "";
        other.hidden = waitsFor.hidden = by === null;
        other.dataset.agent = String(by);
        write(other, `Choose agent ${by}`);
    });
    return h("div", { class: "stack" }, h("label", { class: "entry" }, h("span", {}, "Agent"), group, number), hint, card);
}

function swatch(colour: number): HTMLElement {
    const element = h("i", { class: "swatch" });
    element.style.background = css(colour);
    return element;
}

/** Changes a text only if it differs, so that a screen reader does not repeat it. */
function write(element: HTMLElement, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

function cohortOf({ cohorts }: CrowdRecording, agent: number): string {
    let first = 0;
    for (const { name, agents } of cohorts) {
        if (agent < first + agents) return name;
        first += agents;
    }
    return "";
}

/** The end of the queue of an agent. */
function head({ recording, seconds }: Film, agent: number): string {
    const ahead = queue(recording, frameAt(recording, seconds)[0], agent);
    const first = ahead.at(-1);
    if (first === undefined) return "";
    if (first === agent || ahead.indexOf(first) < ahead.length - 1) return "They wait for each other.";
    const { does, why } = heldUp(recording, first, seconds);
    return `${ahead.length > 1 ? `The first of the ${ahead.length} that it waits for, agent ${first},` : `Agent ${first}`} ${why ?? does}.`;
}
