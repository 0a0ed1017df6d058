//! Checks everything that a file keeps to bake its tiles again.

use crate::cache::TileCache;
use crate::error::CacheError;
use navlevel::KeptSpans;
use navtile::NavStore;
use navtile::file::Source;

/// All errors in the kept spans of a file; empty if it keeps none.
///
/// ```
/// let file = tilecache::doctest_file();
/// assert!(tilecache::check(navtile::NavStore::open(file)?).is_empty());
/// # Ok::<(), navtile::StoreError>(())
/// ```
pub fn check<S: Source>(store: NavStore<S>) -> Vec<CacheError> {
    check_within(store, u64::MAX)
}

/// Like [`check`], with at most `memory` bytes for the unpacked spans of a tile. A tile that takes more is
/// reported as [`CacheError::Memory`].
pub fn check_within<S: Source>(store: NavStore<S>, memory: u64) -> Vec<CacheError> {
    if store.kept_place().is_none() {
        return Vec::new();
    }
    let cache = match TileCache::of_store(store) {
        Ok(cache) => cache,
        Err(error) => return vec![error],
    };
    let fault = |entry: &navtile::file::KeptEntry| {
        let coord = entry.coord();
        let spans = cache.build(coord).and_then(|build| {
            let bytes = cache.store.kept_spans(entry)?;
            KeptSpans::unpack_within(&bytes, &build, memory)
                .map_err(|source| CacheError::of_spans(coord, source, memory))
        });
        spans.err()
    };
    cache.index.entries.iter().filter_map(fault).collect()
}
