//! Functions on paths, on the lists that tags are, and the test of edges that must differ.
//!
//! Objects and values are compared by identity: other values to compare (a property of each object)
//! are collected into a list first, and `AreDistinct` tests that list.

use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::path_arena::are_distinct;
use millrace_model::{EdgeId, Result, Value};

use crate::base::ElementKind;
use crate::functions::Function;
use crate::functions::arguments::{bad, bounded_list, list, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! paths_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The objects of a path, as a list.
            Objects: [1, 1], ALL, Fails::May => elements::paths::call;
            /// The vertices, or the edges, of a path, as a list.
            ElementsOf(ElementKind): [1, 1], ALL, Fails::May => elements::paths::call;
            /// How many edges a path has.
            EdgeCount: [1, 1], ALL, Fails::May => elements::paths::call;
            /// The tags of each object of a path, as a list of sets.
            PathTags: [1, 1], ALL, Fails::May => elements::paths::call;
            /// A path from the last object with a tag on; an error if there is none.
            PathFrom: [2, 2], ALL, Fails::May => elements::paths::call;
            /// A path up to the last object with a tag; an error if there is none.
            PathTo: [2, 2], ALL, Fails::May => elements::paths::call;
            /// A path of vertices and edges in order, and of paths that begin where the one before ends.
            PathOf: [1, MANY], ALL, Fails::May => elements::paths::call;
            /// Whether no object is twice in a path, by identity.
            IsSimple: [1, 1], ALL, Fails::May => elements::paths::call;
            /// Whether no value is twice in a list, by identity.
            AreDistinct: [1, 1], ALL, Fails::May => elements::paths::call;
            /// A list with one more value, which may be null; null in place of the list is an empty one.
            Append: [2, 2], 0, Fails::May => elements::paths::call;
            /// The entry of a list of one; another list as it is.
            OneOrAll: [1, 1], ALL, Fails::May => elements::paths::call;
            /// Whether an edge, or each edge of a list, is none of some others, or none in lists of them.
            /// Null among the others is no edge.
            DiffersFrom: [1, MANY], 1, Fails::UnlessEdges => elements::paths::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let path = || path(function, &arguments[0]);
    let list = || list(function, &arguments[0]);
    match function {
        Function::Objects => Ok(Value::list(path()?.objects().into_owned())),
        Function::ElementsOf(kind) => {
            let is_wanted = |object: &&Value| match kind {
                ElementKind::Vertex => matches!(object, Value::Vertex(_)),
                ElementKind::Edge => matches!(object, Value::Edge(_)),
            };
            Ok(Value::list(path()?.objects().iter().filter(is_wanted).cloned().collect()))
        }
        Function::PathOf => path_of(arguments),
        Function::EdgeCount => Ok(Value::I64(path()?.edge_count() as i64)),
        Function::PathTags => {
            let names = |tags: &Vec<Arc<str>>| {
                Value::Set(tags.iter().cloned().map(Value::String).collect())
            };
            Ok(Value::list(path()?.tags().iter().map(names).collect()))
        }
        Function::PathFrom => {
            let own = path()?;
            let place = tagged(own, text(function, &arguments[1])?)?;
            Ok(part(&own.objects()[place..], &own.tags()[place..]))
        }
        Function::PathTo => {
            let own = path()?;
            let place = tagged(own, text(function, &arguments[1])?)?;
            Ok(part(&own.objects()[..=place], &own.tags()[..=place]))
        }
        Function::IsSimple => Ok(Value::Bool(are_distinct(path()?.objects().iter()))),
        Function::AreDistinct => Ok(Value::Bool(are_distinct(list()?.iter()))),
        Function::OneOrAll => match list()? {
            [one] => Ok(one.clone()),
            _ => Ok(arguments[0].clone()),
        },
        Function::Append => append(&arguments[0], &arguments[1]),
        Function::DiffersFrom => differs(&arguments[0], &arguments[1..]),
        other => Err(misplaced(other)),
    }
}

fn path(function: Function, value: &Value) -> Result<&Path> {
    match value {
        Value::Path(path) => Ok(path),
        other => Err(bad(format!("{function} expects a path but got a {}", other.type_name()))),
    }
}

/// The place of the last object with a tag.
fn tagged(path: &Path, tag: &str) -> Result<usize> {
    let place = path.tags().iter().rposition(|tags| tags.iter().any(|own| **own == *tag));
    place.ok_or_else(|| bad(format!("no object of the path has the tag {tag}")))
}

fn path_of(parts: &[Value]) -> Result<Value> {
    if let Some(path) = only_path(parts) {
        return Ok(path.clone());
    }
    let mut objects: Vec<Value> = Vec::new();
    for part in parts {
        match part {
            Value::Path(path) => {
                let joins = objects.last().is_some() && objects.last() == path.first().as_ref();
                objects.extend(path.objects().iter().skip(usize::from(joins)).cloned());
            }
            Value::Vertex(_) if objects.last() == Some(part) => {}
            Value::Vertex(_) | Value::Edge(_) => objects.push(part.clone()),
            other => {
                let (function, kind) = (Function::PathOf, other.type_name());
                return Err(bad(format!(
                    "{function} expects vertices, edges and paths, not a {kind}"
                )));
            }
        }
    }
    Ok(Value::Path(Arc::new(Path::untagged(objects))))
}

