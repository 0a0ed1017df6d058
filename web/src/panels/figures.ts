// Figures of answers as text.
import { h } from "../dom";

export const place = (at: ArrayLike<number>): string => `${at[0]!.toFixed(2)}, ${at[1]!.toFixed(2)}, ${at[2]!.toFixed(2)}`;

/** Names and values; those without a value are left out. */
export function rows(pairs: [string, string | null | undefined][]): HTMLElement {
    return h("dl", {}, ...pairs.filter(([, value]) => value != null && value !== "").flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, value as string)]));
}

/** Points, a line each. */
export function corners(points: ArrayLike<number>): string {
    const lines: string[] = [];
    for (let i = 0; i < points.length; i += 3) lines.push(place([points[i]!, points[i + 1]!, points[i + 2]!]));
    return lines.join("\n");
}

/** A colour of a legend. */
export function swatch(colour: string): HTMLElement {
    const element = h("i", { class: "swatch" });
    element.style.background = colour;
    return element;
}
