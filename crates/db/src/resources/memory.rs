//! How much the process may hold for requests: the setting `memory.max`, or a share of the memory of the
//! machine and its control group.

use millrace_model::MemoryBudget;

use crate::limits::{MEMORY_PERCENT_AUTO, MEMORY_UNKNOWN_BYTES};
use crate::monitoring::Metric;
use crate::settings::Settings;

/// Bytes of the budget: as it is set, or found.
pub(crate) fn bytes_max(settings: &Settings) -> u64 {
    match settings.memory.max {
        0 => machine_bytes().unwrap_or(MEMORY_UNKNOWN_BYTES) / 100 * MEMORY_PERCENT_AUTO,
        set => set,
    }
}

/// The smaller of the machine's memory and the limits of its control groups.
fn machine_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| of_meminfo(&text));
    let own = read("/proc/self/cgroup").unwrap_or_default();
    let groups = group_files(&own).into_iter().filter_map(|path| read(&path));
    groups.filter_map(|text| text.trim().parse().ok()).chain(machine).min()
}

fn of_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The files that hold the limits of a process's control groups, from `/proc/self/cgroup`: those of
/// version 2 and of version 1, of each group and all above it. A limit of `max` is no number, and one of
/// version 1 that is none is larger than any machine.
fn group_files(own: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            named if named.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            files.push(format!("{root}{path}/{file}"));
            match path.rsplit_once('/') {
                Some((above, _)) => path = above,
                None => break,
            }
        }
    }
    files
}

/// The metrics of the budget.
pub(crate) fn metrics(memory: &MemoryBudget) -> [Metric; 5] {
    let gauge = |name: &str, help: &str, value: u64| Metric::gauge(name, help, value as f64);
    let counter = |name: &str, help: &str, value: u64| Metric::counter(name, help, value as f64);
    [
        gauge(
            "millrace_memory_max_bytes",
            "Size of the memory budget, memory.max, in bytes.",
            memory.bytes_max(),
        ),
        gauge("millrace_memory_used_bytes", "Bytes of the memory budget in use.", memory.used()),
        gauge(
            "millrace_memory_used_most_bytes",
            "Highest use of the memory budget so far, in bytes.",
            memory.used_most(),
        ),
        counter(
            "millrace_memory_stopped_total",
            "Requests stopped as the largest consumers of an exhausted memory budget.",
            memory.stopped(),
        ),
        counter(
            "millrace_memory_refused_total",
            "Refused reservations of the memory budget.",
            memory.refused(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_and_its_control_groups_are_asked() {
        let meminfo = "MemFree: 1 kB\nMemTotal:       24000 kB\nBuffers: 3 kB\n";
        assert_eq!(of_meminfo(meminfo), Some(24_000 * 1024));
        assert_eq!(of_meminfo("MemFree: 1 kB"), None);
        let second = ["/sys/fs/cgroup/a/b/memory.max", "/sys/fs/cgroup/a/memory.max"];
        let found = group_files("0::/a/b\n");
        assert_eq!(found, [&second[..], &["/sys/fs/cgroup/memory.max"]].concat());
        let first = group_files("3:cpu:/x\n4:hugetlb,memory:/\n");
        assert_eq!(first, ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]);
    }

    #[test]
    fn a_budget_that_is_set_is_taken_as_it_is() {
        let mut settings = Settings::default();
        assert!(0 < bytes_max(&settings));
        settings.memory.max = 5 << 20;
        assert_eq!(bytes_max(&settings), 5 << 20);
    }
}
