//! How often the interesting things happened: a simulator that never meets them proves nothing.

/// How often the interesting things happened, so that a test which never does them is noticed.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    pub(super) opened: u64,
    pub(super) crashed_opens: u64,
    pub(super) full_opens: u64,
    pub(super) tails_dropped: u64,
    pub(super) refused: u64,
    pub(super) survived_damage: u64,
    pub(super) failed_syncs: u64,
    pub(super) disk_full: u64,
    pub(super) files_installed: u64,
    pub(super) files_removed: u64,
    pub(super) files_reused: u64,
    pub(super) trimmed: u64,
}

impl Coverage {
    pub(super) fn counts(&self) -> [(&'static str, u64); 12] {
        [
            ("opened", self.opened),
            ("crashed opens", self.crashed_opens),
            ("opens on a full disk", self.full_opens),
            ("tails dropped", self.tails_dropped),
            ("refused damage", self.refused),
            ("survived damage", self.survived_damage),
            ("failed syncs", self.failed_syncs),
            ("full disks", self.disk_full),
            ("prepared files installed", self.files_installed),
            ("files removed", self.files_removed),
            ("files used again", self.files_reused),
            ("logs closed in order", self.trimmed),
        ]
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.opened += other.opened;
        self.crashed_opens += other.crashed_opens;
        self.full_opens += other.full_opens;
        self.tails_dropped += other.tails_dropped;
        self.refused += other.refused;
        self.survived_damage += other.survived_damage;
        self.failed_syncs += other.failed_syncs;
        self.disk_full += other.disk_full;
        self.files_installed += other.files_installed;
        self.files_removed += other.files_removed;
        self.files_reused += other.files_reused;
        self.trimmed += other.trimmed;
    }

    pub(super) fn assert_nothing_is_missing(&self) {
        for (what, count) in self.counts() {
            assert!(0 < count, "no seed met this: {what}");
        }
    }
}
