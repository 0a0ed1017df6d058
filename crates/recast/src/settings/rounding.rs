//! Warnings about settings whose rounding to cells changes the agent noticeably.

use super::{Measure, Rounding, Setting, Settings, Value};

/// A value that changes by more than this share is worth a warning.
const NOTICEABLE: f64 = 0.1;

impl Setting {
    /// A sentence on the difference between the bake's value and the requested one, with its effect and the
    /// remedy, if it is more than 10 %. The rounding of the defaults is documented and gives no warning.
    ///
    /// ```
    /// use recast::{Settings, settings::find};
    ///
    /// let settings = Settings { agent_climb: 0.15, ..Settings::default() };
    /// let warning = find("agent.climb").unwrap().rounding_warning(&settings).unwrap();
    /// let start = "agent.climb is 0.15 m, but counts as 0 m (0 cells of 0.2 m)";
    /// assert!(warning.starts_with(start), "{warning}");
    /// ```
    pub fn rounding_warning(&self, settings: &Settings) -> Option<String> {
        let (stated, used) = (self.value(settings)?, self.used(settings)?);
        let (Value::Number(wanted), Value::Number(got)) = (stated, used.value) else { return None };
        let default = Settings::default();
        let is_default = self.value(&default) == Some(stated) && self.used(&default) == Some(used);
        if is_default || wanted <= 0.0 || (got - wanted).abs() <= NOTICEABLE * wanted {
            return None;
        }
        let counted = used.cells.map_or_else(String::new, |cells| self.in_cells(cells, settings));
        let effect = match (got, self.zero) {
            (0.0, None) if self.path == "agent.climb" => {
                "no step is climbed, and ramps that rise by a cell between columns are cut".to_owned()
            }
            // Zero has a special meaning: edges of any length, no samples.
            (0.0, Some(zero)) => format!("that is, {zero}"),
            _ => self.rounding_effect.to_owned(),
        };
        let got = short(got);
        let unit = self.unit.symbol();
        let remedy = self.exact_cell(wanted, settings);
        Some(format!(
            "{} is {}{unit}, but counts as {got}{unit}{counted}: {effect}{remedy}",
            self.path,
            short(wanted)
        ))
    }

    fn in_cells(&self, count: f64, settings: &Settings) -> String {
        let cells = if count == 1.0 { "cell" } else { "cells" };
        match self.cells.map(|cells| cells.measure) {
            Some(Measure::Width) => format!(" ({count} {cells} of {} m)", short(settings.cell_size)),
            Some(Measure::Height) => format!(" ({count} {cells} of {} m)", short(settings.cell_height)),
            _ => format!(" ({count} {cells})"),
        }
    }

    /// The cell that represents a value exactly, as advice.
    fn exact_cell(&self, wanted: f64, settings: &Settings) -> String {
        let Some(cells) = self.cells else { return "; choose smaller cells".to_owned() };
        let (name, cell) = match cells.measure {
            Measure::Width => ("cell_size", settings.cell_size),
            Measure::Height => ("cell_height", settings.cell_height),
            Measure::Area => return "; choose smaller cells".to_owned(),
        };
        // A quotient that is rounded up has at least the fewest cells. If it is rounded down, it needs at
        // least one cell.
        let fewest = if cells.rounding == Rounding::Up { cells.min.max(1.0) } else { 1.0 };
        format!("; {name} = {} makes it exact", short(wanted / (wanted / cell).ceil().max(fewest)))
    }
}

/// Rounds off the noise of a quotient.
fn short(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
