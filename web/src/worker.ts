// All long work: bakes, explanations, queries, crowds. The page has two of these workers: one bakes, one
// answers.
import start, { fileHash, settingsTable } from "navtile/bare";
import type { Ask, Answer, Failure, FromWorker, RequestName, ToWorker } from "./protocol";
import { BakeDesk } from "./worker/bakes";
import { compare } from "./worker/compare";
import { plain } from "./worker/draco";
import { FarDesk } from "./worker/far";
import { MeshDesk } from "./worker/questions";
import { PlayDesk } from "./worker/play";
import { RecordingDesk } from "./worker/recordings";

type Answered<N extends RequestName> = [Answer<N>, Transferable[]];
type Handlers = { [N in RequestName]: (ask: Ask<N>, id: number) => Answered<N> | Promise<Answered<N>> };

const bakes = new BakeDesk({
    read: (id, read) => post({ kind: "read", id, read }),
    progress: (id, part) => post({ kind: "progress", id, part }),
});
const mesh = new MeshDesk();
const far = new FarDesk(mesh);
const play = new PlayDesk(mesh);
const recordings = new RecordingDesk();

const handlers: Handlers = {
    table: () => [settingsTable(), []],
    hash: ({ file }) => [fileHash(file), []],
    plain: async ({ files }) => [await plain(files), []],
    load: ({ files, toml }) => [bakes.load(files, toml), []],
    bake: ({ toml }, id) => bakes.bake(toml, id),
    explain: ({ at, toml }) => [bakes.level(toml).explain(at), []],
    explainWay: ({ from, to, toml }) => [bakes.level(toml).explainWay(from, to), []],
    stages: ({ at, toml }) => [bakes.level(toml).stages(at), []],
    dynamic: ({ toml }) => [bakes.dynamic(toml), []],
    open: ({ file }) => {
        const picture = mesh.open(file);
        far.open(file);
        return [picture, []];
    },
    importDetour: ({ bytes }) => [mesh.importDetour(bytes), []],
    exportDetour: () => [mesh.exportDetour(), []],
    path: (ask) => [mesh.path(ask), []],
    far: (ask) => [far.far(ask), []],
    clusters: () => [far.clusters(), []],
    boxes: () => [(play.mesh ?? mesh.mesh).boxes(), []],
    probe: (ask) => [mesh.probe(ask), []],
    compare: ({ before, after }) => {
        const change = compare(before, after);
        return [change, Object.values(change.quads).map((quads) => quads.buffer as ArrayBuffer)];
    },
    stand: ({ at }) => [mesh.stand(at), []],
    slide: ({ from, to }) => [mesh.slide(from, to), []],
    ray: ({ from, to }) => [mesh.ray(from, to), []],
    play: (ask) => [play.start(ask), []],
    send: ({ to }) => [play.send(to), []],
    obstacle: (ask) => [play.change(ask), []],
    step: ({ seconds, steps }) => [play.step(seconds, steps), []],
    stopPlay: () => [play.stop(), []],
    recording: ({ bytes }) => [recordings.open(bytes), []],
    mapGround: () => [recordings.ground(), []],
    map: ({ map, seconds }) => {
        const values = recordings.values(map, seconds);
        return [values, [values.buffer as ArrayBuffer]];
    },
    closeRecording: () => [recordings.close(), []],
};

function post(message: FromWorker, transfer: Transferable[] = []): void {
    self.postMessage(message, { transfer });
}

function failure(error: unknown): Failure {
    if (!(error instanceof Error)) return { message: String(error), remedy: null, problems: [] };
    const { remedy, problems } = error as Error & Partial<Failure>;
    const list = problems ?? [];
    // The text of an error repeats its problems and its remedy.
    const message = list.length > 0 || remedy ? error.message.split("\n")[0]!.replace(remedy ? `; ${remedy}` : "", "") : error.message;
    return { message, remedy: remedy ?? null, problems: list };
}

/** Requests wait for this until the module is loaded. */
let isReady: () => void = () => {};
const ready = new Promise<void>((resolve) => (isReady = resolve));

self.onmessage = async (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    if (message.kind === "start") {
        await start({ module_or_path: message.module });
        isReady();
        return;
    }
    await ready;
    const { id, name, ask } = message;
    try {
        const handler = handlers[name] as (ask: unknown, id: number) => Answered<RequestName> | Promise<Answered<RequestName>>;
        const [answer, transfer] = await handler(ask, id);
        post({ kind: "answer", id, answer }, transfer);
    } catch (error) {
        post({ kind: "failed", id, failure: failure(error) });
    }
};
