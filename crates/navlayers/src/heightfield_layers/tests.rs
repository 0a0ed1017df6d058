//! Layers of small plans: one picture per storey in, one picture per layer out.

use super::*;
use navscenes::fields::{flat, grid};
use navtile::area::AreaId;
use proptest::prelude::*;
use recast::data::compact::CompactArrays;
use recast::data::{Direction, NO_NEIGHBOUR};

/// Floors by column, each (height, area), from bottom to top.
type Columns = Vec<Vec<(i32, AreaId)>>;

/// A field of the given floors; floors of neighbouring columns within one cell of each other are connected.
fn field_of(width: u32, border: u32, columns: &Columns) -> CompactField<Eroded> {
    let mut grid = grid(width, columns.len() as u32 / width);
    grid.border = border;
    let mut offsets = vec![0];
    offsets.extend(columns.iter().scan(0, |sum, column| {
        *sum += column.len() as u32;
        Some(*sum)
    }));
    let floors: Vec<_> = columns.concat();
    let mut neighbours = Vec::new();
    for z in 0..grid.depth {
        for x in 0..width {
            for &(height, _) in &columns[grid.column(x, z)] {
                neighbours.push(Direction::ALL.map(|direction| {
                    let Some((x, z)) = grid.neighbour(x, z, direction) else { return NO_NEIGHBOUR };
                    let beside = grid.column(x, z);
                    let near = columns[beside].iter().position(|floor| (floor.0 - height).abs() <= 1);
                    near.map_or(NO_NEIGHBOUR, |index| offsets[beside] + index as u32)
                }));
            }
        }
    }
    let field = CompactField::from_arrays(CompactArrays {
        grid,
        walkable_height: 4,
        walkable_climb: 1,
        offsets,
        clearance: vec![u16::MAX; floors.len()],
        floor: floors.iter().map(|floor| floor.0).collect(),
        area: floors.iter().map(|floor| floor.1).collect(),
        neighbours,
    });
    field.check().unwrap();
    field
}

/// Pictures of storeys from bottom to top: a digit is the height of a floor in cells above its storey, and
/// storeys are ten cells apart; `.` is an empty cell.
fn storeys(pictures: &[&str]) -> CompactField<Eroded> {
    let width = pictures[0].lines().next().unwrap().len();
    let mut columns = vec![Vec::new(); pictures[0].lines().count() * width];
    for (storey, picture) in pictures.iter().enumerate() {
        for (column, cell) in picture.lines().flat_map(str::chars).enumerate() {
            let height = cell.to_digit(10).map(|digit| digit as i32 + 10 * storey as i32);
            columns[column].extend(height.map(|height| (height, AreaId::GROUND)));
        }
    }
    field_of(width as u32, 0, &columns)
}

fn layers(field: &CompactField<Eroded>) -> Vec<HeightfieldLayer> {
    let layers = run(field, &Params::default(), &mut Context::new()).unwrap();
    layers.iter().for_each(|layer| layer.check().unwrap());
    layers
}

/// One character per cell; `.` for an empty cell.
fn picture(layer: &HeightfieldLayer, cell: impl Fn(&LayerCell) -> char) -> String {
    let row = |z| (0..layer.grid.width).map(|x| layer.cell(x, z).map_or('.', &cell)).collect::<String>();
    (0..layer.grid.depth).map(row).collect::<Vec<_>>().join("\n")
}

fn heights(layer: &HeightfieldLayer) -> String {
    picture(layer, |cell| char::from_digit(cell.height, 36).unwrap())
}

fn portals(layer: &HeightfieldLayer) -> String {
    picture(layer, |cell| char::from_digit(u32::from(cell.portals.bits()), 16).unwrap())
}

#[test]
fn a_room_is_one_layer() {
    let layers = layers(&flat("......\n.1122.\n.1122.\n......"));
    assert_eq!(layers.len(), 1);
    let layer = &layers[0];
    assert_eq!(layer.used, CellRectangle { min_x: 1, max_x: 4, min_z: 1, max_z: 2 });
    assert_eq!((layer.min_height, layer.max_height), (1, 1));
    assert_eq!(heights(layer), "......\n.0000.\n.0000.\n......");
    assert_eq!(picture(layer, |cell| char::from(b'0' + cell.area.0)), "......\n.1122.\n.1122.\n......");
    let connections = picture(layer, |cell| char::from_digit(cell.connections.bits().into(), 16).unwrap());
    assert_eq!(connections, "......\n.6773.\n.cdd9.\n......");
    assert_eq!(portals(layer), "......\n.0000.\n.0000.\n......");
}

