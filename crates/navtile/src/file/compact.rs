//! Making a file canonical again after many edits, as one fresh file.

use super::packing::Packing;
use super::storage::Source;
use super::store::{NavStore, StoreError};
use super::write::{FileWriter, TileRecord};
use std::io::{Seek, Write};

impl<S: Source> NavStore<S> {
    /// Writes the file that a fresh bake of the same tiles, metadata, graph and hierarchy would have written,
    /// byte for byte, independent of the edits so far. `out` must be empty. Verifies tiles one by one, and
    /// holds one at a time. Does not sync the bytes.
    pub fn compact<W: Write + Seek>(&self, out: W, packing: Packing) -> Result<W, StoreError> {
        let mut writer = FileWriter::new(out, self.meta(), self.entries().len())?.with_packing(packing);
        for entry in self.entries() {
            let (input_hash, prune_hash) = (entry.input_hash, entry.prune_hash);
            writer.add(&TileRecord { tile: self.take(entry)?, input_hash, prune_hash })?;
        }
        if let Some(span_cache) = self.span_cache().transpose()? {
            writer = writer.with_span_cache(span_cache.size, span_cache.height, span_cache.settings.clone());
            for entry in &span_cache.entries {
                writer.keep(entry.coord(), entry.level_hash, &self.cached_spans(entry)?)?;
            }
        }
        if let Some(hierarchy) = self.hierarchy().transpose()? {
            writer = writer.with_hierarchy(hierarchy.to_vec());
        }
        let graph = self.graph().transpose()?;
        Ok(writer.finish(graph.as_ref())?)
    }
}
