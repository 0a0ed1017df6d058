//! The description of a setting: plain data, a reader and a writer. It is generic over the type that holds
//! the setting, so that other crates can describe their own settings with it.

use super::Settings;
use navmath::lattice::snap_quotient;
use std::fmt;

/// A value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number, in the setting's unit.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// On or off.
    Switch(bool),
    /// One of the names of [`Kind::Choice`] or [`Kind::ChoiceOrNumber`].
    Choice(&'static str),
    /// A point, metres.
    Point([f64; 3]),
    /// Smallest and largest corner of a box, metres.
    Box([[f64; 3]; 2]),
}

/// The values that a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number from `min` to `max`.
    Number {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
    },
    /// A whole number from `min` to `max`.
    Whole {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// On or off.
    Switch,
    /// One of these names, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of these names, or a finite number greater than 0.
    ChoiceOrNumber(&'static [(&'static str, &'static str)]),
    /// A point of three finite coordinates.
    Point,
    /// Two finite corners, the first smaller than the second on every axis.
    Box,
}

/// The unit of a setting's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No unit: a count, a factor, or not a number.
    None,
    /// Metres.
    Metres,
    /// Square metres.
    SquareMetres,
    /// Degrees.
    Degrees,
    /// Bytes.
    Bytes,
}

/// The default of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initial {
    /// A fixed value.
    Value(Value),
    /// This many cell widths.
    Widths(f64),
    /// This many cell widths, multiplied in single precision, as RecastDemo does.
    WidthsInSingle(f64),
    /// This many cell heights.
    Heights(f64),
    /// The area of a square of this many cells on a side.
    Square(f64),
    /// Half the agent's radius, or less: [`Settings::derived_cell_size`]. Only a reader of settings knows if
    /// it was given.
    HalfRadius,
    /// Taken from the level, or absent; the text explains it.
    Absent(&'static str),
}

/// The measure of a cell that a setting is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Cell size.
    Width,
    /// Cell height.
    Height,
    /// Area of a cell seen from above.
    Area,
}

/// The rounding of a number of cells to the number that the bake uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the next larger whole number.
    Up,
    /// To the next smaller whole number.
    Down,
    /// No rounding, except to single precision.
    None,
}

/// The conversion of a setting to cells. Quotients within 1e-4 of a whole number are set to that number
/// first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    /// The quantity it is divided by.
    pub measure: Measure,
    /// The rounding of the quotient.
    pub rounding: Rounding,
    /// Fewer cells than this are raised to this number.
    pub min: f64,
    /// More cells than this are refused.
    pub max: f64,
}

/// A setting: its name, its values, and its reader and writer. `S` is the type that holds it.
pub struct Setting<S: 'static = Settings> {
    /// Its path in a settings file: `agent.radius`. The command-line option is derived from it.
    pub path: &'static str,
    /// Additional names of the option, without the leading dashes.
    pub aliases: &'static [&'static str],
    /// Unit of its numbers.
    pub unit: Unit,
    /// The values that it takes.
    pub kind: Kind,
    /// The meaning of 0, if it is not the number itself: "none", "any".
    pub zero: Option<&'static str>,
    /// Its value if it is not given.
    pub initial: Initial,
    /// Its conversion to cells, if it has one.
    pub cells: Option<Cells>,
    /// Fewer cells than this count as 0; only for a setting that is not converted to cells.
    pub zero_below: f64,
    /// True if it affects the bytes of tiles by itself, so that it is part of the digest of their input.
    pub shapes_tiles: bool,
    /// Its meaning, in a few words.
    pub help: &'static str,
    /// Advice for choosing a value: sentences.
    pub details: &'static str,
    /// The effect of rounding its value to cells, for a warning; part of a sentence.
    pub rounding_effect: &'static str,
    /// Reads it; `None` if it is not given.
    pub get: fn(&S) -> Option<Value>,
    /// Writes it; returns `false` if the value is of another kind or does not fit.
    pub set: fn(&mut S, Value) -> bool,
}

/// A setting's value as the bake uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Used {
    /// The value, in the setting's unit.
    pub value: Value,
    /// The number of cells, for a setting that is converted to cells.
    pub cells: Option<f64>,
}

impl<S> Setting<S> {
    /// A row with defaults for the remaining fields: a switch without a unit that holds nothing.
    pub const fn new(path: &'static str, kind: Kind, initial: Initial, help: &'static str) -> Setting<S> {
        Setting {
            path,
            aliases: &[],
            unit: Unit::None,
            kind,
            zero: None,
            initial,
            cells: None,
            zero_below: 0.0,
            shapes_tiles: true,
            help,
            details: "",
            rounding_effect: "",
            get: |_| None,
            set: |_, _| false,
        }
    }

