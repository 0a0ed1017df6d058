//! `cargo xtask golden`: compares every stage of every scene with its hash under assets/golden/.

use crate::outputs::{Outputs, root};
use crate::{Error, Outcome};
use navmath::Digest;
use navtile_benches::digests::of_bake;

const FOLDER: &str = "assets/golden";

pub(crate) fn run(update: bool) -> Outcome {
    let outputs = put(&digests()?, update)?;
    Ok(outputs.report("cargo xtask golden --update"))
}

/// Digests by `scene/stage`, scene by scene.
fn digests() -> Result<Vec<(String, Digest)>, Error> {
    let mut all = Vec::new();
    for scene in navscenes::all() {
        let digests = of_bake(scene)?;
        all.extend(digests.into_iter().map(|(stage, digest)| (format!("{}/{stage}", scene.name), digest)));
    }
    Ok(all)
}

/// Compares digests with the files; writes them if `update`.
fn put(digests: &[(String, Digest)], update: bool) -> Result<Outputs, Error> {
    let mut outputs = Outputs::new(root(), update);
    for (name, digest) in digests {
        outputs.put(&format!("{FOLDER}/{name}.hash"), format!("{digest}\n").as_bytes())?;
    }
    outputs.no_others(FOLDER, "hash")?;
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare_with(threads: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let digests = pool.install(digests).unwrap();
        let outputs = put(&digests, false).unwrap();
        assert_eq!(outputs.changed(), &[] as &[String], "{threads} threads: see `cargo xtask golden`");
    }

    #[test]
    fn one_thread_bakes_the_golden_bytes() {
        compare_with(1);
    }

    #[test]
    fn two_threads_bake_the_golden_bytes() {
        compare_with(2);
    }

    #[test]
    fn eight_threads_bake_the_golden_bytes() {
        compare_with(8);
    }
}