#[test]
fn nothing_to_walk_on_is_no_layer() {
    assert_eq!(layers(&flat("...\n...")), []);
    assert_eq!(layers(&flat("000\n000")), []);
    for border in [1, 2, 9] {
        let mut field = flat("##\n##");
        field.grid.border = border;
        assert_eq!(layers(&field), [], "border {border}");
    }
}

#[test]
fn a_bridge_lies_above_the_ground() {
    let layers = layers(&storeys(&["00000\n00000\n00000", "..0..\n..0..\n..0.."]));
    assert_eq!(layers.len(), 2);
    assert_eq!(heights(&layers[0]), "00000\n00000\n00000");
    assert_eq!(heights(&layers[1]), "..0..\n..0..\n..0..");
    assert_eq!((layers[1].min_height, layers[1].max_height), (10, 10));
}

#[test]
fn a_ramp_is_cut_where_it_would_lie_above_the_start() {
    // Ground along a row; at its right end a ramp turns around and comes back over the ground.
    let ground = "0000000012\n........43";
    let mut columns: Columns = Vec::new();
    for (column, cell) in ground.lines().flat_map(str::chars).enumerate() {
        let floor = |height| (height, AreaId::GROUND);
        columns.push(cell.to_digit(10).map(|height| floor(height as i32)).into_iter().collect());
        if (2..=8).contains(&column) {
            columns[column].push(floor(13 - column as i32));
        }
    }
    let layers = layers(&field_of(10, 0, &columns));
    assert_eq!(layers.len(), 2);
    // The lower side of the seam has taken the upper one's height.
    assert_eq!(heights(&layers[0]), "0000000012\n........53");
    assert_eq!(heights(&layers[1]), "..6543210.\n..........");
    assert_eq!(portals(&layers[0]), "0000000000\n........80");
    assert_eq!(portals(&layers[1]), "..0000002.\n..........");
}

#[test]
fn platforms_near_in_height_share_a_layer() {
    // Reach is four times the clearance of 4: floors 16 apart join, 17 do not.
    for (gap, expected) in [(16, 1), (17, 2)] {
        let columns = vec![vec![(0, AreaId(1))], vec![], vec![(gap, AreaId(2))]];
        assert_eq!(layers(&field_of(3, 0, &columns)).len(), expected, "{gap} cells apart");
    }
    // A platform between them is within reach of both.
    let columns = vec![vec![(0, AreaId(1))], vec![], vec![(32, AreaId(2))], vec![], vec![(16, AreaId(3))]];
    let joined = layers(&field_of(5, 0, &columns));
    assert_eq!(joined.len(), 1);
    assert_eq!((joined[0].min_height, joined[0].max_height), (0, 32));
}

#[test]
fn a_layer_is_no_taller_than_asked() {
    // A single sweep is never cut, as in the reference: only joining is limited.
    let slope: Columns = (0..12).map(|height| vec![(height, AreaId::GROUND)]).collect();
    assert_eq!(run(&field_of(1, 0, &slope), &Params { max_range: 3 }, &mut Context::new()).unwrap().len(), 1);
    let columns = vec![vec![(0, AreaId(1))], vec![], vec![(5, AreaId(2))]];
    let field = field_of(3, 0, &columns);
    let count = |max_range| run(&field, &Params { max_range }, &mut Context::new()).unwrap().len();
    assert_eq!((count(5), count(4)), (1, 2));
}

#[test]
fn the_border_is_beyond_a_portal() {
    let mut field = flat("#####\n#####\n#####\n####.");
    field.grid.border = 1;
    field.grid.base_x = -3;
    let layers = layers(&field);
    assert_eq!(layers.len(), 1);
    assert_eq!((layers[0].grid.width, layers[0].grid.depth, layers[0].grid.base_x), (3, 2, -2));
    // Left 1, down 2, right 4, up 8.
    assert_eq!(portals(&layers[0]), "98c\n326");
}