    /// The option of the command line, without the leading dashes: `agent-radius`.
    pub fn option(&self) -> String {
        self.path.replace(['.', '_'], "-")
    }

    /// Its table in a settings file, empty for the top level, and its key in that table.
    pub fn table_and_key(&self) -> (&'static str, &'static str) {
        self.path.rsplit_once('.').unwrap_or(("", self.path))
    }

    /// The range of its numbers in words: `between 0 (none) and 10000 metres`. `None` for other kinds.
    pub fn range(&self) -> Option<String> {
        let unit = self.unit.name();
        let zero = self.zero.map_or_else(String::new, |zero| format!(" ({zero})"));
        match self.kind {
            Kind::Number { min, max } if min == f64::MIN_POSITIVE && max == f64::MAX => {
                Some(format!("a finite number greater than 0{unit}"))
            }
            Kind::Number { min, max } => {
                Some(format!("between {}{zero} and {}{unit}", short(min), short(max)))
            }
            Kind::Whole { min: 0, max: u64::MAX } => None,
            Kind::Whole { min, max } => Some(format!("between {min} and {max}{unit}")),
            _ => None,
        }
    }

    /// Returns true if the setting allows a value.
    pub fn allows(&self, value: Value) -> bool {
        match (self.kind, value) {
            (Kind::Number { min, max }, Value::Number(value)) => (min..=max).contains(&value),
            (Kind::Whole { min, max }, Value::Whole(value)) => (min..=max).contains(&value),
            (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Choice(names) | Kind::ChoiceOrNumber(names), Value::Choice(name)) => {
                names.iter().any(|(known, _)| *known == name)
            }
            (Kind::ChoiceOrNumber(_), Value::Number(value)) => value > 0.0 && value.is_finite(),
            (Kind::Point, Value::Point(point)) => point.iter().all(|value| value.is_finite()),
            (Kind::Box, Value::Box([min, max])) => {
                (0..3).all(|axis| min[axis].is_finite() && max[axis].is_finite() && min[axis] < max[axis])
            }
            _ => false,
        }
    }

    /// A value for people: with its unit, without the noise of products, and 0 by its meaning.
    pub fn words(&self, value: Value) -> String {
        let short = |value: f64| (value * 1e6).round() / 1e6;
        let unit = self.unit.symbol();
        match (value, self.zero) {
            (Value::Number(0.0), Some(zero)) => zero.to_owned(),
            (Value::Number(value), _) => format!("{}{unit}", short(value)),
            (Value::Whole(value), _) => format!("{value}{unit}"),
            (Value::Switch(on), _) => if on { "on" } else { "off" }.to_owned(),
            (Value::Choice(name), _) => name.to_owned(),
            (Value::Point(point), _) => format!("{:?}{unit}", point.map(short)),
            (Value::Box([min, max]), _) => format!("{:?} to {:?}{unit}", min.map(short), max.map(short)),
        }
    }

    /// Reads a value from the text of a command line. Only names are checked against the allowed values.
    ///
    /// # Errors
    /// The expected value.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let number = || text.trim().parse::<f64>().map_err(|_| "expected a number".to_owned());
        let name = |names: &[(&'static str, &str)]| names.iter().find(|(name, _)| *name == text).map(|n| n.0);
        match self.kind {
            Kind::Number { .. } => number().map(Value::Number),
            Kind::Whole { .. } if self.unit == Unit::Bytes => bytes(text).map(Value::Whole),
            Kind::Whole { .. } => {
                text.parse().map(Value::Whole).map_err(|_| "expected a whole number".to_owned())
            }
            Kind::Switch => text.parse().map(Value::Switch).map_err(|_| "expected true or false".to_owned()),
            Kind::Choice(names) => name(names)
                .map(Value::Choice)
                .ok_or_else(|| format!("expected one of: {}", listed(names, ", "))),
            Kind::ChoiceOrNumber(names) => {
                match name(names) {
                    Some(name) => Ok(Value::Choice(name)),
                    None => number().map(Value::Number).ok().filter(|value| self.allows(*value)).ok_or_else(
                        || format!("expected {}, or a number greater than 0", listed(names, ", ")),
                    ),
                }
            }
            Kind::Point => numbers(text).map(Value::Point),
            Kind::Box => numbers(text).map(|[a, b, c, d, e, f]: [f64; 6]| Value::Box([[a, b, c], [d, e, f]])),
        }
    }
}

impl Setting {
    /// The given value or, if it is missing, the one derived from the cell; `None` if it is derived from the
    /// level.
    pub fn value(&self, settings: &Settings) -> Option<Value> {
        let (width, height) = (settings.cell_size, settings.cell_height);
        (self.get)(settings).or(match self.initial {
            Initial::Value(value) => Some(value),
            Initial::Widths(count) => Some(Value::Number(count * width)),
            Initial::WidthsInSingle(count) => Some(Value::Number(f64::from(count as f32 * width as f32))),
            Initial::Heights(count) => Some(Value::Number(count * height)),
            Initial::Square(side) => Some(Value::Number((side * width).powi(2))),
            Initial::HalfRadius => Some(Value::Number(settings.derived_cell_size())),
            Initial::Absent(_) => None,
        })
    }

