// The page's side of its two workers: one bakes and can be terminated at any time, one answers at once.
import wasmUrl from "navtile/navtile_web_bg.wasm?url";
import type { Answer, Ask, Failure, FromWorker, LevelRead, NamedFile, RequestName, ToWorker } from "./protocol";

/** The error of a request; `cancelled` if nobody wants its answer any more. */
export class WorkError extends Error {
    constructor(
        readonly failure: Failure,
        readonly cancelled = false,
    ) {
        super(failure.message);
    }
}

/** Reports of a bake before it is done. */
export interface BakeReports {
    read: (read: LevelRead) => void;
    progress: (part: number) => void;
}

interface Waiting {
    resolve: (answer: never) => void;
    reject: (error: WorkError) => void;
    reports: BakeReports | undefined;
}

/** A worker, started at once; requests wait until it is ready. */
class Desk {
    #worker: Worker;
    #waiting = new Map<number, Waiting>();
    #ids = 0;

    constructor(module: Promise<WebAssembly.Module>) {
        this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "navtile" });
        this.#worker.onmessage = (event: MessageEvent<FromWorker>) => this.#arrived(event.data);
        this.#worker.onerror = (event) => this.#fail(`the worker stopped: ${event.message || "out of memory"}`);
        module.then(
            (compiled) => this.#post({ kind: "start", module: compiled }),
            (error: Error) => this.#fail(`the module of navtile cannot be loaded: ${error.message}`),
        );
    }

    get isBusy(): boolean {
        return this.#waiting.size > 0;
    }

    #post(message: ToWorker): void {
        this.#worker.postMessage(message);
    }

    #arrived(message: FromWorker): void {
        const waiting = this.#waiting.get(message.id);
        if (!waiting) return;
        if (message.kind === "read") return waiting.reports?.read(message.read);
        if (message.kind === "progress") return waiting.reports?.progress(message.part);
        this.#waiting.delete(message.id);
        if (message.kind === "answer") waiting.resolve(message.answer as never);
        else waiting.reject(new WorkError(message.failure));
    }

    #fail(message: string): void {
        for (const waiting of this.#waiting.values()) waiting.reject(new WorkError({ message, remedy: "reload the page", problems: [] }));
        this.#waiting.clear();
    }

    ask<N extends RequestName>(name: N, ask: Ask<N>, reports?: BakeReports): Promise<Answer<N>> {
        const id = ++this.#ids;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, reports });
            this.#post({ kind: "ask", id, name, ask } as ToWorker);
        });
    }

    end(): void {
        this.#worker.terminate();
        const gone = { message: "cancelled", remedy: null, problems: [] };
        for (const waiting of this.#waiting.values()) waiting.reject(new WorkError(gone, true));
        this.#waiting.clear();
    }
}

export class Backend {
    #module = WebAssembly.compileStreaming(fetch(wasmUrl));
    #bakes = new Desk(this.#module);
    /**
     * The next baking worker, in case this one is terminated: a bake restarts without waiting for a worker.
     */
    #spare: Desk | null = null;
    #answers = new Desk(this.#module);
    #files: NamedFile[] = [];

    constructor() {
        // A mark for measuring the time until the first mesh. The desks report a failure.
        this.#module.then(() => performance.mark("compiled"), () => {});
    }

    /** Loads the level of all following bakes. If it cannot be read, the previous level remains. */
    async load(files: NamedFile[], toml: string): Promise<void> {
        this.cancel();
        await this.#bakes.ask("load", { files, toml });
        this.#files = files;
    }

    /** Cancels a running bake or explanation. */
    cancel(): void {
        if (!this.#bakes.isBusy) return;
        this.#bakes.end();
        this.#bakes = this.#spare ?? new Desk(this.#module);
        this.#spare = new Desk(this.#module);
        void this.#bakes.ask("load", { files: this.#files, toml: null }).catch(() => {});
    }

    /** Bakes. A running bake is cancelled. */
    bake(toml: string, reports: BakeReports): Promise<Answer<"bake">> {
        this.cancel();
        return this.#bakes.ask("bake", { toml }, reports);
    }

    /** Sends a request to the baking worker. */
    ofLevel<N extends "explain" | "explainWay" | "stages" | "dynamic">(name: N, ask: Ask<N>): Promise<Answer<N>> {
        return this.#bakes.ask(name, ask);
    }

    /** Sends a request to the answering worker. */
    ask<N extends Exclude<RequestName, "load" | "bake" | "explain" | "explainWay" | "stages" | "dynamic">>(
        name: N,
        ask: Ask<N>,
    ): Promise<Answer<N>> {
        return this.#answers.ask(name, ask);
    }
}
