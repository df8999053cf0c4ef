//! The calendar: days, times of day, timestamps, durations, and the rules of time zones.
//!
//! Numbers, and texts of the forms that clients write. A type knows no language, no [`Value`](crate::Value) and no
//! error: what has none of them answers `None`. Functions on values are in `temporal`.

mod clock;
mod date;
mod duration;
mod timestamps;
pub(crate) mod zones;

pub use clock::{DateTime, Time};
pub use date::Date;
pub use duration::Duration;
pub use zones::{offset_at, offset_at_wall};

pub(crate) use duration::SECOND_NANOS;
