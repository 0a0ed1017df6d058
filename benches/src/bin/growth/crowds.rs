//! Crowds: steps of many agents, in arrangements that could make each agent look at all others; orders that
//! are given and withdrawn.

use super::tiles::{content, grid, written};
use super::{Family, Made, Member, Outcome};
use crowd::{AgentId, AgentParams, Crowd, CrowdSettings, FilterKind, Formation, Target};
use detour::{Filter, NavMesh, Place, Query, Vec3};
use std::error::Error;

pub(super) const FAMILIES: [Family; 9] = [
    Family { name: "crowd/paths", start: 100, make: |n| walk(n, Ground::scattered) },
    Family { name: "crowd/a-pile", start: 1000, make: |n| walk(n, Ground::at_one_place) },
    Family { name: "crowd/a-heap", start: 1000, make: |n| walk(n, Ground::on_a_square_metre) },
    Family { name: "crowd/a-field", start: 100, make: |n| walk(n, Ground::by_a_field) },
    Family { name: "crowd/fields", start: 10, make: fields },
    Family { name: "crowd/groups", start: 100, make: |n| walk(n, Ground::in_groups) },
    Family { name: "crowd/after-each-other", start: 100, make: |n| walk(n, Ground::in_a_chain) },
    Family { name: "crowd/orders", start: 200, make: orders },
    Family { name: "crowd/state", start: 200, make: state },
];

/// Squares on a side of the ground, for one agent.
const SPARE: usize = 4;
/// The width of a square, metres.
const SQUARE: f32 = 0.6;

/// A square of ground, and a crowd on it.
struct Ground {
    mesh: NavMesh,
    crowd: Crowd,
    /// Agents on a side.
    row: usize,
}

impl Ground {
    /// Ground for a number of agents, 2.4 m apart.
    fn new(agents: usize) -> Result<Ground, Box<dyn Error>> {
        let row = agents.isqrt() + 1;
        let mut mesh = NavMesh::default();
        mesh.add_tile(written(&content([0; 2], &grid((SPARE * row).pow(2))))?)?;
        Ok(Ground { mesh, crowd: Crowd::new(CrowdSettings::default())?, row })
    }

    fn position(&self, agent: usize) -> Vec3 {
        let along = |at: usize| SQUARE * (1.5 + (SPARE * at) as f32);
        Vec3::new(along(agent % self.row), 0.0, along(agent / self.row))
    }

    fn place(&self, position: Vec3) -> Result<Place, Box<dyn Error>> {
        Ok(Query::new().nearest(&self.mesh, position, Vec3::ONE, &Filter::default())?.place())
    }

    fn add(&mut self, position: Vec3) -> Result<AgentId, Box<dyn Error>> {
        Ok(self.crowd.add(&self.mesh, position, &AgentParams::default())?)
    }

    /// Agents next to each other; each pair swaps places.
    fn scattered(&mut self, agents: usize) -> Outcome {
        for agent in 0..agents {
            let id = self.add(self.position(agent))?;
            let goal = self.place(self.position(agent ^ 1))?;
            self.crowd.set_target(id, Target::Place(goal))?;
        }
        Ok(())
    }

    /// All agents in one place.
    fn at_one_place(&mut self, agents: usize) -> Outcome {
        self.piled(agents, |_| Vec3::ZERO)
    }

    /// All agents within a metre of each other, no two in one place.
    fn on_a_square_metre(&mut self, agents: usize) -> Outcome {
        let side = agents.isqrt() + 1;
        self.piled(agents, |agent| Vec3::new((agent % side) as f32, 0.0, (agent / side) as f32) / side as f32)
    }

    /// All agents near one place, each at the offset that `beside` returns for it.
    fn piled(&mut self, agents: usize, beside: impl Fn(usize) -> Vec3) -> Outcome {
        let goal = self.place(self.position(0))?;
        let middle = self.position(agents / 2);
        for agent in 0..agents {
            let id = self.add(middle + beside(agent))?;
            self.crowd.set_target(id, Target::Place(goal))?;
        }
        Ok(())
    }

