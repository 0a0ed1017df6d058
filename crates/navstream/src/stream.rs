//! The stream: the needed tiles, and the mesh of the tiles that have arrived.

use crate::error::StreamError;
use crate::plan::{Demands, Hold, Known, Pin, Plan, TileState};
use crate::source::TileSource;
use crate::update::{Limits, Update};
use crate::world::{Circle, TileNumber, World};
use detour::{NavMesh, PolyRef};
use navtile::TileCoord;
use std::collections::{BTreeMap, BTreeSet};

mod arrive;
mod remove;

/// Keeps a mesh of the tiles around some places of a world. See [the crate](crate).
///
/// Cost of an update: linking the tiles that arrived, and removing the tiles that made room for them; if
/// pins, wants or holds have changed, O(n log n) in the needed tiles. Memory: 16 bytes per tile of the world.
pub struct TileStream<S> {
    world: World,
    source: S,
    limits: Limits,
    mesh: NavMesh,
    demands: Demands,
    plan: Plan,
    /// False if something has changed since the plan was made.
    is_planned: bool,
    /// The states of all tiles of the world.
    states: Vec<TileState>,
    /// Tiles that were requested, and not yet answered.
    in_flight: BTreeSet<TileNumber>,
    /// Tiles that are to be requested again, once their earlier request was answered.
    reloads: BTreeSet<TileNumber>,
    /// The updates in which failed tiles are reloaded.
    retries: BTreeSet<(u64, TileNumber)>,
    /// Flags and areas that were changed in tiles that are not loaded.
    changed: BTreeMap<TileCoord, Vec<u8>>,
    /// Bytes of the tiles in the mesh.
    memory: u64,
    /// Number of updates.
    updates: u64,
}

impl<S: TileSource> TileStream<S> {
    /// Starts with an empty mesh, whose positions are relative to `anchor` (world metres,
    /// [`NavMesh::new`]). Nothing is needed before [`TileStream::pin`] or [`TileStream::want`].
    ///
    /// # Errors
    /// The anchor is not finite.
    pub fn new(
        world: World,
        source: S,
        anchor: [f64; 3],
        limits: Limits,
    ) -> Result<TileStream<S>, StreamError> {
        Ok(TileStream {
            states: vec![TileState::default(); world.tiles().len()],
            world,
            source,
            limits,
            mesh: NavMesh::new(anchor)?,
            demands: Demands::default(),
            plan: Plan::default(),
            is_planned: false,
            in_flight: BTreeSet::new(),
            reloads: BTreeSet::new(),
            retries: BTreeSet::new(),
            changed: BTreeMap::new(),
            memory: 0,
            updates: 0,
        })
    }

    /// Keeps all tiles that touch a circle around a place (world metres; its height does not matter), or
    /// fetches them, the nearest to its pin first.
    ///
    /// # Errors
    /// The place is not finite, or the radius is negative or not finite.
    pub fn pin(&mut self, place: [f64; 3], radius: f64) -> Result<Pin, StreamError> {
        let circle = Circle::new(place, radius)?;
        self.is_planned = false;
        Ok(self.demands.pin(circle))
    }

    /// Moves a pin to another place.
    ///
    /// # Errors
    /// The place is not finite, or there is no such pin.
    pub fn move_pin(&mut self, pin: Pin, place: [f64; 3]) -> Result<(), StreamError> {
        let circle = self.demands.circle(pin)?;
        let moved = circle.moved(place)?;
        if *circle != moved {
            *circle = moved;
            self.is_planned = false;
        }
        Ok(())
    }

    /// Removes a pin. Its tiles stay until room is needed.
    ///
    /// # Errors
    /// There is no such pin.
    pub fn unpin(&mut self, pin: Pin) -> Result<(), StreamError> {
        self.is_planned = false;
        self.demands.unpin(pin)
    }

