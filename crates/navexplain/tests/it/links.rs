//! Explanations of missing links: each cause, on levels small enough to know.

use navexplain::{Reason, ReasonCode, explain_link, explain_links_from};
use navscenes::build::{Builder, Up, rect};
use recast::{AreaId, LinkKind, LinkProfile, PreparedLevel, Scratch, Settings, Silent};

fn prepared(builder: Builder, profiles: &[LinkProfile]) -> PreparedLevel {
    let settings = Settings { links: profiles.to_vec(), ..Settings::default() };
    PreparedLevel::new(&builder.finish(), &settings).unwrap()
}

/// The reason for the only profile of a level.
fn why(builder: Builder, profile: LinkProfile, ends: [[f64; 3]; 2]) -> Reason {
    let level = prepared(builder, &[profile]);
    let mut explained = explain_link(&level, ends, &Silent, &mut Scratch::new()).unwrap();
    assert_eq!(explained.len(), 1);
    let reason = explained.remove(0).reason;
    assert!(!reason.to_string().is_empty());
    reason
}

/// Two platforms 3 m high, `gap` metres apart.
fn platforms(gap: f64) -> Builder {
    let mut builder = Builder::new();
    builder.block([0.0, 0.0, 0.0], [6.0, 3.0, 9.0]).block([6.0 + gap, 0.0, 0.0], [12.0 + gap, 3.0, 9.0]);
    builder
}

fn jump() -> LinkProfile {
    LinkProfile::new(LinkKind::Jump)
}

/// Places next to the edges of the platforms.
fn across(gap: f64) -> [[f64; 3]; 2] {
    [[5.0, 3.0, 4.5], [7.0 + gap, 3.0, 4.5]]
}

/// Ground with a block in its middle.
fn ledge(height: f64) -> Builder {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 20.0, 20.0), 0.0).block([6.0, 0.0, 6.0], [14.0, height, 14.0]);
    builder
}

const OFF: [[f64; 3]; 2] = [[6.9, 3.0, 10.0], [5.0, 0.0, 10.0]];

#[test]
fn distance_height_and_borders_are_reported() {
    let far = why(platforms(4.2), jump(), across(4.2));
    assert_eq!((far.code, far.limit), (ReasonCode::Distance(0.0), Some(3.0)));
    assert!(far.found.is_some_and(|found| (3.0..4.5).contains(&found)), "{far:?}");
    let low = LinkProfile { height: [0.5, 2.0], ..LinkProfile::new(LinkKind::Drop) };
    let high = why(ledge(3.0), low, OFF);
    assert_eq!((high.code, high.limit), (ReasonCode::Height(-2.0), Some(-0.5)));
    assert!(high.found.is_some_and(|found| (found + 3.0).abs() < 0.3), "{high:?}");
    let inside = [[2.0, 3.0, 4.5], [3.5, 3.0, 4.5]];
    let near = LinkProfile { distance: Some([0.0, 0.5]), ..jump() };
    assert!(matches!(
        why(platforms(1.2), near, inside).code,
        ReasonCode::NoBorder(_) | ReasonCode::Distance(_)
    ));
    let far = [[3.0, 3.0, 4.5], [8.2, 3.0, 4.5]];
    let long = LinkProfile { distance: Some([0.0, 9.0]), ..jump() };
    assert_eq!(why(platforms(1.2), long, far), ReasonCode::NoBorder(0).into());
    let beside = [[5.0, 3.0, 4.5], [5.0, 30.0, 4.5]];
    assert_eq!(why(platforms(1.2), jump(), beside), ReasonCode::NoGround(1).into());
}

