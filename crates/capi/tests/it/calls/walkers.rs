//! Calls of crowds.

use super::draw::{Draw, Made, lists, made, nothing, pointer};
use super::support::{ask, take};
use navtile_c::agent::*;
use navtile_c::crowd::*;
use navtile_c::groups::*;
use navtile_c::types::*;

pub(super) fn crowds(draw: &mut Draw<'_>) -> Made {
    let (crowd, mesh, agent) = (NtCrowd { id: draw.of(5) }, draw.mesh(), draw.of(0));
    let (number, other) = (draw.number(), draw.handle());
    match draw.below(22) {
        0 => {
            let settings =
                draw.options(nt_crowd_settings_init, |settings: &mut NtCrowdSettings| &mut settings.size);
            made(ask(|out| nt_crowd_new(pointer(settings.as_ref()), out)), |crowd| crowd.id)
        }
        1 => nothing(nt_crowd_free(crowd)),
        2 => nothing(ask(|out| nt_crowd_add_filter(crowd, NtFilter { id: other }, out))),
        3 | 4 => {
            let params = agent_params(draw);
            let at = draw.point();
            made(ask(|out| nt_crowd_add(crowd, mesh, at, pointer(params.as_ref()), out)), |agent| agent)
        }
        5 => {
            let params = agent_params(draw);
            nothing(nt_crowd_set_params(crowd, agent, pointer(params.as_ref())))
        }
        6 => nothing(nt_crowd_remove(crowd, agent)),
        7 => nothing(nt_crowd_send(crowd, agent, draw.place())),
        8 => nothing(nt_crowd_chase(crowd, agent, other)),
        9 => nothing(nt_crowd_set_velocity(crowd, agent, number, draw.number())),
        10 => nothing(nt_crowd_stop(crowd, agent)),
        11 => nothing(nt_crowd_finish_link(crowd, agent)),
        12 => {
            let points = [draw.point(), draw.point()];
            nothing(nt_crowd_set_interest(crowd, draw.array(&points), 2, number))
        }
        13 | 14 => nothing(nt_crowd_step(crowd, mesh, number)),
        15 => {
            let views = lists(draw, |out, capacity, count| nt_crowd_agents(crowd, out, capacity, count));
            views.iter().map(|view| view.agent).collect::<Vec<_>>().into_iter()
        }
        16 => nothing(ask(|out| nt_crowd_agent(crowd, agent, out))),
        17 => nothing(lists(draw, |out, capacity, count| nt_crowd_events(crowd, out, capacity, count))),
        18 => nothing(ask(|out| nt_crowd_hash(crowd, out))),
        20 => {
            let (filter, area) = (draw.below(3) as u32, draw.below(256) as u8);
            nothing(nt_crowd_set_area_speed(crowd, filter, area, number, draw.number()))
        }
        19 => lists(draw, |out, capacity, count| nt_crowd_corridor(crowd, agent, out, capacity, count))
            .into_iter(),
        _ => save_and_restore(draw, crowd, mesh),
    }
}

fn agent_params(draw: &mut Draw<'_>) -> Option<NtAgentParams> {
    let mut params = draw.options(nt_agent_params_init, |params: &mut NtAgentParams| &mut params.size)?;
    if draw.below(2) == 0 {
        (params.radius, params.max_speed, params.horizon) = (draw.number(), draw.number(), draw.number());
        (params.filter, params.avoidance) = (draw.below(3) as u32, draw.below(4) as u32);
        (params.ground_loss, params.fall_height) = (draw.below(5) as u32, draw.number());
    }
    Some(params)
}

fn save_and_restore(draw: &mut Draw<'_>, crowd: NtCrowd, mesh: NtMesh) -> Made {
    let Ok(bytes) = ask(|out| nt_crowd_save(crowd, out)) else { return nothing(()) };
    let mut content = take(bytes);
    if draw.below(2) == 0 {
        let at = draw.below(content.len() as u64) as usize;
        content[at] ^= 1 << draw.below(8);
    }
    nothing(nt_crowd_restore(crowd, mesh, content.as_ptr(), content.len()))
}

