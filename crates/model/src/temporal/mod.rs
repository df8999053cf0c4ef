//! Dates, times, timestamps and durations as values: fields, ISO 8601 text, and arithmetic as Cypher defines it.
//!
//! The types hold numbers and know no language (`calendar`). Functions on them take and give a
//! [`Value`](crate::Value) where a language chooses the type only when it runs. An error is
//! [`ErrorKind::BadQuery`](crate::ErrorKind::BadQuery): the value or the fields are wrong. Years reach from
//! -999,999,999 to +999,999,999. No schema and no column enters.
//!
//! ```text
//!   parts                          a day, a time of day and a zone: one shape for five types
//!     │
//!   read  fields ── build  truncate  arithmetic  components  duration  iso
//! ```

mod arithmetic;
mod build;
mod components;
mod duration;
mod failures;
mod fields;
mod iso;
mod parts;
mod read;
mod truncate;

pub use arithmetic::{divide, is_temporal, minus, plus, times};
pub use build::{from_epoch, from_epoch_millis, make, now, parse};
pub use components::component;
pub use duration::{Span, between, make_duration};
pub use iso::{Seconds, text};
pub use parts::{TemporalKind, TemporalParts, Zone, ZoneId};
pub use truncate::truncate;

pub use crate::calendar::{Date, DateTime, Duration, Time, offset_at, offset_at_wall};
