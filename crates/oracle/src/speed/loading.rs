//! Loading: from the bytes of a file in memory to a mesh that can be queried, compared with the C++ library's
//! `addTile` of the same tiles.

use super::clock::{now, timed};
use super::samples::Samples;
use super::table::{Cell, Section, Table};
use super::{SpeedError, on_pool, pool, same};
use crate::runtime::RuntimeError;
use crate::runtime::load::{buffer, empty};
use detour::NavMesh;
use navinterop::export::export;
use navinterop::mset::TileSet;
use navinterop::{Foreign, Imported, RefWidth, import_files};
use navtile::{NavFile, SharedBytes, Tile, write_file};
use rayon::ThreadPool;
use recastnavigation_rs::detour as cpp;
use std::time::Instant;

/// The times of loading, round by round.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// Number of tiles, and number of their polygons.
    pub size: [usize; 2],
    /// Length of our file, and of all exported tiles, bytes.
    pub bytes: [usize; 2],
    /// Ours: opening the file, timed separately.
    pub open: Samples,
    /// Ours: taking all tiles, which verifies them, timed separately.
    pub verify: Samples,
    /// Ours: from the file to the mesh.
    pub ours: Samples,
    /// The C++ library's `addTile` of them, with buffers filled before.
    pub theirs: Samples,
    /// Ours in wall time, on all cores.
    pub ours_wall: Samples,
    /// The C++ library's in wall time.
    pub theirs_wall: Samples,
}

/// Number of threads that load at once in measurements of wall time.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A mesh of all tiles of a file, by the threads of the current pool.
fn load(file: &SharedBytes) -> Result<NavMesh, SpeedError> {
    let file = NavFile::open_shared(file.clone())?;
    let mut mesh = NavMesh::default();
    let take = |row: usize| match file.tile_at(row) {
        Some(tile) => Ok(tile?),
        None => Err(SpeedError::Level(format!("the file has no tile {row}"))),
    };
    mesh.add_tiles_from(file.entries().len(), take)?;
    Ok(mesh)
}

/// Loads a level's tiles `rounds` times into each library, in turns, and checks that no polygon is missing.
/// Ours are the exported ones, imported again, so that both have the same polygons.
pub fn measure(tiles: &[Tile], rounds: usize) -> Result<Loading, SpeedError> {
    let set = export(tiles, RefWidth::Bits32).map_err(RuntimeError::from)?.set;
    let Imported { meta, tiles, .. } =
        import_files(vec![Foreign::Set(set.clone())]).map_err(RuntimeError::from)?;
    let file = write_file(&meta, &tiles)?;
    let blobs: Vec<Vec<u8>> = set
        .tiles
        .iter()
        .map(|tile| navinterop::detour::write(&tile.tile, set.encoding))
        .collect::<Result<_, _>>()
        .map_err(RuntimeError::from)?;
    let polygons = tiles.iter().map(|tile| tile.polygons().len()).sum();
    let mut loading = Loading {
        size: [set.tiles.len(), polygons],
        bytes: [file.len(), blobs.iter().map(Vec::len).sum()],
        ..Loading::default()
    };
    let pool = pool(threads())?;
    let file = SharedBytes::from(&file[..]);
    for _ in 0..rounds {
        loading.ours_once(&file)?;
        loading.ours_by_wall(&file, &pool)?;
        loading.theirs_once(&set, &blobs)?;
    }
    Ok(loading)
}

impl Loading {
    fn ours_once(&mut self, file: &SharedBytes) -> Result<(), SpeedError> {
        let (mesh, all) = timed(|| load(file));
        same("polygons of our mesh", &self.size[1], &mesh?.polygons().count())?;
        let (opened, open) = timed(|| NavFile::open_shared(file.clone()));
        let opened = opened?;
        let (verified, verify) = timed(|| opened.tiles().try_for_each(|tile| tile.map(drop)));
        verified?;
        self.ours.push(all);
        self.open.push(open);
        self.verify.push(verify);
        Ok(())
    }

    fn ours_by_wall(&mut self, file: &SharedBytes, pool: &ThreadPool) -> Result<(), SpeedError> {
        let (mesh, elapsed) = on_pool(pool, || {
            let start = Instant::now();
            Ok((load(file)?, start.elapsed()))
        })?;
        self.ours_wall.push(elapsed);
        same("polygons of our mesh", &self.size[1], &mesh.polygons().count())
    }

    fn theirs_once(&mut self, set: &TileSet, blobs: &[Vec<u8>]) -> Result<(), SpeedError> {
        let buffers: Vec<cpp::DtBuf> =
            blobs.iter().map(|blob| buffer(blob)).collect::<Result<_, RuntimeError>>()?;
        let mut mesh = empty(set)?;
        let (wall, start) = (Instant::now(), now());
        for (buffer, tile) in buffers.into_iter().zip(&set.tiles) {
            let tile_ref = u32::try_from(tile.tile_ref).map_err(|_| RuntimeError::Wide(tile.tile_ref))?;
            mesh.add_tile(buffer, cpp::DtTileRef(tile_ref))?;
        }
        self.theirs.push(now().saturating_sub(start));
        self.theirs_wall.push(wall.elapsed());
        let polygons = |tile: &cpp::DtMeshTile| tile.header().map_or(0, |header| header.poly_count as usize);
        let found = (0..mesh.max_tiles()).filter_map(|at| mesh.get_tile(at)).map(polygons).sum();
        same("polygons of the C++ library's mesh", &self.size[1], &found)
    }

    /// As a table.
    pub fn section(&self, name: &str) -> Section {
        let [tiles, polygons] = self.size;
        let [file, blobs] = self.bytes.map(|bytes| bytes as f64 / 1e6);
        let head = ["step", "ours ms", "C++ ms", "C++ / ours"];
        let mut table = Table::new(format!("{name}: {tiles} tiles, {polygons} polygons"), &head);
        for (step, ours) in [("open, alone", &self.open), ("verify, alone", &self.verify)] {
            table.row([Cell::from(step), Cell::ms(ours.median()), Cell::None, Cell::None]);
        }
        let (ours, theirs) = (self.ours.median(), self.theirs.median());
        table.row([Cell::from("all"), Cell::ms(ours), Cell::ms(theirs), Cell::ratio(theirs, ours)]);
        let (ours, theirs) = (self.ours_wall.median(), self.theirs_wall.median());
        let step = format!("all by the wall, {} threads", threads());
        table.row([Cell::from(step), Cell::ms(ours), Cell::ms(theirs), Cell::ratio(theirs, ours)]);
        let note = format!(
            "From the bytes of one file in memory ({file:.1} MB), with polygons as Detour has them, to a mesh that \
             answers: open, checksum and verify every tile, prepare, add and link it, label its islands. The C++ library \
             gets the same tiles ({blobs:.1} MB), each in a buffer of its own already, and does `addTile`; it checks \
             nothing of them. Median of {} rounds.",
            self.ours.len()
        );
        Section { title: "Loading".to_owned(), notes: vec![note], tables: vec![table] }
    }
}
