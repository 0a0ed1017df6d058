//! A layer of a heightfield: at most one floor per column.

use super::NONE;
use super::group::Bounds;
use navmath::{Digest, Hasher};
use navtile::area::AreaId;
use recast::data::compact::state::Eroded;
use recast::data::{Broken, CompactField, Direction, Grid};
use recast::inside::data::require;

/// A set of directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DirectionSet(u8);

impl DirectionSet {
    /// Returns true if it contains `direction`.
    #[inline]
    pub fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Adds `direction`.
    #[inline]
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction as u8;
    }

    /// The directions whose bits are set: bit i for direction i. Bits 4 to 7 are ignored.
    #[inline]
    pub fn from_bits(bits: u8) -> DirectionSet {
        DirectionSet(bits & 15)
    }

    /// Bit i for direction i.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }
}

/// A floor of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCell {
    /// Height above the layer's lowest floor, cells. If a portal leads to a higher floor, that floor's
    /// height, so that both sides of the portal agree.
    pub height: u32,
    /// Area of the floor; walkable.
    pub area: AreaId,
    /// Directions in which an agent can step to a floor of this layer.
    pub connections: DirectionSet,
    /// Directions in which an agent can step to a walkable floor of another layer, or of the tile's border.
    pub portals: DirectionSet,
}

/// A rectangle of cells, including all four bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRectangle {
    /// Smallest x.
    pub min_x: u32,
    /// Largest x.
    pub max_x: u32,
    /// Smallest z.
    pub min_z: u32,
    /// Largest z.
    pub max_z: u32,
}

/// A layer: a rectangle of cells, each with a floor or without.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightfieldLayer {
    /// The tile without its border: the rectangle that all layers of a tile have.
    pub grid: Grid,
    /// Height of the lowest floor, cells above the lattice's zero.
    pub min_height: i32,
    /// Height of the highest floor, cells above the lattice's zero.
    pub max_height: i32,
    /// The part of the grid that holds floors.
    pub used: CellRectangle,
    /// The floor at each column, by [`Grid::column`] of the layer's grid.
    pub cells: Vec<Option<LayerCell>>,
}

impl HeightfieldLayer {
    /// The floor at (x, z), which must be within the grid.
    #[inline]
    pub fn cell(&self, x: u32, z: u32) -> Option<&LayerCell> {
        self.cells[self.grid.column(x, z)].as_ref()
    }

    /// Checks the invariants: one cell per column; floors walkable, no lower than the lowest, and no higher
    /// than the highest unless they have a portal; connections lead to floors, and never where a portal
    /// leads; the part that holds floors is minimal.
    pub fn check(&self) -> Result<(), Broken> {
        let grid = &self.grid;
        require(grid.border == 0, || "a layer has no border".into())?;
        require(self.cells.len() == grid.columns(), || "one cell per column".into())?;
        require(self.min_height <= self.max_height, || "the heights cross".into())?;
        let range = self.max_height.abs_diff(self.min_height);
        let mut used = UsedCells::default();
        for z in 0..grid.depth {
            for x in 0..grid.width {
                let Some(cell) = self.cell(x, z) else { continue };
                used.add(x, z);
                require(cell.area.is_walkable(), || format!("cell ({x}, {z}) has no area"))?;
                let within = cell.height <= range || cell.portals != DirectionSet::default();
                require(within, || format!("cell ({x}, {z}) has height {} of {range}", cell.height))?;
                let apart = cell.connections.bits() & cell.portals.bits() == 0;
                require(apart, || format!("cell ({x}, {z}): a portal is a connection"))?;
                for direction in Direction::ALL.into_iter().filter(|&d| cell.connections.contains(d)) {
                    let beside = grid.neighbour(x, z, direction).and_then(|(x, z)| self.cell(x, z));
                    require(beside.is_some(), || {
                        format!("cell ({x}, {z}): {direction:?} leads to no floor of the layer")
                    })?;
                }
            }
        }
        require(used.0 == Some(self.used), || format!("floors fill {:?}, not {:?}", used.0, self.used))
    }