/// The path among these parts that is all of their path, as the others are its ends: it is shared.
fn only_path(parts: &[Value]) -> Option<&Value> {
    let place = parts.iter().position(|part| matches!(part, Value::Path(_)))?;
    let Value::Path(path) = &parts[place] else { return None };
    let (first, last) = (path.first()?, path.last()?);
    let are_ends = |parts: &[Value], end: &Value| parts.iter().all(|part| part == end);
    let is_whole = are_ends(&parts[..place], &first) && are_ends(&parts[place + 1..], &last);
    (is_whole && path.has_no_tags()).then_some(&parts[place])
}

fn part(objects: &[Value], tags: &[Vec<Arc<str>>]) -> Value {
    Value::Path(Arc::new(Path::new(objects.to_vec(), tags.to_vec())))
}

fn append(before: &Value, value: &Value) -> Result<Value> {
    let before: &[Value] = if before.is_null() { &[] } else { list(Function::Append, before)? };
    bounded_list(before.iter().chain([value]).cloned())
}

fn differs(own: &Value, others: &[Value]) -> Result<Value> {
    let own = edges(own)?;
    for other in others {
        if !other.is_null() && edges(other)?.iter().any(|edge| own.contains(edge)) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// An edge, or those of a list.
fn edges(value: &Value) -> Result<Vec<EdgeId>> {
    let edge = |value: &Value| match value {
        Value::Edge(edge) => Ok(*edge),
        other => {
            let (function, kind) = (Function::DiffersFrom, other.type_name());
            Err(bad(format!("{function} expects edges but got a {kind}")))
        }
    };
    match value {
        Value::List(values) => values.iter().map(edge).collect(),
        other => Ok(vec![edge(other)?]),
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::VertexId;

    use super::*;

    fn call(function: Function, arguments: &[Value]) -> Value {
        function.call(arguments).expect("good arguments")
    }

    fn path(steps: &[(i64, &str)]) -> Value {
        let tags = |tag: &str| if tag.is_empty() { Vec::new() } else { vec![Arc::from(tag)] };
        Value::Path(Arc::new(Path::new(
            steps.iter().map(|(object, _)| Value::I64(*object)).collect(),
            steps.iter().map(|(_, tag)| tags(tag)).collect(),
        )))
    }

    #[test]
    fn a_tag_range_goes_from_the_last_object_of_one_to_the_last_of_another() {
        let whole = path(&[(1, "a"), (2, ""), (1, "a"), (3, "b"), (1, "")]);
        let from = call(Function::PathFrom, &[whole.clone(), Value::from("a")]);
        assert_eq!(from, path(&[(1, "a"), (3, "b"), (1, "")]));
        let range = call(Function::PathTo, &[from.clone(), Value::from("b")]);
        assert_eq!(range, path(&[(1, "a"), (3, "b")]));
        let simple = |path: &Value| call(Function::IsSimple, std::slice::from_ref(path));
        assert_eq!([&whole, &from, &range].map(simple), [false, false, true].map(Value::Bool));
        Function::PathTo.call(&[whole, Value::from("c")]).expect_err("nothing has that tag");
    }

    #[test]
    fn a_list_of_by_values_is_distinct_by_identity() {
        let distinct = |values: Vec<Value>| call(Function::AreDistinct, &[Value::list(values)]);
        assert_eq!(distinct(vec![Value::I64(1), Value::F64(1.0)]), Value::Bool(true));
        assert_eq!(distinct(vec![Value::Null, Value::I64(1), Value::Null]), Value::Bool(false));
        let objects = call(Function::Objects, &[path(&[(7, "x"), (8, "")])]);
        assert_eq!(objects, Value::list(vec![Value::I64(7), Value::I64(8)]));
        let tags = call(Function::PathTags, &[path(&[(7, "x"), (8, "")])]);
        let set = |tags: Vec<Value>| Value::Set(Arc::from(tags));
        assert_eq!(tags, Value::list(vec![set(vec![Value::from("x")]), set(Vec::new())]));
    }

    #[test]
    fn a_path_has_vertices_and_edges() {
        let (vertex, edge) = (|n| Value::Vertex(VertexId(n)), |n| Value::Edge(EdgeId(n)));
        let objects = vec![vertex(1), edge(7), vertex(2), edge(8), vertex(1)];
        let walked = Value::Path(Arc::new(Path::untagged(objects)));
        let of = |function| call(function, std::slice::from_ref(&walked));
        let vertices = Value::list(vec![vertex(1), vertex(2), vertex(1)]);
        assert_eq!(of(Function::ElementsOf(ElementKind::Vertex)), vertices);
        assert_eq!(
            of(Function::ElementsOf(ElementKind::Edge)),
            Value::list(vec![edge(7), edge(8)])
        );
        assert_eq!(of(Function::EdgeCount), Value::I64(2));
        Function::EdgeCount.call(&[Value::list(Vec::new())]).expect_err("no path");
    }

    #[test]
    fn an_edge_differs_from_others_and_from_those_in_lists() {
        let edge = |number| Value::Edge(EdgeId(number));
        let differs = |own: Value, others: &[Value]| {
            let arguments: Vec<Value> = [own].iter().chain(others).cloned().collect();
            call(Function::DiffersFrom, &arguments)
        };
        let list = Value::list(vec![edge(1), edge(2)]);
        assert_eq!(differs(edge(3), &[edge(4), list.clone(), Value::Null]), Value::Bool(true));
        assert_eq!(differs(edge(2), &[edge(4), list.clone()]), Value::Bool(false));
        assert_eq!(differs(list.clone(), &[edge(2)]), Value::Bool(false));
        assert_eq!(differs(list, &[]), Value::Bool(true), "a list may hold an edge twice");
        assert_eq!(differs(Value::Null, &[edge(1)]), Value::Null);
        Function::DiffersFrom.call(&[edge(1), Value::I64(1)]).expect_err("no edge");
    }
}
