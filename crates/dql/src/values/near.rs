//! The arguments of `similar_to` from their texts, with the errors of Dgraph.

use millrace_model::{Error, ErrorKind, Result, Value};

use super::read::{read, read_uid};
use crate::schema::Kind;
use crate::text::shown;

/// An argument of `similar_to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NearArgument {
    /// How many nodes are wanted.
    Count,
    /// The vector to which others are near; null of a uid.
    Vector,
    /// The node with that vector, as a list; an empty one of a vector.
    Node,
    /// `ef`, how many near ones are weighed at least.
    Breadth,
    /// `distance_threshold`, beyond which no node is near.
    Distance,
}

impl NearArgument {
    /// The value that a text says.
    pub(crate) fn read(self, text: &str) -> Result<Value> {
        match self {
            NearArgument::Count => {
                let count: Option<i32> = text.parse().ok();
                let count = count.map(|count| Value::I64(i64::from(count)));
                let wrong = || format!("invalid value for number of neighbors: {}", shown(text));
                count.ok_or_else(|| refused(wrong()))
            }
            NearArgument::Vector => match read(text, Kind::Vector) {
                Ok(vector) => Ok(vector),
                Err(_) => node(text).map(|_| Value::Null),
            },
            NearArgument::Node => match read(text, Kind::Vector) {
                Ok(_) => Ok(Value::list(Vec::new())),
                Err(_) => node(text).map(|uid| Value::list(vec![Value::I64(uid)])),
            },
            NearArgument::Breadth => {
                let breadth: Option<i32> = text.trim().parse().ok();
                let wrong = || format!("Invalid value for 'ef' in similar_to: \"{}\"", shown(text));
                match breadth.ok_or_else(|| refused(wrong()))? {
                    breadth if 0 < breadth => Ok(Value::I64(i64::from(breadth))),
                    other => Err(refused(format!("Value for 'ef' must be positive, got: {other}"))),
                }
            }
            NearArgument::Distance => {
                let distance: Option<f64> = text.trim().parse().ok();
                let wrong = || {
                    let shown = shown(text);
                    format!("Invalid value for 'distance_threshold' in similar_to: \"{shown}\"")
                };
                let distance = distance.filter(|distance| !distance.is_nan());
                match distance.ok_or_else(|| refused(wrong()))? {
                    distance if distance < 0.0 => {
                        let name = "distance_threshold";
                        let detail =
                            format!("Value for '{name}' must be non-negative, got: {distance}");
                        Err(refused(detail))
                    }
                    distance => Ok(Value::F64(distance)),
                }
            }
        }
    }
}

/// The uid of a text that is no vector.
fn node(text: &str) -> Result<i64> {
    read_uid(text).map_err(|_| refused(format!("Value \"{}\" is not a uid or vector", shown(text))))
}

fn refused(detail: String) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_vector_or_a_uid() {
        let vector = Value::vector(&[1.0, 2.5]);
        let both =
            |text: &str| [NearArgument::Vector, NearArgument::Node].map(|own| own.read(text));
        for text in ["[1, 2.5]", "[1 2.5]"] {
            assert_eq!(both(text), [Ok(vector.clone()), Ok(Value::list(Vec::new()))]);
        }
        for text in ["0x1f", "31"] {
            assert_eq!(both(text), [Ok(Value::Null), Ok(Value::list(vec![Value::I64(31)]))]);
        }
        for error in both("abc") {
            let detail = error.expect_err("it is neither").detail;
            assert_eq!(detail, "Value \"abc\" is not a uid or vector");
        }
    }

    #[test]
    fn numbers_have_bounds() {
        for (argument, good, bad) in [
            (NearArgument::Count, &["3", "-1", "0"][..], &["x", "1.5", "99999999999", ""][..]),
            (NearArgument::Breadth, &["3", " 64"], &["x", "1.5", "0", "-1"]),
            (NearArgument::Distance, &["3", "0", "1e-3", "0.5"], &["x", "-0.5", "NaN"]),
        ] {
            good.iter().for_each(|text| drop(argument.read(text).expect("it is right")));
            bad.iter().for_each(|text| drop(argument.read(text).expect_err("it is wrong")));
        }
    }
}
