//! Standard output and standard error. A reader that goes away ends the output, not the program. No text that came from a
//! file acts on the terminal or looks like a line of the program: whatever is printed has its control characters escaped here,
//! at the last moment; lines that are put together of such texts have their line breaks escaped before.

use crate::failure::Failure;
use navinput::escaped;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether standard output holds the result itself, so that reports go to standard error.
static HOLDS_RESULT: AtomicBool = AtomicBool::new(false);

/// From now on, reports go to standard error: standard output is for the result itself.
pub(crate) fn leave_standard_output() {
    HOLDS_RESULT.store(true, Ordering::Relaxed);
}

/// Writes a whole result to standard output.
pub(crate) fn copy_to_standard_output(result: &mut impl Read) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match io::copy(result, &mut stdout).and_then(|_| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Lines of a name and a text, the texts in one column.
pub(crate) fn columns<'a>(lines: impl IntoIterator<Item = (&'a str, String)>) -> String {
    lines.into_iter().map(|(name, line)| format!("{name:<10} {}\n", escaped(&line))).collect()
}

/// Without the noise of binary products: six digits behind the point.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// A duration in the unit that suits it.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        let decimals = if seconds < 0.0995 { 2 } else { 0 };
        format!("{:.decimals$} ms", seconds * 1000.0)
    } else if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        if whole < 3600 {
            format!("{} min {} s", whole / 60, whole % 60)
        } else {
            format!("{} h {} min", whole / 3600, whole / 60 % 60)
        }
    }
}

/// Writes one line to standard output.
pub(crate) fn print_line(text: &str) -> Result<bool, Failure> {
    print(&format!("{}\n", escaped(text)))
}

/// Writes a report to standard output; `false` if nobody reads it any more.
pub(crate) fn print(text: &str) -> Result<bool, Failure> {
    print_as_is(&navinput::escaped_lines(text))
}

fn print_as_is(text: &str) -> Result<bool, Failure> {
    if HOLDS_RESULT.load(Ordering::Relaxed) {
        to_stderr(text);
        return Ok(true);
    }
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::circumstances(format!("standard output: {error}"))),
    }
}

/// Writes a value to standard output as one line of JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<bool, Failure> {
    let text = serde_json::to_string(value)
        .map_err(|error| Failure::circumstances(format!("the answer as JSON: {error}")))?;
    // Its own escapes hold.
    print_as_is(&(text + "\n"))
}

/// Answers with a value as JSON, or with a text.
pub(crate) fn answer(
    as_json: bool,
    value: &impl serde::Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if as_json {
        print_json(value)?
    } else {
        print(&text())?
    };
    Ok(())
}

/// As [`answer`]; beside a text, warnings go to standard error, and JSON has them in itself.
pub(crate) fn answer_warned(
    as_json: bool,
    value: &impl serde::Serialize,
    text: impl FnOnce() -> String,
    warnings: &[String],
) -> Result<(), Failure> {
    answer(as_json, value, text)?;
    warnings.iter().filter(|_| !as_json).for_each(|warning| warn(warning));
    Ok(())
}

/// Writes a line to standard error.
pub(crate) fn note(text: &str) {
    to_stderr(&format!("{}\n", escaped(text)));
}

/// Writes a warning to standard error.
pub(crate) fn warn(text: &str) {
    to_stderr(&format!("warning: {}\n", escaped(text)));
}

/// Reports why a command failed: drawn on a terminal, plain lines elsewhere.
pub(crate) fn failure(failure: Failure) {
    if io::stderr().is_terminal() {
        // As with help texts, NO_COLOR and terminals without colours are respected.
        let _ = writeln!(anstream::stderr(), "{}", failure.escaped().drawn());
        return;
    }
    to_stderr(&failure.escaped().plain());
}

/// Writes text whose lines are those of the program.
fn to_stderr(text: &str) {
    // If standard error is gone there is nowhere left to report to; the exit status still does.
    let _ = io::stderr().lock().write_all(navinput::escaped_lines(text).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_their_unit() {
        let text = |micros| duration(Duration::from_micros(micros));
        assert_eq!(text(0), "0.00 ms");
        assert_eq!(text(12_345), "12.35 ms");
        assert_eq!(text(345_678), "346 ms");
        assert_eq!(text(2_345_678), "2.35 s");
        assert_eq!(text(83_400_000), "1 min 23 s");
        assert_eq!(text(2 * 3_600_000_000 + 59_600_000), "2 h 1 min");
    }
}
