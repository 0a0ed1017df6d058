//! Every query on a real bake, at random: answers keep their promises, and nothing panics.

use crate::common;
use crate::common::{Random, is_linked, unit};
use detour::{
    Filter, NavMesh, Neighbourhood, Path, PathOptions, Place, Progress, Query, Ray, SlicedPath, Slide,
    Surroundings, Vec3,
};
use recast::{PreparedLevel, Scratch, Silent};

/// The courtyard as one tile, and in tiles of 64 cells.
fn courtyards() -> [NavMesh; 2] {
    let scene = navscenes::by_name("courtyard").unwrap();
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    let solo = recast::bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
    let tiles = navlevel::bake_tiles(&level, 64, &Silent).unwrap();
    [common::mesh([solo.tile]), common::mesh(tiles.into_iter().map(|baked| baked.tile))]
}

struct Asker<'a> {
    mesh: &'a NavMesh,
    filter: Filter,
    query: Query,
    random: Random,
}

impl Asker<'_> {
    fn number(&mut self, low: f32, high: f32) -> f32 {
        low + unit(&mut self.random) as f32 * (high - low)
    }

    fn place(&mut self) -> Place {
        let Asker { mesh, query, random, .. } = self;
        query.random_point(mesh, &Filter::default(), || unit(random)).unwrap()
    }

    /// Somewhere on the map or near it; sometimes a corner of a polygon.
    fn position(&mut self) -> Vec3 {
        let place = self.place();
        match self.random.below(4) {
            0 => self.mesh.corners(place.polygon).unwrap().next().unwrap(),
            1 => place.point,
            _ => {
                let by = Vec3::new(self.number(-5.0, 5.0), self.number(-2.0, 2.0), self.number(-5.0, 5.0));
                place.point + by
            }
        }
    }

    fn assert_on(&self, place: Place) {
        let on = self.mesh.closest_point(place.polygon, place.point).unwrap();
        assert!(on.point.distance(place.point) < 1e-3, "{place:?} {on:?}");
    }

    fn moves(&mut self) {
        let (start, goal) = (self.place(), self.position());
        let (mut ray, mut slide) = (Ray::default(), Slide::default());
        self.query.raycast(self.mesh, start, goal, &self.filter, &mut ray).unwrap();
        assert!(is_linked(self.mesh, &ray.polygons) && (0.0..=1.0).contains(&ray.fraction));
        let flat = |a: Vec3, b: Vec3| (a - b).with_y(0.0).length();
        assert!(flat(ray.point, start.point.lerp(goal, ray.fraction as f32)) < 1e-3, "{ray:?}");
        let last = *ray.polygons.last().unwrap();
        assert!(flat(self.mesh.closest_point(last, ray.point).unwrap().point, ray.point) < 1e-3);
        // A place that a ray sees can be walked to, for at most the ray's cost.
        if ray.is_clear() {
            let back = Place { polygon: last, point: ray.point };
            let mut there = Ray::default();
            self.query.raycast(self.mesh, back, start.point, &Filter::default(), &mut there).unwrap();
            assert!(there.fraction > 0.999, "{start:?} {goal} {ray:?} {there:?}");
        }
        let near = start.point.lerp(goal, 0.2);
        self.query.slide(self.mesh, start, near, &self.filter, &mut slide).unwrap();
        assert!(is_linked(self.mesh, &slide.polygons));
        self.assert_on(Place { polygon: *slide.polygons.last().unwrap(), point: slide.point });
        let radius = self.number(0.0, 6.0);
        let wall = self.query.wall_distance(self.mesh, start, radius, &self.filter).unwrap();
        if let Some(wall) = wall {
            assert!(wall.distance <= radius * 1.0001);
            self.query.raycast(self.mesh, start, wall.point, &self.filter, &mut ray).unwrap();
            // Nothing is nearer, so the line to the wall is free.
            assert!(flat(ray.point, wall.point) < 1e-3, "{start:?} {wall:?} {ray:?}");
        }
    }

    fn regions(&mut self) {
        let (start, radius) = (self.place(), self.number(0.0, 8.0));
        let mut around = Surroundings::default();
        let mut flat = Neighbourhood::default();
        self.query.around_circle(self.mesh, start, radius, &self.filter, &mut around).unwrap();
        assert!(around.complete);
        let mut path = Vec::new();
        assert!(around.path_to(around.polygons.len() - 1, &mut path) && is_linked(self.mesh, &path));
        self.query.neighbourhood(self.mesh, start, radius, 64, &self.filter, &mut flat).unwrap();
        assert!(flat.polygons.len() <= around.polygons.len());
        let p = self.position();
        let triangle = [p, p + Vec3::new(radius + 0.1, 0.0, 0.3), p + Vec3::new(0.2, 0.0, radius + 0.2)];
        self.query.around_shape(self.mesh, start, &triangle, &self.filter, &mut around).unwrap();
        let mut boxed = Vec::new();
        let half = Vec3::splat(radius + 0.1);
        self.query
            .polygons_in_box(self.mesh, start.point, half, &Filter::default(), |p| boxed.push(p))
            .unwrap();
        assert!(boxed.contains(&start.polygon));
        self.query.outline(self.mesh, start.polygon, &self.filter, |_| {}).unwrap();
        let Asker { mesh, query, random, filter, .. } = self;
        let within = query.random_within(mesh, start, radius, filter, || unit(random)).unwrap();
        assert!((within.point - start.point).with_y(0.0).length() <= radius + 1e-3);
        let reached = query.random_around(mesh, start, radius, filter, || unit(random)).unwrap();
        self.assert_on(within);
        self.assert_on(reached);
    }

    fn ways(&mut self) {
        let (start, goal) = (self.place(), self.place());
        let options = PathOptions::default();
        let (mut whole, mut path) = (Path::default(), Path::default());
        self.query.find_path(self.mesh, start, goal, &self.filter, &options, &mut whole).unwrap();
        let mut sliced =
            SlicedPath::new(&mut self.query, self.mesh.clone(), start, goal, &self.filter, options).unwrap();
        while sliced.update(5).unwrap() == Progress::Running {}
        sliced.finish(&mut path).unwrap();
        assert_eq!(path, whole);
        self.query = sliced.into_query();
        let above = start.point + Vec3::Y * 0.01;
        let below = self.query.below(self.mesh, above, 1.0, &Filter::default()).unwrap().unwrap();
        assert!((below.point.y - start.point.y).abs() < 0.05);
        let under = start.point - Vec3::Y * 0.01;
        assert!(self.query.above(self.mesh, under, 1.0, &Filter::default()).unwrap().is_some());
    }
}

#[test]
fn answers_hold_what_they_promise() {
    for mesh in &courtyards() {
        assert!(mesh.polygon_count() > 50);
        for (seed, filter) in
            [Filter::default(), Filter::default().with_exclude(2).with_area_cost(1, 3.0).unwrap()]
                .into_iter()
                .enumerate()
        {
            let random = Random(seed as u64 + 21);
            let mut asker = Asker { mesh, filter, query: Query::new(), random };
            for _ in 0..600 {
                asker.moves();
                asker.regions();
                asker.ways();
            }
        }
    }
}
