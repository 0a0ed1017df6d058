//! The rows of a geometry set, read one after the other; every problem is noted and reading continues after
//! it.

use super::{Gset, area, areas};
use crate::error::{Lines, SettingProblem};
use navmath::count::counted;
use recast::{AreaId, OffMeshConnection, Partition, Settings, Shape, Volume};
use std::ops::Range;

/// The values of a row of settings, in order.
const SETTINGS: [&str; 21] = [
    "cell size",
    "cell height",
    "agent height",
    "agent radius",
    "agent climb",
    "agent slope",
    "smallest region",
    "merged region",
    "longest edge",
    "edge error",
    "vertices a polygon",
    "detail distance",
    "detail error",
    "partition",
    "smallest x",
    "smallest y",
    "smallest z",
    "largest x",
    "largest y",
    "largest z",
    "tile size",
];

/// A row: its position and its words.
#[derive(Clone)]
struct Row<'a> {
    line: u64,
    /// Its words, each with its bytes in the text.
    words: Vec<(&'a str, Range<usize>)>,
}

impl Row<'_> {
    fn span(&self) -> Range<usize> {
        match (self.words.first(), self.words.last()) {
            (Some((_, first)), Some((_, last))) => first.start..last.end,
            _ => 0..0,
        }
    }
}

struct GsetReader<'a> {
    text: &'a str,
    lines: Lines,
    rows: std::iter::Peekable<std::vec::IntoIter<Row<'a>>>,
    mesh: Option<(String, u64)>,
    settings: Settings,
    settings_line: Option<u64>,
    tile_cells: Option<f64>,
    problems: Vec<SettingProblem>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Gset, Vec<SettingProblem>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        vec![SettingProblem {
            place: Some(Lines::of(bytes).place(start)),
            span: Some(start..start + 1),
            what: "the text is not UTF-8, expected a geometry set of RecastDemo".to_owned(),
            remedy: Some("save the file as UTF-8".to_owned()),
        }]
    })?;
    let mut reader = GsetReader {
        text,
        lines: Lines::of(bytes),
        rows: rows(text).into_iter().peekable(),
        mesh: None,
        settings: Settings { areas: areas(), ..Settings::default() },
        settings_line: None,
        tile_cells: None,
        problems: Vec::new(),
    };
    while let Some(row) = reader.rows.next() {
        reader.take(&row);
    }
    if reader.mesh.is_none() && reader.problems.is_empty() {
        reader.note(0..0, "the file names no mesh, expected a row `f MESH.obj`".to_owned());
    }
    match reader.mesh {
        Some((mesh, _)) if reader.problems.is_empty() => Ok(Gset {
            mesh,
            settings: reader.settings,
            settings_line: reader.settings_line,
            tile_cells: reader.tile_cells,
        }),
        _ => Err(reader.problems),
    }
}

/// All rows with words in them, comments left out.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mark = "\u{FEFF}";
    let start_of = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let lines = text.strip_prefix(mark).unwrap_or(text).split('\n');
    let row = |(index, line): (usize, &'_ str)| {
        let words = line.split_ascii_whitespace();
        let place = |word: &'_ str| start_of(word)..start_of(word) + word.len();
        (index as u64 + 1, words.map(place).collect::<Vec<_>>())
    };
    let rows = lines.enumerate().map(row).map(|(line, words)| Row {
        line,
        words: words.into_iter().map(|span| (&text[span.clone()], span)).collect(),
    });
    rows.filter(|row| row.words.first().is_some_and(|(word, _)| !word.starts_with('#'))).collect()
}

