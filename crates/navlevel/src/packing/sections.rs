//! Bytes in sections, each after its length.

/// The bytes that are left to read.
pub(super) struct Sections<'a>(pub(super) &'a [u8]);

impl<'a> Sections<'a> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken;
        (taken, self.0) = self.0.split_at_checked(length)?;
        Some(taken)
    }

    /// The next section.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let length = self.take(8)?.first_chunk().map(|length| u64::from_le_bytes(*length))?;
        self.take(usize::try_from(length).ok()?)
    }
}

/// Adds a section: the length, then the bytes.
pub(super) fn add_section(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}
