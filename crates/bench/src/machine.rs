//! The machine an experiment ran on: figures mean nothing without it.

use std::fmt;
use std::fs;

/// What tells machines apart.
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

impl Machine {
    /// This machine; what the system does not tell is `unknown`.
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
