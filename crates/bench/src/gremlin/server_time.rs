//! Processor time of the server's process, by the names of its threads: the cost of a request, and the
//! part of the server that it arises in.
//!
//! This works for any server on this machine, in any language, as far as threads are named by their
//! purpose. Digits at the end of a name are left out, since pools number their threads. The time of a
//! thread that ends before the next look is lost, so the parts may add up to less than the whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use millrace_model::{Error, ErrorKind, Result};

use crate::load::RequestTime;
use crate::process::processor_seconds_in;

/// Seconds of processor time so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerTime {
    whole: f64,
    parts: BTreeMap<String, f64>,
}

impl ServerTime {
    /// That of a process.
    pub(super) fn of(pid: u32) -> Result<ServerTime> {
        let folder = Path::new("/proc").join(pid.to_string());
        let failed = || {
            let detail = format!("--server-pid {pid}: the system has no figures of such a process");
            Error::new(ErrorKind::BadInput, detail)
                .with_help("give the number of the server's process on this machine")
        };
        let whole = processor_seconds_in(&folder.join("stat")).ok_or_else(failed)?;
        let mut parts = BTreeMap::new();
        for thread in fs::read_dir(folder.join("task")).map_err(|_| failed())?.flatten() {
            let name = fs::read_to_string(thread.path().join("comm"));
            // One that ended meanwhile is gone.
            if let (Ok(name), Some(seconds)) =
                (name, processor_seconds_in(&thread.path().join("stat")))
            {
                *parts.entry(part_of(&name)).or_default() += seconds;
            }
        }
        Ok(ServerTime { whole, parts })
    }

    /// The mean processor time of `requests` requests since an earlier look.
    pub(super) fn since(self, earlier: &ServerTime, requests: u64) -> RequestTime {
        let each = |seconds: f64| seconds.max(0.0) * 1e6 / requests.max(1) as f64;
        let parts = self.parts.into_iter().map(|(name, seconds)| {
            let before = earlier.parts.get(&name).copied().unwrap_or(0.0);
            (name, each(seconds - before))
        });
        let mut parts: Vec<(String, f64)> = parts.filter(|(_, time)| 0.0 < *time).collect();
        parts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        RequestTime { whole: each(self.whole - earlier.whole), parts }
    }
}

/// The common name of the threads of a pool: without the number at its end.
fn part_of(name: &str) -> String {
    let name = name.trim().trim_end_matches(|c: char| c.is_ascii_digit() || "-_#.".contains(c));
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_pool_are_one_part() {
        let names = ["millrace-worker\n", "gremlin-worker-12\n", "engine-3", "7", "tokio_rt_4"];
        let parts = names.map(part_of);
        assert_eq!(parts, ["millrace-worker", "gremlin-worker", "engine", "unnamed", "tokio_rt"]);
    }

    #[test]
    fn the_cost_of_a_request_is_a_difference_with_the_dearest_part_first() {
        let time = |whole, parts: &[(&str, f64)]| ServerTime {
            whole,
            parts: parts.iter().map(|(name, seconds)| ((*name).to_owned(), *seconds)).collect(),
        };
        let before = time(10.0, &[("log", 1.0), ("worker", 5.0)]);
        let after = time(12.0, &[("log", 1.5), ("worker", 6.0), ("socket", 0.25), ("idle", 0.0)]);
        let cost = after.since(&before, 1_000);
        assert_eq!(cost.whole, 2_000.0);
        let parts = [("worker", 1_000.0), ("log", 500.0), ("socket", 250.0)];
        assert_eq!(cost.parts, parts.map(|(name, time)| (name.to_owned(), time)));
    }
}
