//! The names of January 2022, one for each form: aliases made from one table.
//!
//! The suffix says which arguments follow, which the functions find out by themselves; only a
//! number that names a type needs a hand, as a bare number would be read as a direction or an id.

use millrace_plan::ElementKind;
use mlua::{Lua, MultiValue};

use super::families::FAMILIES;
use super::function::{self, Function};
use super::schema;
use crate::access::Access;
use crate::session::Session;

/// An early name, and the function that it stands for.
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) function: &'static Function,
    /// Which argument is a type's number.
    type_number: Option<(Place, ElementKind)>,
}

/// Where the number of a type stands.
#[derive(Clone, Copy)]
enum Place {
    First,
    Last,
}

/// Suffixes of walks from one vertex.
const WALK: &[&str] = &[
    "",
    "ById",
    "ByIdForDirection",
    "ByIdForDirectionForType",
    "ByIdForDirectionForTypeId",
    "ByIdForDirectionForTypes",
    "ByIdForType",
    "ByIdForTypeId",
    "ByIdForTypes",
    "ForDirection",
    "ForDirectionForType",
    "ForDirectionForTypeId",
    "ForDirectionForTypes",
    "ForType",
    "ForTypeId",
    "ForTypes",
];
const BY_ID: &[&str] = &["", "ById"];
const PLAIN: &[&str] = &[""];
const ENDS: &[&str] = &["", "ByIds", "ByTypeIdByIds"];
const FOR_TYPE: &[&str] = &["", "ForType"];

/// Early stem, suffixes, reference name.
const STEMS: &[(&str, &[&str], &str)] = &[
    ("AllNodeIds", FOR_TYPE, "AllNodeIds"),
    ("AllNodes", FOR_TYPE, "AllNodes"),
    ("AllRelationshipIds", FOR_TYPE, "AllRelationshipIds"),
    ("AllRelationships", FOR_TYPE, "AllRelationships"),
    ("LinksGetLinks", WALK, "LinksGetLinks"),
    ("LinksGetNeighbors", WALK, "LinksGetNeighbors"),
    ("LinksGetRelationships", WALK, "LinksGetRelationships"),
    ("LinksGetRelationshipsIds", WALK, "LinksGetLinks"),
    ("NodeAddEmpty", PLAIN, "NodeAdd"),
    ("NodeGet", BY_ID, "NodeGet"),
    ("NodeGetDegree", WALK, "NodeGetDegree"),
    ("NodeGetLinks", WALK, "NodeGetLinks"),
    ("NodeGetNeighbors", WALK, "NodeGetNeighbors"),
    ("NodeGetRelationships", WALK, "NodeGetRelationships"),
    ("NodeGetRelationshipsIds", WALK, "NodeGetLinks"),
    ("NodePropertiesDelete", BY_ID, "NodeDeleteProperties"),
    ("NodePropertiesGet", BY_ID, "NodeGetProperties"),
    ("NodePropertiesResetFromJson", BY_ID, "NodeResetPropertiesFromJson"),
    ("NodePropertiesSetFromJson", BY_ID, "NodeSetPropertiesFromJson"),
    ("NodePropertyDelete", BY_ID, "NodeDeleteProperty"),
    ("NodePropertyGet", BY_ID, "NodeGetProperty"),
    ("NodePropertySet", BY_ID, "NodeSetProperty"),
    ("NodeRemove", BY_ID, "NodeRemove"),
    ("NodeTypesGetCount", BY_ID, "NodeTypesGetCount"),
    ("NodeTypesGetCountByType", PLAIN, "NodeTypesGetCount"),
    ("RelationshipAdd", ENDS, "RelationshipAdd"),
    ("RelationshipAddEmpty", ENDS, "RelationshipAdd"),
    ("RelationshipPropertiesDelete", PLAIN, "RelationshipDeleteProperties"),
    ("RelationshipPropertiesGet", PLAIN, "RelationshipGetProperties"),
    ("RelationshipPropertiesResetFromJson", PLAIN, "RelationshipResetPropertiesFromJson"),
    ("RelationshipPropertiesSetFromJson", PLAIN, "RelationshipSetPropertiesFromJson"),
    ("RelationshipPropertyDelete", PLAIN, "RelationshipDeleteProperty"),
    ("RelationshipPropertyGet", PLAIN, "RelationshipGetProperty"),
    ("RelationshipPropertySet", PLAIN, "RelationshipSetProperty"),
    ("RelationshipPropertySetFromJson", PLAIN, "RelationshipSetPropertyFromJson"),
    ("RelationshipTypesGetCount", BY_ID, "RelationshipTypesGetCount"),
    ("RelationshipTypesGetCountByType", PLAIN, "RelationshipTypesGetCount"),
];

/// All early names that are not names of the reference.
pub(crate) fn aliases() -> impl Iterator<Item = Alias> {
    let forms = STEMS.iter().flat_map(|&(stem, suffixes, target)| {
        suffixes.iter().map(move |&suffix| (format!("{stem}{suffix}"), suffix, target))
    });
    forms.filter(|(name, _, target)| name != target).map(|(name, suffix, target)| {
        let function = FAMILIES
            .iter()
            .flat_map(|family| family.functions)
            .find(|function| function.name == target)
            .expect("an alias stands for a function of the table");
        Alias { type_number: type_number(suffix, target), name, function }
    })
}

fn type_number(suffix: &str, target: &str) -> Option<(Place, ElementKind)> {
    match (suffix, target) {
        (_, "NodeTypesGetCount") => Some((Place::First, ElementKind::Vertex)),
        (_, "RelationshipTypesGetCount") => Some((Place::First, ElementKind::Edge)),
        ("ByTypeIdByIds", _) => Some((Place::First, ElementKind::Edge)),
        _ if suffix.ends_with("TypeId") => Some((Place::Last, ElementKind::Edge)),
        _ => None,
    }
}

/// The alias as a sandbox has it.
pub(super) fn bind(lua: &Lua, alias: &Alias, access: Access) -> mlua::Result<mlua::Function> {
    let Some((place, element)) = alias.type_number else {
        return function::bind(lua, alias.function, access);
    };
    if access < alias.function.needs {
        return function::bind(lua, alias.function, access);
    }
    let function = alias.function;
    lua.create_function(move |lua, values: MultiValue| {
        let values = name_type(lua, values, place, element)?;
        function::called(lua, function, values)
    })
}

/// Puts the name of a type in the place of its number.
fn name_type(
    lua: &Lua,
    mut values: MultiValue,
    place: Place,
    element: ElementKind,
) -> mlua::Result<MultiValue> {
    let value = match place {
        Place::First => values.front_mut(),
        Place::Last => values.back_mut(),
    };
    if let Some(value) = value
        && let mlua::Value::Integer(number) = value
    {
        let number = u64::try_from(*number).unwrap_or(0);
        let name = schema::name_of(&Session::of(lua)?.catalog(), element, number);
        // A number without a type has no elements; no type has an empty name.
        *value = mlua::Value::String(lua.create_string(name.unwrap_or_default().as_bytes())?);
    }
    Ok(values)
}
