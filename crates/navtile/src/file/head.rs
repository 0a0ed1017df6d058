//! The first 4 KiB: identity, and two roots of which the newer valid one counts.

use super::{FileError, refuse};
use crate::layout::SECTION_ALIGN;
use bytemuck::{Pod, Zeroable};

/// First bytes of a `.navtile` file.
pub const FILE_MAGIC: [u8; 8] = *b"NAVFILE\0";
/// The file format this crate writes and reads, as docs/format.md has it.
pub const FILE_VERSION: u32 = 1;
/// Length of the head, bytes.
pub const HEAD_LENGTH: usize = 4096;
/// Where the two roots stand, bytes: in sectors of their own, so that writing one cannot tear the other.
pub const ROOT_OFFSETS: [usize; 2] = [1024, 2048];

/// The first bytes of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Identity {
    /// [`FILE_MAGIC`].
    magic: [u8; 8],
    /// [`FILE_VERSION`].
    version: u32,
    /// [`HEAD_LENGTH`].
    head_length: u32,
}

/// Where everything in the file is. All offsets and lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Root {
    /// Of two valid roots, that with the higher number counts. 0: no root.
    pub sequence: u64,
    /// Length of the file as this root knows it. Bytes behind it are an unfinished append.
    pub file_length: u64,
    /// Where the metadata starts.
    pub meta_offset: u64,
    /// Length of the metadata.
    pub meta_length: u64,
    /// Where the directory starts; a multiple of 16.
    pub directory_offset: u64,
    /// Number of entries in the directory.
    pub directory_count: u64,
    /// Where the island graph starts; a multiple of 16, or 0 if there is none.
    pub graph_offset: u64,
    /// Length of the island graph; 0 if there is none.
    pub graph_length: u64,
    /// CRC-32 of the metadata.
    pub meta_checksum: u32,
    /// CRC-32 of the directory.
    pub directory_checksum: u32,
    /// CRC-32 of the island graph; 0 if there is none.
    pub graph_checksum: u32,
    /// Zero; for features of later versions.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
    /// CRC-32 of the root, this field taken as zero.
    pub checksum: u32,
}

const _: () = {
    assert!(size_of::<Identity>() == 16);
    assert!(size_of::<Root>() == 88);
};

impl Root {
    /// The checksum that the root should carry.
    fn sum(&self) -> u32 {
        crc32fast::hash(bytemuck::bytes_of(&Root { checksum: 0, ..*self }))
    }
}

/// A root as it is stored: with its checksum.
pub(super) fn sealed(root: &Root) -> Root {
    Root { checksum: root.sum(), ..*root }
}

/// The head of a file with this root in the first place and none in the second.
pub(super) fn bytes(root: &Root) -> Vec<u8> {
    let mut head = vec![0; HEAD_LENGTH];
    let identity = Identity { magic: FILE_MAGIC, version: FILE_VERSION, head_length: HEAD_LENGTH as u32 };
    head[..size_of::<Identity>()].copy_from_slice(bytemuck::bytes_of(&identity));
    head[ROOT_OFFSETS[0]..][..size_of::<Root>()].copy_from_slice(bytemuck::bytes_of(&sealed(root)));
    head
}

/// The root that counts and in which of the two places it stands, from the first bytes of a file that is `length`
/// bytes long. A root whose checksum is wrong was being written when something went wrong: the other one counts
/// then.
pub(super) fn read(start: &[u8], length: u64) -> Result<(Root, usize), FileError> {
    let Some(head) = start.get(..HEAD_LENGTH) else {
        let expected = format!("at least {HEAD_LENGTH} bytes");
        return refuse("file-length", expected, format!("{length} bytes"));
    };
    let identity: Identity = bytemuck::pod_read_unaligned(&head[..size_of::<Identity>()]);
    if identity.magic != FILE_MAGIC {
        return refuse("file-magic", format!("{FILE_MAGIC:?}"), format!("{:?}", identity.magic));
    }
    if identity.version != FILE_VERSION {
        let expected = format!("version {FILE_VERSION}");
        return refuse("file-version", expected, format!("version {}", identity.version));
    }
    if identity.head_length as usize != HEAD_LENGTH {
        let found = format!("{} bytes", identity.head_length);
        return refuse("head-length", format!("a head of {HEAD_LENGTH} bytes"), found);
    }
    let [first, second] = ROOT_OFFSETS;
    let gaps = [
        size_of::<Identity>()..first,
        first + size_of::<Root>()..second,
        second + size_of::<Root>()..HEAD_LENGTH,
    ];
    if gaps.into_iter().any(|gap| head[gap].iter().any(|byte| *byte != 0)) {
        return refuse("head-reserved", "zeros outside identity and roots", "other bytes");
    }
    let valid = ROOT_OFFSETS
        .map(|offset| bytemuck::pod_read_unaligned::<Root>(&head[offset..offset + size_of::<Root>()]))
        .into_iter()
        .zip(0..)
        .filter(|(root, _)| root.sequence != 0 && root.checksum == root.sum());
    let Some((root, place)) = valid.max_by_key(|(root, _)| root.sequence) else {
        return refuse("root", "a root with a right checksum", "none");
    };
    check(&root, length)?;
    Ok((root, place))
}

fn check(root: &Root, length: u64) -> Result<(), FileError> {
    if (root.flags, root.reserved) != (0, 0) {
        let found = format!("{:#x} and {:#x}", root.flags, root.reserved);
        return refuse("root-flags", "no flags and a reserved field of zero, in this version", found);
    }
    if root.file_length > length || root.file_length < HEAD_LENGTH as u64 {
        let expected = format!("{} bytes or more, as the root says", root.file_length);
        return refuse("file-length", expected, format!("{length} bytes"));
    }
    Ok(())
}

/// The next place where a part may start.
pub(super) fn aligned(offset: u64) -> u64 {
    offset.next_multiple_of(SECTION_ALIGN as u64)
}
