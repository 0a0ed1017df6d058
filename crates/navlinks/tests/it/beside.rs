//! Compares our links with links by the rules of DotRecast's builder, on public levels and on levels like
//! those of shooters: the number of links, the number of them that are needless by our rule of worth, and the
//! number that lead through something.

use super::body::{Cylinder, near, profile, segments, triangles};
use super::floor_ways::{Floor, floors, ways};
use super::{Subject, crossings, edge_samples, whole_links};
use navlinks::GeneratedLink;
use navscenes::shooter;
use recast::{LinkKind, PreparedLevel, Settings};
use std::collections::BTreeMap;

type Point = [f64; 3];

/// The kinds that both builders look for.
const KINDS: [LinkKind; 2] = [LinkKind::Drop, LinkKind::Jump];
/// The size of tiles that a level is cut into, cells.
const TILE_CELLS: u32 = 48;

/// Paths lead from middle to middle of floors. A place may be half a cell off the middle of its floor along
/// both axes, so the path between two places may differ from that of their floors by 1.4 cells, in tenths.
const OFF_MIDDLES: u32 = 14;

/// A link, represented by its crossings.
struct Crossed {
    pairs: Vec<[Point; 2]>,
    /// The crossing that was found worth it, if there was one.
    own: usize,
    both_ways: bool,
}

/// The part of a row of the table that belongs to one builder.
#[derive(Default)]
struct Figures {
    /// One for each direction.
    links: usize,
    /// Number of links in tiles.
    of_tiles: usize,
    needless: usize,
    /// Crossings for which the other builder has no link.
    alone: usize,
    crossings: usize,
    /// Crossings that lead through a triangle.
    through: usize,
}

impl Crossed {
    /// Number of links, counting one for each direction.
    fn count(&self) -> usize {
        1 + usize::from(self.both_ways)
    }

    /// Its crossings, in both directions if it leads both ways.
    fn all(&self) -> impl Iterator<Item = [Point; 2]> {
        let back = self.pairs.iter().filter(|_| self.both_ways).map(|[start, end]| [*end, *start]);
        self.pairs.iter().copied().chain(back)
    }
}

/// Our links of a kind, the shortest first.
fn ours(subject: &Subject, kind: LinkKind, tile_cells: u32) -> Vec<Crossed> {
    let level = subject.prepared();
    let links = whole_links(&level, tile_cells);
    let of_kind =
        links.iter().filter(|link| LinkKind::of_user_id(link.connection.user_id).unwrap().0 == kind);
    let crossed = |link: &GeneratedLink| {
        let places = crossings(&level, std::slice::from_ref(link));
        let pairs = places.iter().map(|(_, place)| [place.start, place.end]).collect();
        let own = link.run.iter().position(|place| place.cells == link.cells).unwrap();
        Crossed { pairs, own, both_ways: link.connection.both_ways }
    };
    of_kind.map(crossed).collect()
}

/// The links by DotRecast's rules, the shortest first.
fn theirs(subject: &Subject, kind: LinkKind, tile_cells: u32) -> Vec<Crossed> {
    let links = edge_samples::links(subject, kind, tile_cells);
    let mut links: Vec<Crossed> =
        links.into_iter().map(|pairs| Crossed { pairs, own: 0, both_ways: false }).collect();
    let shortest = |link: &Crossed| link.pairs.iter().map(length).fold(f64::INFINITY, f64::min);
    links.sort_by(|a, b| shortest(a).total_cmp(&shortest(b)));
    links
}

fn length([a, b]: &[Point; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[2] - a[2]).hypot(b[1] - a[1])
}

/// The ground that needless links are judged on.
struct Judge<'a> {
    subject: &'a Subject,
    level: PreparedLevel,
    floors: Vec<Floor>,
    /// The floors of each column.
    columns: BTreeMap<[i32; 2], Vec<usize>>,
}

/// A crossing of a link that is kept: its floors, and its length in tenths of a cell.
type KeptCrossing = ([usize; 2], u32);

