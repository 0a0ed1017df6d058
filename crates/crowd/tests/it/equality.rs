//! The same bits for any number of threads, and from run to run.

use crate::common::{DT, scattered, scene, trial, walker};
use crowd::trial::Trial;
use crowd::{Crowd, CrowdSettings};
use detour::Filter;

/// The hash of every step.
fn hashes(threads: usize, steps: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mesh = scene("courtyard");
    let walks = scattered(&mesh, 200, &walker(), 3);
    assert!(walks.len() > 150);
    let mut trial = trial(&mesh, &walks);
    pool.install(|| {
        let step = |_| {
            trial.step(&mesh, DT).unwrap();
            trial.crowd.hash()
        };
        (0..steps).map(step).collect()
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let one = hashes(1, 300);
    assert_eq!(one, hashes(2, 300));
    assert_eq!(one, hashes(8, 300));
    let mut distinct = one.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 250, "the crowd moves");
}

#[test]
fn a_restored_crowd_goes_on_bit_for_bit() {
    let mesh = scene("courtyard");
    let walks = scattered(&mesh, 120, &walker(), 4);
    // So few polygons a step that searches last over many.
    let settings = CrowdSettings { search_nodes: 200, ..CrowdSettings::default() };
    let crowd = Crowd::new(settings).unwrap();
    let mut trial = Trial::new(crowd, &mesh, &Filter::default(), &walks).unwrap();
    let mut twin = Crowd::new(settings).unwrap();
    for step in 0..600 {
        if step % 20 == 0 {
            // A new crowd each time: nothing but the bytes goes over.
            twin = Crowd::new(settings).unwrap();
            twin.restore(&mesh, &trial.crowd.save()).unwrap();
        }
        assert_eq!(twin.waiting_for_paths(), trial.crowd.waiting_for_paths());
        trial.step(&mesh, DT).unwrap();
        twin.step(&mesh, DT, &mut Vec::new()).unwrap();
        assert_eq!(twin.hash(), trial.crowd.hash(), "step {step}");
    }
    assert_eq!(twin.save(), trial.crowd.save());
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let mesh = scene("two_rooms");
    let walks = scattered(&mesh, 6, &walker(), 4);
    let mut trial = trial(&mesh, &walks);
    (0..30).for_each(|_| trial.step(&mesh, DT).unwrap());
    let bytes = trial.crowd.save();
    let mut refused = 0;
    for at in 0..bytes.len() {
        for change in [1u8, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
            if crowd.restore(&mesh, &damaged).is_err() {
                refused += 1;
                assert!(crowd.is_empty());
                continue;
            }
            (0..2).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
        }
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        assert!(crowd.restore(&mesh, &bytes[..at]).is_err(), "cut at {at}");
    }
    assert!(refused > 50, "{refused}");
}
