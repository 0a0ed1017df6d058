//! A script of bytes that drives the whole interface of a crowd, and the properties that hold for every
//! script. The fuzz target compiles this file too.

use crowd::{
    AgentId, AgentParams, AgentState, Avoidance, Crowd, CrowdSettings, Event, Exit, ExitsId, FieldId,
    FilterKind, Formation, GroundLoss, GroupId, MovingDisc, Target,
};
use detour::{Filter, NavMesh, Place, PolyRef, Query, Vec3};

/// Flags of a door that is shut.
const SHUT: u32 = 0x8000;
/// The largest number of agents, and the largest number of long steps.
const MOST_AGENTS: usize = 24;
const MOST_LONG_STEPS: usize = 2;
/// Numbers that are more likely than others to expose errors.
const NUMBERS: [f32; 12] =
    [0.0, 0.3, 1.0, 2.0, 5.0, 100.0, 1e-30, -1.0, 1e30, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

/// A crowd, and all handles that it ever returned.
struct Player<'a> {
    bytes: &'a [u8],
    mesh: NavMesh,
    crowd: Crowd,
    kinds: [FilterKind; 2],
    agents: Vec<AgentId>,
    fields: Vec<FieldId>,
    exits: Vec<ExitsId>,
    groups: Vec<GroupId>,
    /// The mesh with all tiles, and whether its tile is removed.
    whole: &'a NavMesh,
    is_taken: bool,
    query: Query,
    events: Vec<Event>,
    long_steps: usize,
}

/// Plays a script on a mesh of one tile.
pub(crate) fn play(mesh: &NavMesh, bytes: &[u8]) {
    let mut crowd = Crowd::new(CrowdSettings { search_nodes: 64, ..CrowdSettings::default() }).unwrap();
    let shut = crowd.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
    let mut player = Player {
        bytes,
        mesh: mesh.clone(),
        crowd,
        kinds: [FilterKind::default(), shut],
        agents: Vec::new(),
        fields: Vec::new(),
        exits: Vec::new(),
        groups: Vec::new(),
        whole: mesh,
        is_taken: false,
        query: Query::new(),
        events: Vec::new(),
        long_steps: 0,
    };
    while !player.bytes.is_empty() {
        player.act();
        assert_eq!(player.crowd.agents().count(), player.crowd.len());
    }
}

