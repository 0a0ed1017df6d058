export * from "./navtile_runtime.js";

/** Resolves when the module is loaded, which it is once it was imported. */
export default function ready(): Promise<void>;
