//! What a backend promises beyond the contract of its traits: a plain value, to be shown to operators
//! and read by `db`. The conformance suite checks what can be checked of it.

use crate::changes::Isolation;

/// Where a commit is when its ticket resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurabilityMode {
    /// In the memory of this process, and gone with it.
    Process,
    /// Applied in memory, and on its way to the disk: a crash of the machine may take the last
    /// commits, never one before another that stays.
    Async,
    /// On the disk.
    Sync,
}

impl DurabilityMode {
    /// The word for it in settings and answers.
    pub fn word(self) -> &'static str {
        match self {
            DurabilityMode::Process => "process",
            DurabilityMode::Async => "async",
            DurabilityMode::Sync => "sync",
        }
    }
}

/// What a backend promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantees {
    /// The isolation levels that a transaction may ask for.
    pub isolation: &'static [Isolation],
    /// The durability in force.
    pub durability: DurabilityMode,
    /// The modes that a backend of this kind can be made with.
    pub durability_modes: &'static [DurabilityMode],
    /// Whether another process may make, drop and change graphs while this one has them open.
    pub graphs_change_elsewhere: bool,
    /// The most vertices of a graph, if memory is not the bound.
    pub vertices_max: Option<u64>,
    /// The most edges whose sources are 2^16 vertices of consecutive ids, if memory is not the
    /// bound.
    pub partition_edges_max: Option<u64>,
}

impl Guarantees {
    /// Name and value of each, as they are shown.
    pub fn rows(&self) -> [(&'static str, String); 6] {
        let number =
            |most: Option<u64>| most.map_or("unbounded".to_owned(), |most| most.to_string());
        let levels: Vec<&str> = self.isolation.iter().map(|level| level.word()).collect();
        let modes: Vec<&str> = self.durability_modes.iter().map(|mode| mode.word()).collect();
        [
            ("isolation", levels.join(", ")),
            ("durability", self.durability.word().to_owned()),
            ("durability_modes", modes.join(", ")),
            ("graphs_change_elsewhere", self.graphs_change_elsewhere.to_string()),
            ("vertices_max", number(self.vertices_max)),
            ("partition_edges_max", number(self.partition_edges_max)),
        ]
    }
}
