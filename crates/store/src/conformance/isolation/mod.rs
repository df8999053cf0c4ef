//! Cases of concurrent transactions: conflicts, and the anomalies that an isolation level rules out.

pub(super) mod anomalies;
pub(super) mod conflicts;
pub(super) mod merged;
pub(super) mod serializable;
pub(super) mod units;
pub(super) mod write_conflicts;

pub use anomalies::{ANOMALIES, Anomaly};
