// The compiled module, which the page shares with its workers.
import { compiled } from "./compile.js";
import { url } from "./url.js";

export const module = await compiled(url);
