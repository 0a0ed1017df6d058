//! OBJ files that are larger than memory: their vertices are held, their faces are read batch by batch.

use crate::error::{InputError, ObjProblem};
use crate::obj::reader::{Ignored, ObjSink, StatementReader};
use crate::obj::statements::{Statements, whole_statements};
use crate::obj::{Faces, ObjLevel, Positions, UNUSED, check_text, used};
use crate::source::SourceLevel;
use recast::Level;
use std::io::{self, Read};
use std::sync::Arc;

/// Number of bytes read at a time.
const BLOCK: usize = 1 << 20;

/// The vertices of an OBJ file whose faces are read as a stream. Memory: 24 bytes for each vertex, 28 while
/// faces are read, and a batch of faces with the vertices that they use. Cost: linear in the file,
/// independent of the size of the batches.
///
/// ```
/// use navinput::ObjStream;
///
/// let text = b"v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 0 1\nf 1 2 3\nf 2 4 3\n";
/// let stream = ObjStream::vertices(&text[..])?;
/// let mut triangles = 0;
/// stream.faces(&text[..], 1, &mut |batch| -> Result<(), navinput::StreamError> {
///     triangles += batch.meshes[0].triangles.len();
///     Ok(())
/// })?;
/// assert_eq!((stream.vertex_count(), triangles), (4, 2));
/// # Ok::<(), navinput::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObjStream {
    vertices: Arc<[[f64; 3]]>,
}

/// A stream that cannot be read.
#[derive(Debug)]
pub enum StreamError {
    /// Reading its bytes failed.
    Io(io::Error),
    /// Its content is not valid.
    Input(InputError),
}

impl std::fmt::Display for StreamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StreamError::Io(error) => error.fmt(f),
            StreamError::Input(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StreamError {}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> StreamError {
        StreamError::Io(error)
    }
}

impl From<InputError> for StreamError {
    fn from(error: InputError) -> StreamError {
        StreamError::Input(error)
    }
}

impl ObjStream {
    /// Reads the vertices of a file.
    ///
    /// # Errors
    /// Errors of reading; [`InputError::Obj`] for an invalid vertex, as [`crate::read_obj`] reports it.
    pub fn vertices(text: impl Read) -> Result<ObjStream, StreamError> {
        ObjStream::vertices_in_blocks(text, BLOCK)
    }

    fn vertices_in_blocks(text: impl Read, block: usize) -> Result<ObjStream, StreamError> {
        let reader = StatementReader::new(Positions::<false>::default());
        let reader = read((text, block), reader, &mut |_| Ok::<(), StreamError>(()))?;
        let count = reader.vertices;
        navmath::limit::check("vertices of a level", count, u64::from(u32::MAX), "a level cannot have more")
            .map_err(|error| InputError::ObjWhole { problem: error.into() })?;
        Ok(ObjStream { vertices: reader.sink.0.into() })
    }

    /// Number of vertices of the file.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Reads the faces of the same file, and passes on levels of about `most` triangles, each with the
    /// vertices that it uses. Together they are the level that [`crate::read_obj`] makes of the whole file.
    /// Returns the statements that a level does not use.
    ///
    /// # Errors
    /// Errors of reading and of `take`; [`InputError::Obj`] for an invalid face.
    pub fn faces<E: From<StreamError>>(
        &self,
        text: impl Read,
        most: usize,
        take: &mut dyn FnMut(SourceLevel) -> Result<(), E>,
    ) -> Result<Ignored, E> {
        self.faces_in_blocks((text, BLOCK), most, take)
    }

    fn faces_in_blocks<E: From<StreamError>>(
        &self,
        text: (impl Read, usize),
        most: usize,
        take: &mut dyn FnMut(SourceLevel) -> Result<(), E>,
    ) -> Result<Ignored, E> {
        let mut reader = StatementReader::new(Faces::new(&self.vertices));
        reader.vertices_in_all = Some(self.vertices.len() as u64);
        // The index of each vertex in the batch; [`UNUSED`] between batches.
        let mut places = vec![UNUSED; self.vertices.len()];
        let mut full = |reader: &mut StatementReader<Faces<'_>>| {
            if reader.sink.triangles.len() >= most.max(1) {
                take(self.batch(reader, &mut places))
            } else {
                Ok(())
            }
        };
        let mut reader = read(text, reader, &mut full)?;
        reader.check_whole().map_err(StreamError::from)?;
        if !reader.sink.triangles.is_empty() {
            take(self.batch(&mut reader, &mut places))?;
        }
        Ok(reader.ignored)
    }

    fn batch(&self, reader: &mut StatementReader<Faces<'_>>, places: &mut [u32]) -> SourceLevel {
        let mut triangles = std::mem::take(&mut reader.sink.triangles);
        let vertices = used(&self.vertices, places, &mut triangles);
        SourceLevel::from(ObjLevel {
            level: Level { vertices, triangles, areas: Vec::new() },
            faces: 0,
            materials: reader.materials.take(),
            groups: reader.groups.take(),
            objects: reader.objects.take(),
            ignored: Ignored::default(),
        })
    }
}

