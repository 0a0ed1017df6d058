// A worker of `pool.js` in a browser. It loads nothing: the pool sends it the module.
import { answer } from "./shares.js";

self.onmessage = ({ data }) => answer(data, (reply, transfer) => self.postMessage(reply, transfer));
self.postMessage({ id: "ready" });
