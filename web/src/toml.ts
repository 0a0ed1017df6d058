// A settings file as text that is edited in place: comments, order and spelling are kept.
import { parse, type TomlTable } from "smol-toml";

export type TomlValue = number | string | boolean | TomlValue[];

interface Entry {
    key: string;
    /** From the start of its first line to the end of its last, without the line feed. */
    start: number;
    end: number;
    valueStart: number;
    valueEnd: number;
}

interface Section {
    /** `agent` for `[agent]` and `[[agent]]`; empty for entries before the first header. */
    name: string;
    isArray: boolean;
    /** Index among the sections with this name. */
    index: number;
    start: number;
    headerEnd: number;
    entries: Entry[];
}

/** The values of a text; an empty table if it cannot be read. A bake reports such an error with its line. */
export function read(text: string): TomlTable {
    try {
        return parse(text);
    } catch {
        return {};
    }
}

/** The end of a value that starts at `at`. Values may span several lines. */
function valueEnd(text: string, at: number): number {
    let depth = 0;
    let quote = "";
    let end = at;
    for (let i = at; i < text.length; i++) {
        const c = text[i]!;
        if (quote) {
            if (c === "\\" && quote.startsWith('"')) {
                i++;
            } else if (text.startsWith(quote, i)) {
                i += quote.length - 1;
                quote = "";
            }
            end = i + 1;
        } else if (c === '"' || c === "'") {
            quote = text.startsWith(c.repeat(3), i) ? c.repeat(3) : c;
            i += quote.length - 1;
            end = i + 1;
        } else if (c === "#") {
            while (i + 1 < text.length && text[i + 1] !== "\n") i++;
        } else if (c === "\n") {
            if (depth === 0) break;
        } else {
            if (c === "[" || c === "{") depth++;
            if (c === "]" || c === "}") depth--;
            if (c.trim()) end = i + 1;
        }
    }
    return end;
}

function scan(text: string): Section[] {
    const sections: Section[] = [{ name: "", isArray: false, index: 0, start: 0, headerEnd: 0, entries: [] }];
    const counts = new Map<string, number>();
    let at = 0;
    while (at < text.length) {
        const newline = text.indexOf("\n", at);
        let end = newline < 0 ? text.length : newline;
        const line = text.slice(at, end);
        const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?/.exec(line);
        const entry = /^\s*((?:[\w.-]+|"[^"]*"|'[^']*')+)\s*=\s*/.exec(line);
        if (header) {
            const name = header[2]!;
            const isArray = header[1] === "[[";
            const index = counts.get(name) ?? 0;
            counts.set(name, index + 1);
            sections.push({ name, isArray, index, start: at, headerEnd: end, entries: [] });
        } else if (entry) {
            const valueStart = at + entry[0].length;
            const last = valueEnd(text, valueStart);
            const after = text.indexOf("\n", last);
            end = after < 0 ? text.length : after;
            sections.at(-1)!.entries.push({ key: entry[1]!, start: at, end, valueStart, valueEnd: last });
        }
        at = end + 1;
    }
    return sections;
}

/** The path of an entry in a settings file; that of the first of several agents is the agent's. */
function pathOf(section: Section, entry: Entry): string | null {
    if (section.isArray && !(section.name === "agent" && section.index === 0)) return null;
    return section.name ? `${section.name}.${entry.key}` : entry.key;
}

export function write(value: TomlValue): string {
    if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value === "boolean") return String(value);
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}

function splice(text: string, start: number, end: number, put: string): string {
    return text.slice(0, start) + put + text.slice(end);
}

/** Removes whole lines, including the final line feed. */
function cutLines(text: string, start: number, end: number): string {
    return splice(text, start, text[end] === "\n" ? end + 1 : end, "");
}