#[test]
fn a_tower_has_a_layer_per_floor() {
    let tower: Columns = vec![(0..300).map(|storey| (storey * 10, AreaId::GROUND)).collect::<Vec<_>>(); 4];
    let layers = layers(&field_of(2, 0, &tower));
    assert_eq!(layers.len(), 300);
    assert!(layers.iter().enumerate().all(|(index, layer)| layer.min_height == 10 * index as i32));
}

#[test]
fn tall_layers_keep_their_heights() {
    let stair: Columns = (0..2000).map(|height| vec![(height, AreaId::GROUND)]).collect();
    let layers = layers(&field_of(2000, 0, &stair));
    assert_eq!((layers.len(), layers[0].max_height), (1, 1999));
    assert_eq!(layers[0].cell(1999, 0).unwrap().height, 1999);
    let mut digests = vec![layers[0].hash()];
    let mut other = layers[0].clone();
    other.cells[7] = None;
    digests.push(other.hash());
    assert_ne!(digests[0], digests[1]);
    assert!(other.check().is_err(), "its neighbours still lead there");
}

prop_compose! {
    fn field()(width in 1..8u32, depth in 1..8u32, border in 0..3u32)(
        steps in prop::collection::vec(
            prop::collection::vec((3..7i32, 0..4u8), 0..4),
            (width * depth) as usize,
        ),
        width in Just(width),
        border in Just(border),
    ) -> CompactField<Eroded> {
        let column = |steps: Vec<(i32, u8)>| {
            let mut height = -4;
            let mut floor = |(step, area): (i32, u8)| {
                height += step;
                (height, AreaId(area))
            };
            steps.into_iter().map(&mut floor).collect()
        };
        field_of(width, border, &steps.into_iter().map(column).collect())
    }
}

proptest! {
    #[test]
    fn every_walkable_floor_lies_in_one_layer(field in field(), max_range in prop_oneof![Just(u32::MAX), 0..9u32]) {
        let layers = run(&field, &Params { max_range }, &mut Context::new()).unwrap();
        let border = field.grid.border;
        let mut cells = 0;
        for layer in &layers {
            layer.check().unwrap();
            cells += layer.cells.iter().flatten().count();
        }
        let mut floors = 0;
        let mut seen = Vec::new();
        field.for_each_span(|x, z, span| {
            let inside = |at: u32, size: u32| at >= border && at + border < size;
            if field.area[span].is_walkable() && inside(x, field.grid.width) && inside(z, field.grid.depth) {
                floors += 1;
                seen.push((x - border, z - border, span));
            }
        });
        // Equal numbers of cells and floors, and every floor found: each floor is in one layer, and no two
        // share a cell.
        prop_assert_eq!(cells, floors);
        for (x, z, span) in seen {
            let holds = |layer: &&HeightfieldLayer| layer.cell(x, z).is_some_and(|cell| {
                let own = field.floor[span] - layer.min_height;
                let raised = cell.portals != DirectionSet::default() && i64::from(cell.height) == i64::from(own) + 1;
                cell.area == field.area[span] && (i64::from(cell.height) == i64::from(own) || raised)
            });
            prop_assert!(layers.iter().any(|layer| holds(&layer)), "floor {} at ({}, {})", span, x, z);
        }
    }

    #[test]
    fn connections_and_portals_are_the_steps_of_the_field(field in field()) {
        let count = |set: fn(&LayerCell) -> DirectionSet| {
            run(&field, &Params::default(), &mut Context::new()).unwrap().iter().flat_map(|layer| layer.cells.iter().flatten())
                .map(|cell| set(cell).bits().count_ones()).sum::<u32>()
        };
        let border = field.grid.border;
        let mut steps = 0;
        field.for_each_span(|x, z, span| {
            let inside = |at: u32, size: u32| at >= border && at + border < size;
            if field.area[span].is_walkable() && inside(x, field.grid.width) && inside(z, field.grid.depth) {
                let walkable = |&d: &Direction| field.neighbour(span, d).is_some_and(|n| field.area[n].is_walkable());
                steps += Direction::ALL.iter().filter(|d| walkable(d)).count() as u32;
            }
        });
        prop_assert_eq!(count(|cell| cell.connections) + count(|cell| cell.portals), steps);
        for layer in run(&field, &Params::default(), &mut Context::new()).unwrap() {
            for z in 0..layer.grid.depth {
                for x in 0..layer.grid.width {
                    for direction in Direction::ALL {
                        if layer.cell(x, z).is_some_and(|cell| cell.connections.contains(direction)) {
                            let (nx, nz) = layer.grid.neighbour(x, z, direction).unwrap();
                            let back = direction.next().next();
                            prop_assert!(layer.cell(nx, nz).unwrap().connections.contains(back));
                        }
                    }
                }
            }
        }
    }
}

