//! Datatypes of literals. Dgraph writes `xs:int`, the W3C writes the whole IRI, many write
//! `xsd:int`: all three are one type here.

use crate::text;
use millrace_model::Value;

/// A datatype that a load understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datatype {
    /// Text.
    String,
    /// Whole numbers of any width.
    Integer,
    /// `float`, `double` and `decimal`: 64 bits, as in Dgraph.
    Double,
    /// `true`, `false`, `1`, `0`.
    Boolean,
    /// `2020-02-29`.
    Date,
    /// `2020-02-29T12:00:00Z`; without an offset it is UTC, as in Dgraph.
    DateTime,
    /// `12:00:00`.
    Time,
    /// `1986`: the first of January.
    Year,
    /// `1986-06`: the first of the month.
    YearMonth,
    /// `P1DT2H`.
    Duration,
}

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Types of RDF itself with values that are stored as they are written.
const RDF_TEXTS: [&str; 3] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
];

impl Datatype {
    /// The type of a name, or why it isn't one.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let local = [XSD, "xs:", "xsd:"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let datatype = match local {
            Some(
                "string" | "normalizedString" | "token" | "anyURI" | "language" | "Name" | "NCName"
                | "NMTOKEN" | "hexBinary" | "base64Binary" | "gDay" | "gMonth" | "gMonthDay",
            ) => Self::String,
            Some(
                "int" | "integer" | "long" | "short" | "byte" | "positiveInteger"
                | "nonNegativeInteger" | "negativeInteger" | "nonPositiveInteger" | "unsignedInt"
                | "unsignedLong" | "unsignedShort" | "unsignedByte",
            ) => Self::Integer,
            Some("double" | "float" | "decimal") => Self::Double,
            Some("boolean") => Self::Boolean,
            Some("date") => Self::Date,
            Some("dateTime" | "dateTimeStamp") => Self::DateTime,
            Some("time") => Self::Time,
            Some("gYear") => Self::Year,
            Some("gYearMonth") => Self::YearMonth,
            Some("duration" | "dayTimeDuration" | "yearMonthDuration") => Self::Duration,
            _ if RDF_TEXTS.contains(&name) => Self::String,
            _ => return Err(refuse(name)),
        };
        Ok(datatype)
    }
}

fn refuse(name: &str) -> String {
    format!(
        "the datatype <{name}> is not supported (known: string, int, long, short, byte, float, \
         double, decimal, boolean, date, dateTime, time, gYear, gYearMonth, duration); load such texts \
         as they are by --unknown-types text"
    )
}

impl Datatype {
    /// Text of this type as a value.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::String => Ok(Value::string(text)),
            Self::Integer => text::parse_integer(text, 64).map(Value::I64),
            Self::Double => text::parse_double(text).map(Value::F64),
            Self::Boolean => text::parse_boolean(text).map(Value::Bool),
            Self::Date => text::parse_date(text),
            Self::DateTime => text::parse_datetime(text),
            Self::Time => text::parse_time(text),
            Self::Year => text::parse_year(text),
            Self::YearMonth => text::parse_year_month(text),
            Self::Duration => text::parse_duration(text),
        }
    }
}