/** Adds a line at the end of a section. */
function addLine(text: string, section: Section, line: string): string {
    const last = section.entries.at(-1);
    if (last) return splice(text, last.end, last.end, `\n${line}`);
    if (section.name) return splice(text, section.headerEnd, section.headerEnd, `\n${line}`);
    return `${line}\n${text && !text.startsWith("\n") ? "\n" : ""}${text}`;
}

/** Gives a setting a value, written as TOML; null removes the setting. */
export function setValue(text: string, path: string, value: string | null): string {
    const sections = scan(text);
    for (const section of sections) {
        for (const entry of section.entries) {
            if (pathOf(section, entry) === path) {
                return value === null
                    ? cutLines(text, entry.start, entry.end)
                    : splice(text, entry.valueStart, entry.valueEnd, value);
            }
        }
    }
    if (value === null) return text;
    const dot = path.lastIndexOf(".");
    const [table, key] = dot < 0 ? ["", path] : [path.slice(0, dot), path.slice(dot + 1)];
    const section = sections.find((each) => each.name === table && (!each.isArray || each.index === 0));
    const line = `${key} = ${value}`;
    if (section) return addLine(text, section, line);
    return `${text}${text && !text.endsWith("\n") ? "\n" : ""}${text ? "\n" : ""}[${table}]\n${line}\n`;
}

/** Adds a `[[name]]` at the end. */
export function addBlock(text: string, name: string, values: Record<string, TomlValue>): string {
    const lines = Object.entries(values).map(([key, value]) => `${key} = ${write(value)}\n`);
    const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return `${text}${gap}[[${name}]]\n${lines.join("")}`;
}

/** Adds an empty `[name]` at the end. */
export function addTable(text: string, name: string): string {
    const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return `${text}${gap}[${name}]\n`;
}

/** Removes a table, its keys and the tables in it. */
export function removeTable(text: string, name: string): string {
    const isIn = (path: string): boolean => path === name || path.startsWith(`${name}.`);
    let rest = text;
    for (const section of scan(text).reverse()) {
        if (isIn(section.name)) {
            const end = section.entries.at(-1)?.end ?? section.headerEnd;
            rest = cutLines(rest, section.start, end);
        } else if (section.name === "") {
            for (const entry of section.entries.toReversed()) if (isIn(entry.key)) rest = cutLines(rest, entry.start, entry.end);
        }
    }
    return rest.replace(/\n{3,}/g, "\n\n").replace(/\n\n$/, "\n");
}

function block(text: string, name: string, index: number): Section | undefined {
    return scan(text).find((section) => section.isArray && section.name === name && section.index === index);
}

/** Removes a `[[name]]`, counted from 0. */
export function removeBlock(text: string, name: string, index: number): string {
    const found = block(text, name, index);
    if (!found) return text;
    const end = found.entries.at(-1)?.end ?? found.headerEnd;
    const cut = cutLines(text, found.start, end);
    return cut.replace(/\n{3,}/g, "\n\n").replace(/^\n+/, "").replace(/\n\n$/, "\n");
}

/** Gives a key of a `[[name]]` a value; null removes the key. */
export function setInBlock(text: string, name: string, index: number, key: string, value: TomlValue | null): string {
    const found = block(text, name, index);
    if (!found) return text;
    const entry = found.entries.find((each) => each.key === key);
    if (value === null) return entry ? cutLines(text, entry.start, entry.end) : text;
    if (entry) return splice(text, entry.valueStart, entry.valueEnd, write(value));
    return addLine(text, found, `${key} = ${write(value)}`);
}

/** The setting, or the block and key, that a line (from 1) belongs to. */
export function ownerOfLine(text: string, line: number): string | null {
    let start = 0;
    for (let i = 1; i < line; i++) {
        start = text.indexOf("\n", start) + 1;
        if (start === 0) return null;
    }
    for (const section of scan(text)) {
        for (const entry of section.entries) {
            if (entry.start <= start && start <= entry.end) {
                return pathOf(section, entry) ?? `${section.name}[${section.index}].${entry.key}`;
            }
        }
    }
    return null;
}
