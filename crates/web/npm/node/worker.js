// A worker of `pool.js` in node.
import { parentPort } from "node:worker_threads";
import { answer } from "../shares.js";

const post = (reply, transfer) => parentPort.postMessage(reply, transfer);
parentPort.on("message", (message) => answer(message, post));
post({ id: "ready" });
