//! The metadata as bytes: its fields one after the other, little-endian (docs/format.md).

use super::{FileError, refuse};
use crate::meta::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use navmath::bytes::{EndsEarly, Pod, Reader};

/// Most bytes of metadata that are decoded.
pub(crate) const META_LIMIT: usize = 1 << 20;
/// Most bytes of an area's name.
pub(crate) const NAME_LIMIT: usize = 255;

/// The bytes of valid metadata, as a file has them.
///
/// Errors: metadata that breaks a rule of docs/format.md.
pub fn encode(meta: &Meta) -> Result<Vec<u8>, FileError> {
    check(meta)?;
    let mut bytes = Vec::new();
    let AgentMeta { radius, height, climb, slope } = meta.agent;
    write_numbers(&mut bytes, &[radius, height, climb, slope]);
    write_settings(&mut bytes, &meta.settings);
    write_numbers(&mut bytes, &meta.origin);
    write_numbers(&mut bytes, &meta.cell);
    bytes.extend(meta.tile_cells.to_le_bytes());
    bytes.extend(meta.geometry_digest);
    write_length(&mut bytes, meta.areas.len());
    for area in &meta.areas {
        bytes.push(area.id);
        write_length(&mut bytes, area.name.len());
        bytes.extend(area.name.as_bytes());
        bytes.extend(area.flags.to_le_bytes());
        bytes.extend(area.cost.to_le_bytes());
    }
    let colours: Vec<AreaColour> =
        meta.areas.iter().filter_map(|area| Some((area.id, area.colour?))).collect();
    let outlines = meta.settings.outlines;
    if !colours.is_empty() || outlines != 0 {
        write_length(&mut bytes, colours.len());
        bytes.extend(colours.iter().flat_map(|&(id, [red, green, blue])| [id, red, green, blue]));
    }
    if outlines != 0 {
        bytes.push(outlines);
    }
    if bytes.len() > META_LIMIT {
        let expected = format!("metadata of at most {META_LIMIT} bytes");
        return refuse("meta-encoding", expected, format!("{} bytes", bytes.len()));
    }
    Ok(bytes)
}

fn write_numbers(bytes: &mut Vec<u8>, numbers: &[f64]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn write_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend((length as u64).to_le_bytes());
}

fn write_settings(bytes: &mut Vec<u8>, settings: &SettingsMeta) {
    bytes.push(settings.partition);
    bytes.extend(settings.max_vertices.to_le_bytes());
    let measures = [
        settings.region_min_area,
        settings.region_merge_area,
        settings.max_edge_length,
        settings.contour_max_error,
        settings.detail_sample_distance,
        settings.detail_max_error,
    ];
    write_numbers(bytes, &measures);
    bytes.extend([settings.split_walls, settings.split_areas, settings.median_filter].map(u8::from));
    bytes.extend(settings.volumes.to_le_bytes());
    bytes.extend(settings.off_mesh_connections.to_le_bytes());
    bytes.extend(settings.marks_digest);
    bytes.push(u8::from(settings.reachable_from.is_some()));
    write_numbers(bytes, settings.reachable_from.as_ref().map_or(&[], |place| place));
}

/// The id of an area, and its colour.
type AreaColour = (u8, [u8; 3]);

/// Reads the colours of areas and the kind of outlines from the bytes after all other fields.
fn decode_rest(bytes: &[u8], meta: &mut Meta) -> Result<(), FileError> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut from = Reader::new(bytes);
    let count: u64 = from.read().or_else(ends_early)?;
    let (colours, outlines) = from.rest().as_chunks::<{ size_of::<AreaColour>() }>();
    meta.settings.outlines = match *outlines {
        [] => 0,
        [outlines] if outlines != 0 => outlines,
        _ => {
            let found = format!("{} bytes", from.rest().len());
            return refuse("meta-encoding", "four bytes for the colour of an area", found);
        }
    };
    if (count == 0 && outlines.is_empty()) || count != colours.len() as u64 {
        let expected = "the stated number of colours of areas, or no bytes after the areas";
        return refuse("meta-encoding", expected, format!("{count} stated in {} bytes", bytes.len()));
    }
    let mut areas = meta.areas.iter_mut();
    for &[id, red, green, blue] in colours {
        // Both are sorted by id.
        let Some(area) = areas.find(|area| area.id == id) else {
            return refuse("meta-areas", "colours of existing areas, by ascending id", format!("area {id}"));
        };
        area.colour = Some([red, green, blue]);
    }
    Ok(())
}

fn ends_early<T>(EndsEarly { expected, left, .. }: EndsEarly) -> Result<T, FileError> {
    let found = format!("{left} bytes where {expected} are due: they end early");
    refuse("meta-encoding", "metadata of version 1", found)
}

/// The fields that have not been read yet.
struct Fields<'a>(Reader<'a>);

