// The 3D view: camera, light, the cutting height, and rendering only after changes.
import {
    Box3, Color, ColorManagement, DirectionalLight, Group, HemisphereLight, LinearSRGBColorSpace, PerspectiveCamera, Plane, Raycaster, Scene, Sphere, Vector2, Vector3,
    WebGLRenderer, type Material, type Mesh, type Object3D,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Vec3 } from "../protocol";

/** Position of the camera, and the point that it looks at. */
export interface CameraPlace {
    at: Vec3;
    to: Vec3;
}

/**
 * Receives drags and keys instead of the camera: pixels, then directions from -1 to 1, seconds, and true if
 * Shift is held.
 */
export interface Pilot {
    look(x: number, y: number): void;
    move(forward: number, side: number, seconds: number, isFast: boolean): void;
}

/** Movement of the pointer up to this counts as a click, CSS pixels. */
const CLICK_PIXELS = 5;
const NO_CUT = 1e9;

export class View {
    readonly renderer: WebGLRenderer;
    readonly scene = new Scene();
    readonly camera = new PerspectiveCamera(50, 1, 0.1, 1000);
    readonly controls: OrbitControls;
    readonly world = new Group();
    /**
     * Hides everything above it. It is part of every material, so that moving it does not compile anything.
     */
    readonly plane = new Plane(new Vector3(0, -1, 0), NO_CUT);
    readonly bounds = new Box3(new Vector3(-10, 0, -10), new Vector3(10, 2, 10));
    onClick: (event: PointerEvent) => void = () => {};
    /** Returns true if it takes the drag. */
    onDragStart: (event: PointerEvent) => boolean = () => false;
    onDrag: (event: PointerEvent) => void = () => {};
    onDragEnd: () => void = () => {};
    onDrawn: (calls: number, triangles: number) => void = () => {};
    onMoved: () => void = () => {};
    #queued = false;
    #keys = new Set<string>();
    #lastKeys = 0;
    #pilot: Pilot | null = null;
    #isFast = false;
    #ray = new Raycaster();

    constructor(readonly host: HTMLElement) {
        // Colours are drawn unchanged, so that they match the legend.
        ColorManagement.enabled = false;
        this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
        this.renderer.outputColorSpace = LinearSRGBColorSpace;
        this.renderer.localClippingEnabled = true;
        this.renderer.debug.checkShaderErrors = false;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        const canvas = this.renderer.domElement;
        canvas.tabIndex = 0;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", "The level and its navigation mesh. Drag to rotate, scroll to zoom, W A S D to fly.");
        host.append(canvas);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.maxPolarAngle = Math.PI * 0.495;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.moved());
        this.scene.add(this.world, ...lights());
        this.#pointer(canvas);
        this.#keyboard(canvas);
        new ResizeObserver(() => this.#resize()).observe(host);
        this.#resize();
    }

