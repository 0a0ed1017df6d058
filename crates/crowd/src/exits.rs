//! Exits of a crowd: calls that add and remove them, and the phase in which agents choose.

use crate::agent::Target;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::exit::{Exit, Exits, PassCall, check_count, check_rate, is_leaving, is_new};
use crate::ids::{AgentId, ExitsId, FieldId};
use crate::parallel::{for_each_chunk, worker_count};
use crate::settings::FilterKind;
use crate::step::Parts;
use detour::NavMesh;

impl Crowd {
    /// Adds 1 to 64 exits that agents with this filter can choose among, by [`Target::Exits`]. There is one
    /// field for each exit: see [`Crowd::add_field`]. An agent walks to the exit that it expects to pass
    /// first, by the length of its path and by the agents before it: see [`Crowd::exit_of`].
    pub fn add_exits(
        &mut self,
        mesh: &NavMesh,
        exits: &[Exit],
        kind: FilterKind,
    ) -> Result<ExitsId, CrowdError> {
        check_count(exits.len())?;
        exits.iter().try_for_each(|exit| check_rate(exit.rate))?;
        let search = |exit: &Exit| self.searched_field(mesh, &[exit.place], f32::INFINITY, kind);
        let fields = exits.iter().map(search).collect::<Result<Vec<_>, _>>()?;
        let ids = fields.into_iter().map(|field| {
            let (index, salt) = self.parts.fields.list.add(field);
            FieldId { index, salt }
        });
        let list = ids.zip(exits).map(|(field, exit)| (field, exit.rate)).collect();
        let (index, salt) = self.exits.add(Exits { list });
        Ok(ExitsId { index, salt })
    }

    /// Removes exits. Agents that were sent there have no target any more.
    pub fn remove_exits(&mut self, id: ExitsId) -> Result<(), CrowdError> {
        let exits = self.exits.remove(id.index, id.salt).ok_or(CrowdError::NoExits(id))?;
        for field in exits.fields() {
            self.parts.fields.list.remove(field.index, field.salt);
        }
        let own = self.agents.list.iter_mut().filter(|agent| agent.target == Target::Exits(id));
        own.for_each(|agent| agent.aim(Target::None));
        Ok(())
    }

    /// The exit that an agent with [`Target::Exits`] has chosen: its number in the list of
    /// [`Crowd::add_exits`]. `None` before the first step, without a path to any exit, and for agents
    /// with another target.
    ///
    /// An agent chooses in the first step after it was sent. In every 60th step it changes to another exit if
    /// that saves 15 % of its time and at least 3 s; if its own exit cannot be reached any more, at once.
    pub fn exit_of(&self, id: AgentId) -> Result<Option<usize>, CrowdError> {
        let agent = self.get(id)?;
        let Target::Exits(exits) = agent.target else { return Ok(None) };
        let exits = self.known_exits(exits)?;
        Ok(agent.chosen_exit.and_then(|(field, _)| exits.number(field)))
    }

    /// Rejects exits for an agent that has another filter.
    pub(crate) fn check_exits(
        &self,
        agent: AgentId,
        own: FilterKind,
        exits: ExitsId,
    ) -> Result<(), CrowdError> {
        for field in self.known_exits(exits)?.fields() {
            let given = self.parts.fields.get(field)?.filter;
            if given != own {
                return Err(CrowdError::ExitsOfOtherFilter { agent, own: own.0, exits, given: given.0 });
            }
        }
        Ok(())
    }

    fn known_exits(&self, id: ExitsId) -> Result<&Exits, CrowdError> {
        self.exits.get(id.index, id.salt).ok_or(CrowdError::NoExits(id))
    }

    /// Lets agents choose their exits. An agent chooses in its turn, in the step after it was sent, and when
    /// a change of the mesh cuts its path.
    pub(crate) fn choose_exits(&mut self, mesh: &NavMesh, has_changed: bool) {
        let Crowd { exits, pass, agents, parts: Parts { fields, .. }, workers, .. } = self;
        let call = PassCall::new(self.parts.steps, has_changed);
        if exits.iter().next().is_none() || !call.is_due() && !agents.list.iter().any(is_new) {
            return;
        }
        for ((index, salt), own) in exits.iter() {
            let target = Target::Exits(ExitsId { index, salt });
            let leaving = agents.iter().filter(|agent| agent.target == target && is_leaving(agent));
            pass.gather(own, call, leaving);
            let workers = &mut workers[..worker_count(pass.choosers.len())];
            for_each_chunk(&mut pass.choosers, workers, |_, _, chunk| {
                for chooser in chunk {
                    let place = agents[chooser.number as usize].corridor.place();
                    let cost = |field| fields.distance(field, mesh, place).unwrap_or(f32::INFINITY);
                    chooser.look(own, call, cost);
                }
            });
            pass.choose(own);
            for chooser in &pass.choosers {
                agents[chooser.number as usize].choose_exit(chooser.chosen(own));
            }
        }
    }
}
