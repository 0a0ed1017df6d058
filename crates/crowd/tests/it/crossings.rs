//! Agents that cross each other's way.

use crate::common::{baked, run, trial, walk};
use navscenes::build::{Builder, rect};
use recast::Settings;

#[test]
fn two_that_reach_a_crossing_at_the_same_moment_hardly_wait() {
    for width in [1.6, 2.2, 4.0] {
        let half = width / 2.0;
        let mut builder = Builder::new();
        builder.floor(rect(-12.0, -half, 12.0, half), 0.0).floor(rect(-half, -12.0, half, 12.0), 0.0);
        let mesh = baked(builder, &Settings { agent_radius: 0.3, cell_size: 0.1, ..Settings::default() });
        // From the left, from the right, and with a small lead.
        for (from, to) in
            [([10.0, 0.0], [-10.0, 0.0]), ([-10.0, 0.0], [10.0, 0.0]), ([10.2, 0.0], [-10.0, 0.0])]
        {
            let walks = [walk(&mesh, [0.0, -10.0], [0.0, 10.0]), walk(&mesh, from, to)];
            let report = run(&mut trial(&mesh, &walks), &mesh, 60.0);
            assert_eq!(report.arrived, 2, "{width} m from {from:?}: {report:?}");
            assert!(report.p95_delay < 1.5, "{width} m from {from:?}: {report:?}");
        }
    }
}
