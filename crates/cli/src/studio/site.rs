//! The page, as `cargo xtask web` builds it from `web/`, compressed by gzip: browsers decompress it.

/// A file of the page.
pub(super) struct SiteFile {
    /// Its path below the page.
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    /// Its content, packed.
    pub(super) packed: &'static [u8],
}

macro_rules! site {
    ($($name:literal $kind:literal,)*) => {
        &[$(SiteFile { name: $name, kind: $kind, packed: include_bytes!(concat!("site/", $name, ".gz")) },)*]
    };
}

static FILES: &[SiteFile] = site! {
    "index.html" "text/html; charset=utf-8",
    "index.css" "text/css; charset=utf-8",
    "studio.js" "text/javascript; charset=utf-8",
    "three.js" "text/javascript; charset=utf-8",
    "worker.js" "text/javascript; charset=utf-8",
    "navtile_web_bg.wasm" "application/wasm",
    "draco_wasm_wrapper.js" "text/javascript; charset=utf-8",
    "draco_decoder.wasm" "application/wasm",
    "samples/courtyard.obj" "text/plain; charset=utf-8",
    "samples/courtyard.toml" "text/plain; charset=utf-8",
    "samples/terrain.obj" "text/plain; charset=utf-8",
};

/// The file at this path; the page itself has the empty path.
pub(super) fn find(path: &str) -> Option<&'static SiteFile> {
    let name = if path.is_empty() { "index.html" } else { path };
    FILES.iter().find(|file| file.name == name)
}
