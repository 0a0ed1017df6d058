//! Areas marked by the C++ library, for volumes of the shapes it knows.

use super::{ReferenceError, Space};
use recast::{PreparedLevel, Shape};
use recastnavigation_rs::recast as cpp;

/// Marks the level's volumes, then filters by the median if the settings ask for it. The field's corner must
/// be in the coordinates of `space`.
pub(crate) fn mark(
    context: &mut cpp::RcContext,
    field: &mut cpp::RcCompactHeightfield,
    prepared: &PreparedLevel,
    space: Space,
) -> Result<(), ReferenceError> {
    let place = |point: [f64; 3]| match space {
        Space::Lattice => prepared.lattice.to_local(point),
        Space::World => point.map(|value| value as f32),
    };
    for volume in &prepared.config.settings.volumes {
        let area = volume.area.0;
        match &volume.shape {
            Shape::Box { min, max } => {
                cpp::rc_mark_box_area(context, &place(*min), &place(*max), area, field);
            }
            Shape::Prism { outline, bottom, top } => {
                let corners: Vec<[f32; 3]> = outline.iter().map(|&[x, z]| place([x, *bottom, z])).collect();
                let (bottom, top) = (place([0.0, *bottom, 0.0])[1], place([0.0, *top, 0.0])[1]);
                cpp::rc_mark_convex_poly_area(context, &corners, bottom, top, area, field);
            }
            Shape::Cylinder { base, radius, height } => {
                let (radius, height) = (*radius as f32, *height as f32);
                cpp::rc_mark_cylinder_area(context, &place(*base), radius, height, area, field);
            }
            Shape::RotatedBox { .. } => return Err(ReferenceError::Shape("rotated box")),
            Shape::Capsule { .. } => return Err(ReferenceError::Shape("capsule")),
        }
    }
    if prepared.config.settings.median_filter {
        cpp::rc_median_filter_walkable_area(context, field)
            .map_err(|_| ReferenceError::Failed("rcMedianFilterWalkableArea"))?;
    }
    Ok(())
}
