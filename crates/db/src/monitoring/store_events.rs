//! Events of a data folder, for the log.

use std::time::Duration;

use millrace_store_embedded::{Event, Watcher};

/// Writes the events of a store to the log; [`log_events`](crate::monitoring::log_events) lists them.
pub(crate) struct StoreEvents;

impl Watcher for StoreEvents {
    fn note(&self, event: Event) {
        match event {
            Event::UncleanEnd { holder } => tracing::warn!(name: "unclean-end", holder),
            Event::ManifestFallback { used, damage: error } => {
                tracing::warn!(name: "manifest-fallback", %used, error);
            }
            Event::Recovered { replayed, position, log_bytes, took } => {
                let took_ms = millis(took);
                tracing::info!(name: "recovered", replayed, position, log_bytes, took_ms);
            }
            Event::Checkpoint { position, took, written_bytes, log_bytes } => {
                let took_ms = millis(took);
                tracing::info!(name: "checkpoint", position, took_ms, written_bytes, log_bytes);
            }
            Event::SlowSync { took, others } => {
                let took_ms = millis(took);
                tracing::warn!(name: "slow-sync", took_ms, others);
            }
            Event::ReadOnly { why } => tracing::error!(name: "read-only", why),
            Event::ReadWrite { after } => {
                let after_ms = millis(after);
                tracing::info!(name: "read-write", after_ms);
            }
            Event::Damage { error } => tracing::error!(name: "damage", error),
            Event::BackgroundFailed { task, error } => {
                tracing::error!(name: "background-failed", task, error);
            }
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