    /// Names further tiles, the first needed first: for a long path, the tiles that its next legs lead
    /// through. They are fetched after the tiles of all pins. Replaces the tiles of the call before.
    /// Coordinates without a tile of the world are left out.
    pub fn want(&mut self, coords: &[TileCoord]) {
        let wants: Vec<TileNumber> = coords.iter().filter_map(|coord| self.world.number(*coord)).collect();
        if wants != self.demands.wants {
            self.demands.wants = wants;
            self.is_planned = false;
        }
    }

    /// Keeps the tiles of references, whatever else is needed, until [`TileStream::release`]: of the polygons
    /// and links of a [`Corridor`](detour::Corridor) that an agent follows. They stay valid as long as they
    /// are held, unless a [`TileStream::reload`] replaces their tile.
    ///
    /// # Errors
    /// A reference does not name a polygon or link of the mesh any more. Then nothing is held.
    pub fn hold(&mut self, references: &[PolyRef]) -> Result<Hold, StreamError> {
        let tiles = self.tiles_of(references)?;
        self.is_planned = false;
        Ok(self.demands.hold(tiles))
    }

    /// Holds other references instead, after a corridor has changed.
    ///
    /// # Errors
    /// As of [`TileStream::hold`], and if there is no such hold. Then the references before are still held.
    pub fn change_hold(&mut self, hold: Hold, references: &[PolyRef]) -> Result<(), StreamError> {
        let tiles = self.tiles_of(references)?;
        let held = self.demands.held(hold)?;
        if *held != tiles {
            *held = tiles;
            self.is_planned = false;
        }
        Ok(())
    }

    /// Ends a hold. Its tiles stay until room is needed.
    ///
    /// # Errors
    /// There is no such hold.
    pub fn release(&mut self, hold: Hold) -> Result<(), StreamError> {
        self.is_planned = false;
        self.demands.release(hold)
    }

    /// The tiles of references, each once, by number. A tile that the world does not list was added by the
    /// caller, and the stream does not remove it.
    fn tiles_of(&self, references: &[PolyRef]) -> Result<Vec<TileNumber>, StreamError> {
        let mut tiles = BTreeSet::new();
        for reference in references {
            // Also finds the tile of an off-mesh link.
            self.mesh.attributes(*reference)?;
            let first = PolyRef::new(reference.salt(), reference.slot(), 0);
            let (tile, _) = self.mesh.tile_of(first.unwrap_or(*reference))?;
            tiles.extend(self.world.number(tile.coord()));
        }
        Ok(tiles.into_iter().collect())
    }

    /// Requests a tile again in the next updates: a tile that failed or was absent, or a tile in the mesh
    /// that has changed at the source. The answer replaces the tile in the mesh, even if it is held, unless
    /// both are equal. Returns false if the tile was never requested or is no longer loaded: a stream fetches
    /// such a tile when it is needed.
    pub fn reload(&mut self, coord: TileCoord) -> bool {
        let known = |tile: &TileNumber| self.known(*tile) != Known::Nothing || self.in_flight.contains(tile);
        match self.world.number(coord).filter(known) {
            Some(tile) => {
                self.reloads.insert(tile);
                true
            }
            None => false,
        }
    }

    /// Requests missing tiles, and takes the tiles that have arrived, within the [`Limits`]. Does not wait,
    /// unless the source does.
    pub fn update(&mut self) -> Update {
        let mut update = Update::default();
        self.updates += 1;
        self.forget_failures();
        self.renew_plan();
        self.make_room(0, &mut update);
        self.request();
        let mut bytes = 0;
        for _ in 0..self.limits.tiles {
            if bytes >= self.limits.bytes {
                break;
            }
            let Some(arrival) = self.source.poll() else { break };
            bytes += self.take(arrival, &mut update);
        }
        self.renew_plan();
        self.request();
        update.waiting = self.missing().count();
        update.over_limit = self.plan.over.len();
        update
    }

