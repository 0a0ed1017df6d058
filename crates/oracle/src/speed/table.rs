//! Sections of tables: Markdown for people, JSON for programs, from one source.

use serde_json::{Map, Value, json};

/// The content of a table's cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, and its decimal places in Markdown.
    Number(f64, usize),
    /// A ratio of speeds.
    Ratio(f64),
    /// Nothing was measured.
    None,
}

impl Cell {
    /// Nanoseconds as milliseconds.
    pub fn ms(nanoseconds: f64) -> Cell {
        Cell::Number(nanoseconds / 1e6, if nanoseconds < 1e7 { 3 } else { 1 })
    }

    /// `slower / faster`; [`Cell::None`] if either is missing.
    pub fn ratio(slower: f64, faster: f64) -> Cell {
        if slower > 0.0 && faster > 0.0 { Cell::Ratio(slower / faster) } else { Cell::None }
    }

    fn markdown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(value, places) => format!("{value:.places$}"),
            Cell::Ratio(value) => format!("{value:.2}"),
            Cell::None => "-".to_owned(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(value, _) | Cell::Ratio(value) => json!(value),
            Cell::None => Value::Null,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Number(count as f64, 0)
    }
}

/// A table under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its heading; may be empty.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows, as wide as the head.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        let head = head.iter().map(|&name| name.to_owned()).collect();
        Table { title: title.into(), head, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            text += &format!("**{}**\n\n", self.title);
        }
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        text += &line(self.head.clone());
        // The first column is words, the others mostly numbers.
        let rule = |at: usize| if at == 0 { "---".to_owned() } else { "---:".to_owned() };
        text += &line((0..self.head.len()).map(rule).collect());
        for row in &self.rows {
            text += &line(row.iter().map(Cell::markdown).collect());
        }
        text
    }

    fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| -> Value {
            let pairs = self.head.iter().zip(row).map(|(name, cell)| (name.clone(), cell.json()));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        json!({ "title": self.title, "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

/// A section: the subject and method of the measurement, and the figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// Paragraphs before the tables.
    pub notes: Vec<String>,
    /// The figures.
    pub tables: Vec<Table>,
}

impl Section {
    /// As Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n", self.title);
        for note in &self.notes {
            text += &format!("{note}\n\n");
        }
        for table in &self.tables {
            text += &format!("{}\n", table.markdown());
        }
        text
    }

    /// As JSON: title, notes, and tables of rows by the names of their columns.
    pub fn json(&self) -> Value {
        let tables: Vec<Value> = self.tables.iter().map(Table::json).collect();
        json!({ "title": self.title, "notes": self.notes, "tables": tables })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let mut table = Table::new("Times", &["stage", "ours ms", "ratio"]);
        table.row([Cell::from("erode"), Cell::ms(1_500_000.0), Cell::ratio(3.0, 1.5)]);
        table.row([Cell::from("emit"), Cell::ms(12_340_000.0), Cell::ratio(0.0, 1.5)]);
        let section = Section { title: "T".to_owned(), notes: vec!["How.".to_owned()], tables: vec![table] };
        let rows = "| erode | 1.500 | 2.00 |\n| emit | 12.3 | - |\n";
        let head = "| stage | ours ms | ratio |\n| --- | ---: | ---: |\n";
        assert_eq!(section.markdown(), format!("## T\n\nHow.\n\n**Times**\n\n{head}{rows}\n"));
        let row = &section.json()["tables"][0]["rows"][0];
        assert_eq!((&row["ratio"], &row["ours ms"]), (&json!(2.0), &json!(1.5)));
    }
}
