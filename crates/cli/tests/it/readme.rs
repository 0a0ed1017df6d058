//! The README's example is compiled here, and does what the README says.

use crate::readme_example::find_route;
use navtile_benches::assets;

#[test]
fn the_readme_shows_the_example() {
    let example = include_str!("readme_example.rs");
    let (_, code) = example.split_once("\n\n").unwrap();
    let readme = std::fs::read_to_string(assets().join("../README.md")).unwrap();
    assert!(
        readme.contains(&format!("```rust\n{code}```")),
        "README.md must show crates/cli/tests/it/readme_example.rs as it is"
    );
}

#[test]
fn the_example_finds_a_route() {
    let obj = std::fs::read(assets().join("courtyard.obj")).unwrap();
    let route = find_route(&obj, [2.5, 0.0, 2.5], [25.8, 3.0, 28.3]).unwrap();
    assert_eq!(route.reason(), None);
    // As the crow flies it is 35 m; up the ramp, over the terrace and the bridge it is a little more.
    assert!(route.length > 35.0 && route.length < 60.0, "{} m", route.length);
}
