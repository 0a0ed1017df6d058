declare module "navtile/wasm?url" {
    const url: string;
    export default url;
}