impl Fields<'_> {
    fn read<T: Pod>(&mut self) -> Result<T, FileError> {
        self.0.read().or_else(ends_early)
    }

    fn switch(&mut self) -> Result<bool, FileError> {
        match self.read::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            other => refuse("meta-encoding", "a switch of 0 or 1", other),
        }
    }

    fn settings(&mut self) -> Result<SettingsMeta, FileError> {
        Ok(SettingsMeta {
            partition: self.read()?,
            max_vertices: self.read()?,
            region_min_area: self.read()?,
            region_merge_area: self.read()?,
            max_edge_length: self.read()?,
            contour_max_error: self.read()?,
            detail_sample_distance: self.read()?,
            detail_max_error: self.read()?,
            split_walls: self.switch()?,
            split_areas: self.switch()?,
            median_filter: self.switch()?,
            volumes: self.read()?,
            off_mesh_connections: self.read()?,
            marks_digest: self.read()?,
            reachable_from: if self.switch()? { Some(self.read()?) } else { None },
            outlines: 0,
        })
    }

    fn area(&mut self) -> Result<AreaMeta, FileError> {
        let id = self.read()?;
        let length: u64 = self.read()?;
        if length > NAME_LIMIT as u64 {
            let expected = format!("names of at most {NAME_LIMIT} bytes");
            return refuse("meta-areas", expected, format!("{length} bytes"));
        }
        let Ok(name) = str::from_utf8(self.0.take(length).or_else(ends_early)?) else {
            let found = format!("other bytes for area {id}");
            return refuse("meta-encoding", "names in UTF-8", found);
        };
        Ok(AreaMeta { id, name: name.to_owned(), flags: self.read()?, cost: self.read()?, colour: None })
    }

    fn areas(&mut self) -> Result<Vec<AreaMeta>, FileError> {
        let count: u64 = self.read()?;
        if count > u64::from(u8::MAX) {
            return refuse("meta-areas", "at most 255 areas, as their ids are different", count);
        }
        (0..count).map(|_| self.area()).collect()
    }
}

/// Metadata from `bytes`, which must be consumed completely, with every rule checked. Memory in proportion to
/// them.
pub fn decode(bytes: &[u8]) -> Result<Meta, FileError> {
    let mut fields = Fields(Reader::new(bytes));
    let [radius, height, climb, slope] = fields.read()?;
    let mut meta = Meta {
        agent: AgentMeta { radius, height, climb, slope },
        settings: fields.settings()?,
        origin: fields.read()?,
        cell: fields.read()?,
        tile_cells: fields.read()?,
        geometry_digest: fields.read()?,
        areas: fields.areas()?,
    };
    decode_rest(fields.0.rest(), &mut meta)?;
    check(&meta)?;
    Ok(meta)
}

/// Checks that numbers are in range and areas in order.
fn check(meta: &Meta) -> Result<(), FileError> {
    let Meta { agent, settings, .. } = meta;
    let measures = [
        ("agent radius", agent.radius),
        ("agent height", agent.height),
        ("agent climb", agent.climb),
        ("agent slope", agent.slope),
        ("smallest region", settings.region_min_area),
        ("merged region", settings.region_merge_area),
        ("edge length", settings.max_edge_length),
        ("contour error", settings.contour_max_error),
        ("detail distance", settings.detail_sample_distance),
        ("detail error", settings.detail_max_error),
    ];
    for (name, value) in measures {
        if !(value.is_finite() && value >= 0.0) {
            return refuse("meta-number", format!("a finite {name}, not negative"), format!("{value}"));
        }
    }
    if !meta.cell.iter().all(|value| value.is_finite() && *value > 0.0) {
        return refuse("meta-number", "a finite, positive cell", format!("{:?}", meta.cell));
    }
    if !meta.origin.iter().all(|value| value.is_finite()) {
        return refuse("meta-number", "a finite origin", format!("{:?}", meta.origin));
    }
    if settings.partition > 2 {
        return refuse("meta-partition", "a partition from 0 to 2", settings.partition);
    }
    if settings.outlines > 1 {
        return refuse("meta-outlines", "outlines of 0 or 1", settings.outlines);
    }
    if settings.reachable_from.is_some_and(|place| !place.iter().all(|value| value.is_finite())) {
        return refuse("meta-number", "a finite place", format!("{:?}", settings.reachable_from));
    }
    let mut previous = 0;
    for area in &meta.areas {
        check_area(area, previous)?;
        previous = area.id;
    }
    Ok(())
}

fn check_area(area: &AreaMeta, previous: u8) -> Result<(), FileError> {
    if area.id <= previous {
        let expected = format!("area ids from 1 on, ascending, so one above {previous}");
        return refuse("meta-areas", expected, area.id);
    }
    if area.name.len() > NAME_LIMIT {
        let found = format!("{} bytes in area {}", area.name.len(), area.id);
        return refuse("meta-areas", format!("names of at most {NAME_LIMIT} bytes"), found);
    }
    if !(area.cost.is_finite() && area.cost >= 0.0) {
        let expected = format!("a finite cost, not negative, for area {}", area.id);
        return refuse("meta-areas", expected, area.cost);
    }
    Ok(())
}