    /// Hash of the whole layer.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        self.grid.write(&mut hasher);
        let CellRectangle { min_x, max_x, min_z, max_z } = self.used;
        hasher.write_i32s(&[self.min_height, self.max_height]).write_u32s(&[min_x, max_x, min_z, max_z]);
        for cell in &self.cells {
            match cell {
                None => hasher.write_u8s(&[0]),
                Some(LayerCell { height, area, connections, portals }) => {
                    hasher.write_u8s(&[1, area.0, connections.bits(), portals.bits()]).write_u32s(&[*height])
                }
            };
        }
        hasher.finish()
    }
}

/// The smallest rectangle around cells.
#[derive(Clone, Copy, Default)]
struct UsedCells(Option<CellRectangle>);

impl UsedCells {
    fn add(&mut self, x: u32, z: u32) {
        let old = self.0.unwrap_or(CellRectangle { min_x: x, max_x: x, min_z: z, max_z: z });
        self.0 = Some(CellRectangle {
            min_x: old.min_x.min(x),
            max_x: old.max_x.max(x),
            min_z: old.min_z.min(z),
            max_z: old.max_z.max(z),
        });
    }
}

/// Cuts the field into layers; `layer_of` has the layer of each span, `bounds` the heights of each layer.
pub(super) fn cut(
    field: &CompactField<Eroded>,
    layer_of: &[u32],
    bounds: &[Bounds],
) -> Vec<HeightfieldLayer> {
    let Some(grid) = inner_grid(&field.grid) else { return Vec::new() };
    let mut cells = vec![vec![None; grid.columns()]; bounds.len()];
    let mut used = vec![UsedCells::default(); bounds.len()];
    let border = field.grid.border;
    for z in 0..grid.depth {
        for x in 0..grid.width {
            for span in field.column(field.grid.column(x + border, z + border)) {
                let layer = layer_of[span];
                if layer == NONE {
                    continue;
                }
                let slot = layer as usize;
                used[slot].add(x, z);
                cells[slot][grid.column(x, z)] = Some(cell(field, layer_of, span, bounds[slot][0]));
            }
        }
    }
    let layer = |((cells, used), &[min_height, max_height]): ((_, UsedCells), &Bounds)| {
        used.0.map(|used| HeightfieldLayer { grid, min_height, max_height, used, cells })
    };
    // Every layer has a region, and every region has a span, so no layer is left out.
    cells.into_iter().zip(used).zip(bounds).filter_map(layer).collect()
}

/// The grid without its border; `None` if nothing remains.
fn inner_grid(grid: &Grid) -> Option<Grid> {
    let inner = |size: u32| size.checked_sub(2 * grid.border).filter(|&size| size > 0);
    Some(Grid {
        width: inner(grid.width)?,
        depth: inner(grid.depth)?,
        border: 0,
        base_x: grid.base_x + grid.border as i32,
        base_z: grid.base_z + grid.border as i32,
        ..*grid
    })
}

/// The cell of a span in its layer, whose lowest floor is `lowest`.
fn cell(field: &CompactField<Eroded>, layer_of: &[u32], span: usize, lowest: i32) -> LayerCell {
    let mut cell = LayerCell {
        height: field.floor[span].abs_diff(lowest),
        area: field.area[span],
        connections: DirectionSet::default(),
        portals: DirectionSet::default(),
    };
    for direction in Direction::ALL {
        let Some(beside) = field.neighbour(span, direction) else { continue };
        if !field.area[beside].is_walkable() {
            continue;
        }
        if layer_of[beside] == layer_of[span] {
            cell.connections.insert(direction);
        } else {
            cell.portals.insert(direction);
            if field.floor[beside] > lowest {
                cell.height = cell.height.max(field.floor[beside].abs_diff(lowest));
            }
        }
    }
    cell
}
