//! Offsets of named zones, which a timestamp with the name of a zone is sent without.
//!
//! Only the names of UTC are known here.

/// Names of UTC.
const UTC: [&str; 8] = ["UTC", "Etc/UTC", "Z", "GMT", "Etc/GMT", "Zulu", "Etc/Zulu", "UCT"];

/// Seconds east of UTC of a zone at a second since 1970 in UTC; `None` if the zone is unknown.
pub(super) fn offset_at(zone: &str, _seconds: i64) -> Option<i32> {
    UTC.contains(&zone).then_some(0)
}

/// The same at a second of the zone's own clock.
pub(super) fn offset_at_local(zone: &str, _seconds: i64) -> Option<i32> {
    UTC.contains(&zone).then_some(0)
}