impl<'a> Judge<'a> {
    fn new(subject: &'a Subject) -> Judge<'a> {
        let level = subject.prepared();
        let floors = floors(&level);
        let mut columns: BTreeMap<[i32; 2], Vec<usize>> = BTreeMap::new();
        for (index, floor) in floors.iter().enumerate() {
            columns.entry(floor.at).or_default().push(index);
        }
        Judge { subject, level, floors, columns }
    }

    /// The floor nearest to a place, if it is no further away than the mesh may stray from its floors.
    fn floor(&self, [x, y, z]: Point) -> Option<usize> {
        let lattice = &self.level.lattice;
        let at = [(x - lattice.origin[0]), (z - lattice.origin[2])].map(|at| at / lattice.cell_size);
        let [column_x, column_z] = at.map(|at| at.floor() as i32);
        let around = (-3..=3).flat_map(|dx| (-3..=3).map(move |dz| [column_x + dx, column_z + dz]));
        let floors = around.filter_map(|column| self.columns.get(&column)).flatten().copied();
        let off = |floor: &usize| {
            let Floor { at: [fx, fz], height, .. } = self.floors[*floor];
            let across = (f64::from(fx) + 0.5 - at[0]).hypot(f64::from(fz) + 0.5 - at[1]);
            let up = (lattice.origin[1] + f64::from(height) * lattice.cell_height - y).abs();
            (up <= self.subject.settings.agent_climb).then_some(across)
        };
        let near = floors.filter_map(|floor| Some((off(&floor)?, floor)));
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, floor)| floor)
    }

    /// Number of needless links, judged in order. A link is needless if, at each of its crossings, there is a
    /// path without it that is at most `worth` times the crossing, or a kept crossing begins and ends nearby.
    fn needless(&self, kind: LinkKind, links: &[Crossed]) -> usize {
        let profile = profile(self.subject, kind);
        let cell = self.subject.settings.cell_size;
        let tenths = |metres: f64| (metres / cell * 10.0).floor() as u32;
        let step = (profile.spacing / cell).floor().max(1.0) as usize;
        let mut kept: Vec<KeptCrossing> = Vec::new();
        let mut needless = 0;
        for link in links {
            let crossing = |pair: &[Point; 2]| {
                let [start, end] = pair.map(|place| self.floor(place));
                Some(([start?, end?], length(pair)))
            };
            let crossings: Vec<([usize; 2], f64)> = link.pairs.iter().filter_map(crossing).collect();
            let is_served = |&([start, end], length): &([usize; 2], f64)| {
                let (most, near) = (tenths(profile.worth * length), 2 * tenths(profile.spacing));
                let serves = |ends| self.is_served(&kept, ends, most, near);
                serves([start, end]) && (!link.both_ways || serves([end, start]))
            };
            if !crossings.is_empty() && crossings.iter().all(is_served) {
                needless += 1;
                continue;
            }
            // Our links are judged by points along their edges that are a spacing apart.
            let last = crossings.len().saturating_sub(1);
            let is_point = |at: usize| at.abs_diff(link.own).is_multiple_of(step) || at == 0 || at == last;
            let points = crossings.iter().enumerate().filter(|(at, _)| is_point(*at));
            for (_, &([start, end], length)) in points {
                kept.push(([start, end], tenths(length)));
                if link.both_ways {
                    kept.push(([end, start], tenths(length)));
                }
            }
        }
        needless
    }

    /// Number of crossings that can be replaced neither by a walk nor by a crossing of other links.
    fn alone(&self, kind: LinkKind, links: &[Crossed], others: &[&Crossed]) -> usize {
        let profile = profile(self.subject, kind);
        let tenths = |metres: f64| (metres / self.subject.settings.cell_size * 10.0).floor() as u32;
        let floors = |pair: &[Point; 2]| {
            let [start, end] = pair.map(|place| self.floor(place));
            Some(([start?, end?], tenths(length(pair))))
        };
        let others: Vec<KeptCrossing> =
            others.iter().flat_map(|link| link.all()).filter_map(|pair| floors(&pair)).collect();
        let is_alone = |pair: &[Point; 2]| {
            let Some((ends, _)) = floors(pair) else { return true };
            let most = tenths(profile.worth * length(pair)) + OFF_MIDDLES;
            !self.is_served(&others, ends, most, 2 * tenths(profile.spacing))
        };
        links.iter().flat_map(Crossed::all).filter(is_alone).count()
    }

    fn is_served(&self, kept: &[KeptCrossing], [start, end]: [usize; 2], most: u32, near: u32) -> bool {
        let before = ways(&self.floors, start, most.max(near));
        if before[end] <= most {
            return true;
        }
        let near_start: Vec<&KeptCrossing> =
            kept.iter().filter(|(ends, _)| before[ends[0]] < u32::MAX).collect();
        if near_start.is_empty() {
            return false;
        }
        let after = ways(&self.floors, end, most.max(near));
        near_start.into_iter().any(|(ends, length)| {
            let on_foot = before[ends[0]].saturating_add(after[ends[1]]);
            on_foot <= most.saturating_sub(*length).max(near)
        })
    }
}