    /// The mesh of the tiles that have arrived. Clone it for threads that query: a clone never changes.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, to set flags and areas and to register filters. Flags and areas are kept when their tile is
    /// removed, and set again when it returns. Leave it to the stream to add and remove its tiles.
    pub fn mesh_mut(&mut self) -> &mut NavMesh {
        &mut self.mesh
    }

    /// Flags and areas that were changed in tiles that are not loaded, as [`NavMesh::store_state`] encodes
    /// them: 40 bytes per tile, and 12 per polygon. A saved game stores these and those of the loaded tiles.
    pub fn states(&self) -> &BTreeMap<TileCoord, Vec<u8>> {
        &self.changed
    }

    /// Replaces the states of tiles that are not loaded with those of a saved game. They are checked when
    /// their tiles are added.
    pub fn set_states(&mut self, states: BTreeMap<TileCoord, Vec<u8>>) {
        self.changed = states;
    }

    /// The needed tiles that did not fit in the last update, the most urgent first.
    pub fn over_limit(&self) -> impl ExactSizeIterator<Item = TileCoord> + '_ {
        self.plan.over.iter().map(|tile| self.world.tile(*tile).coord)
    }

    /// Bytes of the tiles in the mesh.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The tiles of the world. Lengths of tiles that have arrived are exact.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Changes the limits. If the tiles in the mesh take more memory than there is now, the next update
    /// removes the least needed, all at once; tiles that are held stay.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.is_planned = false;
    }

    /// The source of the tiles.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source of the tiles, mutable.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    fn known(&self, tile: TileNumber) -> Known {
        self.states[tile as usize].known
    }

    fn set_known(&mut self, tile: TileNumber, known: Known) {
        self.states[tile as usize].known = known;
    }

    fn is_loaded(&self, tile: TileNumber) -> bool {
        self.known(tile) == Known::Loaded
    }

    /// The tiles that are needed, fit, and are not in the mesh yet, the most urgent first.
    fn missing(&self) -> impl Iterator<Item = &TileNumber> {
        self.plan.kept.iter().filter(|tile| self.known(**tile) == Known::Nothing)
    }

    /// Makes a new plan if something has changed, and cancels requests for tiles that are no longer needed.
    fn renew_plan(&mut self) {
        if std::mem::replace(&mut self.is_planned, true) {
            return;
        }
        let Self { world, source, demands, plan, states, in_flight, .. } = self;
        plan.renew(demands, world, self.limits.memory, states);
        in_flight.retain(|tile| {
            let state = states[*tile as usize];
            // The answer to the request of a loaded tile replaces it.
            let is_awaited = plan.keeps(state) || state.known == Known::Loaded;
            if !is_awaited {
                source.cancel(world.tile(*tile).coord);
            }
            is_awaited
        });
    }

    /// Requests tiles that are to be loaded again, then missing tiles, the most urgent first.
    fn request(&mut self) {
        let free = (self.limits.in_flight as usize).saturating_sub(self.in_flight.len());
        let again = self.reloads.iter().filter(|tile| self.is_loaded(**tile));
        let next = again.chain(self.missing()).filter(|tile| !self.in_flight.contains(tile));
        let next: Vec<TileNumber> = next.copied().take(free).collect();
        for tile in next {
            self.reloads.remove(&tile);
            self.in_flight.insert(tile);
            self.source.request(self.world.tile(tile).coord, self.mesh.anchor());
        }
    }

    /// Makes failed tiles unknown that are to be tried again.
    fn forget_failures(&mut self) {
        while let Some((_, tile)) = self.retries.first().copied().filter(|(due, _)| *due <= self.updates) {
            self.retries.pop_first();
            self.reloads.insert(tile);
        }
        let Self { reloads, states, is_planned, .. } = self;
        reloads.retain(|tile| {
            let known = &mut states[*tile as usize].known;
            let has_failed = matches!(known, Known::Failed | Known::Absent);
            if has_failed {
                (*known, *is_planned) = (Known::Nothing, false);
            }
            !has_failed
        });
    }
}
