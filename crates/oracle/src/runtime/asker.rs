//! Both libraries' queries over one pair of meshes, with the memory they need.

use super::RuntimeError;
use super::pair::{Filters, Pair};
use detour::{Path, Query, Ray, ShortestPath, Slide, StraightPath, Surroundings};
use recastnavigation_rs::detour as cpp;

/// Nodes of the C++ library's searches: its maximum.
const NODES: usize = 65_535;
/// Room for a path of the C++ library's.
const ROOM: usize = 8_192;

/// Queries both libraries.
#[derive(Debug)]
pub struct Asker<'a> {
    /// The meshes that are queried.
    pub pair: &'a Pair,
    /// Our query.
    pub ours: Query,
    /// The C++ library's.
    pub theirs: cpp::DtNavMeshQuery,
    /// Room for our answers.
    pub path: Path,
    /// Room for our answers.
    pub straight: StraightPath,
    /// Room for our answers.
    pub shortest: ShortestPath,
    /// Room for our answers.
    pub ray: Ray,
    /// Room for our answers.
    pub slide: Slide,
    /// Room for our answers.
    pub around: Surroundings,
    /// Room for the C++ library's polygons.
    pub polygons: Vec<cpp::DtPolyRef>,
    /// Room for the parent polygons of those.
    pub parents: Vec<cpp::DtPolyRef>,
    /// Room for its costs.
    pub costs: Vec<f32>,
    /// Room for its points.
    pub points: Vec<[f32; 3]>,
    filters: [Filters; 2],
}

impl<'a> Asker<'a> {
    /// Prepares both.
    pub fn new(pair: &'a Pair) -> Result<Asker<'a>, RuntimeError> {
        Ok(Asker {
            pair,
            ours: Query::new(),
            theirs: cpp::DtNavMeshQuery::with_mesh(&pair.theirs, NODES)?,
            path: Path::default(),
            straight: StraightPath::default(),
            shortest: ShortestPath::default(),
            ray: Ray::default(),
            slide: Slide::default(),
            around: Surroundings::default(),
            polygons: vec![cpp::DtPolyRef(0); ROOM],
            parents: vec![cpp::DtPolyRef(0); ROOM],
            costs: vec![0.0; ROOM],
            points: vec![[0.0; 3]; ROOM],
            filters: [Filters::new(false)?, Filters::new(true)?],
        })
    }

    /// Filters under which all areas cost the same or, if `costly`, different amounts.
    pub fn filters(&self, costly: bool) -> Filters {
        self.filters[usize::from(costly)].clone()
    }
}
