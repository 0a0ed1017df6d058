//! Many copies of a level next to each other.

use recast::Level;

/// `nx` by `nz` copies of a level along x and z, each next to the previous: for levels of any size.
pub fn repeat(level: &Level, nx: u32, nz: u32) -> Level {
    let extent = |axis: usize| {
        let values = || level.vertices.iter().map(|v| v[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let (width, depth) = (extent(0), extent(2));
    let mut whole = Level::default();
    for row in 0..nz {
        for column in 0..nx {
            let (dx, dz) = (f64::from(column) * width, f64::from(row) * depth);
            let first = whole.vertices.len() as u32;
            whole.vertices.extend(level.vertices.iter().map(|[x, y, z]| [x + dx, *y, z + dz]));
            whole.triangles.extend(level.triangles.iter().map(|triangle| triangle.map(|v| first + v)));
            whole.areas.extend_from_slice(&level.areas);
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_side_by_side() {
        let one = (crate::small::PLANE.level)();
        let six = repeat(&one, 3, 2);
        assert_eq!((six.triangles.len(), six.areas.len()), (12, 12));
        let far = six.vertices.iter().fold([0.0f64; 2], |m, v| [m[0].max(v[0]), m[1].max(v[2])]);
        assert_eq!(far, [30.0, 20.0]);
        assert!(repeat(&one, 0, 5).triangles.is_empty());
    }
}