impl Figures {
    fn new(judge: &Judge<'_>, kind: LinkKind, links: &[Crossed], others: &[&Crossed]) -> Figures {
        let subject = judge.subject;
        let all = triangles(subject);
        let body = Cylinder::of(subject, 0.5f64.sqrt());
        let arc = profile(subject, kind).arc;
        let goes_through = |&[start, end]: &[Point; 2]| {
            let near = near(&all, start, end, body.radius);
            body.hits(&segments(kind, start, end, &body, arc), &near, 1e-3).is_some()
        };
        let through = |link: &Crossed| link.all().filter(goes_through).count();
        let through: Vec<usize> = links.iter().map(through).collect();
        Figures {
            links: links.iter().map(Crossed::count).sum(),
            of_tiles: 0,
            needless: judge.needless(kind, links),
            crossings: links.iter().flat_map(Crossed::all).count(),
            alone: judge.alone(kind, links, others),
            through: through.iter().sum(),
        }
    }

    fn add(&mut self, other: &Figures) {
        self.links += other.links;
        self.of_tiles += other.of_tiles;
        self.needless += other.needless;
        self.crossings += other.crossings;
        self.alone += other.alone;
        self.through += other.through;
    }
}

/// Adds the figures of a level: ours and those of DotRecast's rules, of drops and of jumps.
fn compare(subject: &Subject, sums: &mut [[Figures; 2]; 2]) {
    let judge = Judge::new(subject);
    let found = KINDS.map(|kind| [ours(subject, kind, 0), theirs(subject, kind, 0)]);
    for (kind, sums) in sums.iter_mut().enumerate() {
        for builder in 0..2 {
            let others: Vec<&Crossed> = found.iter().flat_map(|of_kind| &of_kind[1 - builder]).collect();
            sums[builder].add(&Figures::new(&judge, KINDS[kind], &found[kind][builder], &others));
            let of_tiles = [ours, theirs][builder](subject, KINDS[kind], TILE_CELLS);
            sums[builder].of_tiles += of_tiles.iter().map(Crossed::count).sum::<usize>();
        }
    }
}

fn print(name: &str, sums: &[[Figures; 2]; 2]) {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    for (kind, [ours, theirs]) in KINDS.iter().zip(sums) {
        println!(
            "| {name} | {} | {} | {:.1} % | {} | {} | {:.0} % | {:.1} % |",
            kind.name(),
            ours.links,
            share(ours.alone, ours.crossings),
            theirs.links,
            theirs.of_tiles,
            share(theirs.needless, theirs.links),
            share(theirs.through, theirs.crossings)
        );
        // All of our links are useful and free, every one of the others can be replaced by ours, and tiles
        // make no difference.
        assert_eq!((ours.needless, ours.through, theirs.alone), (0, 0, 0), "{name} {kind:?}");
        assert_eq!(ours.links, ours.of_tiles, "{name} {kind:?}");
    }
}

#[test]
fn links_are_compared_with_those_of_another_builder() {
    let scenes = shooter::scenes().iter().take(if navscenes::is_long() { usize::MAX } else { 1 });
    let scenes = scenes.map(|scene| Subject::new(scene.name, (scene.level)(), (scene.settings)()));
    let public = navscenes::long_levels().into_iter();
    let public = public.map(|(name, level)| Subject::new(name, level, Settings::default()));
    println!("| level | kind | ours | only ours | theirs | in tiles | needless | through something |");
    println!("|---|---|---|---|---|---|---|---|");
    for subject in scenes.chain(public) {
        let mut sums = Default::default();
        compare(&subject, &mut sums);
        print(&subject.name, &sums);
    }
    let mut sums = Default::default();
    for seed in 1..=if navscenes::is_long() { 24 } else { 2 } {
        compare(&crate::generated::boxes(seed), &mut sums);
    }
    print("boxes", &sums);
}
