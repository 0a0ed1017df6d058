//! The table of a level, and its JSON form.

use super::capsules::Capsules;
use super::complexity::Complexity;
use super::margins::Margins;
use super::paths::End;
use super::worst::Spot;
use super::{LevelQuality, Measures, MeshVariant, Tiles};
use serde_json::{Value, json};

/// A line of the table.
struct TableRow {
    measure: &'static str,
    what: &'static str,
    /// For JSON.
    key: &'static str,
    unit: &'static str,
    /// Digits after the point.
    digits: usize,
    values: Vec<Option<f64>>,
}

/// A place worth looking at.
struct Place {
    column: MeshVariant,
    what: String,
    value: f64,
    unit: &'static str,
    /// World positions: one, or the two ends of a path.
    at: Vec<[f64; 3]>,
}

/// The meaning of the table's words.
pub const LEGEND: &str = "\
coverage      floors: of regions, after erosion. uncovered: no polygon of about their height over their middle;
              beyond error: and none within the error that contours may have. over nothing: polygons over columns
              without a floor of about their height, not even an eroded one; reach: how far from one
conservation  polygons' area against that of their region's simplified contours, in integers
seams         of tiles: portals without a partner, unequal intervals, heights where two portals share an end or a
              stretch; connected floors and islands of polygons beside those of the bake in one piece
height        of the detail mesh over the middle of each covered floor, less the floor's, without sign
paths         lengths seen from above: on mesh, beside the shortest path over the same polygons; over floors, beside
              the shortest over the eroded floors. The pairs are the same in every column
capsules      of the agent on a raster, among the level's triangles: on the mesh, and in a wall by more than 1 cm; on
              the ground, free of walls and ledges, and without a mesh; near it: within two radii of the mesh
complexity    polygons and passages between them, their shape, columns under several polygons of one storey, pieces
              of the mesh beside those of the floors, and the lines along which the mesh ends
margins       of the mesh's border: its distance from the nearest wall or end of the ground, less the radius, where one is
              nearer than the radius and three cells; too near: by more than 1 mm
";

impl LevelQuality {
    fn value(&self, column: MeshVariant, get: &impl Fn(&Measures) -> Option<f64>) -> Option<f64> {
        let measures = self.columns.iter().find(|(other, _)| *other == column)?;
        get(measures.1.as_ref().ok()?)
    }

    fn rows(&self) -> Vec<TableRow> {
        let mut rows = Vec::new();
        self.add_surface_rows(&mut rows);
        self.add_tile_rows(&mut rows);
        self.add_path_rows(&mut rows);
        self.add_capsule_rows(&mut rows);
        self.add_complexity_rows(&mut rows);
        self.add_margin_rows(&mut rows);
        rows
    }

