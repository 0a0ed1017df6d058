//! `--shard`: the share of the tiles that a run bakes, from its option or from the environment of an array
//! job.

use crate::failure::Failure;
use navbake::shard::MOST_SHARES;
use navlevel::{Job, Tiling, share_jobs};
use navtile::TileCoord;
use recast::Error;

/// The share that is baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Its number, from 1.
    pub(crate) index: u32,
    /// Number of shares.
    pub(crate) of: u32,
}

impl Shard {
    /// The share from `--shard` or from the environment, if the option is given.
    pub(crate) fn of(text: Option<&str>) -> Result<Option<Shard>, Failure> {
        text.map(|text| Shard::parse(text, &|name| std::env::var(name).ok())).transpose()
    }

    /// The share from `--shard`: `I/N`, or `/N` or nothing if an engine of array jobs gives the rest.
    fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
        let expected = "expected I/N, the share and the number of shares, from 1/N to N/N";
        let wrong = || Failure::call(format!("--shard is `{text}`, {expected}"));
        let (index, of) = match text.split_once('/') {
            Some(("", of)) => (None, Some(of.parse().map_err(|_| wrong())?)),
            Some((index, of)) => {
                (Some(index.parse().map_err(|_| wrong())?), Some(of.parse().map_err(|_| wrong())?))
            }
            None if text.is_empty() => (None, None),
            None => return Err(wrong()),
        };
        let (index, of) = match (index, of) {
            (Some(index), Some(of)) => (index, of),
            (_, of) => of_engine(of, variable)?,
        };
        if index == 0 || index > of || of > MOST_SHARES {
            let message = format!(
                "--shard: there is no share {index} of {of}, expected 1/N to N/N, N at most {MOST_SHARES}"
            );
            return Err(Failure::call(message));
        }
        Ok(Shard { index, of })
    }

    /// The tiles of this share, for each agent, in canonical order.
    pub(crate) fn own(
        self,
        tiling: &Tiling<'_>,
        all: &[Vec<TileCoord>],
    ) -> Result<Vec<Vec<TileCoord>>, Error> {
        let mut own = vec![Vec::new(); all.len()];
        for Job { coord, agents } in share_jobs(tiling, Job::of_agents(all), self.index - 1, self.of)? {
            agents.into_iter().for_each(|agent| own[agent].push(coord));
        }
        own.iter_mut().for_each(|coords| coords.sort_unstable());
        Ok(own)
    }
}

/// The share that an engine of array jobs gives this process; `of` is the number of shares if it is known.
fn of_engine(of: Option<u32>, variable: &dyn Fn(&str) -> Option<String>) -> Result<(u32, u32), Failure> {
    let number = |name: &str| -> Result<Option<u32>, Failure> {
        let Some(text) = variable(name) else { return Ok(None) };
        let number = text.trim().parse().map(Some);
        number.map_err(|_| Failure::call(format!("--shard: {name} is `{text}`, expected a whole number")))
    };
    let unknown = |name: &str| {
        Failure::call(format!("--shard: {name} gives the number of this share, but not the number of shares"))
            .help("give the number of shares: --shard /N")
    };
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        let (first, last) = (number("SLURM_ARRAY_TASK_MIN")?, number("SLURM_ARRAY_TASK_MAX")?);
        let count = number("SLURM_ARRAY_TASK_COUNT")?;
        let Some(of) = of else {
            // An array with gaps runs some of the shares again; its own count is not the number of shares.
            let (first, last, count) = (first.unwrap_or(1), last, count.ok_or_else(|| unknown("Slurm"))?);
            if last.is_some_and(|last| u64::from(last) + 1 != u64::from(first) + u64::from(count)) {
                let message = format!("--shard: the array of Slurm has {count} tasks and gaps between them");
                return Err(Failure::call(message).help("give the share: --shard $SLURM_ARRAY_TASK_ID/N"));
            }
            return Ok((id.saturating_sub(first).saturating_add(1), count));
        };
        // Arrays of shares count from 1, so that a task of an array with gaps still has its share's number.
        return Ok((id, of));
    }
    // Both count from 0.
    let engines = [
        ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"),
        ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
    ];
    for (index, count) in engines {
        if let Some(index) = number(index)? {
            let of = of.map_or_else(|| number(count), |of| Ok(Some(of)))?;
            return Ok((index.saturating_add(1), of.ok_or_else(|| unknown("the engine"))?));
        }
    }
    Err(Failure::call("--shard: this is not a task of an array job").help("give the share: --shard 1/16"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<Shard, Failure> {
        let find = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Shard::parse(text, &find)
    }

    #[test]
    fn a_share_is_named_or_comes_from_the_engine() {
        let is = |text: &str, variables: &[(&str, &str)], index, of| {
            assert_eq!(parse(text, variables).unwrap(), Shard { index, of }, "{text} {variables:?}");
        };
        is("3/16", &[("SLURM_ARRAY_TASK_ID", "7")], 3, 16);
        let slurm = |id, first, last, count| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", first),
                ("SLURM_ARRAY_TASK_MAX", last),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        is("", &slurm("16", "1", "16", "16"), 16, 16);
        is("", &slurm("0", "0", "3", "4"), 1, 4);
        is("/16", &slurm("7", "3", "7", "2"), 7, 16);
        is("/4", &[("JOB_COMPLETION_INDEX", "0")], 1, 4);
        is("", &[("AWS_BATCH_JOB_ARRAY_INDEX", "3"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")], 4, 4);
        let refused = |text: &str, variables: &[(&str, &str)], why: &str| {
            let failure = parse(text, variables).unwrap_err().to_string();
            assert!(failure.contains(why), "{failure}");
        };
        refused("", &slurm("7", "3", "7", "2"), "gaps between them");
        refused("", &[("JOB_COMPLETION_INDEX", "2")], "not the number of shares");
        refused("", &[("AWS_BATCH_JOB_ARRAY_INDEX", "two")], "expected a whole number");
        refused("", &[], "not a task of an array job");
        for bad in ["0/4", "5/4", "1/70000"] {
            refused(bad, &[], "there is no share");
        }
        for bad in ["3", "level.obj", "1/2/3", "-1/4", "a/4", "/"] {
            refused(bad, &[], "expected I/N");
        }
    }
}
