//! Quads as messages to the statements that texts become.
//!
//! ```text
//!   NQuad ──> Statement       Value: text with its type, by go_time and wkb where it is bytes
//! ```
//!
//! A value keeps the type that its message has; which type its predicate has is for those with a schema.

mod go_time;
mod values;
mod wkb;

use std::borrow::Cow;

use millrace_model::{Error, ErrorKind, Result};
use millrace_quads::{Action, Facet, Node, NodeKind, Object, Quad, Statement};

use super::messages::{self, NQuad, value::Val};

/// What stands for everything where quads delete.
const STAR: &str = "_STAR_ALL";

/// The statement of a quad.
pub fn statement_of(quad: &NQuad, action: Action) -> Result<Statement<'_>> {
    if quad.namespace != 0 {
        let detail = format!("a quad is of the namespace {}, and there is only 0", quad.namespace);
        return Err(Error::new(ErrorKind::Unsupported, detail));
    }
    let subject = node(&quad.subject, "subject")?;
    let value = quad.object_value.as_ref().and_then(|value| value.val.as_ref());
    let is_all = matches!(value, Some(Val::DefaultVal(text)) if text == STAR);
    let has_star = is_all || quad.predicate == STAR || quad.subject == STAR;
    if has_star && action == Action::Set {
        return Err(bad(quad, "`*` deletes, and cannot be set"));
    }
    if quad.subject == STAR || quad.predicate == STAR && !is_all {
        return Err(bad(quad, "only `S * *` and `S P *` delete more than one value"));
    }
    if quad.predicate == STAR {
        return Ok(Statement::AllPredicates { subject });
    }
    if quad.predicate.is_empty() {
        return Err(bad(quad, "it has no predicate"));
    }
    let language = Some(quad.lang.as_str()).filter(|tag| !tag.is_empty());
    let predicate = Cow::Borrowed(quad.predicate.as_str());
    if is_all {
        return Ok(Statement::AllValues { subject, predicate, language });
    }
    let object = match (quad.object_id.as_str(), value) {
        ("", None) => return Err(bad(quad, "it has neither a node nor a value at its end")),
        ("", Some(value)) => values::object(value, language).map_err(|why| bad(quad, &why))?,
        (id, None) => match call(id, "val") {
            Some(variable) => Object::Variable { name: Cow::Borrowed(variable), language },
            None => Object::Node(node(id, "object")?),
        },
        (_, Some(_)) => return Err(bad(quad, "it has both a node and a value at its end")),
    };
    let facets = quad.facets.iter().map(|facet| one_facet(quad, facet));
    let facets = facets.collect::<Result<Vec<Facet<'_>>>>()?;
    Ok(Statement::Quad(Quad { subject, predicate, object, facets, graph: None }))
}

fn one_facet<'q>(quad: &NQuad, facet: &'q messages::Facet) -> Result<Facet<'q>> {
    if facet.key.is_empty() {
        return Err(bad(quad, "a facet has no name"));
    }
    let value =
        values::facet(facet).map_err(|why| bad(quad, &format!("facet `{}`: {why}", facet.key)))?;
    Ok(Facet { key: &facet.key, value })
}

/// A node by its uid, `_:name` or `uid(v)`.
fn node<'q>(text: &'q str, part: &str) -> Result<Node<'q>> {
    let (kind, name) = match (text.strip_prefix("_:"), call(text, "uid")) {
        (Some(name), _) => (NodeKind::Blank, name),
        (None, Some(variable)) => (NodeKind::Variable, variable),
        (None, None) => (NodeKind::Iri, text),
    };
    if name.is_empty() {
        let error = Error::new(ErrorKind::BadInput, format!("a quad has no {part}"));
        return Err(error.with_help("name a node as 0x1f, _:name or uid(v)"));
    }
    Ok(Node { kind, name: Cow::Borrowed(name) })
}

/// The argument of `uid(v)` or `val(v)`.
fn call<'q>(text: &'q str, function: &str) -> Option<&'q str> {
    let inner = text.trim().strip_prefix(function)?.trim_start().strip_prefix('(')?;
    inner.strip_suffix(')').map(str::trim)
}

fn bad(quad: &NQuad, why: &str) -> Error {
    let shown: String = quad.predicate.chars().take(40).collect();
    let detail = format!("the quad of `{}` and `{shown}`: {why}", quad.subject);
    Error::new(ErrorKind::BadInput, detail)
}

#[cfg(test)]
mod tests {
    use millrace_quads::{Datatype, FacetValue, Literal};

    use super::*;
    use crate::dql::messages::facet::ValType;

