//! Options behind the type of a field, `{name: value}`, as neo4j-admin has them. An option that is not known is
//! refused by its name.

use super::value::{ElementType, FieldType, IdType};
use crate::error::excerpt;
use crate::text;
use millrace_model::temporal::ZoneId;

/// What is said of a property's values besides their type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyOptions {
    /// The system of points that name none.
    pub srid: Option<u32>,
    /// The zone of times and timestamps without one.
    pub zone: Option<ZoneId>,
    /// Whether the type is a guess: only what the guess itself takes for a value of it is one then.
    pub is_guessed: bool,
}

/// What is said of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdOptions {
    /// How they are stored and compared.
    pub id_type: IdType,
    /// The label with which they are unique; `None`: with each of the node.
    pub label: Option<Box<str>>,
}

/// Names and values.
type Options<'f> = Vec<(&'f str, &'f str)>;

/// A field without its options, and these.
pub(super) fn split(field: &str) -> Result<(&str, Options<'_>), String> {
    let Some((typed, options)) = field.split_once('{').filter(|(typed, _)| typed.contains(':'))
    else {
        return Ok((field, Vec::new()));
    };
    let inside = options.strip_suffix('}').ok_or_else(|| {
        format!(
            "expected '}}' at the end of '{}': a field with a delimiter in its options stands in quotes",
            excerpt(field)
        )
    })?;
    let option = |option| split_option(option).ok_or_else(|| not_an_option(option));
    let parts = inside.split(',').filter(|part| !part.trim().is_empty());
    Ok((typed.trim_end(), parts.map(option).collect::<Result<_, _>>()?))
}

fn split_option(option: &str) -> Option<(&str, &str)> {
    let (name, value) = option.split_once(':')?;
    let value = value.trim().trim_matches(['\'', '"']);
    (!value.is_empty()).then_some((name.trim(), value))
}

fn not_an_option(option: &str) -> String {
    format!("expected an option as {{name: value}}, found '{}'", excerpt(option))
}

fn unknown(name: &str, of: &str, known: &str) -> String {
    let has = if known.is_empty() { "it has none".to_owned() } else { format!("it has {known}") };
    format!("'{}' is not an option of {of}: {has}", excerpt(name))
}

/// Refuses any option of a field that has none.
pub(super) fn none(options: &[(&str, &str)], of: &str) -> Result<(), String> {
    options.first().map_or(Ok(()), |(name, _)| Err(unknown(name, of, "")))
}

/// The options of an id.
pub(super) fn of_id(options: &[(&str, &str)]) -> Result<IdOptions, String> {
    let mut said = IdOptions::default();
    for (name, value) in options {
        match &*name.to_ascii_lowercase() {
            "id-type" => {
                said.id_type = IdType::from_word(value).ok_or_else(|| {
                    format!(
                        "'{}' is not a type of ids: expected string, long or int",
                        excerpt(value)
                    )
                })?;
            }
            "label" => said.label = Some((*value).into()),
            _ => return Err(unknown(name, "ID", "id-type and label")),
        }
    }
    Ok(said)
}

/// The options of a property.
pub(super) fn of_property(
    kind: FieldType,
    options: &[(&str, &str)],
) -> Result<PropertyOptions, String> {
    let mut said = PropertyOptions::default();
    let of = kind.word();
    for (name, value) in options {
        match (&*name.to_ascii_lowercase(), kind.element) {
            ("crs" | "srid", ElementType::Point) => {
                said.srid = Some(text::coordinate_system(value).ok_or_else(|| {
                    format!(
                        "'{}' is not a system of coordinates: expected WGS-84, WGS-84-3D, cartesian or \
                         cartesian-3D, or 4326, 4979, 7203 or 9157",
                        excerpt(value)
                    )
                })?);
            }
            ("timezone", ElementType::Time | ElementType::DateTime) => {
                let zone = ZoneId::read(value).map_err(|error| error.detail)?;
                if let (ZoneId::Named(_), ElementType::Time) = (&zone, kind.element) {
                    return Err(
                        "a time without a day has no named zone: write an offset, as +01:00".into(),
                    );
                }
                said.zone = Some(zone);
            }
            (_, ElementType::Point) => return Err(unknown(name, &of, "crs and srid")),
            (_, ElementType::Time | ElementType::DateTime) => {
                return Err(unknown(name, &of, "timezone"));
            }
            _ => return Err(unknown(name, &of, "")),
        }
    }
    Ok(said)
}
