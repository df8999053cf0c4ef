//! Values of quads and of facets.

use std::borrow::Cow;

use millrace_model::Value;
use millrace_quads::text::{
    parse_boolean, parse_date, parse_datetime, parse_double, parse_integer,
};
use millrace_quads::vocabulary::PASSWORD;
use millrace_quads::{Datatype, FacetValue, Literal, Node, NodeKind, Object, UnknownType};

use super::{go_time, wkb};
use crate::dql::messages::facet::ValType;
use crate::dql::messages::{Facet, value::Val};

/// The datatype of a number of any size.
const BIG_FLOAT: &str = "xs:bigfloat";

/// The datatype of a vector.
const VECTOR: &str = "float32vector";

/// What a value is at the end of a quad.
pub(super) fn object<'q>(value: &'q Val, language: Option<&'q str>) -> Result<Object<'q>, String> {
    let literal = match value {
        Val::DefaultVal(text) => Literal::new(text.as_str(), Datatype::String),
        Val::StrVal(text) => Literal::string(text.as_str()),
        Val::BytesVal(bytes) => Literal::new(utf_8(bytes)?, Datatype::String),
        Val::IntVal(number) => Literal::new(number.to_string(), Datatype::Integer),
        Val::BoolVal(flag) => Literal::new(flag.to_string(), Datatype::Boolean),
        Val::DoubleVal(number) => Literal::new(number.to_string(), Datatype::Double),
        Val::BigfloatVal(text) => of_other_type(utf_8(text)?, BIG_FLOAT),
        Val::DateVal(bytes) | Val::DatetimeVal(bytes) => {
            Literal::new(go_time::text(bytes)?, Datatype::DateTime)
        }
        Val::GeoVal(bytes) => Literal::new(wkb::geo_json(bytes)?, Datatype::Geometry),
        Val::PasswordVal(text) => of_other_type(text.as_str(), PASSWORD),
        Val::Vfloat32Val(bytes) => of_other_type(vector(bytes)?, VECTOR),
        Val::UidVal(uid) => {
            let name = format!("{uid:#x}").into();
            return Ok(Object::Node(Node { kind: NodeKind::Iri, name }));
        }
    };
    Ok(Object::Literal(Literal { language, ..literal }))
}

fn of_other_type<'q>(text: impl Into<Cow<'q, str>>, name: &str) -> Literal<'q> {
    let unknown_type = Some(Box::new(UnknownType { name: name.into(), at: 0 }));
    Literal { unknown_type, ..Literal::new(text, Datatype::String) }
}

fn utf_8(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "its text is not UTF-8".to_owned())
}

/// The numbers of a vector, as a list.
fn vector(bytes: &[u8]) -> Result<String, String> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("its vector is not whole".to_owned());
    }
    let numbers: Vec<String> =
        numbers.iter().map(|own| f32::from_le_bytes(*own).to_string()).collect();
    Ok(format!("[{}]", numbers.join(", ")))
}

/// The value of a facet: bytes as Go keeps them, or a text.
pub(super) fn facet(facet: &Facet) -> Result<FacetValue<'_>, String> {
    let bytes = &*facet.value;
    let kind = ValType::try_from(facet.val_type).map_err(|_| "its type is not known".to_owned())?;
    let whole: Option<[u8; 8]> = bytes.try_into().ok();
    let value = match kind {
        ValType::String => return Ok(FacetValue::Text(Cow::Borrowed(utf_8(bytes)?))),
        ValType::Int => match whole {
            Some(whole) => Value::I64(i64::from_le_bytes(whole)),
            None => Value::I64(parse_integer(utf_8(bytes)?, 64)?),
        },
        ValType::Float => match whole {
            Some(whole) => Value::F64(f64::from_le_bytes(whole)),
            None => Value::F64(parse_double(utf_8(bytes)?)?),
        },
        ValType::Bool => match bytes {
            [0] => Value::Bool(false),
            [1] => Value::Bool(true),
            _ => Value::Bool(parse_boolean(utf_8(bytes)?)?),
        },
        ValType::Datetime => match go_time::text(bytes) {
            Ok(text) => parse_datetime(&text)?,
            Err(_) => {
                let text = utf_8(bytes)?;
                parse_datetime(text).or_else(|_| parse_date(text))?
            }
        },
    };
    Ok(FacetValue::Bare(value))
}
