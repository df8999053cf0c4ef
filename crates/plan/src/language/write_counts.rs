//! What a statement changed, counted as Neo4j 5 counts it.

use std::ops::{AddAssign, Sub};

/// Changes of one run or of several. An element that is made and deleted again counts for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Vertices that were made.
    pub vertices_created: u64,
    /// Vertices that were there and are deleted.
    pub vertices_deleted: u64,
    /// Edges that were made.
    pub edges_created: u64,
    /// Edges that were there and are deleted, with their vertices too.
    pub edges_deleted: u64,
    /// Properties set, to the value they had too, one for each row; removed ones if they were there.
    pub properties_set: u64,
    /// Labels that vertices gained, those of new vertices included.
    pub labels_added: u64,
    /// Labels that vertices lost; not those of deleted vertices.
    pub labels_removed: u64,
    /// Indexes made, but for those of constraints.
    pub indexes_added: u64,
    /// Indexes dropped, but for those of constraints.
    pub indexes_removed: u64,
    /// Constraints made: unique indexes and property definitions.
    pub constraints_added: u64,
    /// Constraints dropped.
    pub constraints_removed: u64,
}

impl WriteCounts {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == WriteCounts::default()
    }

    /// Each counter with its name, in a fixed order.
    pub fn each(&self) -> [(&'static str, u64); 11] {
        [
            ("vertices_created", self.vertices_created),
            ("vertices_deleted", self.vertices_deleted),
            ("edges_created", self.edges_created),
            ("edges_deleted", self.edges_deleted),
            ("properties_set", self.properties_set),
            ("labels_added", self.labels_added),
            ("labels_removed", self.labels_removed),
            ("indexes_added", self.indexes_added),
            ("indexes_removed", self.indexes_removed),
            ("constraints_added", self.constraints_added),
            ("constraints_removed", self.constraints_removed),
        ]
    }

    fn zip(self, other: WriteCounts, with: impl Fn(u64, u64) -> u64) -> WriteCounts {
        WriteCounts {
            vertices_created: with(self.vertices_created, other.vertices_created),
            vertices_deleted: with(self.vertices_deleted, other.vertices_deleted),
            edges_created: with(self.edges_created, other.edges_created),
            edges_deleted: with(self.edges_deleted, other.edges_deleted),
            properties_set: with(self.properties_set, other.properties_set),
            labels_added: with(self.labels_added, other.labels_added),
            labels_removed: with(self.labels_removed, other.labels_removed),
            indexes_added: with(self.indexes_added, other.indexes_added),
            indexes_removed: with(self.indexes_removed, other.indexes_removed),
            constraints_added: with(self.constraints_added, other.constraints_added),
            constraints_removed: with(self.constraints_removed, other.constraints_removed),
        }
    }
}

impl AddAssign for WriteCounts {
    fn add_assign(&mut self, other: WriteCounts) {
        *self = self.zip(other, u64::saturating_add);
    }
}

impl Sub for WriteCounts {
    type Output = WriteCounts;

    /// What came since `earlier`.
    fn sub(self, earlier: WriteCounts) -> WriteCounts {
        self.zip(earlier, u64::saturating_sub)
    }
}
