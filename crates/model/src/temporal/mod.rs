//! Dates, times, timestamps and durations: fields, ISO 8601 text, and arithmetic as Cypher defines it.
//!
//! The types hold numbers and know no language. Functions on them take and give a [`Value`](crate::Value)
//! where a language chooses the type only when it runs. An error is [`ErrorKind::BadQuery`]: the value or
//! the fields are wrong. Years reach from -999,999,999 to +999,999,999.
//!
//! ```text
//!   date ── clock ── duration        the types
//!               │
//!   zones ── parts                   a day, a time of day and a zone: one shape for five types
//!               │
//!   read  fields ── build  truncate  arithmetic  components  iso
//! ```

mod arithmetic;
mod build;
mod clock;
mod components;
mod date;
mod duration;
mod fields;
mod iso;
mod parts;
mod read;
mod truncate;
mod zones;

pub use arithmetic::{divide, is_temporal, minus, plus, times};
pub use build::{from_epoch, from_epoch_millis, make, now, parse};
pub use clock::{DateTime, Time};
pub use components::component;
pub use date::Date;
pub use duration::{Duration, Span, between, make_duration};
pub use iso::{Seconds, text};
pub use parts::{TemporalKind, TemporalParts, Zone, ZoneId};
pub use truncate::truncate;
pub use zones::{offset_at, offset_at_wall};

use crate::error::{Error, ErrorKind};

/// An error of the query, as all functions here raise it.
fn bad(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}

/// A result beyond the years that dates have.
fn out_of_range() -> Error {
    bad("the result is further off than there are dates")
        .with_help("years reach from -999999999 to 999999999")
}
