//! Standard output and standard error. A closed pipe ends the output, not the program. A text from a file can
//! neither control the terminal nor look like a line of the program: all output has its control characters
//! escaped here, at the last moment. Lines that contain such texts have their line breaks escaped before.

use crate::failure::Failure;
use navinput::escaped;
use rayon::prelude::*;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// True if standard output holds the result itself, so that reports go to standard error.
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

/// Lines of a name and a text, with the texts in one column.
pub(crate) fn columns<'a>(lines: impl IntoIterator<Item = (&'a str, String)>) -> String {
    lines.into_iter().map(|(name, line)| format!("{name:<10} {}\n", escaped(&line))).collect()
}

/// Rounds to six decimals, without the noise of binary products.
pub(crate) fn rounded(value: f64) -> f64 {
    // Zero has no sign.
    (value * 1e6).round() / 1e6 + 0.0
}

/// A text without numbers such as -0.00. Rounded values may be negative zeros.
fn without_minus_zero(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/' | '\\');
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("-0") {
        let (before, number) = rest.split_at(at);
        plain.push_str(before);
        let end =
            number[1..].find(|letter| letter != '0' && letter != '.').map_or(number.len(), |end| end + 1);
        // A full stop may end the sentence, too.
        let number_ends = !number[end..].starts_with(is_word);
        let digits = number[1..end].trim_end_matches('.');
        let is_one = number_ends && digits.matches('.').count() <= 1;
        let starts = !plain.ends_with(is_word);
        if !(is_one && starts) {
            plain.push('-');
        }
        plain.push_str(&number[1..end]);
        rest = &number[end..];
    }
    plain + rest
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
        brief(duration)
    }
}

/// Writes one line to standard output.
pub(crate) fn print_line(text: &str) -> Result<bool, Failure> {
    print(&format!("{}\n", escaped(text)))
}

/// A duration in whole seconds, or minutes.
pub(crate) fn brief(duration: Duration) -> String {
    match duration.as_secs_f64().round() as u64 {
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ ..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A number of operations per second.
pub(crate) fn rate(per_second: f64) -> String {
    let decimals = if per_second < 9.95 { 1 } else { 0 };
    format!("{per_second:.decimals$}/s")
}

/// Writes a report to standard output; `false` if its reader is gone.
pub(crate) fn print(text: &str) -> Result<bool, Failure> {
    print_as_is(&without_minus_zero(&navinput::escaped_lines(text)))
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
    print_json_text(vec![json_lines(std::slice::from_ref(value))])
}

/// Writes values to standard output as lines of JSON, made on all threads.
pub(crate) fn print_json_lines(values: &[impl serde::Serialize + Sync]) -> Result<bool, Failure> {
    print_json_text(values.par_chunks(JSON_LINES).map(json_lines).collect())
}

/// Number of lines of JSON that a thread makes at a time.
const JSON_LINES: usize = 64;

/// Values as lines of JSON.
fn json_lines(values: &[impl serde::Serialize]) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    for value in values {
        write_json(value, &mut text)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Writes texts of JSON to standard output. Its own escapes apply.
fn print_json_text(texts: Vec<serde_json::Result<Vec<u8>>>) -> Result<bool, Failure> {
    let not_json =
        |error: &dyn std::fmt::Display| Failure::circumstances(format!("the answer as JSON: {error}"));
    let mut goes_on = true;
    for text in texts {
        let text = text.map_err(|error| not_json(&error))?;
        goes_on &= print_as_is(std::str::from_utf8(&text).map_err(|error| not_json(&error))?)?;
    }
    Ok(goes_on)
}

/// A value as one line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    write_json(value, &mut text)?;
    Ok(text)
}

fn write_json(value: &impl serde::Serialize, text: &mut Vec<u8>) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(text, PlainZeros))
}

/// Compact JSON in which zero has no sign. The empty sum is minus zero, and so are small negative numbers
/// after rounding.
struct PlainZeros;

impl serde_json::ser::Formatter for PlainZeros {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_f64(writer, value + 0.0)
    }

    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_f32(writer, value + 0.0)
    }
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

/// Like [`answer`]. With a text, warnings go to standard error; JSON contains them.
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

/// Reports the failure of a command: drawn on a terminal, plain lines elsewhere.
pub(crate) fn failure(failure: Failure) {
    if io::stderr().is_terminal() {
        // As with help texts, NO_COLOR and terminals without colours are respected.
        let _ = writeln!(anstream::stderr(), "{}", failure.escaped().drawn());
        return;
    }
    to_stderr(&failure.escaped().plain());
}

/// Writes lines of the program.
fn to_stderr(text: &str) {
    // Without standard error, only the exit status can report.
    let _ = io::stderr().lock().write_all(without_minus_zero(&navinput::escaped_lines(text)).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_no_sign() {
        let text = without_minus_zero;
        assert_eq!(text("-0"), "0");
        assert_eq!(text("at -0.000, -0, 1.5"), "at 0.000, 0, 1.5");
        assert_eq!(text("(-0.0), [-0.00 m] -0."), "(0.0), [0.00 m] 0.");
        for kept in
            ["-0.001", "-0.5 m", "a-0", "a-0.0.obj", "-0b", "-00.obj", "2026-01-0", "--0", "-", "-0.0.0"]
        {
            assert_eq!(text(kept), kept);
        }
        let values = serde_json::json!({ "a": -0.0, "b": [0.0, -0.5, -0.0f32], "c": "-0.0", "d": -1 });
        assert_eq!(json(&values).unwrap(), br#"{"a":0.0,"b":[0.0,-0.5,0.0],"c":"-0.0","d":-1}"#);
        assert!(rounded(-1e-9).is_sign_positive());
    }

    #[test]
    fn progress_is_in_whole_seconds() {
        let text = |millis| brief(Duration::from_millis(millis));
        assert_eq!((text(4_400), text(83_400)), ("4 s".to_owned(), "1 min 23 s".to_owned()));
        assert_eq!((rate(445.7822), rate(3.26), rate(0.0)), ("446/s".into(), "3.3/s".into(), "0.0/s".into()));
    }

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
