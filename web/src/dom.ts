// Makes elements in one call.

type Child = Node | string | null | undefined | false;
type Props<T extends HTMLElement> = Partial<Omit<T, "style" | "dataset">> & {
    class?: string;
    data?: Record<string, string>;
    aria?: Record<string, string>;
    role?: string;
};

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    props: Props<HTMLElementTagNameMap[K]> = {},
    ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    const { class: name, data, aria, role, ...rest } = props;
    if (name) element.className = name;
    if (role) element.setAttribute("role", role);
    for (const [key, value] of Object.entries(data ?? {})) element.dataset[key] = value;
    for (const [key, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${key}`, value);
    Object.assign(element, rest);
    element.append(...children.flat().filter((child): child is Node | string => child instanceof Node || (typeof child === "string" && child !== "")));
    return element;
}

/** An icon, drawn on a square of 16 with a pen. */
export function icon(path: string): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    svg.classList.add("icon");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
}

export const ICONS = {
    open: "M2 4h4l1.5 2H14v7H2z",
    undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7",
    redo: "M10 3l3.5 3.5L10 10M13 6.5H6.5a3.5 3.5 0 0 0 0 7H9",
    save: "M8 2v8M5 7l3 3 3-3M3 13h10",
    disk: "M3 3h8l2 2v8H3zM5.500 3v3h4V3M5.500 13V9h5v4",
    same: "M3 6h10M3 10h10",
    link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7",
    theme: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
    path: "M3 13c0-5 4-2 5-5s4-2 5-5M3 13h.01M13 3h.01",
    probe: "M8 1.5c2.5 0 4.5 2 4.5 4.5 0 3-4.5 8.5-4.5 8.5S3.500 9 3.500 6c0-2.500 2-4.500 4.500-4.500zM8 7.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
    ray: "M2 14 13 3M13 3v5M13 3H8",
    explain: "M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.7.4-1 .8-1 1.700M8 12.800h.01",
    jump: "M2 12c2-9 10-9 12 0M14 12l-3-1M14 12l.6-3.200",
    volume: "M8 2l5.500 3v6L8 14l-5.500-3V5zM2.500 5 8 8l5.500-3M8 8v6",
    play: "M5 3l8 5-8 5z",
    settings: "M2 4h6M12 4h2M2 12h2M8 12h6M10 2.500v3M6 10.500v3M2 8h9M13.500 8H14M11 6.500v3",
    layers: "M8 2l6 3.500L8 9 2 5.500zM2 8.500 8 12l6-3.500M2 11.500 8 15l6-3.500",
    view: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    frame: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
    close: "M4 4l8 8M12 4l-8 8",
    walk: "M8 1.500h.01M8 4.500v4.500M8 9l-2.500 5M8 9l2.500 5M4.500 6.500 8 5l3.500 2.500",
    left: "M9.500 5 6.500 8l3 3",
    right: "M6.500 5l3 3-3 3",
    up: "M5 9.500 8 6.500l3 3",
    chevron: "M5 6.500 8 9.500l3-3",
};

/** Lets the browser save bytes as a file. */
export function save(name: string, bytes: Uint8Array | string | Blob, type = "application/octet-stream"): void {
    const blob = bytes instanceof Blob ? bytes : new Blob([bytes as BlobPart], { type });
    const url = URL.createObjectURL(blob);
    const anchor = h("a", { href: url, download: name });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function metres(value: number | null | undefined, digits = 2): string {
    return value == null || !Number.isFinite(value) ? "–" : `${value.toFixed(digits)} m`;
}

export function count(value: number): string {
    return value.toLocaleString("en");
}

export function bytes(value: number): string {
    if (value < 1000) return `${value} B`;
    return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(2)} MB`;
}

/** Bytes of memory as text, for powers of two. */
export function memory(value: number): string {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    const power = Math.min(Math.floor(Math.log2(Math.max(value, 1)) / 10), units.length - 1);
    return `${Number((value / 1024 ** power).toFixed(2))} ${units[power]}`;
}

/** Bytes of memory in the format of `memory` if that is exact; else as a number. */
export function exactMemory(value: number): string {
    return bytesOf(memory(value)) === value ? memory(value) : String(value);
}

/** Parses the format of `memory` to bytes; null if it is something else. */
export function bytesOf(text: string): number | null {
    const found = /^([\d.]+)\s*(|bytes|KiB|MiB|GiB|TiB)$/i.exec(text.trim());
    const unit = ["", "kib", "mib", "gib", "tib"].indexOf(found?.[2]?.toLowerCase().replace("bytes", "") ?? "none");
    const value = found ? Number(found[1]) * 1024 ** unit : NaN;
    return Number.isInteger(value) ? value : null;
}

/** The answer to a query in a few words, with a reason unless it is the same text. */
export function verdict(isGood: boolean, words: string, reason: string | null = null): HTMLElement[] {
    const said = h("p", { class: `verdict ${isGood ? "yes" : "no"}` }, words);
    return reason && reason !== words.toLowerCase() ? [said, h("p", {}, reason)] : [said];
}

/** The text of whatever was thrown. */
export function message(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
