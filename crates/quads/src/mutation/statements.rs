//! A tree of JSON to statements, in one walk. An edge comes before the statements of the node that it leads to.

use super::facets::{FACET_MARK, Facets};
use super::fault::JsonFault;
use super::node::{BlankNames, UID, named_node};
use crate::error::excerpt;
use crate::nquads::{
    Datatype, Facet, Literal, Node, NodeKind, Object, Quad, Statement, parse_call, split_language,
};
use crate::text::json::Json;

/// What a mutation does with its statements. Some JSON means something else where it deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Adds them.
    Set,
    /// Removes them.
    Delete,
}

/// The statements of a mutation: of an object, or of a list of objects. The JSON is one that [`Json::parse_mutation`]
/// read, and so its depth is bounded.
pub fn statements_of<'a>(
    json: &'a Json,
    action: Action,
    blank_names: &mut BlankNames,
) -> Result<Vec<Statement<'a>>, JsonFault> {
    let mut walk = Walk { action, blank_names, statements: Vec::new() };
    match json {
        Json::Array(objects) => {
            for (index, object) in objects.iter().enumerate() {
                walk.add_root(object).map_err(|fault| fault.in_list(index))?;
            }
        }
        other => walk.add_root(other)?,
    }
    Ok(walk.statements)
}

struct Walk<'a, 'n> {
    action: Action,
    blank_names: &'n mut BlankNames,
    statements: Vec<Statement<'a>>,
}

/// An object's members, sorted by what they are.
struct Members<'a> {
    node: Node<'a>,
    /// Predicates with their values.
    values: Vec<(&'a str, &'a Json)>,
    facets: Facets<'a>,
}

/// The member that is read.
struct Member<'a, 'm> {
    subject: &'m Node<'a>,
    /// As it is written.
    name: &'a str,
    predicate: &'a str,
    language: Option<&'a str>,
}

