//! The machine of the measurement, and the time of a sync of its disk: the floor of every durable write.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Instant;

use super::measure::Runs;

/// Syncs behind the shown median.
const SYNCS: usize = 50;

/// The machine.
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) memory_gib: f64,
    pub(super) system: String,
    /// A block of 4 KiB written behind a file and synced.
    pub(super) sync_ms: f64,
}

impl Machine {
    /// This machine; its disk is the one that has this folder.
    pub(super) fn here(folder: &Path) -> Result<Machine, String> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let unknown = || "unknown".to_owned();
        let memory_kib = field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|text| text.trim_end_matches(" kB").parse::<f64>().ok());
        Ok(Machine {
            processor: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(unknown),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_gib: memory_kib.unwrap_or(f64::NAN) / f64::from(1 << 20),
            system: match read("/proc/sys/kernel/osrelease").trim() {
                "" => unknown(),
                release => format!("{} {release}", std::env::consts::OS),
            },
            sync_ms: sync_ms(folder)?,
        })
    }
}

/// The value of a line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn sync_ms(folder: &Path) -> Result<f64, String> {
    let path = folder.join("sync");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = File::create(&path).map_err(failed)?;
    let mut times = Vec::new();
    for _ in 0..SYNCS {
        let began = Instant::now();
        file.write_all(&[7; 4096]).and_then(|()| file.sync_data()).map_err(failed)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    fs::remove_file(&path).map_err(failed)?;
    Ok(Runs(times).median())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_the_text_behind_its_name() {
        let text = "processor\t: 0\nmodel name\t: A: B 7\n";
        assert_eq!(field(text, "model name").as_deref(), Some("A: B 7"));
        assert_eq!(field(text, "flags"), None);
    }

    #[test]
    fn a_sync_takes_time_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(0.0 < sync_ms(folder.path()).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
