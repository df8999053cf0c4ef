//! Every bound of the experiment.

use std::time::Duration;

/// Connections to all endpoints together.
pub(super) const CONNECTIONS_MAX: usize = 10_000;

/// Endpoints of a target.
pub(super) const ENDPOINTS_MAX: usize = 16;

/// Targets that are measured in turn.
pub(super) const TARGETS_MAX: usize = 8;

/// Processors of the experiment's own server.
pub(super) const CORES_MAX: usize = 1_024;

/// Threads of the client.
pub(super) const CLIENT_THREADS_MAX: usize = 64;

/// Runs of a figure.
pub(super) const RUNS_MAX: usize = 1_000;

/// The size of generated films, relative to the published ones.
pub(super) const SCALE: (f64, f64) = (0.0005, 10.0);

/// How long a quick experiment takes, its own preparations aside, and the shortest run of one.
pub(super) const QUICK: Duration = Duration::from_secs(60);
pub(super) const QUICK_RUN_MIN: Duration = Duration::from_millis(100);

/// How many answers of each query are compared with the generator's, by each way to name a node, on each endpoint.
pub(super) const CHECKED: usize = 200;

/// Bytes of a list of ids.
pub(super) const LIST_BYTES_MAX: u64 = 1 << 30;

/// Ids in one request for their uids.
pub(super) const UIDS_ASKED: usize = 1_000;

/// Bytes of a wrong answer that an error shows.
pub(super) const SHOWN_BYTES: usize = 400;