impl<'a> Walk<'a, '_> {
    fn add_root(&mut self, json: &'a Json) -> Result<(), JsonFault> {
        let Some(object) = json.as_object() else {
            return Err(JsonFault::new(
                "expected an object, which is a node, or a list of objects",
            ));
        };
        let members = self.sort_members(object)?;
        if self.action == Action::Delete && object.len() == 1 {
            self.statements.push(Statement::AllPredicates { subject: members.node });
            return Ok(());
        }
        self.add_members(&members)
    }

    fn sort_members(&mut self, object: &'a [(String, Json)]) -> Result<Members<'a>, JsonFault> {
        let (mut uid, mut values, mut facets) = (None, Vec::new(), Facets::default());
        for (name, value) in object {
            match name.as_str() {
                UID => uid = named_node(value)?,
                "" => {
                    return Err(JsonFault::new("expected a predicate's name, found an empty one"));
                }
                name if name.contains(FACET_MARK) => facets.add(name, value)?,
                name => values.push((name, value)),
            }
        }
        let node = match (uid, self.action) {
            (Some(node), _) => node,
            (None, Action::Set) => self.blank_names.next_node(),
            (None, Action::Delete) => {
                let detail = "expected a \"uid\" that is not 0: a deletion names its nodes";
                return Err(JsonFault::new(detail));
            }
        };
        Ok(Members { node, values, facets })
    }

    fn add_members(&mut self, members: &Members<'a>) -> Result<(), JsonFault> {
        for (name, value) in &members.values {
            self.add_member(members, name, value)
                .map_err(|fault| fault.in_member(&excerpt(name)))?;
        }
        Ok(())
    }

    fn add_member(
        &mut self,
        members: &Members<'a>,
        name: &'a str,
        value: &'a Json,
    ) -> Result<(), JsonFault> {
        let (predicate, language) = split_language(name);
        let member = Member { subject: &members.node, name, predicate, language };
        match value {
            Json::Null if self.action == Action::Set => Ok(()),
            Json::Null => {
                self.push_all_values(&member);
                Ok(())
            }
            Json::Array(values) => self.add_list(&member, &members.facets, values),
            Json::Object(object) if !is_geometry(object) => self.add_edge(&member, object),
            Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => {
                let facets = members.facets.of_value(name)?;
                self.push_value(&member, value, facets);
                Ok(())
            }
        }
    }

    fn add_list(
        &mut self,
        member: &Member<'a, '_>,
        facets: &Facets<'a>,
        values: &'a [Json],
    ) -> Result<(), JsonFault> {
        let is_edge = |value: &Json| value.as_object().is_some_and(|object| !is_geometry(object));
        // Facets of edges stand in the objects that they lead to.
        let mut facets = match values.iter().all(is_edge) {
            true => Default::default(),
            false => facets.of_list(member.name, values.len())?,
        };
        for (index, value) in values.iter().enumerate() {
            match value {
                Json::Object(object) if !is_geometry(object) => {
                    self.add_edge(member, object).map_err(|fault| fault.in_list(index))?;
                }
                Json::Null | Json::Array(_) => {
                    let detail = "expected a value or an object in a list, found null or a list";
                    return Err(JsonFault::new(detail).in_list(index));
                }
                Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => {
                    let facets = facets.remove(&index).unwrap_or_default();
                    self.push_value(member, value, facets);
                }
            }
        }
        Ok(())
    }

    /// An edge to a nested object, and that object's own members. An object without members is nothing.
    fn add_edge(
        &mut self,
        member: &Member<'a, '_>,
        object: &'a [(String, Json)],
    ) -> Result<(), JsonFault> {
        if object.is_empty() {
            return Ok(());
        }
        if member.language.is_some() {
            return Err(JsonFault::new("expected a text of this language, found an object"));
        }
        let members = self.sort_members(object)?;
        let facets = members.facets.of_value(member.name)?;
        self.push_quad(member, Object::Node(members.node.clone()), facets);
        self.add_members(&members)
    }

    /// A value that is neither null nor a list nor a node.
    fn push_value(&mut self, member: &Member<'a, '_>, value: &'a Json, facets: Vec<Facet<'a>>) {
        // Dgraph takes the empty text and false of a deletion for "whatever is there".
        let is_default = match value {
            Json::String(text) => text.is_empty(),
            Json::Bool(truth) => !truth,
            _ => false,
        };
        match self.action {
            Action::Delete if is_default => self.push_all_values(member),
            Action::Set | Action::Delete => {
                self.push_quad(member, object_of(value, member.language), facets);
            }
        }
    }

    fn push_all_values(&mut self, member: &Member<'a, '_>) {
        let (subject, predicate) = (member.subject.clone(), member.predicate.into());
        self.statements.push(Statement::AllValues {
            subject,
            predicate,
            language: member.language,
        });
    }

    fn push_quad(&mut self, member: &Member<'a, '_>, object: Object<'a>, facets: Vec<Facet<'a>>) {
        let (subject, predicate) = (member.subject.clone(), member.predicate.into());
        self.statements.push(Statement::Quad(Quad {
            subject,
            predicate,
            object,
            facets,
            graph: None,
        }));
    }
}

/// The object of a statement. A number keeps its digits.
fn object_of<'a>(value: &'a Json, language: Option<&'a str>) -> Object<'a> {
    let literal = match value {
        Json::String(text) => match variable_of(text, language) {
            Some(object) => return object,
            None => Literal::string(text.as_str()),
        },
        Json::Number(digits) if digits.contains(['.', 'e', 'E']) => {
            Literal::new(&**digits, Datatype::Double)
        }
        Json::Number(digits) => Literal::new(&**digits, Datatype::Integer),
        Json::Bool(truth) => Literal::new(if *truth { "true" } else { "false" }, Datatype::Boolean),
        Json::Object(_) | Json::Null | Json::Array(_) => {
            Literal::new(value.to_string(), Datatype::Geometry)
        }
    };
    Object::Literal(Literal { language, ..literal })
}

/// `uid(v)` and `val(v)` as a value's whole text.
fn variable_of<'a>(text: &'a str, language: Option<&'a str>) -> Option<Object<'a>> {
    if let Some(name) = parse_call(text, "val") {
        return Some(Object::Variable { name: name.into(), language });
    }
    let name = parse_call(text, UID)?.into();
    Some(Object::Node(Node { kind: NodeKind::Variable, name }))
}

/// Whether an object is GeoJSON rather than a node: a type of geometry and coordinates, and nothing else.
pub(super) fn is_geometry(object: &[(String, Json)]) -> bool {
    const TYPES: [&str; 6] =
        ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];
    object.len() == 2
        && object.iter().all(|(name, value)| match name.as_str() {
            "type" => value.as_str().is_some_and(|name| TYPES.contains(&name)),
            "coordinates" => value.as_array().is_some(),
            _ => false,
        })
}
