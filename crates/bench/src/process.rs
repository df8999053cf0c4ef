//! What the system knows of this process: memory, bytes written, processor time.
//!
//! What a reader would get wrong: where the system does not tell, a figure is left out of the
//! report; it is never shown as zero.

use std::fs;
use std::time::Instant;

use crate::report::{BYTES_WRITTEN, Figure, PEAK_MEMORY, Unit};

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

/// The most memory since the process began or the peak was forgotten, in bytes.
fn peak_bytes() -> Option<f64> {
    Some(field("/proc/self/status", "VmHWM")? * 1024.0)
}

/// Bytes given to write calls so far. (The system's own count of bytes for the disk counts the whole
/// of a large page of the cache for each block that is changed in it.)
fn written_bytes() -> Option<f64> {
    field("/proc/self/io", "wchar")
}

/// Seconds of processor time so far, of all threads.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

/// What the process used since a moment.
pub(crate) struct Meter {
    began: Instant,
    written: Option<f64>,
    processor: Option<f64>,
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

    /// Peak memory, and bytes written since the beginning.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let peak = peak_bytes().filter(|_| self.forgot_peak);
        let peak = peak.map(|bytes| Figure::new(PEAK_MEMORY, bytes, Unit::Bytes));
        let written = written_bytes().zip(self.written).map(|(now, before)| now - before);
        let written = written.map(|bytes| Figure::new(BYTES_WRITTEN, bytes, Unit::Bytes));
        peak.into_iter().chain(written).collect()
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
}
