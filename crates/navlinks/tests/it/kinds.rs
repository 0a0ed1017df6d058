//! Ladders, and jumps by their speed.

use super::body::{Cylinder, near, triangles, way};
use super::{Subject, bake, links};
use navscenes::build::{Builder, rect};
use recast::{AreaId, LinkKind, LinkProfile, Settings, Shape, Volume};

const LADDER: AreaId = AreaId(9);
/// The height of the ledge, metres.
const TOP: f64 = 5.0;

/// Ground, a block with a ladder in front of its side of smallest x, and anything that `more` adds.
fn subject(ladder: bool, more: impl Fn(&mut Builder)) -> Subject {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 20.0, 20.0), 0.0).block([8.0, 0.0, 4.0], [16.0, TOP, 16.0]);
    if ladder {
        builder.area(LADDER).block([7.8, 0.0, 9.7], [7.9, TOP, 10.3]);
    }
    builder.area(AreaId::GROUND);
    more(&mut builder);
    let mut subject = Subject::new("ladder", builder.finish(), Settings::default());
    let ladder = LinkProfile { surface: Some(LADDER), ..LinkProfile::new(LinkKind::Ladder) };
    subject.settings.links = vec![ladder];
    subject
}

fn count(subject: &Subject) -> usize {
    let mut found = links(&bake(&subject.prepared(), 0));
    let count = found.len();
    for tile_cells in [24, 37] {
        let of_tiles = links(&bake(&subject.prepared(), tile_cells));
        // Edges are cut at the ends of polygons, which are different in tiles.
        assert_eq!(of_tiles.is_empty(), found.is_empty(), "in tiles");
        found.extend(of_tiles);
    }
    for (kind, link) in &found {
        assert_eq!(*kind, LinkKind::Ladder);
        let [low, high] = [link.start, link.end];
        assert!(low[1] < 0.5 && (high[1] - TOP).abs() < 0.5 && low[0] < 7.8 && high[0] > 8.0, "{link:?}");
        assert!((low[2] - 10.0).abs() < 0.8 && (high[2] - 10.0).abs() < 0.8, "{link:?}");
    }
    count
}

#[test]
fn ladders_are_climbed_where_they_stand() {
    let subject = subject(true, |_| {});
    assert!((1..=2).contains(&count(&subject)));
    let both = links(&bake(&subject.prepared(), 0));
    assert!(both.iter().all(|(_, link)| link.both_ways));
    let body = Cylinder::of(&subject, 0.5f64.sqrt());
    let all = triangles(&subject);
    let others: Vec<_> = all
        .into_iter()
        .zip(&subject.level.areas)
        .filter(|(_, area)| **area != LADDER)
        .map(|(t, _)| t)
        .collect();
    for (kind, link) in &both {
        let near = near(&others, link.start, link.end, body.radius);
        assert!(body.hits(&way(&subject, *kind, link, &body), &near, 1e-3).is_none(), "{link:?}");
    }
    let mut lower = subject;
    lower.settings.links[0].height = [0.5, 4.0];
    assert_eq!(count(&lower), 0, "higher than the profile allows");
    assert_eq!(count(&self::subject(false, |_| {})), 0, "no ladder");
}

#[test]
fn volumes_mark_ladders() {
    let mut subject = subject(false, |_| {});
    let shape = Shape::Box { min: [7.7, 0.0, 9.7], max: [7.95, TOP, 10.3] };
    subject.settings.volumes = vec![Volume { shape, area: LADDER }];
    assert!((1..=2).contains(&count(&subject)));
    let shape = Shape::Box { min: [7.7, 2.5, 9.7], max: [7.95, TOP, 10.3] };
    subject.settings.volumes = vec![Volume { shape, area: LADDER }];
    assert_eq!(count(&subject), 0, "it begins too high above the ground");
}

#[test]
fn other_surfaces_are_in_the_way_of_ladders() {
    let roof = |builder: &mut Builder| {
        builder.area(AreaId(0)).block([5.0, 3.0, 8.0], [7.7, 3.2, 12.0]);
    };
    assert_eq!(count(&subject(true, roof)), 0);
    let rails = |builder: &mut Builder| {
        builder.area(LADDER).block([7.8, TOP, 9.7], [7.9, TOP + 1.0, 10.3]);
    };
    assert!(count(&subject(true, rails)) >= 1, "rails are part of the ladder");
}

/// Two platforms 3 m high, 2.4 m apart, below a ceiling.
fn jumps(speed: Option<f64>, ceiling: f64) -> usize {
    let mut builder = Builder::new();
    builder.block([0.0, 0.0, 0.0], [6.0, 3.0, 9.0]).block([8.4, 0.0, 0.0], [14.4, 3.0, 9.0]);
    builder.area(AreaId(0)).block([0.0, ceiling, 0.0], [14.4, ceiling + 0.2, 9.0]);
    let mut subject = Subject::new("gap", builder.finish(), Settings::default());
    subject.settings.links = vec![LinkProfile { speed, ..LinkProfile::new(LinkKind::Jump) }];
    links(&bake(&subject.prepared(), 0)).len()
}

#[test]
fn jumps_reach_as_far_as_their_speed() {
    // Feet take off 1 m before the edges and land 1 m behind: 4.5 m need 6.7 m/s.
    assert_eq!(jumps(Some(6.0), 9.0), 0);
    assert!(jumps(Some(7.0), 9.0) >= 1);
    // At 7 m/s an arc is 0.7 m high, at 12 m/s 0.2 m.
    assert_eq!(jumps(Some(7.0), 5.4), 0);
    assert!(jumps(Some(12.0), 5.4) >= 1);
    assert_eq!(jumps(None, 5.4), 0, "0.5 m");
}

#[test]
fn faults_of_speeds_and_surfaces_are_reported() {
    let fields = |profile: LinkProfile| -> Vec<String> {
        let settings = Settings { links: vec![profile], ..Settings::default() };
        let errors = settings.validate().err().unwrap_or_default();
        errors.into_iter().map(|error| error.field).collect()
    };
    let fast = LinkProfile { speed: Some(1e3), gravity: -1.0, ..LinkProfile::new(LinkKind::Jump) };
    assert_eq!(fields(fast), ["links[0].speed", "links[0].gravity"]);
    assert_eq!(fields(LinkProfile::new(LinkKind::Ladder)), ["links[0].surface"]);
    let wrong = LinkProfile { speed: Some(5.0), surface: Some(LADDER), ..LinkProfile::new(LinkKind::Drop) };
    assert_eq!(fields(wrong), ["links[0].speed", "links[0].surface"]);
    let ground = LinkProfile { surface: Some(AreaId::GROUND), ..LinkProfile::new(LinkKind::Ladder) };
    assert_eq!(fields(ground), ["links[0].surface"]);
}
