//! Measure 2, conservation: twice the area of a region's polygons compared with that of its simplified
//! contours, minus holes, in integers. Units: cells out. Cost: O(corners + floors).

use super::bake::MeasuredBake;
use super::worst::{Spot, worst};
use navmath::FIXED_ONE;
use recast::data::in_cells;

/// The result of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conservation {
    /// Regions compared. A tile with a polygon of several regions (a vertex of its border was removed) is
    /// compared as a single region.
    pub regions: usize,
    /// Regions whose polygons have another area than their contours.
    pub differing: usize,
    /// Sum of the absolute differences, cells squared.
    pub difference: f64,
    /// The worst places; value: difference, cells squared.
    pub worst: Vec<Spot>,
    /// Area of the polygons minus the area of the floors in regions, cells squared.
    pub over_floors: f64,
}

/// A region: twice the area of its contours and of its polygons, and its place.
#[derive(Clone, Copy, Default)]
struct Region {
    contours: i128,
    polygons: i128,
    at: Option<[i32; 3]>,
}

/// Measures all bakes of a level.
pub fn measure(bakes: &[MeasuredBake]) -> Conservation {
    let mut found = Conservation::default();
    let mut spots = Vec::new();
    for bake in bakes {
        let [x, z] = bake.inner_corner();
        let regions = regions(bake);
        let polygons: i128 = regions.iter().map(|region| region.polygons).sum();
        found.over_floors += cells(polygons) - floors(bake) as f64;
        for region in regions {
            found.regions += 1;
            let difference = cells((region.polygons - region.contours).abs());
            if difference > 0.0 {
                found.differing += 1;
                found.difference += difference;
                let at = in_cells(region.at.unwrap_or_default());
                let cells = [at[0] + f64::from(x), at[1], at[2] + f64::from(z)];
                spots.push(Spot { value: difference, cells });
            }
        }
    }
    found.worst = worst(spots);
    found
}

/// An area in cells, from twice the area in squares of 1/256 cell.
fn cells(area2: i128) -> f64 {
    area2 as f64 / f64::from(2 * FIXED_ONE * FIXED_ONE)
}

/// The regions of a bake that have contours or polygons. A single one for all if a polygon belongs to
/// several.
fn regions(bake: &MeasuredBake) -> Vec<Region> {
    let mesh = &bake.poly_mesh;
    let mixed = mesh.polygons.iter().any(|polygon| polygon.region.is_none());
    let slot = |index: usize| if mixed { 0 } else { index };
    let mut regions = vec![Region::default(); bake.regions.count as usize + 1];
    for contour in &bake.contours {
        let region = &mut regions[slot(contour.region.index())];
        region.contours += contour.area2;
        region.at.get_or_insert(contour.at);
    }
    for polygon in &mesh.polygons {
        let region = &mut regions[slot(polygon.region.map_or(0, |region| region.index()))];
        region.polygons += mesh.polygon_area2(polygon);
        region.at.get_or_insert(mesh.vertices[mesh.polygon_corners(polygon)[0] as usize]);
    }
    regions.retain(|region| region.at.is_some());
    regions
}

/// Number of floors in regions; floors of the border do not belong to any.
fn floors(bake: &MeasuredBake) -> usize {
    bake.regions.region.iter().filter(|region| region.is_inner()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::testing::box_bake;

    #[test]
    fn a_sound_bake_conserves_area() {
        let found = measure(&[box_bake()]);
        assert_eq!((found.regions, found.differing), (1, 0));
        assert_eq!((found.difference, found.over_floors), (0.0, 0.0));
    }

    #[test]
    fn a_lost_polygon_is_seen_in_its_region() {
        let mut bake = box_bake();
        let lost = bake.poly_mesh.polygons.pop().unwrap();
        let area = cells(bake.poly_mesh.polygon_area2(&lost));
        let found = measure(&[bake]);
        assert_eq!((found.regions, found.differing), (1, 1));
        assert_eq!((found.difference, found.over_floors), (area, -area));
        assert_eq!(found.worst.len(), 1);
    }

    #[test]
    fn a_hole_that_is_walked_over_is_seen() {
        let mut bake = box_bake();
        let hole = bake.contours[0];
        bake.contours.push(crate::quality::bake::ContourArea {
            area2: -6 * i128::from(FIXED_ONE * FIXED_ONE),
            ..hole
        });
        assert_eq!(measure(&[bake]).difference, 3.0);
    }

    #[test]
    fn polygons_of_several_regions_are_compared_as_one() {
        let mut bake = box_bake();
        bake.poly_mesh.polygons[0].region = None;
        let found = measure(&[bake]);
        assert_eq!((found.regions, found.differing), (1, 0));
    }
}