#[test]
fn blockers_are_reported_with_their_place() {
    let mut wall = platforms(1.2);
    wall.block([6.6, 0.0, 0.0], [6.62, 8.0, 9.0]);
    match why(wall, jump(), across(1.2)) {
        Reason { code: ReasonCode::Blocked(top), place: Some([x, y, _]), .. } => {
            assert!((6.3..7.0).contains(&x) && y >= 3.0 && (top[1] - 8.0).abs() < 0.3, "{x} {y} {top:?}");
        }
        other => panic!("{other:?}"),
    }
    let mut roof = ledge(3.0);
    roof.area(AreaId(0)).block([0.0, 2.6, 6.0], [5.9, 2.8, 14.0]);
    match why(roof, LinkProfile::new(LinkKind::Drop), OFF) {
        Reason { code: ReasonCode::NoRoom(_), place: Some([x, y, _]), .. } => {
            assert!(x < 6.2 && (2.4..3.0).contains(&y), "{x} {y}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn needless_links_name_what_serves() {
    let mut ramp = ledge(1.8);
    ramp.ramp(rect(1.0, 8.0, 6.0, 12.0), Up::XMax, -0.5, 0.0, 1.8);
    let beside = [[6.9, 1.8, 12.5], [5.0, 0.0, 13.0]];
    let worthless = LinkProfile { worth: 100.0, ..LinkProfile::new(LinkKind::Drop) };
    match why(ramp, worthless, beside) {
        Reason { code: ReasonCode::OnFoot(worth), found: Some(way), limit: Some(length), .. } => {
            assert!(worth == 100.0 && way > length && way < 100.0 * length, "{way} {length}");
        }
        other => panic!("{other:?}"),
    }
    let sparse = LinkProfile { spacing: 12.0, ..jump() };
    // One link leads along the whole of both edges and covers diagonal jumps too.
    for z in [1.5, 4.5, 7.5] {
        let reason = why(platforms(1.2), sparse.clone(), [[5.0, 3.0, z], [8.2, 3.0, z]]);
        assert_eq!(reason.name(), "linked", "{reason:?}");
    }
    let reason = why(platforms(1.2), sparse, [[5.0, 3.0, 3.0], [8.2, 3.0, 5.6]]);
    assert_eq!(reason.name(), "by_link", "{reason:?}");
}

#[test]
fn speeds_and_ladders_are_reported() {
    let slow = LinkProfile { speed: Some(6.0), ..jump() };
    assert_eq!(why(platforms(2.4), slow, across(2.4)), ReasonCode::Speed.into());
    let ladder = LinkProfile { surface: Some(AreaId(9)), ..LinkProfile::new(LinkKind::Ladder) };
    let up = [OFF[1], OFF[0]];
    assert_eq!(why(ledge(3.0), ladder.clone(), up), ReasonCode::NoLadder.into());
    let mut level = ledge(3.0);
    level.area(AreaId(9)).block([5.8, 0.0, 9.7], [5.9, 3.0, 10.3]);
    assert_eq!(why(level, ladder, up).name(), "linked");
}

#[test]
fn levels_without_profiles_have_nothing_to_explain() {
    let explained = explain_link(&prepared(platforms(1.2), &[]), across(1.2), &Silent, &mut Scratch::new());
    assert_eq!(explained.unwrap(), []);
}

#[test]
fn the_best_link_that_could_begin_at_a_place_is_explained() {
    let from = |builder: Builder, profiles: &[LinkProfile], start: [f64; 3]| {
        explain_links_from(&prepared(builder, profiles), start, &Silent, &mut Scratch::new()).unwrap()
    };
    let profiles = [LinkProfile { height: [0.5, 6.0], ..LinkProfile::new(LinkKind::Drop) }, jump()];
    // An agent can drop from the edge of a ledge; there is nothing to jump to.
    let [drop, jump] = &from(ledge(3.0), &profiles, OFF[0])[..] else { panic!() };
    let Some([start, end]) = drop.ends else { panic!("{drop:?}") };
    assert!(drop.is_linked(), "{drop:?}");
    assert!((start[1] - 3.0).abs() < 0.3 && end[1].abs() < 0.3 && end[0] < 6.0, "{drop:?}");
    assert!(!jump.is_linked() && jump.ends.is_some(), "{jump:?}");
    // A wall in the gap blocks all jumps.
    let mut wall = platforms(1.2);
    wall.block([6.6, 0.0, 0.0], [6.62, 8.0, 9.0]);
    let [_, jump] = &from(wall, &profiles, across(1.2)[0])[..] else { panic!() };
    let Some([start, end]) = jump.ends else { panic!("{jump:?}") };
    assert_eq!(jump.reason.name(), "blocked", "{jump:?}");
    assert!(start[0] < 6.0 && end[0] > 7.2, "{jump:?}");
    // No link begins in the air either.
    let [drop, jump] = &from(ledge(3.0), &profiles, [7.0, 20.0, 10.0])[..] else { panic!() };
    assert_eq!([drop.reason, jump.reason], [ReasonCode::NoGround(0).into(); 2]);
    assert_eq!([drop.ends, jump.ends], [None; 2]);
}
