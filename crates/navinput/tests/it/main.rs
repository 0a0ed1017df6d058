//! Readers take memory that grows with their input: each gets the worst known family of files, twice as long
//! the second time. Allocated bytes are counted, not time.

#[path = "../../../navtile/tests/it/allocations.rs"]
mod allocations;
#[cfg(feature = "draco")]
mod draco;
mod obj;

use allocations::allocations_of;

/// Checks that reading a file of a family allocates at most `most` bytes for each of its own, at any size.
fn grows_with_its_input(family: impl Fn(usize) -> String, most: usize, read: impl Fn(&[u8])) {
    for count in [2_000, 4_000] {
        let text = family(count);
        let ((), _, taken) = allocations_of(|| read(text.as_bytes()));
        assert!(taken <= most * text.len(), "{taken} bytes for {} of {count} entries", text.len());
    }
}

#[test]
fn a_long_name_over_many_polygons() {
    let polygons = |count: usize| {
        let ring = "[[[0,0],[1,0],[0,1],[0,0]]]";
        let rings = vec![ring; count].join(",");
        let name = "n".repeat(20 * count);
        format!(
            r#"{{"type":"Feature","properties":{{"name":"{name}"}},"geometry":{{"type":"MultiPolygon","coordinates":[{rings}]}}}}"#
        )
    };
    grows_with_its_input(polygons, 60, |bytes| drop(navinput::read_geojson(bytes, &[]).unwrap()));
}

#[test]
fn many_entries_of_settings() {
    let entries =
        |count: usize| "[[off_mesh]]\nstart=[0,0,0]\nend=[1,1,1]\nradius=1\narea=\"ground\"\n".repeat(count);
    let read = |bytes: &[u8]| drop(navinput::read_settings(std::str::from_utf8(bytes).unwrap()).unwrap());
    grows_with_its_input(entries, 100, read);
}

#[test]
fn many_problems_of_settings() {
    let keys = |count: usize| (0..count).map(|key| format!("radiu_{key} = 1\n")).collect();
    let read = |bytes: &[u8]| {
        drop(navinput::read_settings(std::str::from_utf8(bytes).unwrap()).unwrap_err());
    };
    grows_with_its_input(keys, 500, read);
}

#[test]
fn many_rows_of_a_geometry_set() {
    let rows = |count: usize| format!("f a.obj\n{}", "c 0 0 0 1 1 1 1 1 5 8\n".repeat(count));
    grows_with_its_input(rows, 100, |bytes| drop(navinput::read_gset(bytes).unwrap()));
    let wrong = |count: usize| format!("f a.obj\n{}", "c 0 0 x\n".repeat(count));
    grows_with_its_input(wrong, 200, |bytes| drop(navinput::read_gset(bytes).unwrap_err()));
}