    /// The value as the bake uses it: given or derived, then rounded to cells.
    pub fn used(&self, settings: &Settings) -> Option<Used> {
        let value = self.value(settings)?;
        let Value::Number(number) = value else { return Some(Used { value, cells: None }) };
        let (width, height) = (settings.cell_size, settings.cell_height);
        let Some(cells) = self.cells else {
            let kept = if number < self.zero_below * width { 0.0 } else { number };
            return Some(Used { value: Value::Number(kept), cells: None });
        };
        let cell = match cells.measure {
            Measure::Width => width,
            Measure::Height => height,
            Measure::Area => width * width,
        };
        let quotient = snap_quotient(number / cell);
        let rounded = match cells.rounding {
            Rounding::Up => quotient.ceil(),
            Rounding::Down => quotient.floor(),
            // The stages work in single precision.
            Rounding::None => f64::from(quotient as f32),
        };
        let count = rounded.max(cells.min);
        Some(Used { value: Value::Number(count * cell), cells: Some(count) })
    }
}

impl Unit {
    /// Its symbol after a number; empty for [`Unit::None`].
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Metres => " m",
            Unit::SquareMetres => " m\u{b2}",
            Unit::Degrees => "\u{b0}",
            Unit::Bytes => " bytes",
        }
    }

    /// Its name after a number; empty for [`Unit::None`].
    pub fn name(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Metres => " metres",
            Unit::SquareMetres => " square metres",
            Unit::Degrees => " degrees",
            Unit::Bytes => " bytes",
        }
    }
}

impl fmt::Display for Value {
    /// Writes the value as in a settings file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(value) => write!(f, "{value:?}"),
            Value::Whole(value) => write!(f, "{value}"),
            Value::Switch(on) => write!(f, "{on}"),
            Value::Choice(name) => write!(f, "\"{name}\""),
            Value::Point(point) => write!(f, "{point:?}"),
            Value::Box(corners) => write!(f, "{corners:?}"),
        }
    }
}

impl fmt::Display for Initial {
    /// Describes it in words: `8 cells on a side`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = |count: f64| if count == 1.0 { "cell" } else { "cells" };
        match *self {
            Initial::Value(Value::Choice(name)) => f.write_str(name),
            Initial::Value(Value::Number(value)) => write!(f, "{value}"),
            Initial::Value(value) => write!(f, "{value}"),
            Initial::Widths(count) | Initial::WidthsInSingle(count) => write!(f, "{count} {}", cells(count)),
            Initial::Heights(count) => write!(f, "{count} {} in height", cells(count)),
            Initial::Square(side) => write!(f, "{side} {} on a side", cells(side)),
            Initial::HalfRadius => f.write_str("half of agent.radius, or less for steep ground"),
            Initial::Absent(what) => f.write_str(what),
        }
    }
}

/// Joins names with a separator.
pub fn listed(names: &[(&str, &str)], between: &str) -> String {
    names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(between)
}

/// Formats a bound of a range: large ones as powers of ten.
fn short(bound: f64) -> String {
    if bound >= 1e9 { format!("{bound:e}") } else { bound.to_string() }
}

/// `N` finite numbers, separated by commas.
///
/// # Errors
/// The value found and the one expected.
pub fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(format!("found {} values, expected {N} numbers separated by commas", parts.len()));
    }
    let mut numbers = [0.0f64; N];
    for (number, part) in numbers.iter_mut().zip(parts) {
        *number = part.parse().map_err(|_| format!("found `{part}`, expected a number"))?;
        if !number.is_finite() {
            return Err(format!("found `{part}`, expected a finite number"));
        }
    }
    Ok(numbers)
}

/// Bytes, with or without a unit.
fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 9] = [
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("tb", 1_000_000_000_000),
        ("b", 1),
    ];
    let lower = text.to_ascii_lowercase();
    let (number, unit) = UNITS
        .iter()
        .find_map(|(unit, bytes)| Some((lower.strip_suffix(unit)?.trim_end(), *bytes)))
        .unwrap_or((&lower, 1));
    let wrong = || "expected a number of bytes, or one with a unit: 512MiB, 4GiB, 1.5GB".to_owned();
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit).ok_or_else(wrong);
    }
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit as f64;
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}
