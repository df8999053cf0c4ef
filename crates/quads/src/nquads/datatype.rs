//! Datatypes of literals. Dgraph writes `xs:int`, the W3C writes the whole IRI, many write
//! `xsd:int`: all three are one type here.

use crate::text;
use crate::vocabulary;
use millrace_model::Value;

/// A datatype whose texts become values here.
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
    /// GeoJSON: a point, a polygon or a multipolygon.
    Geometry,
}

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

impl Datatype {
    /// The type of a name, if it is known: all those of XML Schema and RDF are, and GeoJSON.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == vocabulary::GEOMETRY {
            return Some(Self::Geometry);
        }
        let local =
            |prefixes: &[&str]| prefixes.iter().find_map(|prefix| name.strip_prefix(prefix));
        let schema = local(&[XSD, "xs:", "xsd:"]).and_then(Self::from_schema);
        schema.or_else(|| local(&[RDF, "rdf:"]).and_then(Self::from_rdf))
    }

    /// A type of XML Schema.
    fn from_schema(name: &str) -> Option<Self> {
        Some(match name {
            // Several tokens in one text stay one text: a list is written as several statements.
            "string" | "normalizedString" | "token" | "anyURI" | "language" | "Name" | "NCName"
            | "NMTOKEN" | "NMTOKENS" | "ID" | "IDREF" | "IDREFS" | "ENTITY" | "ENTITIES"
            | "QName" | "NOTATION" | "hexBinary" | "base64Binary" | "gDay" | "gMonth"
            | "gMonthDay" | "untypedAtomic" | "anyAtomicType" | "anySimpleType" | "anyType" => {
                Self::String
            }
            "int" | "integer" | "long" | "short" | "byte" | "positiveInteger"
            | "nonNegativeInteger" | "negativeInteger" | "nonPositiveInteger" | "unsignedInt"
            | "unsignedLong" | "unsignedShort" | "unsignedByte" => Self::Integer,
            "double" | "float" | "decimal" | "precisionDecimal" => Self::Double,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            "dateTime" | "dateTimeStamp" => Self::DateTime,
            "time" => Self::Time,
            "gYear" => Self::Year,
            "gYearMonth" => Self::YearMonth,
            "duration" | "dayTimeDuration" | "yearMonthDuration" => Self::Duration,
            _ => return None,
        })
    }

    /// A type of RDF itself: their values are stored as they are written.
    fn from_rdf(name: &str) -> Option<Self> {
        let is_text = ["langString", "dirLangString", "PlainLiteral", "HTML", "XMLLiteral", "JSON"];
        is_text.contains(&name).then_some(Self::String)
    }
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
            Self::Geometry => text::parse_geometry(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::Geometry;

    #[test]
    fn geojson_is_a_geometry_whatever_its_quotes_are() {
        let datatype = Datatype::from_name(vocabulary::GEOMETRY).expect("it is known");
        let point = Value::from(Geometry::Point([1.1, 2.0]));
        for text in [
            "{'type':'Point', 'coordinates':[1.1, 2]}",
            r#"{"coordinates":[1.10,2.0],"type":"Point"}"#,
        ] {
            assert_eq!(datatype.parse(text), Ok(point.clone()), "{text}");
        }
        let refused = datatype.parse("{'type':'LineString','coordinates':[[0,0],[1,1]]}");
        assert!(refused.is_err_and(|detail| detail.contains("'LineString' is not supported")));
        assert_eq!(Datatype::from_name("geo:wktLiteral"), None);
    }
}
