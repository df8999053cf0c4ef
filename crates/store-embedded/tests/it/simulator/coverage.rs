//! What the seeds met on their way: a simulator that never gets somewhere proves nothing there.

/// Counts of what happened.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    pub(super) commits: u64,
    pub(super) conflicts: u64,
    pub(super) loads: u64,
    pub(super) checkpoints: u64,
    pub(super) old_reads: u64,
    pub(super) too_old: u64,
    pub(super) crashed: u64,
    pub(super) crashed_opening: u64,
    pub(super) ended_in_peace: u64,
    pub(super) writing_stopped: u64,
    pub(super) failed_elsewhere: u64,
    pub(super) unknown_came_back: u64,
}

impl Coverage {
    fn counts(&self) -> [(&'static str, u64); 12] {
        [
            ("commits", self.commits),
            ("conflicts", self.conflicts),
            ("loads", self.loads),
            ("checkpoints", self.checkpoints),
            ("reads of old snapshots", self.old_reads),
            ("snapshots too old", self.too_old),
            ("crashes", self.crashed),
            ("crashes while opening", self.crashed_opening),
            ("lives without a crash", self.ended_in_peace),
            ("writes refused after a fault", self.writing_stopped),
            ("syncs failed outside of the log", self.failed_elsewhere),
            ("unknown commits that came back", self.unknown_came_back),
        ]
    }

    pub(super) fn add(&mut self, other: &Coverage) {
        self.commits += other.commits;
        self.conflicts += other.conflicts;
        self.loads += other.loads;
        self.checkpoints += other.checkpoints;
        self.old_reads += other.old_reads;
        self.too_old += other.too_old;
        self.crashed += other.crashed;
        self.crashed_opening += other.crashed_opening;
        self.ended_in_peace += other.ended_in_peace;
        self.writing_stopped += other.writing_stopped;
        self.failed_elsewhere += other.failed_elsewhere;
        self.unknown_came_back += other.unknown_came_back;
    }

    pub(super) fn assert_nothing_is_missing(&self) {
        let missing: Vec<_> = self
            .counts()
            .into_iter()
            .filter(|(_, count)| *count == 0)
            .map(|(what, _)| what)
            .collect();
        assert!(missing.is_empty(), "no seed met: {missing:?}");
    }
}
