//! Cost models with arbitrary answers: every search ends, within its bound, and returns a connected path.

use crate::common::{Grid, Random, at, is_linked, place, random_grid};
use detour::{
    Attributes, CostModel, Filter, NavMesh, Optimality, PartialReason, Path, PathOptions, PathStatus, Place,
    PolyRef, Query, Ray, Slide, Step, Surroundings, Vec3,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

/// Gives another answer each time, often nonsense.
struct Chaos(RefCell<Random>);

impl Chaos {
    fn number(&self, usual: f32) -> f32 {
        let strange = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            -1.0,
            -f32::MIN_POSITIVE,
            0.0,
            -0.0,
            f32::MAX,
            1e-30,
        ];
        let mut random = self.0.borrow_mut();
        match random.below(3) {
            0 => strange[random.below(strange.len() as u64) as usize],
            _ => usual,
        }
    }
}

impl CostModel for Chaos {
    fn passes(&self, _: &Attributes) -> bool {
        self.0.borrow_mut().below(8) != 0
    }

    fn cost(&self, step: &Step) -> f32 {
        self.number(step.from.distance(step.to))
    }

    fn minimum_cost(&self) -> f32 {
        self.number(1.0)
    }
}

/// A model that does not declare its uniform costs.
struct Silent(Filter);

impl CostModel for Silent {
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }

    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }

    fn minimum_cost(&self) -> f32 {
        self.0.minimum_cost()
    }

    fn uniform_cost(&self) -> Option<f32> {
        self.0.uniform_cost()
    }
}

/// Everything that depends on a model, between two places.
fn answers(mesh: &NavMesh, query: &mut Query, start: Place, goal: Place, model: &impl CostModel) -> String {
    let (mut path, mut around, mut slide) = (Path::default(), Surroundings::default(), Slide::default());
    let mut answers = String::new();
    for optimality in [Optimality::Fast, Optimality::Near] {
        query.find_path(mesh, start, goal, model, &PathOptions { optimality }, &mut path).unwrap();
        answers += &format!("{path:?}");
    }
    query.around_circle(mesh, start, 5.0, model, &mut around).unwrap();
    query.slide(mesh, start, goal.point, model, &mut slide).unwrap();
    let wall = query.wall_distance(mesh, start, 5.0, model).unwrap();
    answers + &format!("{around:?}{slide:?}{wall:?}")
}

#[test]
fn a_filter_that_lets_all_pass_finds_what_a_model_finds_that_is_asked() {
    let mut query = Query::new();
    let dear = (1..=255).fold(Filter::default(), |filter, area| filter.with_area_cost(area, 2.5).unwrap());
    let filters = [Filter::default(), dear];
    assert!(filters.iter().all(CostModel::passes_all) && !Silent(Filter::default()).passes_all());
    let closed = [
        Filter::default().with_include(1),
        Filter::default().with_exclude(1),
        Filter::default().without_area(200),
    ];
    assert!(!closed.iter().any(CostModel::passes_all));
    for seed in 0..30 {
        let mut text = String::new();
        let mut mesh = random_grid(seed, 12, 25, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed);
        for polygon in &polygons {
            mesh.set_flags(*polygon, random.below(4) as u32).unwrap();
            mesh.set_area(*polygon, 1 + random.below(3) as u8).unwrap();
        }
        for filter in &filters {
            let [start, goal] = std::array::from_fn(|_| {
                let polygon = polygons[random.below(polygons.len() as u64) as usize];
                Place { polygon, point: mesh.corners(polygon).unwrap().next().unwrap() }
            });
            let declared = answers(&mesh, &mut query, start, goal, filter);
            let asked = answers(&mesh, &mut query, start, goal, &Silent(filter.clone()));
            assert_eq!(declared, asked, "seed {seed}");
        }
    }
}

#[test]
fn no_model_makes_a_search_go_on() {
    for seed in 0..100 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 15, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 5);
        let model = Chaos(RefCell::new(Random(seed * 7 + 3)));
        let limit = 1 + random.below(150) as u32;
        let mut query = Query::with_max_nodes(NonZeroU32::new(limit).unwrap());
        let ends = [0, 0].map(|_| {
            let polygon = polygons[random.below(polygons.len() as u64) as usize];
            Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 }
        });
        for optimality in [Optimality::Fast, Optimality::Near] {
            let mut path = Path::default();
            let options = PathOptions { optimality };
            query.find_path(&mesh, ends[0], ends[1], &model, &options, &mut path).unwrap();
            assert!(is_linked(&mesh, &path.polygons), "seed {seed}");
            assert_eq!(path.polygons.iter().collect::<BTreeSet<_>>().len(), path.polygons.len());
            assert!(path.touched <= limit as usize && path.cost >= 0.0 && path.cost.is_finite());
            assert_eq!(path.polygons[0], ends[0].polygon);
        }
        let (mut found, mut ray) = (Surroundings::default(), Ray::default());
        query.around_circle(&mesh, ends[0], 50.0, &model, &mut found).unwrap();
        assert!(found.polygons.len() <= limit as usize);
        query.raycast(&mesh, ends[0], ends[1].point, &model, &mut ray).unwrap();
        assert!(ray.polygons.len() <= limit as usize && ray.cost >= 0.0);
    }
}

