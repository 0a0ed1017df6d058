declare module "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js" {
    const make: (options: { wasmBinary: ArrayBuffer }) => Promise<unknown>;
    export default make;
}