    fn add(
        &self,
        rows: &mut Vec<TableRow>,
        [measure, what, key, unit]: [&'static str; 4],
        digits: usize,
        get: impl Fn(&Measures) -> Option<f64>,
    ) {
        let values = MeshVariant::ALL.iter().map(|&column| self.value(column, &get)).collect();
        rows.push(TableRow { measure, what, key, unit, digits, values });
    }

    fn add_surface_rows(&self, rows: &mut Vec<TableRow>) {
        let [size, height] = self.cell;
        let cell = size * size;
        let count = |count: usize| Some(count as f64);
        self.add(rows, ["", "polygons", "polygons", ""], 0, |m| count(m.polygons));
        let head = "coverage";
        self.add(rows, [head, "floors", "floors", ""], 0, |m| count(m.coverage.floors));
        self.add(rows, [head, "uncovered", "uncovered", ""], 0, |m| count(m.coverage.uncovered));
        self.add(rows, [head, "uncovered", "uncovered_share", "%"], 3, |m| {
            Some(100.0 * m.coverage.uncovered as f64 / m.coverage.floors.max(1) as f64)
        });
        self.add(rows, [head, "uncovered", "uncovered_area", "m²"], 2, |m| {
            Some(m.coverage.uncovered as f64 * cell)
        });
        self.add(rows, [head, "beyond error", "beyond_error", ""], 0, |m| count(m.coverage.beyond_error));
        self.add(rows, [head, "farthest uncovered", "farthest_uncovered", "m"], 3, |m| {
            Some(largest(&m.coverage.worst_uncovered) * size)
        });
        self.add(rows, [head, "polygon area", "polygon_area", "m²"], 2, |m| Some(m.coverage.area * cell));
        self.add(rows, [head, "over nothing", "over_nothing", "m²"], 3, |m| {
            Some(m.coverage.over_nothing * cell)
        });
        self.add(rows, [head, "largest reach", "largest_reach", "m"], 3, |m| {
            Some(largest(&m.coverage.worst_over_nothing) * size)
        });
        let head = "conservation";
        self.add(rows, [head, "regions", "regions", ""], 0, |m| count(m.conservation.regions));
        self.add(rows, [head, "regions that differ", "regions_differing", ""], 0, |m| {
            count(m.conservation.differing)
        });
        self.add(rows, [head, "difference", "difference", "m²"], 3, |m| {
            Some(m.conservation.difference * cell)
        });
        self.add(rows, [head, "polygons less floors", "polygons_less_floors", "m²"], 2, |m| {
            Some(m.conservation.over_floors * cell)
        });
        let head = "height";
        self.add(rows, [head, "mean error", "mean_error", "m"], 4, |m| Some(m.height.mean * height));
        self.add(rows, [head, "99 of 100 within", "percentile_99", "m"], 3, |m| {
            Some(m.height.percentile_99 * height)
        });
        self.add(rows, [head, "largest error", "largest_error", "m"], 3, |m| {
            Some(m.height.largest() * height)
        });
        self.add(rows, [head, "above one climb", "above_climb", ""], 0, |m| count(m.height.above_climb));
    }

    fn add_tile_rows(&self, rows: &mut Vec<TableRow>) {
        let [size, height] = self.cell;
        let mut add = |[what, key, unit]: [&'static str; 3], digits, get: &dyn Fn(&Tiles) -> f64| {
            self.add(rows, ["seams", what, key, unit], digits, |m| m.tiles.as_ref().map(get));
        };
        add(["portals", "portals", ""], 0, &|t| t.seams.portals as f64);
        add(["portals alone", "portals_alone", ""], 0, &|t| t.seams.alone as f64);
        add(["unmatched length", "unmatched_length", "m"], 2, &|t| t.seams.unmatched * size);
        add(["pairs", "portal_pairs", ""], 0, &|t| t.seams.pairs as f64);
        add(["pairs, unequal intervals", "unequal_intervals", ""], 0, &|t| t.seams.unequal as f64);
        add(["shared ends, uneven", "uneven_ends", ""], 0, &|t| t.seams.uneven_ends as f64);
        add(["largest difference in height", "height_difference", "m"], 3, &|t| {
            t.seams.height_difference * height
        });
        add(["floors unlike the whole's", "floors_differing", ""], 0, &|t| {
            t.components.floors_differing as f64
        });
        add(["steps that lead nowhere", "broken_steps", ""], 0, &|t| t.components.broken_steps as f64);
        add(["components, whole", "components_solo", ""], 0, &|t| t.components.solo as f64);
        add(["components, tiled", "components_tiled", ""], 0, &|t| t.components.tiled as f64);
        add(["components that differ", "components_differing", ""], 0, &|t| t.components.differing as f64);
        add(["islands, whole", "islands_solo", ""], 0, &|t| t.islands.solo as f64);
        add(["islands, tiled", "islands_tiled", ""], 0, &|t| t.islands.tiled as f64);
        add(["islands that differ", "islands_differing", ""], 0, &|t| t.islands.changes.len() as f64);
    }

    fn add_path_rows(&self, rows: &mut Vec<TableRow>) {
        let head = "paths";
        self.add(rows, [head, "pairs", "pairs", ""], 0, |m| Some(m.paths.pairs as f64));
        self.add(rows, [head, "pairs apart", "pairs_apart", ""], 0, |m| Some(m.apart as f64));
        self.add(rows, [head, "not found", "not_found", ""], 0, |m| Some(m.paths.not_found as f64));
        let ratio = |count: usize, value: f64| (count > 0).then_some(value);
        self.add(rows, [head, "on mesh, mean", "on_mesh_mean", "x"], 5, |m| {
            ratio(m.paths.on_mesh.count, m.paths.on_mesh.mean)
        });
        self.add(rows, [head, "on mesh, best", "on_mesh_best", "x"], 4, |m| {
            ratio(m.paths.on_mesh.count, m.paths.on_mesh.least)
        });
        self.add(rows, [head, "on mesh, worst", "on_mesh_worst", "x"], 4, |m| {
            ratio(m.paths.on_mesh.count, m.paths.on_mesh.largest())
        });
        self.add(rows, [head, "over floors, mean", "over_floors_mean", "x"], 5, |m| {
            ratio(m.paths.over_floors.count, m.paths.over_floors.mean)
        });
        self.add(rows, [head, "over floors, best", "over_floors_best", "x"], 4, |m| {
            ratio(m.paths.over_floors.count, m.paths.over_floors.least)
        });
        self.add(rows, [head, "over floors, worst", "over_floors_worst", "x"], 4, |m| {
            ratio(m.paths.over_floors.count, m.paths.over_floors.largest())
        });
    }

    fn add_capsule_rows(&self, rows: &mut Vec<TableRow>) {
        let mut add = |[what, key, unit]: [&'static str; 3], digits, get: &dyn Fn(&Capsules) -> f64| {
            self.add(rows, ["capsules", what, key, unit], digits, |m| Some(get(&m.capsules)));
        };
        add(["step of the raster", "capsule_step", "m"], 3, &|c| c.step);
        add(["on the mesh", "capsules_on_mesh", ""], 0, &|c| c.on_mesh as f64);
        add(["in a wall", "capsules_in_wall", "%"], 3, &Capsules::in_wall_share);
        add(["free", "capsules_free", ""], 0, &|c| c.free as f64);
        add(["free, no mesh", "capsules_uncovered", "%"], 3, &|c| c.free_share(c.uncovered));
        add(["free, no mesh, near it", "capsules_uncovered_near", "%"], 3, &|c| {
            c.free_share(c.uncovered_near)
        });
    }

    fn add_complexity_rows(&self, rows: &mut Vec<TableRow>) {
        let cell = self.cell[0] * self.cell[0];
        let mut add = |[what, key, unit]: [&'static str; 3], digits, get: &dyn Fn(&Complexity) -> f64| {
            self.add(rows, ["complexity", what, key, unit], digits, |m| Some(get(&m.complexity)));
        };
        add(["vertices", "vertices", ""], 0, &|c| c.vertices as f64);
        add(["edges", "edges", ""], 0, &|c| c.edges as f64);
        add(["passages", "passages", ""], 0, &|c| c.passages as f64);
        add(["area of a polygon, mean", "area_mean", "m²"], 2, &|c| c.area.mean * cell);
        add(["its deviation", "area_deviation", "m²"], 2, &|c| c.area.deviation * cell);
        add(["neighbours, mean", "neighbours_mean", ""], 2, &|c| c.neighbours.mean);
        add(["their deviation", "neighbours_deviation", ""], 2, &|c| c.neighbours.deviation);
        add(["elongation, mean", "elongation_mean", ""], 2, &|c| c.elongation.mean);
        add(["its deviation", "elongation_deviation", ""], 2, &|c| c.elongation.deviation);
        add(["overlap", "overlap", "%"], 3, &|c| 100.0 * c.overlap);
        add(["pieces", "pieces", ""], 0, &|c| c.pieces as f64);
        add(["pieces of the floors", "floor_pieces", ""], 0, &|c| c.floor_pieces as f64);
        add(["borders", "borders", ""], 0, &|c| c.borders as f64);
    }

    fn add_margin_rows(&self, rows: &mut Vec<TableRow>) {
        let mut add = |[what, key, unit]: [&'static str; 3], digits, get: &dyn Fn(&Margins) -> f64| {
            self.add(rows, ["margins", what, key, unit], digits, |m| Some(get(&m.margins)));
        };
        add(["samples of the border", "margin_samples", ""], 0, &|m| m.samples as f64);
        add(["explained by a triangle", "margin_explained", "%"], 1, &Margins::explained_share);
        add(["mean error", "margin_mean", "m"], 4, &|m| m.errors.mean());
        add(["99 of 100 within", "margin_percentile_99", "m"], 3, &|m| m.errors.within(0.99));
        add(["largest error", "margin_largest", "m"], 3, &|m| m.errors.within(1.0));
        add(["too near", "margin_too_near", "%"], 2, &|m| 100.0 * m.errors.too_near());
        add(["smallest clearance", "margin_clearance", "m"], 3, &|m| m.clearance);
    }

    /// World position of a place in cells.
    fn world(&self, cells: [f64; 3]) -> [f64; 3] {
        let [size, height] = self.cell;
        let cell = [size, height, size];
        std::array::from_fn(|axis| self.origin[axis] + cells[axis] * cell[axis])
    }

    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (column, measures) in &self.columns {
            if let Ok(measures) = measures {
                self.add_places(*column, measures, &mut places);
            }
        }
        places
    }

