// Walking through the level: the view of an agent whose feet are on the mesh and slide along its borders.
import { Vector3 } from "three";
import type { App } from "./app";
import type { Vec3 } from "./protocol";
import type { CameraPlace, View } from "./view/view";

/** Metres a second, and with Shift. */
const SPEED = 2.5;
const RUN = 6;
/** Radians per pixel of a drag. */
const TURN = 0.005;
const STEEPEST = 1.4;
/** Height of the eyes, as a share of the agent's height. */
const EYES = 0.92;
/** Near plane of the camera, metres: walls come very close to the eyes. */
const NEAR = 0.05;
/** Maximum duration of a step, seconds, however long the frame took. */
const LONGEST = 0.1;

export class Walker {
    #before: { place: CameraPlace; near: number } | null = null;
    #yaw = 0;
    #pitch = 0;
    /** Seconds that have not been walked yet because a step was in progress. */
    #owed = 0;
    #isBusy = false;

    constructor(
        private readonly app: App,
        private readonly view: View,
    ) {
        app.store.watch(["source"], () => this.leave());
        app.store.watch(["walk"], ({ walk }) => walk && this.#see(walk));
    }

    async toggle(): Promise<void> {
        if (this.#before) this.leave();
        else await this.start();
    }

    /** Puts the feet on the ground nearest to the point that the camera looks at. */
    async start(): Promise<void> {
        const { app, view } = this;
        const place = view.place();
        const feet = app.store.state.mesh ? await app.backend.ask("stand", { at: place.to }).catch(() => null) : null;
        if (!feet) return app.notice("No mesh to walk on near the centre of the view");
        const ahead = new Vector3(...place.to).sub(new Vector3(...place.at));
        this.#before = { place, near: view.camera.near };
        this.#yaw = Math.atan2(ahead.x, ahead.z);
        this.#pitch = -0.1;
        this.#owed = 0;
        view.camera.near = NEAR;
        view.camera.updateProjectionMatrix();
        view.takeOver({ look: (x, y) => this.#look(x, y), move: (forward, side, seconds, fast) => void this.#move(forward, side, seconds, fast) });
        app.store.set({ walk: feet });
        view.renderer.domElement.focus();
    }

    /** Moves the camera back to its place. */
    leave(): void {
        if (!this.#before) return;
        const { place, near } = this.#before;
        this.#before = null;
        this.view.camera.near = near;
        this.view.camera.updateProjectionMatrix();
        this.view.takeOver(null);
        this.app.store.set({ walk: null });
        this.view.setPlace(place);
    }

    #look(x: number, y: number): void {
        this.#yaw -= x * TURN;
        this.#pitch = Math.min(Math.max(this.#pitch - y * TURN, -STEEPEST), STEEPEST);
        const { walk } = this.app.store.state;
        if (walk) this.#see(walk);
    }

    async #move(forward: number, side: number, seconds: number, isFast: boolean): Promise<void> {
        const { walk: from } = this.app.store.state;
        this.#owed = Math.min(this.#owed + seconds, LONGEST);
        if (!from || this.#isBusy || (forward === 0 && side === 0)) return;
        const length = ((isFast ? RUN : SPEED) * this.#owed) / Math.hypot(forward, side);
        this.#owed = 0;
        const [sin, cos] = [Math.sin(this.#yaw), Math.cos(this.#yaw)];
        const to: Vec3 = [from[0] + length * (forward * sin - side * cos), from[1], from[2] + length * (forward * cos + side * sin)];
        this.#isBusy = true;
        // If the ground was removed, the agent stops.
        const walk = await this.app.backend.ask("slide", { from, to }).catch(() => from);
        this.#isBusy = false;
        if (this.#before) this.app.store.set({ walk });
    }

    /** Puts the eye over the feet. */
    #see(feet: Vec3): void {
        const height = this.app.store.state.mesh?.info.agent.height ?? 1.8;
        const eye = new Vector3(feet[0], feet[1] + EYES * height, feet[2]);
        const flat = Math.cos(this.#pitch);
        const ahead = new Vector3(flat * Math.sin(this.#yaw), Math.sin(this.#pitch), flat * Math.cos(this.#yaw));
        this.view.lookFrom(eye, ahead);
    }
}
