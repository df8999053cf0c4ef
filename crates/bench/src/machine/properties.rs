//! The machine an experiment ran on: figures mean nothing without it.

use std::fmt;
use std::fs;

use millrace_model::{Error, ErrorKind, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The properties that distinguish machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many threads run at once.
    pub cores: usize,
    /// Memory, in MiB.
    pub memory_mib: u64,
    /// The kernel.
    pub system: String,
}

/// From here on this thread and those it starts use only so many processors.
pub(crate) fn use_processors(count: usize) -> Result<()> {
    let failed = |error: rustix::io::Errno| {
        Error::new(ErrorKind::Unavailable, format!("processors can't be chosen: {error}"))
    };
    let own = sched_getaffinity(None).map_err(failed)?;
    let mut chosen = CpuSet::new();
    (0..CpuSet::MAX_CPU).filter(|cpu| own.is_set(*cpu)).take(count).for_each(|cpu| chosen.set(cpu));
    if count == 0 || (chosen.count() as usize) < count {
        let detail = format!("--threads {count}: there are {}", own.count());
        return Err(Error::new(ErrorKind::BadInput, detail));
    }
    sched_setaffinity(None, &chosen).map_err(failed)
}

impl Machine {
    /// This machine; a property that the system does not report is `unknown`.
    pub fn here() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let memory = memory.and_then(|text| text.trim_end_matches(" kB").trim().parse().ok());
        let unknown = || "unknown".to_owned();
        Machine {
            processor: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: memory.map_or(0, |kib: u64| kib / 1024),
            system: match read("/proc/sys/kernel/osrelease").trim() {
                "" => unknown(),
                release => format!("{} {release}", std::env::consts::OS),
            },
        }
    }

    /// The same as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "processor": self.processor,
            "cores": self.cores,
            "memory_mib": self.memory_mib,
            "system": self.system,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processor, cores, memory_mib, system } = self;
        write!(f, "{processor}, {cores} cores, {memory_mib} MiB, {system}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_keeps_to_its_number_of_processors_and_cannot_have_none() {
        std::thread::spawn(|| {
            use_processors(1).unwrap();
            assert_eq!(std::thread::available_parallelism().unwrap().get(), 1);
            assert!(use_processors(0).is_err());
            assert!(use_processors(2).unwrap_err().detail.contains("there are 1"));
        })
        .join()
        .unwrap();
    }
}