    fn by_a_field(&mut self, agents: usize) -> Outcome {
        let goal = self.place(self.position(0))?;
        let field = self.crowd.add_field(&self.mesh, &[goal], f32::INFINITY, FilterKind::default())?;
        for agent in 0..agents {
            let id = self.add(self.position(agent))?;
            self.crowd.set_target(id, Target::Field(field))?;
        }
        Ok(())
    }

    /// Groups of 20.
    fn in_groups(&mut self, agents: usize) -> Outcome {
        let all = (0..agents).map(|agent| self.add(self.position(agent))).collect::<Result<Vec<_>, _>>()?;
        for members in all.chunks_exact(20) {
            let group = self.crowd.add_group(members[0], &members[1..], Formation::Box, 1.5)?;
            let goal = self.place(self.crowd.agent(members[10])?.position)?;
            self.crowd.send_group(group, Target::Place(goal))?;
        }
        Ok(())
    }

    /// Each follows the next one.
    fn in_a_chain(&mut self, agents: usize) -> Outcome {
        let all = (0..agents).map(|agent| self.add(self.position(agent))).collect::<Result<Vec<_>, _>>()?;
        all.windows(2).try_for_each(|pair| self.crowd.set_target(pair[0], Target::Agent(pair[1])))?;
        Ok(())
    }
}

/// Adds the agents with `put`, and walks them for some steps.
fn walk(agents: usize, put: fn(&mut Ground, usize) -> Outcome) -> Made {
    let mut ground = Ground::new(agents)?;
    put(&mut ground, agents)?;
    Ok(Member::new(agents, move || {
        let mut events = Vec::new();
        (0..8).try_for_each(|_| ground.crowd.step(&ground.mesh, 0.1, &mut events))?;
        Ok(())
    }))
}

/// Many fields on ground whose size does not depend on their number; a tile of it is replaced.
fn fields(count: usize) -> Made {
    let mut ground = Ground::new(25)?;
    for number in 0..count {
        let goal = ground.place(ground.position(number % 25))?;
        let field = ground.crowd.add_field(&ground.mesh, &[goal], f32::INFINITY, FilterKind::default())?;
        let id = ground.add(ground.position(number * 7 % 25))?;
        ground.crowd.set_target(id, Target::Field(field))?;
    }
    let Ground { mut mesh, mut crowd, row } = ground;
    let again = written(&content([0; 2], &grid((SPARE * row).pow(2))))?;
    Ok(Member::new(count, move || {
        mesh.replace_tile(again)?;
        crowd.step(&mesh, 0.1, &mut Vec::new())?;
        Ok(())
    }))
}

/// Agents are added, sent to places, and removed.
fn orders(agents: usize) -> Made {
    let mut ground = Ground::new(agents)?;
    let goals = [0, agents / 2].map(|agent| ground.place(ground.position(agent)));
    let [here, there] = goals;
    let (here, there) = (here?, there?);
    Ok(Member::new(agents, move || {
        let all =
            (0..agents).map(|agent| ground.add(ground.position(agent))).collect::<Result<Vec<_>, _>>()?;
        for goal in [here, there, here] {
            all.iter().try_for_each(|id| ground.crowd.set_target(*id, Target::Place(goal)))?;
        }
        all.iter().try_for_each(|id| ground.crowd.remove(*id))?;
        Ok(())
    }))
}

fn state(agents: usize) -> Made {
    let mut ground = Ground::new(agents)?;
    ground.scattered(agents)?;
    let Ground { mesh, mut crowd, .. } = ground;
    crowd.step(&mesh, 0.1, &mut Vec::new())?;
    Ok(Member::new(agents, move || {
        let bytes = crowd.save();
        crowd.restore(&mesh, &bytes)?;
        Ok(())
    }))
}
