//! Figures of the system for this process: memory, bytes written, processor time.
//!
//! A figure that the system does not provide is left out of the report; it is never shown as zero.
//! Processes are not started here.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::report::{BYTES_WRITTEN, Figure, HOST_TOOK, PEAK_MEMORY, Unit};

/// Ticks of processor time in a second, as Linux shows them to every program.
const TICKS_A_SECOND: f64 = 100.0;

/// The number after a name in a file of `name: number` lines.
fn field(path: &str, name: &str) -> Option<f64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Bytes of memory that no file backs.
pub(crate) fn anonymous_bytes() -> Option<f64> {
    Some(field("/proc/self/status", "RssAnon")? * 1024.0)
}

/// The same of another process.
pub(crate) fn anonymous_bytes_of(process: u32) -> Option<f64> {
    Some(field(&format!("/proc/{process}/status"), "RssAnon")? * 1024.0)
}

/// Bytes that another process, a child of this one, gave to write calls so far.
pub(crate) fn written_bytes_of(process: u32) -> Option<f64> {
    field(&format!("/proc/{process}/io"), "wchar")
}

/// The most memory since the process began or the peak was forgotten, in bytes.
fn peak_bytes() -> Option<f64> {
    Some(field("/proc/self/status", "VmHWM")? * 1024.0)
}

/// The most memory that another process had since it began, in bytes.
pub(crate) fn peak_bytes_of(process: u32) -> Option<f64> {
    Some(field(&format!("/proc/{process}/status"), "VmHWM")? * 1024.0)
}

/// The growth of another process, which is a child of this one.
pub(crate) struct PeakOf {
    process: u32,
    before: f64,
}

impl PeakOf {
    /// From now on; the peak of its memory so far is forgotten. `None` where the system can't do that.
    pub(crate) fn begin(process: u32) -> Option<PeakOf> {
        fs::write(format!("/proc/{process}/clear_refs"), "5").ok()?;
        let before = field(&format!("/proc/{process}/status"), "VmRSS")? * 1024.0;
        Some(PeakOf { process, before })
    }

    /// The most bytes it had since, and by how many that is more than before.
    pub(crate) fn end(self) -> Option<(f64, f64)> {
        let peak = peak_bytes_of(self.process)?;
        Some((peak, (peak - self.before).max(0.0)))
    }
}

/// Bytes given to write calls so far. (The system's own count of bytes for the disk counts the whole
/// of a large page of the cache for each block that is changed in it.)
fn written_bytes() -> Option<f64> {
    field("/proc/self/io", "wchar")
}

/// Seconds of processor time so far, of all threads.
fn processor_seconds() -> Option<f64> {
    processor_seconds_in(Path::new("/proc/self/stat"))
}

/// Seconds of processor time so far of the process or thread that this `stat` file belongs to.
pub(crate) fn processor_seconds_in(stat: &Path) -> Option<f64> {
    let text = fs::read_to_string(stat).ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

/// The process that listens on a TCP port of this machine, where the system says so and lets this process see it.
pub(crate) fn listener_on(port: u16) -> Option<u32> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
        .map(|path| fs::read_to_string(path).unwrap_or_default());
    let sockets: Vec<String> = tables.iter().flat_map(|table| listeners(table, port)).collect();
    let processes = fs::read_dir("/proc").ok()?.flatten().filter_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let mut files = fs::read_dir(entry.path().join("fd")).ok()?.flatten();
        let listens = files.any(|file| {
            let target = fs::read_link(file.path()).unwrap_or_default();
            sockets.iter().any(|socket| target.as_os_str() == &**socket)
        });
        listens.then_some(process)
    });
    // A socket may be shared with a child that began before it was closed there.
    processes.min()
}

/// The names of sockets that listen on a port, from a table of `/proc/net`.
fn listeners(table: &str, port: u16) -> Vec<String> {
    const LISTENS: &str = "0A";
    let socket = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, own) = fields.get(1)?.rsplit_once(':')?;
        let is_it = u16::from_str_radix(own, 16).ok()? == port && *fields.get(3)? == LISTENS;
        is_it.then(|| fields.get(9).map(|inode| format!("socket:[{inode}]")))?
    };
    table.lines().filter_map(socket).collect()
}

