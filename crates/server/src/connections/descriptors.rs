//! How many connections there may be: fewer than the process may open files, with some kept for the store.

use millrace_model::{Error, ErrorKind, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::limits::{DESCRIPTORS_RESERVED_MIN, DESCRIPTORS_RESERVED_SHARE, REFUSALS_MAX};

/// The connections of the setting, or as many as the limit of open files allows.
pub(super) fn connections_max(wanted: u64) -> Result<usize> {
    let limit = raised_limit();
    let room = room(limit, open_files());
    if room == 0 {
        let detail = format!("the process may open {limit} files, too few to accept connections");
        let help = "raise the limit: ulimit -n 4096, or LimitNOFILE of its unit";
        return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help));
    }
    if room < wanted {
        let (connections_max, files_max) = (room, limit);
        tracing::warn!(name: "connections-lowered", wanted, connections_max, files_max);
    }
    Ok(usize::try_from(wanted.min(room)).unwrap_or(usize::MAX))
}

/// Connections that a limit has room for, beside open descriptors and those reserved for the store.
fn room(limit: u64, open: u64) -> u64 {
    let kept = DESCRIPTORS_RESERVED_MIN.max((limit / DESCRIPTORS_RESERVED_SHARE).min(1_024));
    limit.saturating_sub(open + kept + REFUSALS_MAX as u64)
}

/// The limit of open files, raised to the process's maximum.
fn raised_limit() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where the system refuses, the old limit holds.
        let _refused = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Files that are open already; a guess where the system does not report it.
fn open_files() -> u64 {
    let listed = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"));
    listed.map_or(DESCRIPTORS_RESERVED_MIN, |entries| entries.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_reserved_for_the_store_whatever_the_limit() {
        assert_eq!(room(64, 20), 0);
        for limit in [128, 256, 1_024, 65_536] {
            let room = room(limit, 20);
            assert!(0 < room && room + 20 + DESCRIPTORS_RESERVED_MIN <= limit, "{limit}: {room}");
        }
    }
}