    fn add_places(&self, column: MeshVariant, measures: &Measures, places: &mut Vec<Place>) {
        let [size, height] = self.cell;
        let mut add = |what: &str, unit, factor: f64, spots: &[Spot]| {
            for spot in spots.iter().filter(|spot| spot.value > 0.0) {
                let (what, at) = (what.to_owned(), vec![self.world(spot.cells)]);
                places.push(Place { column, what, value: spot.value * factor, unit, at });
            }
        };
        let Measures { coverage, conservation, height: error, paths, .. } = measures;
        add("uncovered, to the nearest polygon", "m", size, &coverage.worst_uncovered);
        add("over nothing, reach", "m", size, &coverage.worst_over_nothing);
        add("area not conserved", "m²", size * size, &conservation.worst);
        add("height error", "m", height, &error.worst);
        add("border too near to a wall or ledge by", "m", 1.0, &measures.margins.worst);
        if let Some(Tiles { seams, islands, .. }) = &measures.tiles {
            add("portal without partner", "m", size, &seams.worst_unmatched);
            add("heights at a shared end", "m", height, &seams.worst_uneven);
            for (change, spot) in &islands.changes {
                add(&format!("island {}", change.name()), "m²", size * size, &[*spot]);
            }
        }
        add("exact search given up, path of", "m", size, &paths.given_up);
        for (what, ratios) in [("path on mesh", &paths.on_mesh), ("path over floors", &paths.over_floors)] {
            for &(value, ends) in ratios.worst.iter().filter(|(value, _)| *value > 1.0005) {
                let at = ends.map(|End { x, z, floor }| {
                    self.world([f64::from(x) + 0.5, f64::from(floor), f64::from(z) + 0.5])
                });
                places.push(Place { column, what: what.to_owned(), value, unit: "x", at: at.to_vec() });
            }
        }
    }

