//! Fields: paths from everywhere to the nearest of several goals.

use crate::pointers::{present, slice, write};
use crate::query::{Asker, NtCornerKind, QUERIES, ask, corner_kind};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtField, NtPlace, NtPolyRef, NtQuery, NtVec3, place};
use detour::{Field, FieldChange, Place};
use std::mem::MaybeUninit;

static FIELDS: Table<Field> = Table::new(9, "field");

/// The next step from a place to the nearest goal of a field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtFieldStep {
    /// The cost of the whole path.
    pub cost: f32,
    /// A horizontal unit vector; zeros at a goal, and at the start of an off-mesh link.
    pub direction: NtVec3,
    /// The next point, which can be reached in a straight line.
    pub point: NtVec3,
    /// NT_CORNER_TURN, NT_CORNER_CROSSING, NT_CORNER_LINK_START, or NT_CORNER_END for a goal.
    pub kind: NtCornerKind,
    /// The off-mesh link that starts there; 0 if none.
    pub link: NtPolyRef,
}

fn with(field: NtField, query: NtQuery, work: impl FnOnce(&mut Field, &mut Asker) -> Answer<()>) -> NtStatus {
    call(|| QUERIES.with(query.id, |asker| FIELDS.with(field.id, |field| work(field, asker))))
}

/// Finds the costs of the cheapest paths from everywhere to one of `count` goals, up to `bound`, which may be
/// infinite. Uses the snapshot, the filter and the nodes of the query.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_field_new(
    query: NtQuery,
    goals: *const NtPlace,
    count: usize,
    bound: f32,
    out: Option<&mut MaybeUninit<NtField>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let out = present(out)?;
        let goals: Vec<Place> =
            slice(goals, count, "goals")?.iter().map(|goal| place(*goal)).collect::<Answer<_>>()?;
        let mut field = Field::default();
        query.field(mesh, &goals, bound, filter, &mut field)?;
        out.write(NtField { id: FIELDS.add(field)? });
        Ok(())
    })
}

/// Updates a field to the snapshot of a query of the same mesh. It is only searched again if something that
/// it depends on has changed; `searched` gets 1 then, else 0. `searched` may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no goal has ground now), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_field_refresh(
    field: NtField,
    query: NtQuery,
    searched: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    with(field, query, |field, Asker { mesh, filter, query, .. }| {
        let change = field.refresh(query, mesh, filter)?;
        if let Some(searched) = searched {
            searched.write((change == FieldChange::Searched).into());
        }
        Ok(())
    })
}

/// Writes the next step from a place of the query's snapshot.
/// Returns NT_OK, NT_NOT_FOUND (no path within the bound, or the field is of another snapshot),
/// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_field_next(
    field: NtField,
    query: NtQuery,
    from: NtPlace,
    out: Option<&mut MaybeUninit<NtFieldStep>>,
) -> NtStatus {
    with(field, query, |field, Asker { mesh, .. }| {
        let from = place(from)?;
        let parts = (field.distance(mesh, from), field.direction(mesh, from), field.next(mesh, from));
        let (Some(cost), Some(direction), Some(step)) = parts else {
            return Err(Fault::not_found("no path leads from there to a goal of the field"));
        };
        let step = NtFieldStep {
            cost,
            direction: direction.into(),
            point: step.point.into(),
            kind: corner_kind(step.kind),
            link: step.link.map_or(0, |link| link.to_bits()),
        };
        write(out, "out", step)
    })
}

/// Writes 1 if the query's nodes sufficed for the field, or 0 if only costs near its goals are known.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_field_complete(field: NtField, out: Option<&mut MaybeUninit<u8>>) -> NtStatus {
    call(|| FIELDS.with(field.id, |field| write(out, "out", field.is_complete().into())))
}

/// Frees a field.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_field_free(field: NtField) -> NtStatus {
    call(|| FIELDS.remove(field.id).map(drop))
}
