// The level that `navtile studio` serves: only files that change on disk are read again, and settings are
// saved only to its settings file.
import type { Backend } from "./backend";
import { message } from "./dom";
import type { NamedFile } from "./protocol";
import * as served from "./served";
import type { Store } from "./store";

/** The pause after a refused request, milliseconds. */
const PAUSE = 1000;

/** The parts of the page that follow a served level. */
export interface Page {
    readonly store: Store;
    readonly backend: Backend;
    openFiles(files: NamedFile[], options: { isServed: boolean; toml: string | null }): Promise<void>;
    isUnsaved(): boolean;
    fileHas(toml: string | null): void;
    notice(text: string): void;
}

export class ServedLevel {
    #session: served.Session | null = null;
    #files: NamedFile[] = [];
    #comparing: AbortController | null = null;

    constructor(private readonly page: Page) {}

    /** The name of the level; null if no program serves the page. */
    get name(): string | null {
        return this.#session?.files[0] ?? null;
    }

    /** The name of its settings file; null for a finished mesh. */
    get settingsName(): string | null {
        return this.#session?.settings ?? null;
    }

    /** Opens the level, and follows its changes. */
    async open(): Promise<void> {
        const session = await served.session();
        await this.#read(session);
        const shown = this.show();
        void this.#follow();
        await shown;
    }

    /** Shows the level, whatever is open. */
    async show(): Promise<void> {
        const { settings, toml } = this.#session!;
        await this.page.openFiles(this.#files, { isServed: true, toml: settings === null ? null : toml });
    }

    /** Reads the files that are newer than the page's versions; returns their names. */
    async #read(session: served.Session): Promise<string[]> {
        const known = new Map(this.#files.map((file, index) => [file.name, { file, version: this.#session?.versions[index] }]));
        const fresh: string[] = [];
        const files = session.files.map(async (name, index) => {
            const before = known.get(name);
            if (before && before.version === session.versions[index]) return before.file;
            fresh.push(name);
            return { name, bytes: await served.file(index) };
        });
        this.#files = await Promise.all(files);
        this.#session = session;
        return fresh;
    }

    async #follow(): Promise<void> {
        for (;;) {
            try {
                await this.#update(await served.changed(this.#session!.version));
            } catch (error) {
                if (!(error instanceof served.RefusedError)) return this.page.notice("navtile studio has stopped. This page still works without it");
                this.page.notice(message(error));
                await new Promise((resolve) => setTimeout(resolve, PAUSE));
            }
        }
    }

    async #update(session: served.Session): Promise<void> {
        const before = this.#session!;
        const fresh = await this.#read(session);
        const { source, toml } = this.page.store.state;
        // Until it can be read for the first time, nothing is open.
        const isOpen = source === null || source.isServed;
        if (!isOpen) return;
        if (fresh.length > 0) {
            await this.show();
            if (this.page.store.state.refusal) return;
            const edits = this.page.isUnsaved() ? ". Your unsaved edits are kept" : "";
            this.page.notice(`${fresh.join(", ")} changed on disk: read again${edits}`);
        } else if (source && session.digest !== before.digest) {
            this.page.fileHas(session.toml);
            if (this.page.store.state.toml !== toml) this.page.notice(`${session.settings} changed on disk: read again`);
        }
    }

    /** Saves the settings to the level's settings file. */
    async save(): Promise<void> {
        const { store } = this.page;
        const { toml, conflict, source } = store.state;
        if (!source?.isServed || !this.#session) return;
        if (conflict !== null) return this.page.notice(`${this.#session.settings} has changed on disk: choose first which settings to keep`);
        try {
            this.#know(await served.writeSettings(toml, this.#session.digest));
            store.set({ saved: toml });
            this.page.notice(`Saved ${this.#session.settings}`);
        } catch (error) {
            if (!(error instanceof served.RefusedError) || error.status !== 409) return this.page.notice(`The settings cannot be saved: ${message(error)}`);
            this.#know(await served.session());
            this.page.fileHas(this.#session.toml);
        }
    }

    /** Takes over the settings of an answer. Other changed files are left to the change events. */
    #know({ toml, digest }: served.Session): void {
        this.#session = { ...this.#session!, toml, digest };
    }

    /** Compares the page's mesh with the program's bake of this level and these settings. */
    async compare(): Promise<void> {
        this.#comparing?.abort();
        const mine = (this.#comparing = new AbortController());
        const { toml, source } = this.page.store.state;
        if (!source?.isServed) return;
        try {
            const file = await served.bake(toml, mine.signal);
            const hash = await this.page.backend.ask("hash", { file });
            const now = this.page.store.state;
            if (now.toml !== toml || now.source !== source) return this.page.notice("The level or its settings changed during the bake: bake natively again");
            this.page.notice(hash === now.hash ? `The program bakes the same bytes: ${hash.slice(0, 12)}` : `The program bakes another file: ${hash}`);
        } catch (error) {
            if (!mine.signal.aborted) this.page.notice(`The program cannot bake it: ${message(error)}`);
        }
    }
}
