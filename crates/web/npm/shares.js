// A worker's side of a pool. It gets the compiled module as `{ id, module }`, then `{ id, files, settings }` to prepare a level and
// `{ id, index, of }` for each share.
import { LevelBake, initSync } from "./navtile_web.js";

let level;

function answerTo({ module, files, settings, index, of }) {
    if (module) {
        initSync({ module });
        return {};
    }
    if (files) {
        level?.free();
        level = new LevelBake(files, settings);
        return { tiles: level.tiles() };
    }
    return { share: level.share(index, of) };
}

/** Answers a message of the pool by `post(answer, transfer)`. */
export function answer(message, post) {
    const { id } = message;
    try {
        const result = answerTo(message);
        post({ id, ...result }, result.share ? [result.share.buffer] : []);
    } catch (error) {
        post({ id, error: { message: error.message, problems: error.problems, remedy: error.remedy } });
    }
}
