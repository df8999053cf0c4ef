//! Values of the model as JSON text, and as plain text where neither JSON nor Lua has a type for them.

use std::fmt::Write;

use millrace_model::geometry::geojson;
use millrace_model::property_values::plain_value;
use millrace_model::temporal::{self, Seconds};
use millrace_model::{Error, Value, uuid};

/// A separator between entries.
pub(crate) fn separate(text: &mut String, needed: bool) {
    if needed {
        text.push_str(", ");
    }
}

pub(crate) fn write_display(text: &mut String, value: impl std::fmt::Display) {
    write!(text, "{value}").expect("a string takes any text");
}

/// A JSON string.
pub(crate) fn write_string(text: &mut String, string: &str) {
    text.push_str(&serde_json::to_string(string).expect("each string has a JSON form"));
}

/// Writes a value of the model as JSON.
pub(crate) fn write_value(text: &mut String, value: &Value) -> Result<(), Error> {
    match value {
        Value::Null => text.push_str("null"),
        Value::PropertyValues(_) => write_value(text, &plain_value(value))?,
        Value::Bool(truth) => write_display(text, truth),
        Value::List(values) | Value::Set(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                separate(text, index > 0);
                write_value(text, value)?;
            }
            text.push(']');
        }
        Value::Vector(_) => write_value(text, &value.clone().vectors_as_lists())?,
        Value::Map(pairs) => {
            text.push('{');
            for (index, (key, value)) in pairs.iter().enumerate() {
                separate(text, index > 0);
                write_string(text, key.as_str().unwrap_or_default());
                text.push_str(": ");
                write_value(text, value)?;
            }
            text.push('}');
        }
        Value::Geometry(shape) => geojson::write(text, shape),
        Value::String(string) => write_string(text, string),
        Value::Vertex(vertex) => write_display(text, vertex),
        Value::Edge(edge) => write_display(text, edge),
        Value::F32(_) | Value::F64(_) => {
            let double = value.as_double().unwrap_or(f64::NAN);
            match double.is_finite() {
                true => write_display(text, format_args!("{double:?}")),
                // A stored infinity must not make a whole answer fail.
                false => text.push_str("null"),
            }
        }
        other => match other.as_int() {
            Some(int) => write_display(text, int),
            None => write_string(text, &text_of(other)),
        },
    }
    Ok(())
}

/// The text of a value that has no Lua form of its own.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => time.to_string(),
        Value::DateTime(timestamp) => timestamp.to_string(),
        Value::ZonedDateTime(zoned) => format!("{}[{}]", zoned.0, zoned.1),
        Value::Duration(_) => temporal::text(value, Seconds::Always).unwrap_or_default(),
        Value::Point(point) => point.to_string(),
        Value::Geometry(shape) => geojson::text(shape),
        Value::Uuid(bytes) => uuid::text(*bytes),
        Value::PropertyValues(_) => match plain_value(value) {
            only @ (Value::List(_) | Value::PropertyValues(_)) => format!("{only:?}"),
            only => text_of(&only),
        },
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Geometry;

    use super::*;

    #[test]
    fn a_geometry_is_geojson() {
        let mut written = String::new();
        let point = Value::from(Geometry::Point([1.5, 2.0]));
        write_value(&mut written, &Value::list(vec![point])).expect("it has a form");
        assert_eq!(written, r#"[{"type":"Point","coordinates":[1.5,2]}]"#);
    }

    #[test]
    fn doubles_keep_a_point_and_all_their_digits() {
        for (double, text) in [
            (7.0, "7.0"),
            (0.1, "0.1"),
            (-0.5, "-0.5"),
            (-0.0, "-0.0"),
            (999_999_999_999_999.0, "999999999999999.0"),
            (1e15, "1000000000000000.0"),
            (1e300, "1e300"),
            (f64::INFINITY, "null"),
        ] {
            let mut written = String::new();
            write_value(&mut written, &Value::F64(double)).expect("it has a form");
            assert_eq!(written, text);
        }
    }
}
