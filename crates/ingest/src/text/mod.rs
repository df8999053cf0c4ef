//! Text to values, for every format. Each function takes the whole text of one value; its error names
//! the expected form. The caller knows the value's place in the file. No
//! format's own syntax enters here. What mutations need too is in [`millrace_quads::text`].

mod point;

pub(crate) use millrace_quads::text::json;
pub use millrace_quads::text::{
    parse_bare, parse_bare_timestamp, parse_boolean, parse_date, parse_datetime, parse_datetime_in,
    parse_double, parse_duration, parse_geometry, parse_integer, parse_local_datetime,
    parse_local_time, parse_time, parse_time_in, parse_year, parse_year_month,
};
pub use point::{coordinate_system, parse_point, parse_point_in};
