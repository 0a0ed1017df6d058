//! The links that are chosen, on levels small enough to know the result.

use super::{Subject, bake, links, whole_links};
use navscenes::build::{Builder, rect};
use recast::{AreaId, Level, LinkKind, LinkProfile, PreparedLevel, Settings};

/// Two platforms 3 m high, `gap` metres apart, above nothing.
fn platforms(gap: f64) -> Builder {
    let mut builder = Builder::new();
    builder.block([0.0, 0.0, 0.0], [6.0, 3.0, 9.0]).block([6.0 + gap, 0.0, 0.0], [12.0 + gap, 3.0, 9.0]);
    builder
}

fn counts_with(level: Level, change: impl Fn(&mut LinkProfile)) -> [usize; 3] {
    let mut subject = Subject::new("small", level, Settings::default());
    subject.settings.links.iter_mut().for_each(change);
    let found = links(&bake(&subject.prepared(), 0));
    [LinkKind::Drop, LinkKind::Jump, LinkKind::Climb]
        .map(|kind| found.iter().filter(|(other, _)| *other == kind).count())
}

fn counts(level: Level) -> [usize; 3] {
    counts_with(level, |_| {})
}

#[test]
fn gaps_are_jumped_as_far_as_the_profile_says() {
    let [drops, jumps, climbs] = counts(platforms(2.4).finish());
    assert_eq!((drops, climbs), (0, 0));
    // Nine metres, less the margins.
    assert!((1..=4).contains(&jumps), "{jumps}");
    assert_eq!(counts(platforms(4.2).finish()), [0; 3]);
    let further = |profile: &mut LinkProfile| profile.distance = profile.distance.map(|_| [0.0, 4.5]);
    assert!(counts_with(platforms(4.2).finish(), further)[1] >= 1);
}

#[test]
fn a_gap_is_one_link_along_all_of_its_edges() {
    // A block in the middle of one edge, which no jump leads through.
    for (block, expected) in [(None, 1), (Some([6.0, 3.0, 4.0]), 2)] {
        let mut level = platforms(2.4);
        if let Some([x, y, z]) = block {
            level.block([x, y, z], [x + 2.4, y + 4.0, z + 1.0]);
        }
        let subject = Subject::new("gap", level.finish(), Settings::default());
        let links = whole_links(&subject.prepared(), 0);
        let cell = subject.settings.cell_size;
        let widths: Vec<f64> = links.iter().map(|link| (link.run.len() - 1) as f64 * cell).collect();
        assert_eq!(links.len(), expected, "{widths:?}");
        for link in &links {
            let [first, last] = [link.run[0].cells, link.run[link.run.len() - 1].cells];
            assert_eq!((first[0][0], first[1][0]), (last[0][0], last[1][0]), "along z");
            assert!(link.run.array_windows().all(|[a, b]| b.cells[0][2] - a.cells[0][2] == 1));
            let along = (last[0][2] - first[0][2]) as f64 * cell;
            assert!((link.connection.along[1] - along).abs() < 1e-9 && link.connection.along[0] == 0.0);
        }
        // Nine metres, less the margins at both ends, and about the block.
        let least = [6.5, 4.0][expected - 1];
        assert!(widths.iter().sum::<f64>() > least, "{widths:?}");
    }
}

#[test]
fn nothing_leads_through_walls_or_under_ceilings() {
    let mut wall = platforms(1.2);
    // Thinner than a cell.
    wall.block([6.6, 0.0, 0.0], [6.62, 8.0, 9.0]);
    assert_eq!(counts(wall.finish())[1], 0);
    let mut low = platforms(1.2);
    low.area(AreaId(0)).block([0.0, 5.1, 0.0], [13.2, 5.3, 9.0]);
    assert_eq!(counts(low.finish())[1], 0, "the arc rises to the ceiling");
    let mut high = platforms(1.2);
    high.area(AreaId(0)).block([0.0, 6.1, 0.0], [13.2, 6.3, 9.0]);
    assert!(counts(high.finish())[1] >= 1);
    let mut fence = platforms(1.2);
    fence.block([6.5, 0.0, 0.0], [6.7, 3.3, 9.0]);
    assert!(counts(fence.finish())[1] >= 1, "the arc is above a low fence");
}

#[test]
fn agents_without_a_radius_do_not_jump_through_walls() {
    // A knight's move passes between the middles of columns: a wall in any column of the gap blocks it.
    for wall in [6.1, 6.4, 6.7, 7.0] {
        let jumps = |is_there: bool| {
            let mut level = platforms(1.2);
            if is_there {
                level.block([wall, 0.0, 0.0], [wall + 0.02, 8.0, 9.0]);
            }
            let mut subject = Subject::new("wall", level.finish(), Settings::default());
            subject.settings.agent_radius = 0.0;
            links(&bake(&subject.prepared(), 0)).len()
        };
        assert_eq!(jumps(true), 0, "a wall at {wall}");
        assert!(jumps(false) >= 1);
    }
}