    /// The table, with the worst places below it if `places` is set.
    pub fn table(&self, places: bool) -> String {
        let mut lines: Vec<Vec<String>> = vec![["", "", ""].map(str::to_owned).to_vec()];
        lines[0].extend(MeshVariant::ALL.iter().map(|column| column.name().to_owned()));
        let mut measure = "";
        for row in self.rows() {
            let head = if row.measure == measure { "" } else { row.measure };
            measure = row.measure;
            let mut line = [head, row.what, row.unit].map(str::to_owned).to_vec();
            let text = |value: &Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.*}", row.digits));
            line.extend(row.values.iter().map(text));
            lines.push(line);
        }
        let mut text = format!(
            "{}, cell {} x {} m, tiles of {} cells\n",
            self.name, self.cell[0], self.cell[1], self.options.tile_cells
        );
        text.push_str(&aligned(&lines));
        for (column, measures) in &self.columns {
            if let Err(reason) = measures {
                text.push_str(&format!("  {}: not measured: {reason}\n", column.name()));
            }
        }
        if places {
            for place in self.places() {
                let at: Vec<String> = place.at.iter().map(position).collect();
                let (column, value) = (place.column.name(), place.value);
                let Place { what, unit, .. } = place;
                text.push_str(&format!("  {column}: {what}: {value:.4} {unit} at {}\n", at.join(" to ")));
            }
        }
        text
    }

    /// The table as one JSON object.
    pub fn json(&self) -> Value {
        let column = |index: usize| {
            let values = self.rows().into_iter().map(|row| (row.key.to_owned(), json!(row.values[index])));
            Value::Object(values.collect())
        };
        let columns = self.columns.iter().zip(0..).map(|((name, measures), index)| match measures {
            Ok(_) => json!({ "name": name.name(), "tiled": name.is_tiled(), "values": column(index) }),
            Err(reason) => json!({ "name": name.name(), "tiled": name.is_tiled(), "not_measured": reason }),
        });
        let places = self.places().into_iter().map(|place| {
            let Place { column, what, value, unit, at } = place;
            json!({ "column": column.name(), "what": what, "value": value, "unit": unit, "at": at })
        });
        json!({
            "level": self.name,
            "cell_size": self.cell[0],
            "cell_height": self.cell[1],
            "tile_cells": self.options.tile_cells,
            "seed": self.options.seed,
            "columns": columns.collect::<Vec<_>>(),
            "places": places.collect::<Vec<_>>(),
        })
    }
}

