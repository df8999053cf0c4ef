//! The named bounds of this crate.

/// Bytes a private write set may hold in memory before a part of it spills (STORE section 5).
pub const WRITE_SET_BYTES_MAX: usize = 16 << 20;

/// How often a commit that lost a race may be run again before it must queue (STORE section 4).
pub const LOST_RACES_MAX: u32 = 3;
