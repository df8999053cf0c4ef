//! The durable store: log, segments, delta, indexes, recovery.
