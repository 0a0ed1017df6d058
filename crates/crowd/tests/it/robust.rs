//! Any calls on a crowd, in any order: scripts of random bytes.

use crate::common::scene;
use crate::links::gap;
use crate::script::play;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn any_calls_in_any_order_leave_a_sound_crowd(
        on_gap in any::<bool>(),
        bytes in prop::collection::vec(any::<u8>(), 0..1500),
    ) {
        thread_local! {
            static MESHES: [detour::NavMesh; 2] = [scene("two_rooms"), gap()];
        }
        MESHES.with(|meshes| play(&meshes[usize::from(on_gap)], &bytes));
    }
}
