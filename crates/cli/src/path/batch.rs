//! Many queries: rows of six numbers in, one line of JSON each out.

use super::answer::Status;
use super::finder::Finder;
use crate::failure::{Answer, Failure};
use crate::report;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Rows that are answered at once, at most.
const MOST_ROWS: usize = 4_096;
/// Bytes of rows that are read at once.
const READ_AHEAD: usize = 1 << 18;

/// Answers the rows of a file, or of standard input for `-`. Rows that can be read at once are answered
/// together. Empty rows and rows that start with `#` are skipped. A malformed row ends the run; the rows
/// before it have been answered.
pub(super) fn run(finder: &mut Finder<'_>, pairs: &Path) -> Result<Answer, Failure> {
    if pairs == Path::new("-") {
        return answer(finder, "standard input", io::stdin().lock());
    }
    let name = pairs.display().to_string();
    let file = File::open(pairs).map_err(|error| unreadable(&name, &error))?;
    answer(finder, &name, file)
}

fn answer(finder: &mut Finder<'_>, name: &str, rows: impl Read) -> Result<Answer, Failure> {
    let mut all = Answer::Yes;
    let mut rows = BufReader::with_capacity(READ_AHEAD, rows);
    let (mut row, mut waiting) = (Vec::new(), Vec::new());
    for line in 1u64.. {
        row.clear();
        let is_end = rows.read_until(b'\n', &mut row).map_err(|error| unreadable(name, &error))? == 0;
        let read = read_row(&row).map_err(|what| {
            Failure::call(format!("{name}: line {line}: {what}"))
                .help("give six numbers a row: x,y,z of the start, then x,y,z of the goal")
        });
        if let Ok(Some(ends)) = read {
            waiting.push(ends);
        }
        // Nobody waits for the answer to a row while the next row is there.
        let has_next = !is_end && read.is_ok() && waiting.len() < MOST_ROWS && rows.buffer().contains(&b'\n');
        if has_next {
            continue;
        }
        let answers = finder.find_all(&waiting)?;
        waiting.clear();
        if answers.iter().any(|answer| answer.status != Status::Complete) {
            all = Answer::No;
        }
        let goes_on = report::print_json_lines(&answers)?;
        read?;
        if is_end || !goes_on {
            break;
        }
    }
    Ok(all)
}

/// The numbers of a row; `None` for an empty row or a comment.
fn read_row(row: &[u8]) -> Result<Option<[f64; 6]>, String> {
    let text = std::str::from_utf8(row).map_err(|_| "the row is not text".to_owned())?.trim();
    let text = text.trim_start_matches('\u{FEFF}');
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    recast::settings::numbers::<6>(text).map(Some)
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::circumstances(format!("{name}: cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_or_refused() {
        assert_eq!(read_row(b" 1, 2,3 ,-4,5e1,6\r\n"), Ok(Some([1.0, 2.0, 3.0, -4.0, 50.0, 6.0])));
        assert_eq!(read_row(b"# from, to\n"), Ok(None));
        assert_eq!(read_row(b"\r\n"), Ok(None));
        assert!(read_row(b"1,2,3,4,5").unwrap_err().contains("found 5 values"));
        assert!(read_row(b"1,2,3,4,5,x").unwrap_err().contains("`x`"));
        assert!(read_row(b"1,2,3,4,5,\xFF").unwrap_err().contains("not text"));
    }
}