#[test]
fn jumps_in_both_directions_are_one_link() {
    let subject = |both_ways, height| {
        let mut subject = Subject::new("gap", platforms(1.2).finish(), Settings::default());
        subject.settings.links.retain(|profile| profile.kind == LinkKind::Jump);
        subject.settings.links[0].both_ways = both_ways;
        subject.settings.links[0].height = height;
        links(&bake(&subject.prepared(), 0))
    };
    let (both, single) = (subject(true, [1.0, 1.0]), subject(false, [1.0, 1.0]));
    assert!(both.iter().all(|(_, link)| link.both_ways) && single.iter().all(|(_, link)| !link.both_ways));
    assert_eq!(2 * both.len(), single.len());
}

/// Ground with a block of this height in its middle.
fn ledge(height: f64) -> Builder {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 20.0, 20.0), 0.0).block([6.0, 0.0, 6.0], [14.0, height, 14.0]);
    builder
}

#[test]
fn ledges_are_dropped_off_and_climbed_within_their_heights() {
    let [drops, jumps, climbs] = counts(ledge(1.1).finish());
    assert_eq!(jumps, 0);
    // 32 m of edge less the corners.
    assert!((4..=24).contains(&drops) && (4..=24).contains(&climbs), "{drops} {climbs}");
    let [drops, _, climbs] = counts(ledge(3.0).finish());
    assert!(drops >= 4 && climbs == 0, "{drops} {climbs}");
    assert_eq!(counts(ledge(7.0).finish()), [0; 3]);
}

#[test]
fn one_is_enough_within_the_spacing() {
    let drops = |spacing| {
        let change = |profile: &mut LinkProfile| (profile.worth, profile.spacing) = (1.0, spacing);
        counts_with(ledge(3.0).finish(), change)[0]
    };
    let all = [0.0, 1.0, 2.0, 8.0].map(drops);
    // With any spacing the sides are edges that can be crossed anywhere; the corners are not.
    assert!(all.is_sorted_by(|a, b| a >= b) && all[0] > all[1] && all[1] > all[3], "{all:?}");
    assert!(all[3] >= 1 && all[3] <= 6, "{all:?}");
}

#[test]
fn links_are_worth_it() {
    use navscenes::build::Up;
    // A path up at one side only.
    let mut level = ledge(1.8);
    level.ramp(rect(1.0, 8.0, 6.0, 12.0), Up::XMax, -0.5, 0.0, 1.8);
    let level = level.finish();
    let near_ramp = |worth| {
        let mut subject = Subject::new("ramp", level.clone(), Settings::default());
        subject.settings.links.iter_mut().for_each(|profile| profile.worth = worth);
        let all = links(&bake(&subject.prepared(), 0));
        let near = all.iter().filter(|(_, link)| link.start[0] < 7.5).count();
        (near, all.len())
    };
    let ((near_1, all_1), (near_3, all_3), (near_100, all_100)) =
        (near_ramp(1.0), near_ramp(3.0), near_ramp(100.0));
    assert!(near_3 < near_1 && all_3 < all_1, "{near_3} of {all_3}, {near_1} of {all_1}");
    assert_eq!((near_100, all_100), (0, 0), "everything can be walked");
    assert!(all_3 > near_3, "the far side is worth a drop");
}

#[test]
fn faults_of_profiles_are_all_reported() {
    let mut profile = LinkProfile::new(LinkKind::Jump);
    profile.distance = Some([4.0, 3.0]);
    profile.height = [-1.0, 1.0];
    profile.arc = f64::NAN;
    profile.gravity = 0.0;
    profile.worth = 0.5;
    profile.spacing = -1.0;
    profile.area = AreaId(0);
    let settings = Settings { links: vec![profile], ..Settings::default() };
    let fields: Vec<String> = settings.validate().unwrap_err().into_iter().map(|error| error.field).collect();
    let expected = ["distance", "height", "arc", "gravity", "worth", "spacing", "area"]
        .map(|name| format!("links[0].{name}"));
    assert_eq!(fields, expected);
    let long = LinkProfile { distance: Some([0.0, 100.0]), ..LinkProfile::new(LinkKind::Jump) };
    let error = Settings { links: vec![long], ..Settings::default() }.validate().unwrap_err();
    assert!(error[0].expected.starts_with("at most 255 cells"), "{error:?}");
}

#[test]
fn bakes_without_profiles_have_no_links() {
    let level = PreparedLevel::new(&ledge(1.1).finish(), &Settings::default()).unwrap();
    let tiles = bake(&level, 24);
    assert!(tiles.iter().all(|baked| baked.ground.is_none() && baked.tile.off_mesh_links().is_empty()));
}
