// The controls of a recording.
import type { App } from "../app";
import { count, h } from "../dom";
import { lengthOf, poses } from "../projector";

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