/// The place of each floor of a field, and the floors that steps from it lead to.
fn steps(field: &CompactField<Eroded>) -> Vec<([i32; 3], [Option<usize>; 4])> {
    let mut steps = Vec::new();
    field.for_each_span(|x, z, span| {
        let beside = Direction::ALL.map(|direction| field.neighbour(span, direction));
        steps.push(([x as i32, field.floor[span], z as i32], beside));
    });
    steps
}

fn joined(field: &CompactField<Eroded>) -> Joined {
    let params = JoinParams { walkable_height: field.walkable_height, walkable_climb: field.walkable_climb };
    let joined = join(&field.grid, &layers(field), &params);
    joined.field.check().unwrap();
    joined
}

#[test]
fn joined_layers_are_the_field_they_were_cut_from() {
    for field in [flat("......\n.1122.\n.1122.\n......"), storeys(&["00000\n00000", "..0..\n..0.."])] {
        let Joined { field: again, open_steps, doubled } = joined(&field);
        assert_eq!((open_steps, doubled), (0, 0));
        assert_eq!(steps(&again), steps(&field));
        assert_eq!((again.area, again.walkable_climb), (field.area, field.walkable_climb));
    }
}

#[test]
fn a_floor_that_took_the_height_of_a_portal_goes_down_again() {
    // The end of the ground, at 4, takes the height 5 of the ramp's start, two above its neighbour at 3.
    let mut columns: Columns = Vec::new();
    for (column, cell) in "0000000012\n........43".lines().flat_map(str::chars).enumerate() {
        let floor = |height| (height, AreaId::GROUND);
        columns.push(cell.to_digit(10).map(|height| floor(height as i32)).into_iter().collect());
        if (2..=8).contains(&column) {
            columns[column].push(floor(13 - column as i32));
        }
    }
    let field = field_of(10, 0, &columns);
    let Joined { field: again, open_steps, doubled } = joined(&field);
    assert_eq!((open_steps, doubled), (0, 0));
    assert_eq!(steps(&again), steps(&field));
}

#[test]
fn steps_to_nowhere_and_floors_in_one_place_are_counted() {
    let field = flat("1111\n1111");
    let params = JoinParams { walkable_height: 4, walkable_climb: 1 };
    let layer = layers(&field).remove(0);
    let twice = join(&field.grid, &[&layer, &layer], &params);
    assert_eq!((twice.doubled, twice.open_steps), (8, 0));
    let mut lying = layer.clone();
    let cell = lying.cells[1].as_mut().unwrap();
    cell.portals = DirectionSet::from_bits(8);
    cell.height += 9;
    let joined = join(&field.grid, &[lying], &params);
    joined.field.check().unwrap();
    // Lowered to one step, it keeps its neighbours.
    assert_eq!((joined.field.floor[1], joined.open_steps), (joined.field.floor[0] + 1, 1));
    let mut lying = layer;
    lying.cells[1].as_mut().unwrap().height += 9;
    let joined = join(&field.grid, &[lying], &params);
    joined.field.check().unwrap();
    assert_eq!(joined.open_steps, 6, "three steps, each from both ends");
}

proptest! {
    #[test]
    fn joined_fields_are_sound(field in field(), max_range in prop_oneof![Just(u32::MAX), 0..9u32]) {
        let layers = run(&field, &Params { max_range }, &mut Context::new()).unwrap();
        let params = JoinParams { walkable_height: field.walkable_height, walkable_climb: field.walkable_climb };
        let Joined { field: again, doubled, .. } = join(&field.grid, &layers, &params);
        again.check().unwrap();
        let cells: usize = layers.iter().map(|layer| layer.cells.iter().flatten().count()).sum();
        prop_assert_eq!(again.len() + doubled, cells);
    }
}
