// The recording that is played, and its maps, which are made when the first of them is shown.
import { CrowdMaps, readRecording } from "navtile/bare";
import type { CrowdMap, CrowdRecording, MapGround } from "../protocol";

export class RecordingDesk {
    #bytes: Uint8Array | null = null;
    #maps: CrowdMaps | null = null;

    open(bytes: Uint8Array): CrowdRecording {
        const recording = readRecording(bytes);
        this.close();
        this.#bytes = bytes;
        return recording;
    }

    #made(): CrowdMaps {
        if (!this.#bytes) throw new Error("there is no recording: open one first");
        return (this.#maps ??= CrowdMaps.open(this.#bytes));
    }

    ground(): MapGround {
        const maps = this.#made();
        const peaks = { density: maps.peak("density"), flow: maps.peak("flow"), waiting: maps.peak("waiting") };
        return { side: maps.side, cells: maps.cells(), peaks };
    }

    values(map: CrowdMap, seconds: number): Float32Array {
        return this.#made().at(map, seconds);
    }

    close(): null {
        this.#maps?.free();
        this.#maps = this.#bytes = null;
        return null;
    }
}
