//! Decides how far the corners of outlines move. They move less where an outline would cross itself or leave
//! its ground on the wall lines.

use super::lines::{FloorsAround, existing};
use crate::data::{RegionField, RegionId};
use navmath::FIXED_ONE;
use navmath::predicates::Point;

/// How the corners around a floor move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Move {
    /// Onto the wall lines.
    ToLines,
    /// Each corner by itself.
    Alone,
    /// Not at all. The ground comes nearer to walls than the radius.
    Still,
}

/// Corners within this distance of a fault move less, cells. The distance grows each time that the region has
/// faults.
const REACH: [i32; 4] = [1, 2, 4, 8];

/// How the corners around each floor move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves {
    floors: Vec<Move>,
    /// The number of times that each region had faults.
    faults: Vec<u8>,
}

/// A fault of a moved outline: no mesh can be made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OutlineFault {
    pub(crate) region: RegionId,
    /// Its place, 1/256 cell of tile coordinates; `None` if it is not known.
    pub(crate) place: Option<Point>,
}

impl Moves {
    /// Lets all corners move onto the wall lines.
    pub(crate) fn to_lines(regions: &RegionField) -> Moves {
        Moves::all(Move::ToLines, regions)
    }

    /// Lets no corner move.
    pub(crate) fn still(regions: &RegionField) -> Moves {
        Moves::all(Move::Still, regions)
    }

    fn all(by: Move, regions: &RegionField) -> Moves {
        Moves { floors: vec![by; regions.region.len()], faults: vec![0; regions.count as usize + 1] }
    }

    /// Limits how far corners move. Corners at steps over a tile's border always move, because the tile
    /// beyond does not know the limits.
    pub(crate) fn limit(&self, around: &mut [FloorsAround]) {
        for floors in around {
            let least = existing(floors.spans).map(|span| self.floors[span]).max();
            match least {
                None | Some(Move::ToLines) => {}
                Some(Move::Still) if !floors.border.has_steps() => *floors = FloorsAround::NONE,
                Some(Move::Alone | Move::Still) => floors.alone = true,
            }
        }
    }

    /// Lets corners move less where outlines have faults, which must be sorted. Returns false if no corner
    /// there moved before.
    pub(crate) fn lower(&mut self, regions: &RegionField, faults: &[OutlineFault]) -> bool {
        let mut any = false;
        for of_region in faults.chunk_by(|one, two| one.region == two.region) {
            let region = of_region[0].region;
            let times = &mut self.faults[region.index()];
            let reach = REACH.get(usize::from(*times)).copied();
            *times = times.saturating_add(1);
            let places: Option<Vec<Point>> = of_region.iter().map(|fault| fault.place).collect();
            let near = reach.zip(places).map(|(reach, places)| floors_near(regions, region, &places, reach));
            let all = || (0..regions.region.len()).filter(|&span| regions.region[span] == region);
            any |= near.is_some_and(|near| self.lower_at(near)) || self.lower_at(all());
        }
        any
    }

    fn lower_at(&mut self, floors: impl IntoIterator<Item = usize>) -> bool {
        let mut any = false;
        for floor in floors {
            let known = &mut self.floors[floor];
            any |= *known != Move::Still;
            *known = if *known == Move::ToLines { Move::Alone } else { Move::Still };
        }
        any
    }

    /// Lets no corner move any more. Returns false if no corner moved before.
    pub(crate) fn stop(&mut self) -> bool {
        let any = self.floors.iter().any(|known| *known != Move::Still);
        self.floors.fill(Move::Still);
        any
    }
}

/// The floors of a region at most `reach` cells from any of the places.
fn floors_near(regions: &RegionField, region: RegionId, places: &[Point], reach: i32) -> Vec<usize> {
    let field = &regions.field;
    let columns = places.iter().flat_map(|place| {
        field.grid.columns_in([-reach, reach].map(|by| place.map(|at| at.saturating_add(by * FIXED_ONE))))
    });
    let mut near: Vec<usize> = columns.flat_map(|column| field.column(column)).collect();
    near.retain(|&span| regions.region[span] == region);
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::NO_NEIGHBOUR;
    use crate::outline::AtBorder;
    use crate::stage::context::Context;
    use crate::stage::regions;
    use crate::stage::testing::flat;

    /// Regions of areas 1 and 2, each eight cells long and one wide.
    fn two_strips() -> RegionField {
        let params = regions::Params { min_cells: 0, merge_cells: 0, join: false };
        regions::layers(flat("11111111\n22222222"), &params, &mut Context::new()).unwrap()
    }

    fn fault(region: RegionId, column: i32) -> OutlineFault {
        OutlineFault { region, place: Some([column * FIXED_ONE + 128, FIXED_ONE]) }
    }

    /// How the corners around each of some floors move: L onto lines, A alone, S not at all.
    fn moved(moves: &Moves, floors: std::ops::Range<u32>) -> String {
        let of = |span: u32| {
            let mut around = [FloorsAround {
                all: [span; 4],
                spans: [span, NO_NEIGHBOUR, NO_NEIGHBOUR, NO_NEIGHBOUR],
                border: AtBorder::Inside,
                alone: false,
            }];
            moves.limit(&mut around);
            match (around[0].alone, around[0].spans[0]) {
                (false, _) => 'L',
                (true, NO_NEIGHBOUR) => 'S',
                (true, _) => 'A',
            }
        };
        floors.map(of).collect()
    }

    #[test]
    fn corners_near_faults_move_less_each_time() {
        let regions = two_strips();
        let mut moves = Moves::to_lines(&regions);
        let faults = [fault(regions.region[0], 1)];
        assert!(moves.lower(&regions, &faults));
        assert_eq!(moved(&moves, 0..8), "AAALLLLL");
        assert!(moves.lower(&regions, &faults));
        assert_eq!(moved(&moves, 0..8), "SSSALLLL");
        (0..2).for_each(|_| assert!(moves.lower(&regions, &faults)));
        assert_eq!(moved(&moves, 0..8), "SSSSSSAA");
        assert_eq!(moved(&moves, 8..16), "LLLLLLLL", "the other region has no fault");
    }

    #[test]
    fn a_region_that_keeps_its_faults_moves_no_corner_in_the_end() {
        let regions = two_strips();
        let mut moves = Moves::to_lines(&regions);
        let faults = [fault(regions.region[8], 7)];
        let times =
            std::iter::repeat_with(|| moves.lower(&regions, &faults)).take_while(|lower| *lower).count();
        assert!(times <= REACH.len() + 2, "{times} times");
        assert_eq!([moved(&moves, 0..8), moved(&moves, 8..16)], ["LLLLLLLL", "SSSSSSSS"]);
    }

    #[test]
    fn an_outline_without_a_place_moves_less_as_a_whole() {
        let regions = two_strips();
        let mut moves = Moves::to_lines(&regions);
        let whole = [OutlineFault { region: regions.region[8], place: None }];
        assert!(moves.lower(&regions, &whole));
        assert_eq!([moved(&moves, 0..8), moved(&moves, 8..16)], ["LLLLLLLL", "AAAAAAAA"]);
        assert!(moves.stop() && !moves.stop() && !moves.lower(&regions, &whole));
    }
}
