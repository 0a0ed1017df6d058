//! The peak memory of a process: one process per library, and a further process that only reads the level.

use super::SpeedError;
use super::bakers::{self, Theirs};
use super::plan::{Origin, Plan};
use super::port::Port;
use super::table::{Cell, Section, Table};
use std::path::Path;
use std::process::Command;

/// The role of a process: it only reads the level, or bakes it too.
pub const ROLES: [&str; 4] = ["reading", "ours", "C++", "rerecast"];

/// Peak memory of this process, bytes; `None` if the system does not report it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Does the work of the role and returns the peak. A child process runs this.
pub fn child(role: &str, plan: &Plan) -> Result<u64, SpeedError> {
    let bench = plan.bench()?;
    // The result of a role is dropped before the peak is read, but the peak remains.
    let polygons = match role {
        "ours" => bakers::ours(&bench, None)?.0.polygons,
        "C++" => Theirs::new(&bench, None)?.bake()?.polygons,
        "rerecast" => match Port::new(&bench) {
            Some(port) => port.bake()?.polygons,
            None => return Ok(0),
        },
        _ => bench.level.triangles.len(),
    };
    super::same(format!("{}: an empty mesh by {role}", bench.name), &false, &(polygons == 0))?;
    Ok(peak().unwrap_or(0))
}

/// Peaks of all roles over one level, bytes; 0 for roles that were not measured.
pub fn measure(program: &Path, named: &str, cell_size: f64) -> Result<[u64; 4], SpeedError> {
    let mut peaks = [0; 4];
    for (peak, role) in peaks.iter_mut().zip(ROLES) {
        let size = cell_size.to_string();
        let output = Command::new(program).args(["memory-of", role, named, &size]).output();
        let output = output.map_err(|source| SpeedError::Io { what: format!("measuring {role}"), source })?;
        let said = String::from_utf8_lossy(&output.stdout);
        let wrong = || SpeedError::Wrong {
            what: format!("what the process for {role} says"),
            expected: "a number of bytes".to_owned(),
            found: format!("{}{}", said, String::from_utf8_lossy(&output.stderr)),
        };
        *peak = said.trim().parse().ok().filter(|_| output.status.success()).ok_or_else(wrong)?;
    }
    Ok(peaks)
}

/// As a table.
pub fn section(measured: &[(String, [u64; 4])]) -> Section {
    let head = ["level", "reading MB", "ours MB", "C++ MB", "rerecast MB", "C++ / ours"];
    let mut table = Table::new("Peak of the whole process", &head);
    for (name, peaks) in measured {
        let cell = |bytes: u64| if bytes > 0 { Cell::Number(bytes as f64 / 1e6, 1) } else { Cell::None };
        let mut row = vec![Cell::from(name.as_str())];
        row.extend(peaks.iter().map(|&bytes| cell(bytes)));
        row.push(Cell::ratio(peaks[2] as f64, peaks[1] as f64));
        table.row(row);
    }
    let note = "A process for each library bakes the level once as one tile; another only reads it. The figure is the \
                most memory that was resident at any time (VmHWM), the program itself and the level included.";
    Section { title: "Memory".to_owned(), notes: vec![note.to_owned()], tables: vec![table] }
}

/// The plan of a child process.
pub fn plan(origin: Origin, cell_size: f64) -> Plan {
    Plan::solo(origin, cell_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_a_peak() {
        for role in ROLES {
            let peak = child(role, &plan(Origin::Scene("plane"), 0.3)).unwrap();
            assert!(peak > 1 << 20 || !cfg!(target_os = "linux"), "{role}: {peak}");
        }
    }

    #[test]
    fn the_table_has_a_row_a_level() {
        let section = section(&[("plane".to_owned(), [1_000_000, 2_000_000, 4_000_000, 0])]);
        assert_eq!(section.tables[0].rows[0][5], Cell::Ratio(2.0));
        assert_eq!(section.tables[0].rows[0][4], Cell::None);
    }
}