    fn quad(predicate: &str, value: Option<Val>) -> NQuad {
        NQuad {
            subject: "0x1".to_owned(),
            predicate: predicate.to_owned(),
            object_value: value.map(|val| messages::Value { val: Some(val) }),
            ..NQuad::default()
        }
    }

    fn literal(value: Val) -> (String, Datatype) {
        let quad = quad("p", Some(value));
        match statement_of(&quad, Action::Set).unwrap() {
            Statement::Quad(Quad {
                object: Object::Literal(Literal { text, datatype, .. }),
                ..
            }) => (text.into_owned(), datatype),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_value_keeps_its_type() {
        assert_eq!(literal(Val::IntVal(-7)), ("-7".to_owned(), Datatype::Integer));
        assert_eq!(literal(Val::DoubleVal(1.5)), ("1.5".to_owned(), Datatype::Double));
        assert_eq!(literal(Val::BoolVal(true)), ("true".to_owned(), Datatype::Boolean));
        assert_eq!(literal(Val::StrVal("a".to_owned())), ("a".to_owned(), Datatype::String));
        // 2006-01-02T15:04:05.25Z, as Go's MarshalBinary writes it.
        let time =
            vec![1, 0, 0, 0, 0x0e, 0xbb, 0x4b, 0x37, 0xe5, 0x0e, 0xe6, 0xb2, 0x80, 0xff, 0xff];
        let (text, datatype) = literal(Val::DatetimeVal(time.into()));
        assert_eq!(
            (text.as_str(), datatype),
            ("2006-01-02T15:04:05.250000000Z", Datatype::DateTime)
        );
        let vector = [1.0_f32, -0.5].iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(literal(Val::Vfloat32Val(vector.into())).0, "[1, -0.5]");
    }

    #[test]
    fn ends_are_nodes_variables_or_everything() {
        let with = |object: &str| NQuad { object_id: object.to_owned(), ..quad("p", None) };
        for (text, wanted) in [
            ("0x2", Object::Node(Node { kind: NodeKind::Iri, name: "0x2".into() })),
            ("_:b", Object::Node(Node { kind: NodeKind::Blank, name: "b".into() })),
            ("uid( v )", Object::Node(Node { kind: NodeKind::Variable, name: "v".into() })),
            ("val(v)", Object::Variable { name: "v".into(), language: None }),
        ] {
            let own = with(text);
            let Statement::Quad(found) = statement_of(&own, Action::Set).unwrap() else { panic!() };
            assert_eq!(found.object, wanted, "{text}");
        }
        let star = Some(Val::DefaultVal(STAR.to_owned()));
        let all = NQuad { lang: "en".to_owned(), ..quad("name", star.clone()) };
        let Statement::AllValues { language, .. } = statement_of(&all, Action::Delete).unwrap()
        else {
            panic!()
        };
        assert_eq!(language, Some("en"));
        let everything = quad(STAR, star.clone());
        let found = statement_of(&everything, Action::Delete).unwrap();
        assert!(matches!(found, Statement::AllPredicates { .. }));
        for wrong in [quad("", star.clone()), quad("p", None), with(""), quad(STAR, None)] {
            assert!(statement_of(&wrong, Action::Delete).is_err(), "{wrong:?}");
        }
        assert!(statement_of(&quad("p", star), Action::Set).is_err());
        let foreign = NQuad { namespace: 3, ..with("0x2") };
        assert_eq!(statement_of(&foreign, Action::Set).unwrap_err().kind, ErrorKind::Unsupported);
    }

    #[test]
    fn facets_are_texts_or_go_s_bytes() {
        let with = |kind: ValType, value: &[u8]| {
            let value = value.to_vec().into();
            let facet = messages::Facet { key: "k".to_owned(), value, val_type: kind.into() };
            let own = NQuad { facets: vec![facet], ..quad("p", Some(Val::IntVal(1))) };
            match statement_of(&own, Action::Set) {
                Ok(Statement::Quad(quad)) => match &quad.facets[0].value {
                    FacetValue::Bare(value) => Ok(format!("{value:?}")),
                    FacetValue::Text(text) => Ok(text.to_string()),
                },
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(error.detail),
            }
        };
        assert_eq!(with(ValType::Int, &7_i64.to_le_bytes()), with(ValType::Int, b"7"));
        assert_eq!(with(ValType::Float, &0.5_f64.to_le_bytes()), with(ValType::Float, b"0.5"));
        assert_eq!(with(ValType::Bool, &[1]), with(ValType::Bool, b"true"));
        assert_eq!(with(ValType::String, b"a b").unwrap(), "a b");
        assert!(with(ValType::Datetime, b"2006-01-02T15:04:05Z").is_ok());
        assert!(with(ValType::Int, b"seven").unwrap_err().contains("facet `k`"));
        assert!(with(ValType::String, &[0xff]).is_err());
    }
}