    #pointer(canvas: HTMLCanvasElement): void {
        let down: { x: number; y: number; drags: boolean } | null = null;
        let last = { x: 0, y: 0 };
        canvas.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            const drags = this.onDragStart(event);
            down = { x: event.clientX, y: event.clientY, drags };
            this.controls.enabled = !drags && !this.#pilot;
            last = { x: event.clientX, y: event.clientY };
            if (this.#pilot) canvas.setPointerCapture(event.pointerId);
        }, true);
        canvas.addEventListener("pointermove", (event) => {
            if (down?.drags) return this.onDrag(event);
            if (!down || !this.#pilot) return;
            this.#pilot.look(event.clientX - last.x, event.clientY - last.y);
            last = { x: event.clientX, y: event.clientY };
        });
        const up = (event: PointerEvent): void => {
            if (!down) return;
            const moved = Math.hypot(event.clientX - down.x, event.clientY - down.y);
            const { drags } = down;
            down = null;
            this.controls.enabled = !this.#pilot;
            if (drags) this.onDragEnd();
            if (moved <= CLICK_PIXELS && event.type === "pointerup" && !drags) this.onClick(event);
        };
        canvas.addEventListener("pointerup", up);
        canvas.addEventListener("pointercancel", up);
    }

    /** W A S D fly, Q and E sink and rise. */
    #keyboard(canvas: HTMLCanvasElement): void {
        canvas.addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || !/^Key[WASDQE]$/.test(event.code)) return;
            this.#isFast = event.shiftKey;
            this.hold(event.code, true);
            event.preventDefault();
        });
        canvas.addEventListener("keyup", (event) => this.hold(event.code, false));
        canvas.addEventListener("blur", () => this.#keys.clear());
    }

    /** Presses or releases a key: `KeyW` and so on. */
    hold(key: string, isDown: boolean): void {
        if (!isDown) return void this.#keys.delete(key);
        if (this.#keys.size === 0) this.#lastKeys = performance.now();
        this.#keys.add(key);
        this.invalidate();
    }

    /** Directs drags and keys to a pilot, or back to the camera. */
    takeOver(pilot: Pilot | null): void {
        this.#pilot = pilot;
        this.#keys.clear();
        this.controls.enabled = pilot === null;
    }

    /** Looks along a direction from a place. */
    lookFrom(eye: Vector3, ahead: Vector3): void {
        this.camera.position.copy(eye);
        this.controls.target.copy(eye).add(ahead);
        this.camera.lookAt(this.controls.target);
        this.moved();
    }

    #fly(): void {
        if (this.#keys.size === 0) return;
        const now = performance.now();
        const seconds = Math.min((now - this.#lastKeys) / 1000, 0.1);
        this.#lastKeys = now;
        const on = (plus: string, minus: string): number => Number(this.#keys.has(plus)) - Number(this.#keys.has(minus));
        if (this.#pilot) return this.#pilot.move(on("KeyW", "KeyS"), on("KeyD", "KeyA"), seconds, this.#isFast);
        const step = Math.max(this.camera.position.distanceTo(this.controls.target), 5) * seconds;
        const ahead = this.camera.getWorldDirection(new Vector3()).setY(0).normalize();
        const side = new Vector3().crossVectors(ahead, new Vector3(0, 1, 0));
        const move = ahead.multiplyScalar(on("KeyW", "KeyS")).addScaledVector(side, on("KeyD", "KeyA"));
        move.y = on("KeyE", "KeyQ");
        move.multiplyScalar(step);
        this.camera.position.add(move);
        this.controls.target.add(move);
        this.controls.update();
        this.moved();
    }

    #resize(): void {
        const { clientWidth: width, clientHeight: height } = this.host;
        if (width === 0 || height === 0) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.invalidate();
    }

    moved(): void {
        this.onMoved();
        this.invalidate();
    }

    /** Draws before the next frame. */
    invalidate(): void {
        if (this.#queued) return;
        this.#queued = true;
        requestAnimationFrame(() => {
            this.#queued = false;
            this.#fly();
            this.draw();
            if (this.#keys.size > 0) this.invalidate();
        });
    }

    draw(): void {
        this.renderer.render(this.scene, this.camera);
        const { calls, triangles } = this.renderer.info.render;
        this.onDrawn(calls, triangles);
    }

    /** Adds the cutting plane to a material. */
    cuts<M extends Material>(material: M): M {
        material.clippingPlanes = [this.plane];
        return material;
    }

    setCut(height: number | null): void {
        this.plane.constant = height ?? NO_CUT;
        this.invalidate();
    }

    setBackground(colour: number): void {
        this.scene.background = new Color(colour);
        this.invalidate();
    }

    setBounds(low: Vec3, high: Vec3): void {
        this.bounds.set(new Vector3(...low), new Vector3(...high));
        const size = this.bounds.getSize(new Vector3()).length();
        this.camera.near = Math.max(size / 2000, 0.02);
        this.camera.far = size * 6 + 100;
        this.camera.updateProjectionMatrix();
        this.controls.maxDistance = size * 3;
        this.controls.minDistance = Math.min(0.5, size / 20);
    }

    /** Frames everything, from above and the south. */
    frame(): void {
        const sphere = this.bounds.getBoundingSphere(new Sphere());
        const narrow = Math.min(1, this.camera.aspect);
        const distance = (sphere.radius / Math.sin(((this.camera.fov / 2) * Math.PI) / 180) / narrow) * 0.95;
        this.controls.target.copy(sphere.center);
        this.camera.position.copy(sphere.center).add(new Vector3(0.35, 0.85, 0.75).normalize().multiplyScalar(distance));
        this.controls.update();
        this.moved();
    }

    place(): CameraPlace {
        return { at: this.camera.position.toArray() as Vec3, to: this.controls.target.toArray() as Vec3 };
    }

    setPlace({ at, to }: CameraPlace): void {
        this.camera.position.set(...at);
        this.controls.target.set(...to);
        this.controls.update();
        this.moved();
    }

    /** Looks at a place from a point where it is visible. */
    flyTo(place: Vec3): void {
        const target = new Vector3(...place);
        const away = this.camera.position.clone().sub(this.controls.target);
        const far = this.bounds.getSize(new Vector3()).length() * 0.35;
        away.setLength(Math.min(away.length(), Math.max(far, 6)));
        this.controls.target.copy(target);
        this.camera.position.copy(target).add(away);
        this.controls.update();
        this.moved();
    }

    /** The ray under a pointer. */
    ray(event: { clientX: number; clientY: number }): { origin: Vec3; along: Vec3 } {
        this.#aim(event);
        return { origin: this.#ray.ray.origin.toArray() as Vec3, along: this.#ray.ray.direction.toArray() as Vec3 };
    }

    /** Size of a CSS pixel at a distance of 1 m, metres. */
    pixelSize(): number {
        return (2 * Math.tan(((this.camera.fov / 2) * Math.PI) / 180)) / Math.max(this.host.clientHeight, 1);
    }

    #aim(event: { clientX: number; clientY: number }): void {
        const box = this.renderer.domElement.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * 2 - 1;
        const y = 1 - ((event.clientY - box.top) / box.height) * 2;
        this.camera.updateMatrixWorld();
        this.#ray.setFromCamera(new Vector2(x, y), this.camera);
    }

    /** The first of these objects under a pointer. */
    under(event: { clientX: number; clientY: number }, objects: Object3D[]): { object: Object3D; distance: number } | null {
        this.#aim(event);
        return this.#ray.intersectObjects(objects, true)[0] ?? null;
    }

    /** Intersection of the ray under a pointer with the horizontal plane at a height. */
    onPlane(event: { clientX: number; clientY: number }, height: number): Vec3 | null {
        const { origin, along } = this.ray(event);
        const distance = (height - origin[1]) / along[1];
        if (!Number.isFinite(distance) || distance <= 0) return null;
        return [origin[0] + along[0] * distance, height, origin[2] + along[2] * distance];
    }

    /** Position of a place on screen, CSS pixels of the page. */
    project(place: Vec3): { x: number; y: number } {
        this.camera.updateMatrixWorld();
        const at = new Vector3(...place).project(this.camera);
        const box = this.renderer.domElement.getBoundingClientRect();
        return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
    }

    picture(): Promise<Blob> {
        this.draw();
        return new Promise((resolve, reject) => {
            this.renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture cannot be made"))), "image/png");
        });
    }
}

function lights(): Object3D[] {
    const sky = new HemisphereLight(0xffffff, 0x8a93a0, 1.7);
    const sun = new DirectionalLight(0xffffff, 1.5);
    sun.position.set(0.5, 1, 0.35);
    return [sky, sun];
}

/** Frees only the geometry of an object, whose material is still used, and removes the object. */
export function disposeShape(object: Object3D): void {
    (object as Partial<Mesh>).geometry?.dispose();
    object.removeFromParent();
}

/** Frees the graphics resources of an object, and removes it. */
export function dispose(object: Object3D): void {
    object.traverse((each) => {
        const { geometry, material } = each as Object3D & { geometry?: { dispose(): void }; material?: Material | Material[] };
        geometry?.dispose();
        for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
    });
    object.removeFromParent();
}