/// Groups, fields and exits of a crowd, agents that the caller moves, and discs.
pub(super) fn groups(draw: &mut Draw<'_>) -> Made {
    let (crowd, mesh, agent) = (NtCrowd { id: draw.of(5) }, draw.mesh(), draw.of(0));
    let (group, number, at) = (draw.of(0), draw.number(), draw.place());
    match draw.below(24) {
        0 | 1 => {
            let (followers, form) = ([draw.of(0), draw.of(0)], draw.below(5) as u32);
            let count = draw.below(3) as usize;
            let added =
                ask(|out| nt_crowd_add_group(crowd, agent, draw.array(&followers), count, form, number, out));
            made(added, |group| group)
        }
        2 => nothing(nt_crowd_send_group(crowd, group, at)),
        3 => nothing(nt_crowd_set_formation(crowd, group, draw.below(5) as u32, number)),
        4 => {
            let slots = [draw.number(), draw.number(), draw.number(), draw.number()];
            nothing(nt_crowd_set_slots(crowd, group, draw.array(&slots), 2, number))
        }
        5 => nothing(nt_crowd_join(crowd, group, agent)),
        6 => nothing(nt_crowd_leave_group(crowd, agent)),
        7 => nothing(nt_crowd_remove_group(crowd, group)),
        8 => nothing(ask(|out| nt_crowd_group(crowd, group, out))),
        9 => nothing(lists(draw, |out, capacity, count| {
            nt_crowd_followers(crowd, group, out, capacity, count)
        })),
        10 => made(ask(|out| nt_crowd_group_of(crowd, agent, out)), |group| group),
        11 => nothing(ask(|out| nt_crowd_slot(crowd, agent, out))),
        12 => {
            let (goals, filter) = ([at, draw.place()], draw.below(3) as u32);
            let count = draw.below(3) as usize;
            let added =
                ask(|out| nt_crowd_add_field(crowd, mesh, draw.array(&goals), count, number, filter, out));
            made(added, |field| field)
        }
        13 => nothing(nt_crowd_remove_field(crowd, group)),
        14 => nothing(nt_crowd_follow_field(crowd, agent, group)),
        15 => nothing(ask(|out| nt_crowd_field_cost(crowd, mesh, group, at, out))),
        16 => nothing(nt_crowd_follow_group(crowd, agent, group)),
        20 => {
            let exits = [at, draw.place()].map(|place| NtExit { place, rate: draw.number() });
            let (count, filter) = (draw.below(3) as usize, draw.below(3) as u32);
            let added = ask(|out| nt_crowd_add_exits(crowd, mesh, draw.array(&exits), count, filter, out));
            made(added, |exits| exits)
        }
        21 => nothing(nt_crowd_remove_exits(crowd, group)),
        22 => {
            let _ = nt_crowd_follow_exits(crowd, agent, group);
            nothing(ask(|out| nt_crowd_exit_of(crowd, agent, out)))
        }
        17 => {
            let _ = nt_crowd_set_kinematic(crowd, agent, draw.below(2) as u8);
            let _ = nt_crowd_carry(crowd, group, draw.point(), draw.point());
            nothing(nt_crowd_place(crowd, mesh, agent, draw.point(), draw.point()))
        }
        18 => {
            let (position, velocity) = (draw.point(), draw.point());
            let disc = NtDisc { position, velocity, radius: number, height: draw.number(), layers: 1 };
            nothing(nt_crowd_set_discs(crowd, draw.array(&[disc]), 1))
        }
        _ => {
            let _ = ask(|out| nt_crowd_waiting(crowd, out));
            let _ = ask(|out| nt_crowd_hold_up(crowd, agent, out));
            nothing(ask(|out| nt_crowd_params(crowd, agent, out)))
        }
    }
}
