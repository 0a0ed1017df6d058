// The settings as text, in the format of the file.
import type { App } from "../app";
import { h } from "../dom";

export function textPanel(app: App): HTMLElement {
    const area = h("textarea", { spellcheck: false, wrap: "off", aria: { label: "Settings as TOML" }, oninput: () => app.edit(area.value, "text") });
    app.store.watch(["toml", "source"], ({ toml, source }) => {
        if (area.value !== toml) area.value = toml;
        area.disabled = source?.kind !== "level";
        area.placeholder = source?.kind === "level" ? "All settings have their defaults. Changes appear here." : "Open a level to edit its settings.";
    });
    return h("div", { class: "text" }, area);
}
