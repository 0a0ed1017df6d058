//! Walks between floors, found without sharing code with the bake's own search: Dijkstra's algorithm over all
//! floors of regions.

use recast::data::{Direction, RegionField};
use recast::{PreparedLevel, Scratch, Silent, Snapshot, TileBuild, bake_tapped};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A floor of a region.
pub(super) struct Floor {
    span: usize,
    pub(super) at: [i32; 2],
    pub(super) height: i32,
    pub(super) beside: [Option<usize>; 4],
}

/// All floors of regions.
pub(super) fn floors(level: &PreparedLevel) -> Vec<Floor> {
    let mut regions: Option<RegionField> = None;
    let mut tap = |snapshot: Snapshot<'_>| {
        if let Snapshot::Regions(found) = snapshot {
            regions = Some(found.clone());
        }
    };
    bake_tapped(level, &TileBuild::solo(level), &Silent, &mut Scratch::new(), &mut tap).unwrap();
    let regions = regions.unwrap();
    let is_ground = |span: usize| regions.region[span].is_inner();
    let mut floors = Vec::new();
    regions.field.for_each_span(|x, z, span| {
        if is_ground(span) {
            let beside =
                |direction| regions.field.neighbour(span, direction).filter(|&other| is_ground(other));
            let (at, height) = ([x as i32, z as i32], regions.field.floor[span]);
            floors.push(Floor { span, at, height, beside: Direction::ALL.map(beside) });
        }
    });
    let mut number = vec![usize::MAX; regions.field.len()];
    floors.iter().enumerate().for_each(|(index, floor)| number[floor.span] = index);
    for floor in &mut floors {
        floor.beside = floor.beside.map(|beside| beside.map(|span| number[span]));
    }
    floors
}

/// The lengths of the walks from a floor, up to `limit` tenths of a cell.
pub(super) fn ways(floors: &[Floor], from: usize, limit: u32) -> Vec<u32> {
    let mut lengths = vec![u32::MAX; floors.len()];
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    lengths[from] = 0;
    while let Some(Reverse((length, floor))) = open.pop() {
        if length > lengths[floor] {
            continue;
        }
        let mut reach = |next: Option<usize>, step: u32| {
            if let Some(next) = next.filter(|&next| length + step <= limit && length + step < lengths[next]) {
                lengths[next] = length + step;
                open.push(Reverse((length + step, next)));
            }
        };
        for direction in 0..4 {
            let next = floors[floor].beside[direction];
            reach(next, 10);
            if let Some(next) = next {
                reach(floors[next].beside[(direction + 1) % 4], 14);
                reach(floors[next].beside[(direction + 3) % 4], 14);
            }
        }
    }
    lengths
}
