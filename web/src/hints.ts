// Warnings about the unit, the axes and the winding of a level, and the settings that they propose.

export interface Hint {
    text: string;
    /** The label of the button. */
    action: string;
    setting: string;
    /** As TOML. */
    value: string;
}

/** The setting that a warning of the program proposes as an option; null if there is no proposal. */
export function hintOf(warning: string): Hint | null {
    const found = /\s*\(--(scale|up|winding) ([\w.]+)\)/.exec(warning);
    if (!found) return null;
    const [whole, option, value] = found as unknown as [string, "scale" | "up" | "winding", string];
    const text = warning.replace(whole, "").replace(/^[^:]*\.\w+: /, "");
    const sentence = `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
    switch (option) {
        case "scale":
            return { text: sentence, action: value === "0.01" ? "Read as centimetres" : `Scale by ${value}`, setting: "input.scale", value };
        case "up":
            return { text: sentence, action: `Read with ${value.toUpperCase()} up`, setting: "input.up", value: JSON.stringify(value) };
        case "winding":
            return { text: sentence, action: "Flip faces", setting: "input.winding", value: JSON.stringify(value) };
    }
}
