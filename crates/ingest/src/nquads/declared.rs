//! Statements under a schema, on a parser thread: each value is of its predicate's declared type, `<0x1f>` and `<31>` are
//! one vertex, and Dgraph's own predicates are left out.
//!
//! A value with facets is a property value with meta-properties here; what becomes of it is decided when all values of
//! its vertex are known.

use super::block::QuadBlock;
use crate::declared::{
    DeclaredKind, DeclaredPredicate, DeclaredSchema, judge_language, judge_object, value_of,
};
use crate::error::{Fault, excerpt};
use millrace_model::{PropertyName, PropertyValues, Value};
use millrace_quads::{Datatype, Facet, FacetValue, Literal, Node, Object, Quad, vocabulary};
use std::borrow::Cow;
use std::sync::Arc;

impl QuadBlock {
    /// Adds a statement under a schema: all of it, or nothing.
    pub(super) fn add_declared(
        &mut self,
        schema: &DeclaredSchema,
        quad: &Quad<'_>,
    ) -> Result<(), Fault> {
        judge_namespace(schema, quad)?;
        match &quad.object {
            _ if DeclaredSchema::is_reserved(&quad.predicate) => self.judged.reserved += 1,
            Object::Node(node) if vocabulary::is_type(&quad.predicate) => {
                self.add_unreserved_label(quad, &node.name);
            }
            Object::Literal(literal) if vocabulary::is_type(&quad.predicate) => {
                self.add_unreserved_label(quad, &literal.text);
            }
            Object::Node(node) => {
                match schema.get(&quad.predicate) {
                    Some(predicate) => judge_object(predicate, true, 0)?,
                    None => self.note_undeclared(quad, DeclaredKind::Uid, None),
                }
                self.add_edge(quad, node);
            }
            Object::Literal(literal) => self.add_declared_value(schema, quad, literal)?,
            // A reader of a load refuses these, or has them from JSON.
            Object::Variable { .. } => {
                return Err(Fault::new(0, "a load has no query, and so no val(…)"));
            }
        }
        self.quads += 1;
        Ok(())
    }

    fn add_unreserved_label(&mut self, quad: &Quad<'_>, label: &str) {
        match DeclaredSchema::is_reserved_label(label) {
            true => self.judged.reserved += 1,
            false => self.add_label(quad, label),
        }
    }

    fn add_declared_value(
        &mut self,
        schema: &DeclaredSchema,
        quad: &Quad<'_>,
        literal: &Literal<'_>,
    ) -> Result<(), Fault> {
        let is_list = literal.language.is_none()
            && schema.get(&quad.predicate).is_some_and(|predicate| predicate.is_list);
        let value = match schema.get(&quad.predicate) {
            Some(predicate) => {
                judge_object(predicate, false, literal.at)?;
                judge_language(predicate, literal)?;
                value_of(predicate, literal)?
            }
            None => {
                let kind = kind_of(literal)?;
                let predicate = undeclared(&quad.predicate, kind, literal.language);
                let value = value_of(&predicate, literal)?;
                self.note_undeclared(quad, kind, literal.language);
                value
            }
        };
        // Each value of a list has its own facets; those of the only value are keys beside it.
        let value = match is_list && !quad.facets.is_empty() {
            true => Some(with_facets(value, literal, &quad.facets)),
            false => value,
        };
        let owner = self.local(&quad.subject);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        PropertyName { key: &quad.predicate, language: literal.language, facet: None }
            .push_to(&mut key);
        self.keys.group(&mut self.values, &key).push(owner, value, &literal.text);
        for facet in quad.facets.iter().filter(|_| !is_list) {
            key.clear();
            let (own, language) = (&*quad.predicate, literal.language);
            PropertyName { key: own, language, facet: Some(facet.key) }.push_to(&mut key);
            let value = facet_value(facet);
            self.keys.group(&mut self.values, &key).push(owner, Some(value), "");
        }
        self.key = key;
        Ok(())
    }

    fn note_undeclared(&mut self, quad: &Quad<'_>, kind: DeclaredKind, language: Option<&str>) {
        let known = self.judged.undeclared.get_mut(&*quad.predicate);
        match known {
            Some(known) => known.has_languages |= language.is_some(),
            None => {
                let predicate = undeclared(&quad.predicate, kind, language);
                self.judged.undeclared.insert(predicate.name.clone(), predicate);
            }
        }
    }
}

