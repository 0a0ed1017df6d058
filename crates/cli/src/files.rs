//! Files: read whole, and written so that a failure leaves neither half a file nor temporary files.
//!
//! A result is a [`Target`], and only a [`FileList`] makes one: it refuses to overwrite anything that the
//! command reads.
//!
//! Files are read, not mapped: the text of a level is parsed once, tiles remain in the buffer that they were
//! read into, and a mapped file that another process truncates would end this one.

mod growing;
mod list;
mod names;
mod read_log;
mod target;

pub(crate) use growing::open_growing;
pub(crate) use list::FileList;
pub(crate) use read_log::add as protect;
pub(crate) use target::{Pending, Target, create_stream};

use crate::failure::Failure;
use crate::memory::{self, readable};
use navtile::SharedBytes;
use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

/// The name of standard input among inputs, and of standard output among results.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses inputs that would read standard input more than once: the second read would be empty.
pub(crate) fn refuse_shared_input<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    match inputs.into_iter().filter(|path| is_standard(path)).nth(1) {
        None => Ok(()),
        Some(_) => Err(Failure::call("standard input is named twice, but can only be read once")
            .help("give `-` for one input, and files for the others")),
    }
}

/// The bytes of an input file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes_of(path).map_err(|error| unreadable(path, &error))
}

/// The text of an input that is read once, like [`read_once`].
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_once(path)?).map_err(|_| {
        Failure::call(format!("{}: the text is not UTF-8", path.display())).help("save the file as UTF-8")
    })
}

/// The bytes of a .navtile file that its tiles will share, or of standard input for `-`.
pub(crate) fn read_shared(path: &Path) -> Result<SharedBytes, Failure> {
    if is_standard(path) {
        return Ok(SharedBytes::from(&read(path)?[..]));
    }
    let read = open(path).and_then(|(file, length)| SharedBytes::read_from(file, length));
    read.map_err(|error| unreadable(path, &error))
}

/// The bytes of an input that is read once, from start to end. It may be a pipe, which a shell names by
/// `<(...)`.
pub(crate) fn read_once(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_pipe(path) {
        return read(path);
    }
    let read = File::open(path).and_then(|pipe| all_of(pipe, 0, memory::installed()));
    read.map_err(|error| unreadable(path, &error))
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Like [`read`], with the system's error.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    if is_standard(path) {
        return all_of(io::stdin().lock(), 0, memory::installed());
    }
    let (file, length) = open(path)?;
    all_of(file, length, memory::installed())
}

/// The first bytes of standard input, without consuming them.
pub(crate) fn start_of_standard_input() -> io::Result<Vec<u8>> {
    Ok(io::stdin().lock().fill_buf()?.to_vec())
}

/// Opens a regular file, and returns its length; no result may overwrite it from here on. Other kinds of
/// files are not opened: nobody may ever write to a pipe, and a device may never end.
pub(crate) fn open(path: &Path) -> io::Result<(File, usize)> {
    let opened = open_replaceable(path)?;
    read_log::add(path);
    Ok(opened)
}

/// Like [`open`], for a result that is read back, or compared with the file that will replace it.
pub(crate) fn open_replaceable(path: &Path) -> io::Result<(File, usize)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::Unsupported, "it is a pipe, socket or device, not a file"));
    }
    let most = memory::installed();
    if metadata.len() > most {
        return Err(too_large(most));
    }
    let length = usize::try_from(metadata.len()).map_err(|_| ErrorKind::FileTooLarge)?;
    Ok((File::open(path)?, length))
}

/// All bytes of a reader, about `expected`, if there are at most `most`.
fn all_of(from: impl Read, expected: usize, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected)?;
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> io::Error {
    let message = format!("it is larger than the memory of this machine, which is {}", readable(most));
    io::Error::new(ErrorKind::FileTooLarge, message)
}

/// The failure of reading a file.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::circumstances(format!("{}: cannot be read: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failure.help("check the name and the current folder"),
        ErrorKind::PermissionDenied => failure.help("get permission to read it"),
        ErrorKind::IsADirectory => failure.help("give a file, not a folder"),
        ErrorKind::FileTooLarge => failure.help("give a smaller file"),
        ErrorKind::Unsupported => failure.help("give a file, or `-` and pipe it to standard input"),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_refused() {
        assert_eq!(all_of(&b"four"[..], 4, 4).unwrap(), b"four");
        let error = all_of(io::repeat(0), 0, 4).unwrap_err();
        assert!(
            error.to_string().contains("larger than the memory of this machine, which is 4 bytes"),
            "{error}"
        );
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap_err().status(), 3);
        assert_eq!(read_shared(folder.path()).unwrap_err().status(), 3);
    }
}