/// Reads statements in blocks of a given number of bytes; `after` is called after each block.
fn read<S: ObjSink, E: From<StreamError>>(
    (mut text, block): (impl Read, usize),
    mut reader: StatementReader<S>,
    after: &mut dyn FnMut(&mut StatementReader<S>) -> Result<(), E>,
) -> Result<StatementReader<S>, E> {
    let (mut bytes, mut line, mut is_blank) = (Vec::new(), 1, true);
    loop {
        let before = bytes.len();
        let count = (&mut text).take(block as u64).read_to_end(&mut bytes).map_err(StreamError::from)?;
        if before == 0 && line == 1 {
            check_text(&bytes).map_err(StreamError::from)?;
        }
        let end = if count == 0 { Some(bytes.len()) } else { whole_statements(&bytes) };
        // A statement longer than a block continues in the next one.
        let Some(end) = end else { continue };
        let mut statements = Statements::from_line(&bytes[..end], line);
        is_blank &= bytes[..end].iter().all(u8::is_ascii_whitespace);
        for statement in statements.by_ref() {
            reader.take(&statement).map_err(StreamError::from)?;
            after(&mut reader)?;
        }
        line = statements.line();
        bytes.drain(..end);
        if count == 0 {
            break;
        }
    }
    if is_blank {
        return Err(StreamError::from(InputError::ObjWhole { problem: ObjProblem::Empty }).into());
    }
    Ok(reader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_obj;

    /// A file of every kind of statement and line end.
    const TEXT: &[u8] = b"\xEF\xBB\xBF# a level \\\no Yard\rv 0 0 0\r\nv 0 0 1 1.0\nv 1 \\\n 0 0\nusemtl grass\nf 1 2 3\nf 1//1 3 \\\r\n\
        5 4 # ahead\nv 1 0 1\nv 2 2.5e0 1\ng roof and all\nusemtl br\xE9\nf -1 -2 -3\nl 1 2\ncurv 1\nv 9 9 9\nv 5 0 0\nv 5 0 5\n\
        v 6 0 1\nv 0 0 5\nf 7 9 8 10\nf 7 8 9 10";

    fn triangles(level: &SourceLevel) -> Vec<([[f64; 3]; 3], [String; 3])> {
        let mesh = &level.meshes[0];
        let names =
            |index| [&mesh.materials, &mesh.groups, &mesh.objects].map(|by| by.name_of(index).to_owned());
        let corners =
            mesh.triangles.iter().map(|triangle| triangle.map(|vertex| mesh.vertices[vertex as usize]));
        corners.enumerate().map(|(index, corners)| (corners, names(index))).collect()
    }

    #[test]
    fn a_stream_is_the_whole_file_however_it_is_cut() {
        let whole = read_obj(TEXT).unwrap();
        let expected = triangles(&whole.clone().into());
        for block in 1..TEXT.len() + 1 {
            let stream = ObjStream::vertices_in_blocks(TEXT, block).unwrap();
            for most in [1, 2, 100] {
                let mut found = Vec::new();
                let take = &mut |batch: SourceLevel| -> Result<(), StreamError> {
                    found.extend(triangles(&batch));
                    Ok(())
                };
                let ignored = stream.faces_in_blocks((TEXT, block), most, take).unwrap();
                assert_eq!(found, expected, "blocks of {block}, batches of {most}");
                assert_eq!(ignored, whole.ignored);
            }
        }
    }

    /// Repeating all names in each batch would take quadratic time and memory.
    #[test]
    fn a_batch_has_the_names_that_came_with_it() {
        let text = b"v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl a\nusemtl b\nf 1 2 3\nf 1 2 3\nusemtl c\nf 1 2 3\nf 1 2 3\nusemtl a\nf 1 2 3\n";
        let stream = ObjStream::vertices(&text[..]).unwrap();
        let mut found = Vec::new();
        let take = &mut |batch: SourceLevel| -> Result<(), StreamError> {
            found.push(batch.meshes[0].materials.names.join(" "));
            Ok(())
        };
        stream.faces(&text[..], 1, take).unwrap();
        // The name that was current at the end of the previous batch, then new names, with triangles or
        // without.
        assert_eq!(found, [" a b", " b", " b c", " c", " c a"]);
    }

    #[test]
    fn what_is_refused_whole_is_refused_in_a_stream() {
        for text in [
            &b"v 0 0\nf 1 1 1\n"[..],
            b"v 0 0 0\nv 0 0 nan\n",
            b"v 0 0 0\nf 1 1 2\n",
            b"v 0 0 0\n\nf 1 1\n",
            b" \n",
            b"v 0 0 0\n",
            b"\xFF\xFEv",
        ] {
            let expected = read_obj(text).unwrap_err().to_string();
            let streamed = || {
                let stream = ObjStream::vertices(text)?;
                stream.faces(text, 10, &mut |_| Ok::<(), StreamError>(()))
            };
            assert_eq!(streamed().unwrap_err().to_string(), expected, "{:?}", String::from_utf8_lossy(text));
        }
    }
}
