//! `[[off_mesh]]`: links between two points, or two edges, without a surface.

use super::SettingsReader;
use crate::tables::{Key, Named, POSITIVE, Put, Schema, Table};
use recast::{AreaId, OffMeshConnection};

/// Off-mesh connections: a list of tables.
pub(super) static OFF_MESH: Schema<OffMeshConnection> = Schema {
    synonyms: &[("from", "start"), ("to", "end"), ("bidirectional", "both_ways")],
    ..Named("off_mesh").keys(&[
        Key::required("start", |link, f| f.point().put(&mut link.start)),
        Key::required("end", |link, f| f.point().put(&mut link.end)),
        Key::required("radius", |link, f| f.number(POSITIVE, " metres").put(&mut link.radius)),
        Key::new("along", |link, f| f.numbers(f64::MAX, "two finite numbers: [x, z]").put(&mut link.along)),
        Key::new("both_ways", |link, f| f.switch().put(&mut link.both_ways)),
        Key::new("area", |link, f| match f.area() {
            Some(area) if !area.is_walkable() => f.wrong("an area other than 0").unwrap_or_default(),
            area => area.put(&mut link.area),
        }),
        Key::new("flags", |link, f| link.flags = f.flags()),
        Key::new("user_id", |link, f| f.integer("a whole number, not negative").put(&mut link.user_id)),
    ])
};

impl SettingsReader<'_> {
    pub(super) fn take_off_mesh(&mut self, table: &Table<'_>) {
        let mut connection = OffMeshConnection {
            start: [0.0; 3],
            end: [0.0; 3],
            radius: 0.0,
            both_ways: true,
            area: AreaId::GROUND,
            flags: None,
            // Its position in the list, from 1.
            user_id: self.file.settings.off_mesh_connections.len() as u64 + 1,
            along: [0.0; 2],
        };
        if self.reader.read(&OFF_MESH, table, &mut connection) {
            self.file.settings.off_mesh_connections.push(connection);
        }
    }
}