impl GsetReader<'_> {
    fn note(&mut self, span: Range<usize>, what: String) {
        let place = Some(self.lines.place(span.start));
        self.problems.push(SettingProblem { place, span: Some(span), what, remedy: None });
    }

    fn take(&mut self, row: &Row<'_>) {
        match row.words[0].0 {
            "f" => self.take_mesh(row),
            "s" => self.take_settings(row),
            "c" => self.take_connection(row),
            "v" => self.take_volume(row),
            other => {
                let what = format!(
                    "unknown row `{}`, expected `f` (mesh), `s` (settings), `c` (off-mesh connection) or `v` \
                     (volume)",
                    shown(other)
                );
                self.note(row.words[0].1.clone(), what);
            }
        }
    }

    fn take_mesh(&mut self, row: &Row<'_>) {
        // The name continues to the end of the row, because it may contain spaces.
        let (start, end) = (row.words.get(1).map(|(_, span)| span.start), row.span().end);
        match (start, &self.mesh) {
            (None, _) => self.note(row.span(), "the row names no mesh, expected `f MESH.obj`".to_owned()),
            (Some(_), Some((_, line))) => {
                let what = format!("a second mesh, expected one; the first is in line {line}");
                self.note(row.span(), what);
            }
            (Some(start), None) => self.mesh = Some((self.text[start..end].to_owned(), row.line)),
        }
    }

    /// `words` as finite numbers; `None` if their count differs from that of `names`, or one is not a number.
    /// All errors are noted.
    fn numbers<const N: usize>(&mut self, row: &Row<'_>, first: usize, names: [&str; N]) -> Option<[f64; N]> {
        let words = &row.words[first..];
        if words.len() != N {
            let what = {
                let values = counted(words.len() as u64, "value", "values");
                format!("the row has {values}, expected {N}: {}", names.join(", "))
            };
            self.note(row.span(), what);
            return None;
        }
        let mut numbers = [0.0; N];
        let mut sound = true;
        for ((number, name), (word, span)) in numbers.iter_mut().zip(names).zip(words) {
            match word.parse::<f64>().ok().filter(|value| value.is_finite()) {
                Some(value) => *number = value,
                None => {
                    sound = false;
                    self.note(span.clone(), format!("{name} is `{}`, expected a finite number", shown(word)));
                }
            }
        }
        sound.then_some(numbers)
    }

    /// A number that must be whole and within a range.
    fn whole(
        &mut self,
        row: &Row<'_>,
        word: usize,
        name: &str,
        value: f64,
        range: Range<u32>,
    ) -> Option<u32> {
        let sound = value.fract() == 0.0 && value >= f64::from(range.start) && value < f64::from(range.end);
        if !sound {
            let what =
                format!("{name} is {value}, expected a whole number of {} to {}", range.start, range.end - 1);
            self.note(row.words[word].1.clone(), what);
        }
        sound.then_some(value as u32)
    }

    fn take_settings(&mut self, row: &Row<'_>) {
        if let Some(line) = self.settings_line {
            let what = format!("a second row of settings, expected one; the first is in line {line}");
            return self.note(row.span(), what);
        }
        self.settings_line = Some(row.line);
        let Some(values) = self.numbers(row, 1, SETTINGS) else { return };
        for index in [6, 7, 20] {
            if values[index] < 0.0 {
                let what = format!("{} is {}, expected 0 or more", SETTINGS[index], values[index]);
                self.note(row.words[index + 1].1.clone(), what);
            }
        }
        let max_vertices = self.whole(row, 11, SETTINGS[10], values[10], 3..256);
        let partition = self.whole(row, 14, SETTINGS[13], values[13], 0..3);
        let (Some(max_vertices), Some(partition)) = (max_vertices, partition) else { return };
        let [cell, height] = [values[0], values[1]];
        // Regions are given in cells on a side, and only whole cells count.
        let region = |side: f64| (side * side).floor() * cell * cell;
        self.settings = Settings {
            cell_size: cell,
            cell_height: height,
            agent_height: values[2],
            agent_radius: values[3],
            agent_climb: values[4],
            agent_slope: values[5],
            region_min_area: Some(region(values[6])),
            region_merge_area: Some(region(values[7])),
            max_edge_length: values[8],
            contour_max_error: Some(values[9] * cell),
            max_vertices,
            detail_sample_distance: Some(values[11] * cell),
            detail_max_error: Some(values[12] * height),
            partition: [Partition::Watershed, Partition::Monotone, Partition::Layers][partition as usize],
            bounds: Some(bounds(&values, height)),
            ..self.settings.clone()
        };
        self.tile_cells = (values[20] > 0.0).then_some(values[20]);
    }

    fn take_connection(&mut self, row: &Row<'_>) {
        let names = [
            "start x",
            "start y",
            "start z",
            "end x",
            "end y",
            "end z",
            "radius",
            "both ways",
            "area",
            "flags",
        ];
        let Some(values) = self.numbers(row, 1, names) else { return };
        let both_ways = self.whole(row, 8, names[7], values[7], 0..2);
        let id = self.whole(row, 9, names[8], values[8], 0..256);
        let flags = self.whole(row, 10, names[9], values[9], 0..1 << 16);
        let (Some(both_ways), Some(id), Some(flags)) = (both_ways, id, flags) else { return };
        let connection = OffMeshConnection {
            start: [values[0], values[1], values[2]],
            end: [values[3], values[4], values[5]],
            radius: values[6],
            both_ways: both_ways == 1,
            area: area(id as u8),
            flags: Some(flags),
            user_id: self.settings.off_mesh_connections.len() as u64 + 1,
            along: [0.0; 2],
        };
        match connection.fault() {
            Some(fault) => self.note(row.span(), format!("not a valid off-mesh connection: {fault}")),
            None => self.settings.off_mesh_connections.push(connection),
        }
    }

    fn take_volume(&mut self, row: &Row<'_>) {
        let names = ["number of corners", "area", "bottom", "top"];
        let Some(values) = self.numbers(row, 1, names) else { return self.skip_corners() };
        let count = self.whole(row, 1, names[0], values[0], 0..u32::MAX);
        let id = self.whole(row, 2, names[1], values[1], 0..256);
        let Some(count) = count else { return self.skip_corners() };
        if count < 3 {
            let what =
                format!("the volume has {}, expected at least 3", counted(count.into(), "corner", "corners"));
            self.note(row.words[1].1.clone(), what);
            return self.skip_corners();
        }
        let Some(outline) = self.corners(row, count) else { return };
        let Some(id) = id else { return };
        let shape = Shape::Prism { outline, bottom: values[2], top: values[3] };
        if let Some(fault) = shape.fault() {
            return self.note(row.span(), format!("not a valid volume: {fault}"));
        }
        // RecastDemo marks with the id unchanged, and 0 is unwalkable: such a volume cuts a hole.
        self.settings.volumes.push(Volume { shape, area: AreaId(id as u8) });
    }

    /// The rows of a volume's corners; `None` if one is wrong or missing.
    fn corners(&mut self, volume: &Row<'_>, count: u32) -> Option<Vec<[f64; 2]>> {
        let mut outline = Vec::new();
        for corner in 0..count {
            let Some(row) = self.rows.next_if(is_corner) else {
                let (what, span) = match self.rows.peek() {
                    Some(next) => (format!("found row `{}`", shown(next.words[0].0)), next.span()),
                    None => ("the file ends".to_owned(), volume.span()),
                };
                let line = volume.line;
                let what =
                    format!("{what}, expected corner {} of {count} of the volume in line {line}", corner + 1);
                self.note(span, what);
                return None;
            };
            if let Some([x, _, z]) = self.numbers(&row, 0, ["x", "y", "z"]) {
                outline.push([x, z]);
            }
        }
        (outline.len() == count as usize).then_some(outline)
    }

    /// Skips the corners of an invalid volume, so that they are not reported as unknown rows.
    fn skip_corners(&mut self) {
        while self.rows.next_if(is_corner).is_some() {}
    }
}

/// Returns true if a row starts like a corner: not with the letter of another kind of row.
fn is_corner(row: &Row<'_>) -> bool {
    let first = row.words[0].0;
    first.parse::<f64>().is_ok() || !first.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The bounds of the bake. A flat level has no height; its bounds get the height of a cell.
fn bounds(values: &[f64; 21], cell_height: f64) -> [[f64; 3]; 2] {
    let min = [values[14], values[15], values[16]];
    let mut max = [values[17], values[18], values[19]];
    if max[1] == min[1] {
        max[1] += cell_height;
    }
    [min, max]
}

/// A word for a message: without control characters, and short.
fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    let text: String = word.chars().take(LONGEST).collect();
    let text = text.escape_debug().to_string();
    if word.chars().count() > LONGEST { format!("{text}..") } else { text }
}
