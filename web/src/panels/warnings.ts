// Warnings of a bake, with the places to fly to.
import type { App } from "../app";
import { h } from "../dom";
import { hintOf } from "../hints";
import { hintButton } from "./messages";

export function warningsPanel(app: App): HTMLElement {
    const list = h("div", { class: "group" });
    app.store.watch(["baked"], ({ baked }) => {
        const warnings = baked?.report.warnings ?? [];
        const cards = warnings.map((warning) => {
            const hint = hintOf(warning.message);
            return h("div", { class: "card" },
                h("strong", {}, `${warning.isNote ? "Note" : "Warning"}: ${warning.kind.replaceAll("_", " ")}`),
                h("p", {}, warning.message),
                warning.place ? h("button", { type: "button", onclick: () => document.dispatchEvent(new CustomEvent("fly", { detail: warning.place })) }, "Fly there") : null,
                hint ? hintButton(app, hint) : null,
            );
        });
        list.replaceChildren(...(cards.length > 0 ? cards : [h("p", { class: "hint" }, "No warnings.")]));
    });
    return h("div", { class: "groups" }, list);
}
