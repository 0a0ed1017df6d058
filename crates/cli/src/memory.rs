//! Memory as the system reports it: the usage of this process and the size of the machine; and a guard that
//! ends the process.

use std::io;
use std::thread;
use std::time::Duration;

/// Memory of the program before it has read anything, and of everything that is not counted, bytes.
pub(crate) const BASE: u64 = 16 << 20;

/// Peak memory of this process, bytes; `None` if the system does not report it.
pub(crate) fn peak() -> Option<u64> {
    // Linux: the line `VmHWM:    12345 kB`. Elsewhere there is no such file.
    entry("/proc/self/status", "VmHWM:")
}

/// Current memory of this process with its program, bytes; `None` if the system does not report it.
pub(crate) fn resident() -> Option<u64> {
    entry("/proc/self/status", "VmRSS:")
}

/// Current memory of this process, without its program and other files, bytes; `None` if the system does not
/// report it.
fn held() -> Option<u64> {
    entry("/proc/self/status", "RssAnon:")
}

/// Calls `give_up` as soon as this process holds more than `bound` bytes, in case all estimates were too low.
/// Checks a hundred times a second; does nothing if the system does not report memory.
pub(crate) fn guard(bound: u64, give_up: impl FnOnce() + Send + 'static) -> io::Result<()> {
    const INTERVAL: Duration = Duration::from_millis(10);
    if held().is_none() {
        return Ok(());
    }
    let watch = move || {
        while held().is_none_or(|held| held <= bound) {
            thread::sleep(INTERVAL);
        }
        give_up();
    };
    thread::Builder::new().name("memory".to_owned()).spawn(watch).map(drop)
}

/// Memory of the machine, bytes: no file larger than this can be read whole. Unlimited if the system does not
/// report it.
pub(crate) fn installed() -> u64 {
    entry("/proc/meminfo", "MemTotal:").unwrap_or(u64::MAX)
}

/// The bytes in a line of one of the system's tables.
fn entry(table: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(table).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Bytes for people: `23.4 MiB`.
pub(crate) fn readable(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "KiB", "MiB"] {
        if value < 1024.0 {
            return if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") };
        }
        value /= 1024.0;
    }
    format!("{value:.1} GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_readable() {
        assert_eq!(readable(1023), "1023 bytes");
        assert_eq!(readable(1536), "1.5 KiB");
        assert_eq!(readable(5 << 30), "5.0 GiB");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_reports_the_peak() {
        let peak = peak().unwrap();
        assert!(100_000 < peak && peak < installed() && installed() < u64::MAX);
    }
}
