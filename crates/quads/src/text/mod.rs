//! Texts to values and to trees of JSON. Each function takes the whole text of one value; its error names the expected
//! form. The caller knows where the value stands. Neither the syntax of N-Quads nor the meaning of a mutation enters
//! here.

mod far_offset;
pub mod json;
mod number;
mod temporal;

pub use far_offset::parse_far_offset;
pub use number::{parse_boolean, parse_double, parse_integer};
pub use temporal::{
    parse_bare_timestamp, parse_date, parse_datetime, parse_datetime_in, parse_duration,
    parse_local_datetime, parse_local_time, parse_time, parse_time_in, parse_year,
    parse_year_month,
};

use millrace_model::Value;
use millrace_model::geometry::geojson;

/// A geometry of GeoJSON, its texts in double or single quotes.
pub fn parse_geometry(text: &str) -> Result<Value, String> {
    geojson::parse(text).map(Value::from).map_err(|fault| fault.to_string())
}

/// A value without a declared type: integer, float, boolean, date and time, in this order.
pub fn parse_bare(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse() {
        return Some(Value::I64(whole));
    }
    let looks_numeric = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    if let (true, Ok(double)) = (looks_numeric, text.parse()) {
        return Some(Value::F64(double));
    }
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => parse_bare_timestamp(text).ok(),
    }
}
