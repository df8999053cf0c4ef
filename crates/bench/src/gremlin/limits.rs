//! Every bound of the load generator.

use std::time::Duration;

/// How long answers are waited for after the last request. A request unanswered by then is an error,
/// and counts with the time it waited.
pub(super) const DRAIN_MAX: Duration = Duration::from_secs(30);

/// How long connecting may take.
pub(super) const CONNECT_MAX: Duration = Duration::from_secs(10);

/// Connections; each has two threads.
pub(super) const CONNECTIONS_MAX: usize = 1_024;

/// Requests of a connection that are under way, in the closed model.
pub(super) const IN_FLIGHT_MAX: usize = 1 << 16;

/// Vertices of a request.
pub(super) const BATCH_MAX: usize = 10_000;

/// Steps of a ramp.
pub(super) const STEPS_MAX: u32 = 1_000;

/// Bytes of one message of a server.
pub(super) const MESSAGE_BYTES_MAX: usize = 64 << 20;
