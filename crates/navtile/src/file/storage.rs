//! The places that can hold the bytes of a file: memory, a file, or a storage of the program's own.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that can be read at any offset.
pub trait Source {
    /// Number of bytes.
    fn length(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from `offset` on. Errors: [`ErrorKind::UnexpectedEof`] if they end
    /// before.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// Bytes that can be written at any offset.
///
/// ```
/// use navtile::Storage;
/// use navtile::file::Source;
///
/// let mut storage = Vec::new();
/// storage.write_at(4, b"tile")?;
/// storage.sync()?;
/// let mut buffer = [0; 6];
/// storage.read_at(2, &mut buffer)?;
/// assert_eq!(&buffer, b"\0\0tile");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Written bytes may wait in memory and be lost, in part and in any order, until [`Storage::sync`] returns.
/// Older bytes that are not written to are never lost: [`NavStore::commit`](super::NavStore::commit) relies
/// on it.
pub trait Storage: Source {
    /// Writes all of `bytes` from `offset` on; a gap between the end so far and `offset` becomes zeros.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates to `length`, or appends zeros up to it.
    fn set_length(&mut self, length: u64) -> io::Result<()>;

    /// Returns when everything written so far would survive a power cut.
    fn sync(&mut self) -> io::Result<()>;
}

impl Source for [u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let part = start.and_then(|start| self.get(start..)?.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        self.as_slice().length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl Storage for Vec<u8> {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::FileTooLarge)?;
        let end = start.checked_add(bytes.len()).ok_or(ErrorKind::FileTooLarge)?;
        if end > self.len() {
            self.resize(end, 0);
        }
        self[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.resize(usize::try_from(length).map_err(|_| ErrorKind::FileTooLarge)?, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }
}

impl<S: Storage + ?Sized> Storage for &mut S {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_at(offset, bytes)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        (**self).set_length(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// A file of the operating system, read and written at offsets without moving its cursor. Several threads may
/// read at a time.
#[cfg(unix)]
impl Source for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

#[cfg(unix)]
impl Storage for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Anything with a cursor, such as a file on a system without reads at an offset. Every call moves the
/// cursor; threads wait for each other.
#[derive(Debug)]
pub struct Seekable<T>(Mutex<T>);

impl<T> Seekable<T> {
    /// Wraps `inner`. Offsets count from its start, wherever its cursor is.
    pub fn new(inner: T) -> Seekable<T> {
        Seekable(Mutex::new(inner))
    }

    /// Returns the wrapped value.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// A panic may leave the cursor anywhere; every call moves it before use.
    fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Read + Seek> Source for Seekable<T> {
    fn length(&self) -> io::Result<u64> {
        self.lock().seek(SeekFrom::End(0))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut inner = self.lock();
        inner.seek(SeekFrom::Start(offset))?;
        inner.read_exact(buffer)
    }
}

impl Storage for Seekable<File> {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.lock();
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.lock().set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.lock().sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that has failed.
    struct Unsynced(Vec<u8>);

    impl Source for Unsynced {
        fn length(&self) -> io::Result<u64> {
            self.0.length()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            self.0.read_at(offset, buffer)
        }
    }

    impl Storage for Unsynced {
        fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            self.0.write_at(offset, bytes)
        }

        fn set_length(&mut self, length: u64) -> io::Result<()> {
            self.0.set_length(length)
        }

        fn sync(&mut self) -> io::Result<()> {
            Err(ErrorKind::BrokenPipe.into())
        }
    }

    fn length(source: impl Source) -> u64 {
        source.length().unwrap()
    }

    fn sync(mut storage: impl Storage) -> io::Result<()> {
        storage.sync()
    }

    /// Writes, truncates, extends and reads again.
    fn check(mut storage: impl Storage) {
        storage.write_at(2, b"tile").unwrap();
        assert_eq!(storage.length().unwrap(), 6);
        storage.set_length(5).unwrap();
        storage.set_length(7).unwrap();
        storage.sync().unwrap();
        assert_eq!(length(&storage), 7);
        let mut all = [9; 7];
        storage.read_at(0, &mut all).unwrap();
        assert_eq!(&all, b"\0\0til\0\0");
        let beyond = storage.read_at(1, &mut all).unwrap_err();
        assert_eq!(beyond.kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn all_storages_do_the_same() {
        check(Vec::new());
        check(&mut Vec::new());
        check(tempfile::tempfile().unwrap());
        check(Seekable::new(tempfile::tempfile().unwrap()));
        assert!(sync(&mut Unsynced(Vec::new())).is_err());
    }
}