/// Processor time of the whole machine so far, and how much of it its host gave to others.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MachineTicks {
    all: f64,
    stolen: f64,
}

impl MachineTicks {
    fn now() -> Option<MachineTicks> {
        MachineTicks::of(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// From the line of all processors: user, nice, system, idle, iowait, irq, softirq, steal.
    fn of(stat: &str) -> Option<MachineTicks> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<f64> =
            line.split_whitespace().take(8).map_while(|ticks| ticks.parse().ok()).collect();
        Some(MachineTicks { all: ticks.iter().sum(), stolen: *ticks.get(7)? })
    }

    /// The share in percent that was stolen since.
    fn percent_since(self, before: MachineTicks) -> Option<f64> {
        let all = self.all - before.all;
        (0.0 < all).then(|| (self.stolen - before.stolen) / all * 100.0)
    }
}

/// Ticks of processor time so far that the machine's host gave to others.
pub(crate) fn stolen_ticks() -> Option<f64> {
    Some(MachineTicks::now()?.stolen)
}

/// The resources that the process used since a point in time.
pub(crate) struct Meter {
    began: Instant,
    written: Option<f64>,
    processor: Option<f64>,
    machine: Option<MachineTicks>,
    forgot_peak: bool,
}

impl Meter {
    /// Begins now; the peak of memory so far is forgotten.
    pub(crate) fn start() -> Meter {
        let forgot_peak = fs::write("/proc/self/clear_refs", "5").is_ok();
        Meter {
            began: Instant::now(),
            written: written_bytes(),
            processor: processor_seconds(),
            machine: MachineTicks::now(),
            forgot_peak,
        }
    }

    /// Seconds since the beginning.
    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Seconds of processor time since the beginning.
    pub(crate) fn processor_seconds(&self) -> Option<f64> {
        Some(processor_seconds()? - self.processor?)
    }

    /// Peak memory, bytes written, and the share of processor time that the machine's host took, since the beginning.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let peak = peak_bytes().filter(|_| self.forgot_peak);
        let peak = peak.map(|bytes| Figure::new(PEAK_MEMORY, bytes, Unit::Bytes));
        let written = written_bytes().zip(self.written).map(|(now, before)| now - before);
        let written = written.map(|bytes| Figure::new(BYTES_WRITTEN, bytes, Unit::Bytes));
        let machine = MachineTicks::now().zip(self.machine);
        let stolen = machine.and_then(|(now, before)| now.percent_since(before));
        let stolen = stolen.map(|percent| Figure::new(HOST_TOOK, percent, Unit::Percent));
        peak.into_iter().chain(written).chain(stolen).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_that_of_the_time_measured_and_processor_time_goes_on() {
        drop(std::hint::black_box(vec![1_u8; 256 << 20]));
        let meter = Meter::start();
        let figures = meter.figures();
        let Some(peak) = figures.iter().find(|figure| figure.name == PEAK_MEMORY) else { return };
        assert!((0.0..f64::from(200 << 20)).contains(&peak.value), "{figures:?}");
        assert!(anonymous_bytes().is_some_and(|bytes| 0.0 < bytes));
        assert!(meter.processor_seconds().is_some_and(|seconds| 0.0 <= seconds));
    }

    #[test]
    fn a_socket_that_listens_on_a_port_is_found_in_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
            0: 0100007F:1628 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0\n   \
            1: 0100007F:1628 0100007F:8000 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0\n   \
            2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0\n";
        assert_eq!(listeners(table, 0x1628), ["socket:[4711]"]);
        assert_eq!(listeners(table, 80), [""; 0]);
    }

    #[test]
    fn stolen_time_is_a_share_of_all_processors() {
        let before = MachineTicks::of("cpu  10 0 10 60 5 0 5 10 0 0\ncpu0 1 2").unwrap();
        assert_eq!(before, MachineTicks { all: 100.0, stolen: 10.0 });
        let after = MachineTicks::of("cpu  90 0 30 140 5 0 5 30 0 0").unwrap();
        assert_eq!(after.percent_since(before), Some(10.0));
        assert_eq!(before.percent_since(before), None, "no time has passed");
        assert_eq!(MachineTicks::of("intr 5"), None);
        assert_eq!(MachineTicks::of("cpu  10 0 10"), None, "an old system does not report it");
    }
}