impl Player<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    fn number(&mut self) -> f32 {
        match self.byte() {
            low @ 0..=191 => f32::from(low) * 0.0625,
            high => NUMBERS[usize::from(high) % NUMBERS.len()],
        }
    }

    fn point(&mut self) -> Vec3 {
        Vec3::new(self.number(), 0.2, self.number())
    }

    fn kind(&mut self) -> FilterKind {
        self.kinds[usize::from(self.byte() % 2)]
    }

    /// A handle that was returned once and may be stale. If no agent was ever added, the handle of an agent
    /// that never existed.
    fn agent(&mut self) -> AgentId {
        let number = usize::from(self.byte());
        let count = self.agents.len().max(1);
        self.agents.get(number % count).copied().unwrap_or(AgentId::from_bits(u64::MAX))
    }

    fn field(&mut self) -> FieldId {
        let number = usize::from(self.byte());
        let count = self.fields.len().max(1);
        self.fields.get(number % count).copied().unwrap_or(FieldId::from_bits(1))
    }

    fn exits(&mut self) -> ExitsId {
        let number = usize::from(self.byte());
        let count = self.exits.len().max(1);
        self.exits.get(number % count).copied().unwrap_or(ExitsId::from_bits(1))
    }

    fn group(&mut self) -> GroupId {
        let number = usize::from(self.byte());
        let count = self.groups.len().max(1);
        self.groups.get(number % count).copied().unwrap_or(GroupId::from_bits(1))
    }

    fn place(&mut self) -> Place {
        let point = self.point();
        let near = self.query.nearest(&self.mesh, point, Vec3::splat(4.0), &Filter::default());
        near.map_or(Place { polygon: PolyRef::from_bits(1 << 62).unwrap(), point }, |near| near.place())
    }

    fn params(&mut self) -> AgentParams {
        let usual = AgentParams { radius: 0.3, filter: self.kind(), ..AgentParams::default() };
        match self.byte() % 4 {
            0 | 1 => usual,
            2 => AgentParams {
                radius: self.number(),
                max_speed: self.number(),
                max_acceleration: self.number(),
                stopping_distance: self.number(),
                link_speed: self.number(),
                ground_loss: [GroundLoss::StepOut, GroundLoss::Wait, GroundLoss::Fall, GroundLoss::Remove]
                    [usize::from(self.byte() % 4)],
                fall_height: self.number(),
                ..usual
            },
            _ => AgentParams {
                height: self.number(),
                turn_rate: self.number(),
                horizon: self.number(),
                priority: self.byte(),
                layers: u32::from(self.byte()),
                avoids: u32::from(self.byte()),
                brakes: self.byte().is_multiple_of(2),
                avoidance: if self.byte().is_multiple_of(3) { Avoidance::None } else { Avoidance::Orca },
                ..usual
            },
        }
    }

    fn target(&mut self) -> Target {
        match self.byte() % 7 {
            0 => Target::None,
            1 => Target::Place(self.place()),
            2 => Target::Agent(self.agent()),
            3 => Target::Field(self.field()),
            4 => Target::Group(self.group()),
            5 => Target::Exits(self.exits()),
            _ => Target::Velocity(self.point().truncate()),
        }
    }

    fn formation(&mut self) -> Formation {
        match self.byte() % 5 {
            0 => Formation::Line,
            1 => Formation::Column,
            2 => Formation::Wedge,
            3 => Formation::Box,
            _ => Formation::Own((0..self.byte() % 4).map(|_| self.point().truncate()).collect()),
        }
    }

    /// Makes one or a few calls.
    fn act(&mut self) {
        match self.byte() % 16 {
            0 | 1 => self.add(),
            2 => drop({
                let agent = self.agent();
                self.crowd.remove(agent)
            }),
            3 | 4 => {
                let (agent, target) = (self.agent(), self.target());
                let is_sound = !matches!(target, Target::Velocity(velocity) if !velocity.is_finite());
                assert!(self.crowd.set_target(agent, target).is_err() || is_sound);
            }
            5..=7 => self.step(),
            8 => {
                let (agent, at, velocity) = (self.agent(), self.point(), self.point());
                if self.byte().is_multiple_of(4) {
                    let carried = self.crowd.carry(agent, at, velocity);
                    assert!(carried.is_err() || at.is_finite() && velocity.is_finite());
                }
                let placed = self.crowd.place(&self.mesh, agent, at, velocity);
                assert!(placed.is_err() || at.is_finite() && velocity.is_finite());
            }
            9 => self.change_mesh(),
            10 => self.restore(),
            11 => self.act_on_fields(),
            12 | 13 => self.act_on_groups(),
            14 => {
                let (agent, params, moves) = (self.agent(), self.params(), self.byte().is_multiple_of(4));
                let _ = self.crowd.set_params(agent, &params);
                let _ = self.crowd.set_kinematic(agent, moves);
                let _ = self.crowd.finish_link(agent, &mut self.events);
            }
            _ => self.change_surroundings(),
        }
    }

    fn add(&mut self) {
        let (at, params) = (self.point(), self.params());
        if self.crowd.len() < MOST_AGENTS {
            match self.crowd.add(&self.mesh, at, &params) {
                Ok(id) => self.agents.push(id),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }

    fn step(&mut self) {
        let dt = [1.0 / 60.0, 1.0 / 60.0, 0.0, 0.3, 10.0, f32::NAN, -1.0, 11.0][usize::from(self.byte() % 8)];
        self.long_steps += usize::from(dt >= 0.3);
        if self.long_steps > MOST_LONG_STEPS {
            return;
        }
        self.events.clear();
        let stepped = self.crowd.step(&self.mesh, dt, &mut self.events);
        if !(0.0..=10.0).contains(&dt) {
            assert!(stepped.unwrap_err().to_string().starts_with("dt is"));
        } else if dt > 0.0 {
            stepped.unwrap();
            self.check();
        }
    }

    /// Every agent has a valid position on the mesh.
    fn check(&mut self) {
        for id in self.crowd.agents() {
            let view = self.crowd.agent(id).unwrap();
            let exit = self.crowd.exit_of(id).unwrap();
            assert!(exit.is_none() || matches!(view.target, Target::Exits(_)));
            assert!(
                view.position.is_finite() && view.velocity.is_finite() && view.heading.is_finite(),
                "{view:?}"
            );
            let is_off_mesh = matches!(
                view.state,
                AgentState::Lost | AgentState::OnLink(_) | AgentState::Falling | AgentState::Carried
            );
            if is_off_mesh {
                continue;
            }
            let half_extents = Vec3::new(0.05, 1.0, 0.05);
            let near = self.query.nearest(&self.mesh, view.position, half_extents, &Filter::default());
            assert!(near.is_ok(), "{id} left the mesh: {view:?}");
        }
    }

    /// A tile is removed or comes back, or a door shuts or opens.
    fn change_mesh(&mut self) {
        let number = usize::from(self.byte());
        let tile = self.whole.tiles().next().unwrap();
        if std::mem::take(&mut self.is_taken) {
            self.mesh.add_tile(tile.clone()).unwrap();
        } else if number < 64 {
            self.mesh.remove_tile(tile.coord()).unwrap();
            self.is_taken = true;
        } else {
            let count = self.mesh.polygons().count();
            let polygon = self.mesh.polygons().nth(number % count).unwrap();
            let flags = self.mesh.attributes(polygon).unwrap().flags;
            self.mesh.set_flags(polygon, flags ^ SHUT).unwrap();
        }
    }

    /// A restored crowd continues like the saved crowd.
    fn restore(&mut self) {
        // On the mesh of the last step.
        self.events.clear();
        self.crowd.step(&self.mesh, 1.0 / 60.0, &mut self.events).unwrap();
        let bytes = self.crowd.save();
        let mut twin = Crowd::new(*self.crowd.settings()).unwrap();
        assert!(twin.restore(&self.mesh, &bytes).is_err(), "a filter is missing");
        twin.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
        twin.restore(&self.mesh, &bytes).unwrap();
        assert_eq!(twin.save(), bytes);
        let mut same = Vec::new();
        self.events.clear();
        self.crowd.step(&self.mesh, 1.0 / 60.0, &mut self.events).unwrap();
        twin.step(&self.mesh, 1.0 / 60.0, &mut same).unwrap();
        assert_eq!((twin.hash(), &same), (self.crowd.hash(), &self.events));
        assert_eq!(twin.save(), self.crowd.save());
        match self.byte() {
            0..=127 => self.crowd = twin,
            changed => {
                // Damaged bytes are rejected, or harmless.
                let at = (usize::from(self.byte()) << 8 | usize::from(self.byte())) % bytes.len();
                let mut damaged = bytes;
                damaged[at] ^= changed;
                if twin.restore(&self.mesh, &damaged).is_ok() {
                    twin.step(&self.mesh, 1.0 / 60.0, &mut same).unwrap();
                }
            }
        }
    }

    fn act_on_fields(&mut self) {
        let (goal, kind, bound) = (self.place(), self.kind(), self.number());
        match self.byte() % 6 {
            0 => {
                let field = self.field();
                let _ = self.crowd.remove_field(field);
            }
            1 => {
                let exits = self.exits();
                let _ = self.crowd.remove_exits(exits);
            }
            2 | 3 => {
                let exits: Vec<Exit> =
                    (0..self.byte() % 4).map(|_| Exit { place: self.place(), rate: self.number() }).collect();
                let added = self.crowd.add_exits(&self.mesh, &exits, kind);
                assert!(added.is_err() || exits.iter().all(|exit| exit.rate > 0.0));
                self.exits.extend(added.ok().filter(|_| self.exits.len() < 8));
            }
            _ => {
                let added = self.crowd.add_field(&self.mesh, &[goal], bound, kind);
                assert!(added.is_err() || bound >= 0.0);
                self.fields.extend(added.ok().filter(|_| self.fields.len() < 8));
            }
        }
    }

    fn act_on_groups(&mut self) {
        let (formation, spacing) = (self.formation(), self.number());
        let (group, agent) = (self.group(), self.agent());
        match self.byte() % 6 {
            0 => drop(self.crowd.set_formation(group, formation, spacing)),
            1 => drop(self.crowd.join(group, agent)),
            2 => drop(self.crowd.leave_group(agent)),
            3 => drop(self.crowd.remove_group(group)),
            4 => {
                let target = self.target();
                let _ = self.crowd.send_group(group, target);
            }
            _ => {
                let followers: Vec<AgentId> = (0..self.byte() % 8).map(|_| self.agent()).collect();
                let added = self.crowd.add_group(agent, &followers, formation, spacing);
                assert!(added.is_err() || (0.0..=1000.0).contains(&spacing));
                if let Ok(group) = added {
                    let view = self.crowd.group(group).unwrap();
                    assert_eq!((view.leader, view.followers), (agent, followers));
                    self.groups.push(group);
                }
            }
        }
        let _ = (self.crowd.slot(agent), self.crowd.group_of(agent), self.crowd.group(group));
    }

    fn change_surroundings(&mut self) {
        let (at, radius, number) = (self.point(), self.number(), self.byte());
        if number.is_multiple_of(2) {
            let points = [at; 2];
            let set = self.crowd.set_points_of_interest(&points[..usize::from(number / 2 % 3)], radius);
            assert!(set.is_err() || radius >= 0.0);
        } else {
            let disc = MovingDisc { position: at, velocity: self.point(), radius, height: 2.0, layers: 1 };
            let set = self.crowd.set_discs(&[disc]);
            assert!(set.is_err() || at.is_finite() && (0.0..=100.0).contains(&radius));
        }
    }
}
