// Updates the scene from the store.
import type { App } from "./app";
import { links, volumes } from "./edits";
import { heldUp } from "./held_up";
import { poses, shutDoors } from "./projector";
import type { LevelPicture, MeshPicture, Rectangle, Vec3 } from "./protocol";
import type { State } from "./store";
import { AgentLayer } from "./view/agents";
import { AnswerLayer } from "./view/answers";
import { BoxLayer } from "./view/boxes";
import { ChangeLayer } from "./view/changes";
import { ClusterLayer } from "./view/clusters";
import { CrowdMapLayer } from "./view/crowd_map";
import { HandleLayer } from "./view/handles";
import { LevelLayer, MeshLayer } from "./view/layers";
import { StageLayer } from "./view/stages";
import type { View } from "./view/view";

const BACKGROUND = { dark: 0x15181c, light: 0xeef0f2 };

export class Stagehand {
    static agents: AgentLayer;
    static handles: HandleLayer;

    constructor(app: App, view: View) {
        const { store } = app;
        const level = new LevelLayer(view);
        const mesh = new MeshLayer(view);
        const changes = new ChangeLayer(view);
        const boxes = new BoxLayer(view);
        const clusters = new ClusterLayer(view);
        const stages = new StageLayer(view);
        const answers = new AnswerLayer(view);
        const handles = (Stagehand.handles = new HandleLayer(view));
        const agents = (Stagehand.agents = new AgentLayer(view));
        const map = new CrowdMapLayer(view);
        view.onDrawn = (calls, triangles) => {
            const { draws } = store.state;
            if (draws.calls !== calls || draws.triangles !== triangles) store.set({ draws: { calls, triangles } });
        };
        store.watch(["theme"], ({ theme }) => view.setBackground(BACKGROUND[theme]));
        store.watch(["level", "areas", "theme"], (state) => {
            level.set(state.level, state.areas, state.theme);
            level.show(state.layers);
        });
        store.watch(["mesh", "theme"], (state) => {
            mesh.set(state.mesh, state.theme);
            mesh.colour(state.colouring, state.areas, groundOf(state));
            mesh.show(state.layers);
        });
        store.watch(["colouring", "areas"], (state) => mesh.colour(state.colouring, state.areas, groundOf(state)));
        let ground = groundOf(store.state);
        store.watch(["answer"], (state) => {
            if (groundOf(state) !== ground) mesh.colour(state.colouring, state.areas, (ground = groundOf(state)));
        });
        store.watch(["level", "mesh"], ({ level: shape, mesh: ground }) => bounds(view, shape, ground));
        store.watch(["layers"], ({ layers }) => {
            level.show(layers);
            mesh.show(layers);
        });
        store.watch(["stages", "layers", "areas"], (state) => stages.show(state.stages, state.layers.stage, state.areas));
        store.watch(["change", "colouring"], ({ change, colouring }) => changes.show(colouring === "change" ? change : null));
        store.watch(["boxes", "boxDepth", "layers", "theme"], (state) => boxes.show(state.layers.boxes ? state.boxes : null, state.boxDepth, state.theme));
        store.watch(["clusters", "layers", "theme"], (state) => clusters.show(state.layers.clusters ? state.clusters : null, state.theme));
        store.watch(["cut"], ({ cut }) => view.setCut(cut));
        store.watch(["answer", "pending", "mesh"], ({ answer, pending, mesh: ground }) => answers.show(answer, pending, ground));
        store.watch(["toml", "selection", "layers", "source", "level"], ({ toml, selection, layers, source }) => {
            const isLevel = source?.kind === "level";
            handles.show(isLevel ? volumes(toml) : [], isLevel ? links(toml) : [], selection, layers.volumes);
        });
        store.watch(["play", "film"], ({ play, film, mesh: ground }) => {
            const { radius, height } = ground?.info.agent ?? { radius: 0.5, height: 1.8 };
            const isMapped = film !== null && film.map !== "none";
            agents.show(film ? poses(film.recording, film.seconds) : play.frame, radius, height, film?.recording.bodies, isMapped);
            agents.doors(film ? shutDoors(film.recording, film.seconds) : []);
            const chosen = film?.selected ?? null;
            agents.mark(chosen, film && chosen !== null ? heldUp(film.recording, chosen, film.seconds).by : null);
        });
        store.watch(["film"], ({ film }) => map.show(film));
        let shown = store.state.play.obstacles;
        store.watch(["play"], ({ play }) => {
            if (play.obstacles !== shown) agents.obstacles((shown = play.obstacles));
        });
    }
}

/** The ground that the far path on screen needed; null without one. */
function groundOf({ answer }: State): Rectangle[] | null {
    return answer?.kind === "far" && "ground" in answer.far ? answer.far.ground : null;
}

/** The bounds that the camera frames: the level, or the mesh without a level. */
function bounds(view: View, level: LevelPicture | null, mesh: MeshPicture | null): void {
    const positions = level?.positions ?? mesh?.positions;
    if (!positions || positions.length === 0) return;
    const low: Vec3 = [Infinity, Infinity, Infinity];
    const high: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
        for (let axis = 0; axis < 3; axis++) {
            const value = positions[i + axis]!;
            if (value < low[axis]!) low[axis] = value;
            if (value > high[axis]!) high[axis] = value;
        }
    }
    view.setBounds(low, high);
}