/// A predicate as its first statement has it: edges may be several, values may not.
fn undeclared(name: &str, kind: DeclaredKind, language: Option<&str>) -> DeclaredPredicate {
    let (is_list, has_languages) = (kind == DeclaredKind::Uid, language.is_some());
    DeclaredPredicate { name: name.into(), kind, is_list, has_languages }
}

/// The type that a literal itself says.
fn kind_of(literal: &Literal<'_>) -> Result<DeclaredKind, Fault> {
    if let Some(unknown) = &literal.unknown_type {
        return match &*unknown.name {
            vocabulary::PASSWORD => Ok(DeclaredKind::Password),
            vocabulary::GEOMETRY => Ok(DeclaredKind::Geo),
            name if vocabulary::VECTORS.contains(&name) => Ok(DeclaredKind::Vector),
            name => {
                let name = excerpt(name);
                let detail = format!(
                    "the datatype <{name}> is not supported: declare the predicate with a type, as string or int"
                );
                Err(Fault::new(unknown.at, detail))
            }
        };
    }
    Ok(match literal.datatype {
        Datatype::String | Datatype::Time | Datatype::Duration => DeclaredKind::Default,
        Datatype::Integer => DeclaredKind::Int,
        Datatype::Double => DeclaredKind::Float,
        Datatype::Boolean => DeclaredKind::Bool,
        Datatype::Geometry => DeclaredKind::Geo,
        Datatype::Date | Datatype::DateTime | Datatype::Year | Datatype::YearMonth => {
            DeclaredKind::DateTime
        }
    })
}

/// A value with its facets as meta-properties.
fn with_facets(value: Option<Value>, literal: &Literal<'_>, facets: &[Facet<'_>]) -> Value {
    let value = value.unwrap_or_else(|| Value::string(&literal.text));
    let meta = |facet: &Facet<'_>| (Arc::from(facet.key), facet_value(facet));
    let meta: Vec<(Arc<str>, Value)> = facets.iter().map(meta).collect();
    let mut several = PropertyValues::default();
    several.append(&value, &meta);
    several.into_value().unwrap_or(value)
}

fn facet_value(facet: &Facet<'_>) -> Value {
    match &facet.value {
        FacetValue::Text(text) => Value::string(text),
        FacetValue::Bare(value) => value.clone(),
    }
}

/// A label that is a namespace must be the schema's: predicates of another one are others.
fn judge_namespace(schema: &DeclaredSchema, quad: &Quad<'_>) -> Result<(), Fault> {
    let Some(label) = &quad.graph else { return Ok(()) };
    let number = label.name.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
    schema.check_namespace(number).map_err(|detail| Fault::new(0, detail))
}

/// The name of a node; of a uid always the same one.
pub(super) fn uid_name<'n>(node: &'n Node<'_>) -> Cow<'n, str> {
    let is_canonical = |name: &str| {
        let digits = name.strip_prefix("0x");
        digits.is_some_and(|digits| {
            !digits.starts_with('0')
                && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    };
    match node.name.starts_with(|letter: char| letter.is_ascii_digit()) {
        true if !is_canonical(&node.name) => match node.uid() {
            Some(uid) => Cow::Owned(format!("{uid:#x}")),
            None => Cow::Borrowed(&node.name),
        },
        _ => Cow::Borrowed(&node.name),
    }
}

/// The uid of a name, if it is one.
pub(super) fn uid_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("0x")?;
    // Signs are digits to the standard library, and to no uid.
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|uid| is_hex && *uid != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nquads::NodeKind;

    #[test]
    fn a_uid_has_one_name_and_other_names_stay() {
        for (name, own, uid) in [
            ("0x1f", "0x1f", Some(31)),
            ("31", "0x1f", Some(31)),
            ("0X1F", "0x1f", Some(31)),
            ("0x001F", "0x1f", Some(31)),
            ("0x0", "0x0", None),
            ("0", "0", None),
            ("031", "031", None),
            ("m.0abc", "m.0abc", None),
            ("0x1ffffffffffffffff", "0x1ffffffffffffffff", None),
        ] {
            let node = Node { kind: NodeKind::Iri, name: name.into() };
            let canonical = uid_name(&node);
            assert_eq!((&*canonical, uid_of(&canonical)), (own, uid), "{name}");
        }
    }
}
