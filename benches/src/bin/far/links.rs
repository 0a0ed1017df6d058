//! Plans over a world with one-way links, compared with floods along the direction of links.

use crate::Failed;
use crate::exact::{MOST_NODES, Whole, find_shortest, holds};
use crate::flood::Flood;
use crate::world::World;
use detour::{NavMesh, PolyRef, Query};
use hierarchy::{FarPlace, FarPlanner};
use navscenes::random::SplitMix64;

/// The number of answers.
#[derive(Default)]
struct Counts {
    pairs: usize,
    reached: usize,
    /// Pairs with a path in one direction alone.
    one_way: usize,
    /// Shortest paths.
    exact: usize,
    wrong: usize,
}

/// Starts for which a shortest path is found.
const EXACT: usize = 10;

/// Compares plans from each start to each goal with floods, and for some starts the bounds to one goal with
/// the shortest path. Returns the number of wrong answers.
pub(crate) fn check(whole: &Whole, world: &World, starts: usize, goals: usize) -> Result<usize, Failed> {
    let (mut planner, mut query) = (FarPlanner::new(), Query::with_max_nodes(MOST_NODES));
    let mut random = SplitMix64::new(13);
    let links: Vec<PolyRef> = whole.mesh.off_mesh_links().collect();
    let starts = places(whole, &links, starts, &mut random)?;
    let goals = places(whole, &links, goals, &mut random)?;
    let flood = |from: &FarPlace<'_>| {
        let mut flood = Flood::new(&whole.mesh, world.filter());
        flood.run(from.place.polygon, 0)?;
        Ok::<_, Failed>(flood)
    };
    let back = goals.iter().map(flood).collect::<Result<Vec<Flood<'_>>, Failed>>()?;
    let mut counts = Counts::default();
    for start in &starts {
        let there = flood(start)?;
        let mut is_measured = counts.exact >= EXACT;
        for (goal, back) in goals.iter().zip(&back) {
            let ends = [*start, *goal];
            let is_there = there.reached.contains_key(&goal.place.polygon);
            let returns = back.reached.contains_key(&start.place.polygon);
            let plan = planner.plan(&world.hierarchy, 0, *start, *goal)?;
            counts.pairs += 1;
            counts.reached += usize::from(is_there);
            counts.one_way += usize::from(is_there != returns);
            counts.wrong += whole.judge(ends, plan.is_some(), is_there);
            let Some(plan) = plan.filter(|_| !is_measured) else { continue };
            is_measured = true;
            let Some(length) = find_shortest(&mut query, world, ends)? else { continue };
            counts.exact += 1;
            if !holds([plan.lower, plan.upper], length) {
                counts.wrong += 1;
                let ends = ends.map(|end| whole.mesh.to_world(end.place.point));
                println!("WRONG: {} <= {length} <= {}: {ends:?}", plan.lower, plan.upper);
            }
        }
    }
    let Counts { pairs, reached, one_way, exact, wrong } = counts;
    println!("links                  {}", links.len());
    println!("directed reachability  {pairs} pairs, {reached} reached, {one_way} one way");
    println!("bounds over links      {exact} pairs; {wrong} wrong of all");
    Ok(wrong)
}

/// Random places; half of them are ends of links.
fn places<'a>(
    whole: &'a Whole,
    links: &[PolyRef],
    count: usize,
    random: &mut SplitMix64,
) -> Result<Vec<FarPlace<'a>>, Failed> {
    let place = |number: usize| {
        let of_link = if number < count / 2 { end_of(&whole.mesh, links, random) } else { None };
        of_link.map_or_else(|| whole.place(random), Ok)
    };
    (0..count).map(place).collect()
}

/// A random end of a random link, if it leads to the ground at both.
fn end_of<'a>(mesh: &'a NavMesh, links: &[PolyRef], random: &mut SplitMix64) -> Option<FarPlace<'a>> {
    let link = links.get(random.below(links.len().max(1)))?;
    let place = mesh.off_mesh(*link).ok()?.ends?[random.below(2)];
    Some(FarPlace { mesh, place })
}
