//! Checks everything that a file keeps to bake its tiles again.

use crate::cache::TileCache;
use crate::error::CacheError;
use navtile::NavStore;
use navtile::file::{Source, SpanCacheEntry};

/// All errors in the cached spans of a file; empty if it keeps none.
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
    if store.span_cache_place().is_none() {
        return Vec::new();
    }
    let cache = match TileCache::of_store(store) {
        Ok(cache) => cache,
        Err(error) => return vec![error],
    };
    let fault = |entry: &SpanCacheEntry| {
        let build = cache.build(entry.coord());
        build.and_then(|build| cache.unpack(entry, &build, memory)).err()
    };
    cache.index.entries.iter().filter_map(fault).collect()
}