fn largest(spots: &[Spot]) -> f64 {
    spots.first().map_or(0.0, |spot| spot.value)
}

fn position(at: &[f64; 3]) -> String {
    format!("({:.2}, {:.2}, {:.2})", at[0], at[1], at[2])
}

/// Aligns words to the left and numbers to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |index: usize| lines.iter().map(|line| line[index].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::from(" ");
        for (index, (cell, width)) in line.iter().zip(&widths).enumerate() {
            row.push(' ');
            row.push_str(&if index < 3 { format!("{cell:width$}") } else { format!("{cell:>width$} ") });
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::QualityOptions;

    fn quality() -> LevelQuality {
        let mut measures = Measures { polygons: 7, ..Measures::default() };
        measures.coverage.floors = 200;
        measures.coverage.uncovered = 3;
        measures.coverage.worst_uncovered = vec![Spot { value: 2.0, cells: [10.0, 5.0, 20.0] }];
        let reason = "the level is too high".to_owned();
        LevelQuality {
            name: "level".to_owned(),
            options: QualityOptions::default(),
            cell: [0.5, 0.25],
            origin: [100.0, 0.0, -10.0],
            columns: vec![(MeshVariant::Ours, Ok(measures)), (MeshVariant::Theirs, Err(reason))],
        }
    }

    #[test]
    fn the_table_has_units_and_places() {
        let table = quality().table(true);
        assert!(table.contains("level, cell 0.5 x 0.25 m, tiles of 48 cells"), "{table}");
        let line = |what: &str| table.lines().find(|line| line.contains(what)).unwrap().to_owned();
        assert!(line("m²").contains("0.75") && line("%").contains("1.500"), "{table}");
        assert!(line("farthest uncovered").contains("1.000"), "{table}");
        assert!(table.contains("C++: not measured: the level is too high"), "{table}");
        assert!(table.contains("1.0000 m at (105.00, 1.25, 0.00)"), "{table}");
        assert!(!quality().table(false).contains("105.00"));
    }

    #[test]
    fn the_json_says_the_same() {
        let json = quality().json();
        assert_eq!(json["columns"][0]["values"]["uncovered_area"], 0.75);
        assert_eq!(json["columns"][0]["values"]["portals"], Value::Null);
        assert_eq!(json["columns"][1]["not_measured"], "the level is too high");
        assert_eq!(json["places"][0]["at"][0][0], 105.0);
    }
}
