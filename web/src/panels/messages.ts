// Messages over the view: progress, hints about the level, questions, errors, and the reason for an empty
// mesh.
import type { App } from "../app";
import { h } from "../dom";
import { hintOf, type Hint } from "../hints";
import type { Failure } from "../protocol";
import type { State } from "../store";
import { problemsByPath } from "./settings";

/** Messages at the top of the view, one below the other, and in its centre. */
export function messages(app: App): HTMLElement[] {
    return [h("div", { class: "messages" }, progress(app), conflict(app), failed(app), cancelled(app), hints(app)), emptyMesh(app)];
}

function button(title: string, act: () => unknown, isMain = false): HTMLElement {
    return h("button", { type: "button", class: isMain ? "primary" : "", onclick: () => void act() }, title);
}

/** The setting that a warning proposes, as a button. */
export function hintButton(app: App, hint: Hint, isMain = false): HTMLElement {
    return button(hint.action, () => app.follow(hint), isMain);
}

function progress(app: App): HTMLElement {
    const bar = h("div", { class: "bar" });
    const text = h("span", {});
    const cancel = button("Cancel", () => app.cancel());
    const all = h("div", { class: "progress", role: "status" }, h("div", { class: "track" }, bar), text, cancel);
    app.store.watch(["work"], ({ work }) => {
        all.hidden = work.phase !== "baking" && work.phase !== "reading";
        cancel.hidden = work.phase !== "baking";
        bar.style.width = work.phase === "baking" ? `${Math.round(work.part * 100)}%` : "4%";
        text.textContent = work.phase === "baking" ? "Baking" : work.phase === "reading" ? `Reading ${work.name}` : "";
    });
    return all;
}

/** Asks which settings to keep, if their file has changed and there are unsaved edits. */
function conflict(app: App): HTMLElement {
    const title = h("strong", {});
    const all = h("div", { class: "message ask", role: "alertdialog", aria: { label: "The settings file has changed" } },
        title, h("p", {}, "You have unsaved edits of the settings. They stay until you load the file; Undo restores them."),
        h("div", { class: "inline" }, button("Keep my edits", () => app.resolve("mine"), true), button("Load the file", () => app.resolve("file"))));
    app.store.watch(["conflict"], (state) => {
        all.hidden = state.conflict === null;
        title.textContent = `${app.served.settingsName ?? "The settings file"} has changed on disk`;
    });
    return all;
}

function failed(app: App): HTMLElement {
    const all = h("div", { class: "message failed", role: "alert" });
    app.store.watch(["work", "refusal", "history"], (state) => {
        const { work, refusal } = state;
        all.hidden = refusal === null && work.phase !== "failed";
        const close = button("Close", () => app.store.set({ refusal: null }));
        if (refusal) all.replaceChildren(...failure(refusal, refusal.problems.map((problem) => h("li", {}, problem.text))), close);
        else if (work.phase === "failed") all.replaceChildren(...failure(work.failure, problems(state)), ...undo(app, state));
    });
    return all;
}

function problems(state: State): HTMLElement[] {
    return [...problemsByPath(state)].map(([path, problems]) => h("li", {}, problems.map((problem) => problem.text).join(" "), path ? h("small", {}, ` ${path}`) : null));
}

function undo(app: App, state: State): HTMLElement[] {
    return state.history.back.length > 0 ? [button("Undo", () => app.store.undo())] : [];
}

/** A sentence begins with a capital, unless it begins with the name of a file. */
function sentence(text: string): string {
    return /^[a-z]+[ ,]/.test(text) ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
}

function failure({ message, remedy }: Failure, list: HTMLElement[]): HTMLElement[] {
    return [
        h("strong", {}, sentence(message)),
        ...(list.length > 0 ? [h("ul", {}, list)] : []),
        ...(remedy ? [h("p", {}, `${sentence(remedy)}.`)] : []),
    ];
}

function cancelled(app: App): HTMLElement {
    const text = h("p", {});
    const all = h("div", { class: "message", role: "status" }, h("strong", {}, "The bake was cancelled"), text, h("div", { class: "inline" }, button("Bake again", () => app.bakeAgain(), true)));
    app.store.watch(["work", "mesh"], ({ work, mesh }) => {
        all.hidden = work.phase !== "cancelled";
        text.textContent = mesh ? "The mesh on screen is from the previous bake." : "There is no mesh yet.";
    });
    return all;
}

/** Doubts about the unit and the axes, which are known before the bake. */
function hints(app: App): HTMLElement {
    const all = h("div", { class: "stack" });
    let closed: readonly string[] = [];
    const show = ({ warnings, work }: State): void => {
        const found = warnings === closed || work.phase === "reading" ? [] : warnings.map(hintOf).filter((hint) => hint !== null);
        const cards = found.map((hint) => {
            const close = button("Close", () => ((closed = warnings), show(app.store.state)));
            return h("div", { class: "message hinted", role: "status" }, h("p", {}, hint.text), h("div", { class: "inline" }, hintButton(app, hint, true), close));
        });
        all.replaceChildren(...cards);
    };
    app.store.watch(["warnings"], show);
    return all;
}

/** The reason why a bake has an empty mesh, in the centre of the view. */
function emptyMesh(app: App): HTMLElement {
    const text = h("div", { class: "stack" });
    const all = h("div", { class: "message nothing", role: "status" }, h("strong", {}, "The mesh is empty"), text);
    app.store.watch(["work", "mesh", "baked", "tool", "play"], ({ work, mesh, baked, tool }) => {
        const isEmpty = work.phase === "ready" && baked !== null && mesh?.info.polygons === 0;
        all.hidden = !isEmpty;
        if (!isEmpty) return;
        // Hints have a card of their own.
        const warnings = baked.report.warnings.filter(({ isNote, message }) => !isNote && !hintOf(message));
        const own = warnings.filter(({ kind }) => kind === "empty_mesh");
        const lines = (own.length > 0 ? own : warnings).map(({ message }) => h("p", {}, `${sentence(message.replace(/^the mesh is empty: /, ""))}.`));
        const why = h("div", { class: "inline" }, button("Explain", () => app.setTool("explain"), true));
        text.replaceChildren(...lines, ...(tool === "explain" ? [h("p", { class: "hint" }, "Click the ground where there should be mesh.")] : [why]));
    });
    return all;
}
