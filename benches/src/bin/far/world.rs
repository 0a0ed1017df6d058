//! A file with a hierarchy, whose tiles are not loaded, and random places in it.

use crate::Failed;
use detour::{Filter, NavMesh, Place, Query};
use hierarchy::{FarPlace, Hierarchy};
use navscenes::random::SplitMix64;
use navstream::{Limits, StoreSource, TileStream};
use navtile::file::Seekable;
use navtile::{NavStore, TileCoord};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A file that is open.
pub(crate) type Store = NavStore<Seekable<File>>;

/// A file, and its hierarchy in memory.
pub(crate) struct World {
    path: PathBuf,
    pub(crate) store: Store,
    pub(crate) hierarchy: Hierarchy,
    /// The middle of the world: the anchor of all meshes, world metres.
    pub(crate) middle: [f64; 3],
    /// Metres along its longer side.
    pub(crate) side: f64,
    /// Seconds of reading and checking the hierarchy.
    seconds: f64,
}

/// A place of a world, whatever is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) tile: TileCoord,
    /// Its polygon in the tile.
    pub(crate) polygon: u32,
    /// World metres.
    pub(crate) point: [f64; 3],
}

impl World {
    pub(crate) fn open(path: &str) -> Result<World, Failed> {
        let path = PathBuf::from(path);
        let store = open(&path)?;
        let start = Instant::now();
        let hierarchy = Hierarchy::from_bytes(&store.hierarchy().ok_or("the file has no hierarchy")??)?;
        let seconds = start.elapsed().as_secs_f64();
        let meta = store.meta();
        let tile = meta.cell[0] * f64::from(meta.tile_cells);
        let coords = store.coords();
        let ends = |axis: fn(&TileCoord) -> i32| {
            let least = coords.iter().map(axis).min().unwrap_or(0);
            let most = coords.iter().map(axis).max().unwrap_or(0) + 1;
            [least, most].map(|at| f64::from(at) * tile)
        };
        let [x, z] = [ends(|coord| coord.x), ends(|coord| coord.z)];
        let middle = [meta.origin[0] + (x[0] + x[1]) / 2.0, 0.0, meta.origin[2] + (z[0] + z[1]) / 2.0];
        let side = (x[1] - x[0]).max(z[1] - z[0]);
        Ok(World { path, store, hierarchy, middle, side, seconds })
    }

    /// The filter of the class that is measured.
    pub(crate) fn filter(&self) -> &Filter {
        &self.hierarchy.classes()[0].filter
    }

    /// Prints the sizes of the hierarchy, and the time that it takes to open it.
    pub(crate) fn print(&self) -> Result<(), Failed> {
        let tiles = self.store.entries().len();
        let (bytes, reading) = self.read_all()?;
        let classes = self.hierarchy.classes().len();
        let length = self.store.hierarchy_place().map_or(0, |place| place.length);
        println!("tiles                  {tiles}, {:.0} m along a side", self.side);
        println!("clusters by level      {:?}", self.hierarchy.cluster_counts());
        println!("crossings by level     {:?}", self.hierarchy.crossing_counts());
        let each = self.hierarchy.memory() as f64 / (tiles * classes) as f64;
        println!("memory a tile, class   {each:.1} bytes");
        let share = length as f64 / (bytes as f64 - length as f64) * 100.0;
        println!("in the file            {length} bytes, {share:.2} % of the rest");
        let ratio = self.seconds / reading;
        let seconds = self.seconds * 1e3;
        println!("opening and checking   {seconds:.1} ms, {ratio:.2} times reading the file");
        Ok(())
    }

    /// Reads the whole file, block by block. Returns its length, and the seconds.
    fn read_all(&self) -> Result<(usize, f64), Failed> {
        let start = Instant::now();
        let (mut file, mut block, mut bytes) = (File::open(&self.path)?, vec![0; 1 << 20], 0);
        loop {
            match file.read(&mut block)? {
                0 => return Ok((bytes, start.elapsed().as_secs_f64())),
                count => bytes += count,
            }
        }
    }

    /// A stream of its tiles, with nothing loaded.
    pub(crate) fn stream(&self, limits: Limits) -> Result<TileStream<StoreSource<Seekable<File>>>, Failed> {
        let world = navstream::World::of_catalog(&self.store)?;
        Ok(TileStream::new(world, StoreSource::new(open(&self.path)?), self.middle, limits)?)
    }

    /// The coordinates of the tiles at a column and row.
    pub(crate) fn column(&self, [x, z]: [i32; 2]) -> impl Iterator<Item = TileCoord> {
        let entries = self.store.entries();
        let first = entries.partition_point(|entry| (entry.x, entry.z) < (x, z));
        let here = entries[first..].iter().take_while(move |entry| (entry.x, entry.z) == (x, z));
        here.map(|entry| entry.coord())
    }

    /// A random place on the ground of a random tile.
    pub(crate) fn spot(&self, random: &mut SplitMix64) -> Result<Spot, Failed> {
        let entries = self.store.entries();
        let coord = entries[random.below(entries.len())].coord();
        let mut mesh = NavMesh::new(self.middle)?;
        mesh.add_tile(self.store.tile(coord).ok_or("a tile that is not there")??)?;
        let place = Query::new().random_point(&mesh, self.filter(), || random.between(0.0, 1.0))?;
        let (_, polygon) = mesh.tile_of(place.polygon)?;
        Ok(Spot { tile: coord, polygon, point: mesh.to_world(place.point) })
    }
}

impl Spot {
    /// The spot on a mesh that has its tile.
    pub(crate) fn on<'a>(&self, mesh: &'a NavMesh) -> Result<FarPlace<'a>, Failed> {
        let polygon = mesh.reference(self.tile, self.polygon).ok_or("the tile of a place is not loaded")?;
        Ok(FarPlace { mesh, place: Place { polygon, point: mesh.from_world(self.point) } })
    }

    /// The distance to another one as seen from above.
    pub(crate) fn distance(&self, other: &Spot) -> f64 {
        let [x, z] = [0, 2].map(|axis| self.point[axis] - other.point[axis]);
        (x * x + z * z).sqrt()
    }
}

fn open(path: &Path) -> Result<Store, Failed> {
    Ok(NavStore::open(Seekable::new(File::open(path)?))?)
}

/// The most memory that this process has held, bytes; 0 if the platform does not tell.
pub(crate) fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}