/// Every move costs the same impossible amount.
struct Impossible(f32);

impl CostModel for Impossible {
    fn passes(&self, _: &Attributes) -> bool {
        true
    }

    fn cost(&self, _: &Step) -> f32 {
        self.0
    }

    fn minimum_cost(&self) -> f32 {
        1.0
    }
}

#[test]
fn impossible_moves_are_not_made() {
    let mesh = Grid::new("....").mesh();
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(3.5, 0.5))];
    for cost in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0] {
        let mut path = Path::default();
        let mut query = Query::new();
        query
            .find_path(&mesh, ends[0], ends[1], &Impossible(cost), &PathOptions::default(), &mut path)
            .unwrap();
        assert_eq!(path.status, PathStatus::Partial(PartialReason::Unreachable));
        assert_eq!((path.polygons.len(), path.cost), (1, 0.0));
    }
    let mut path = Path::default();
    let model = Impossible(f32::MAX);
    Query::new().find_path(&mesh, ends[0], ends[1], &model, &PathOptions::default(), &mut path).unwrap();
    assert_eq!((path.status, path.cost), (PathStatus::Complete, f64::from(f32::MAX)));
}

#[test]
fn out_of_nodes_is_reported_with_the_best_partial_path() {
    let mesh = Grid::new("..........").mesh();
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(9.5, 0.5))];
    for limit in 1..10u32 {
        let mut query = Query::with_max_nodes(NonZeroU32::new(limit).unwrap());
        let mut path = Path::default();
        let filter = Filter::default();
        query.find_path(&mesh, ends[0], ends[1], &filter, &PathOptions::default(), &mut path).unwrap();
        assert_eq!(path.status, PathStatus::Partial(PartialReason::OutOfNodes));
        assert_eq!((path.polygons.len(), path.touched), (limit as usize, limit as usize));
        assert_eq!(path.end, at(limit as f32, 0.5));
    }
}

#[test]
fn a_mesh_knows_which_filters_treat_all_its_polygons_alike() {
    let filters = [
        Filter::default(),
        Filter::default().with_include(1),
        Filter::default().with_exclude(2),
        Filter::default().without_area(3),
        Filter::default().with_area_cost(3, 2.0).unwrap(),
        (1..=255).fold(Filter::default(), |filter, area| filter.with_area_cost(area, 2.0).unwrap()),
    ];
    let (mut uniform, mut mixed) = (0, 0);
    for seed in 0..40 {
        let mut text = String::new();
        let mut mesh = random_grid(seed, 6, 25, &mut text).mesh();
        let mut random = Random(seed + 1);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        for _ in 0..60 {
            let polygon = polygons[random.below(polygons.len() as u64) as usize];
            // Mostly back to one kind, so that kinds disappear again.
            match random.below(4) {
                0 => mesh.set_flags(polygon, random.below(4) as u32).unwrap(),
                1 => mesh.set_area(polygon, 1 + random.below(3) as u8).unwrap(),
                _ => polygons.iter().for_each(|polygon| {
                    mesh.set_flags(*polygon, 1).unwrap();
                    mesh.set_area(*polygon, 1).unwrap();
                }),
            }
            let all: Vec<Attributes> = polygons.iter().map(|p| mesh.attributes(*p).unwrap()).collect();
            for filter in &filters {
                let found = mesh.uniformity(filter);
                assert_eq!(found.passes_all, all.iter().all(|attributes| filter.passes(attributes)));
                let cost = filter.area_cost(all[0].area);
                let is_same = all.iter().all(|attributes| filter.area_cost(attributes.area) == cost);
                assert_eq!(found.per_metre, is_same.then_some(cost));
                *(if is_same { &mut uniform } else { &mut mixed }) += 1;
            }
        }
        let tile = mesh.tiles().next().unwrap().coord();
        mesh.remove_tile(tile).unwrap();
        assert!(mesh.uniformity(&Filter::default().with_include(2)).passes_all, "nothing is left");
    }
    assert!(uniform > 100 && mixed > 100, "{uniform} {mixed}");
}
