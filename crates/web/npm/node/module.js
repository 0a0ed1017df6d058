// The compiled module, which the main thread shares with its workers.
import { url } from "../url.js";
import { compiled } from "./compile.js";

export const module = await compiled(url);
