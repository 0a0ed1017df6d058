//! A scenario from a file, on the mesh of another.

use crate::failure::Failure;
use crate::files;
use crate::mesh::Loaded;
use crate::settings::wrong_file;
use crowd::AgentParams;
use crowdlab::scenario::{Bounds, Run, Scenario, ScenarioError, Terrain};
use std::path::{Path, PathBuf};

/// A scenario that has been read.
pub(super) struct ScenarioFile {
    path: PathBuf,
    scenario: Scenario,
}

pub(super) fn read(path: &Path) -> Result<ScenarioFile, Failure> {
    let name = path.display();
    let text = files::read_text(path)?;
    match Scenario::read(&text) {
        Ok(scenario) => Ok(ScenarioFile { path: path.to_owned(), scenario }),
        Err(ScenarioError::Text(error)) => Err(wrong_file((path, &text), "scenario", &error)
            .help("docs/crowds-reference.md lists every key with its unit and range")),
        Err(error) => Err(Failure::call(format!("{name}: {error}"))),
    }
}

impl ScenarioFile {
    /// Puts the scenario on a mesh: the run, its bounds, and the names of its cohorts. `walker` is the
    /// default agent of the scenario.
    pub(super) fn start(
        self,
        loaded: &Loaded,
        walker: &AgentParams,
        is_checked: bool,
    ) -> Result<(Run, Bounds, Vec<String>), Failure> {
        let name = self.path.display();
        if is_checked && self.scenario.check.is_empty() {
            return Err(Failure::call(format!("{name}: has no bounds to check"))
                .help("add `[check]` with `arrived = 1.0` and other bounds, or omit --check"));
        }
        let areas = loaded.meta.areas.iter().map(|area| (area.name.clone(), area.id)).collect();
        let terrain = Terrain { filter: loaded.filter()?, areas, walker: *walker };
        let run = Run::new(&self.scenario, loaded.mesh.clone(), &terrain).map_err(|error| match error {
            ScenarioError::Misfit { field, what, remedy } => {
                Failure::call(format!("{name}: `{field}`: {what}")).help(remedy)
            }
            other => Failure::call(format!("{name}: {other}")),
        })?;
        let cohort = |(number, agents): (usize, &crowdlab::scenario::Agents)| {
            if agents.name.is_empty() { format!("agents {}", number + 1) } else { agents.name.clone() }
        };
        let names = self.scenario.agents.iter().enumerate().map(cohort).collect();
        Ok((run, self.scenario.check, names))
    }
}
