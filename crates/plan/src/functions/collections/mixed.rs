//! Functions between collections of different kinds. The order of entries is kept.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::property_values::each_value;
use millrace_model::value::ValueMap;
use millrace_model::{
    ExternalId, Property, Result, Subgraph, Tree, Value, VertexProperty, query_limits,
};

use crate::functions::Function;
use crate::functions::arguments::{bad, check_entries, int, list, map, misplaced};
use crate::functions::texts::display;

/// The rows of this family; see `functions!`.
macro_rules! collections_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The entries of a list, set or map; anything else, null too, is its own only entry.
            Unfold: [1, 1], 0, Fails::May => collections::mixed::call;
            /// A list, set or property of several values as a list; any other value but null is the only entry of one.
            AsList: [1, 1], ALL, Fails::Not { truth: false } => collections::mixed::call;
            /// A map of pairs, each a list of key and value, a map or a map's entry: a later value of a key stands where
            /// its first one stood.
            MapOfPairs: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// A map with each value as a list of one, unless it is a list.
            ValuesAsLists: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// Texts of a list with a separator between them; of none the third argument.
            Join: [3, 3], ALL, Fails::May => collections::mixed::call;
            /// Ids of a list, lists in it opened: texts of the digits of a number from 1 as that number, numbers with
            /// a point and nothing behind it as integers, UUIDs as texts, null left out.
            Ids: [1, 1], ALL, Fails::Not { truth: false } => collections::mixed::call;
            /// Entries put back into a collection of the first argument's kind: a map of pairs, a list, or the
            /// only entry if the first argument is no collection; the first argument itself if there is none.
            RebuildCollection: [2, 2], ALL, Fails::May => collections::mixed::call;
            /// A property as a thing, of an element, its key, its value and the value's ordinal (none: 0).
            PropertyOf: [3, 4], ALL, Fails::May => collections::mixed::call;
            /// The key of a property that is a thing.
            KeyOf: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// The element that a property belongs to, or the property that one belongs to.
            OwnerOf: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// The tree of lists, each a way from its root: common beginnings are one.
            TreeOf: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// The part of a graph that edges are: of a list of lists, each an edge and its two ends.
            GraphOf: [1, 1], ALL, Fails::May => collections::mixed::call;
            /// A path with other objects in the places of its own.
            WithObjects: [2, 2], ALL, Fails::May => collections::mixed::call;
            /// A whole number in 32 bits.
            ToInt: [1, 1], ALL, Fails::May => collections::mixed::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let first = &arguments[0];
    match function {
        Function::Unfold => Ok(unfold(first)),
        Function::AsList => Ok(as_list(first)),
        Function::MapOfPairs => map_of_pairs(function, list(function, first)?),
        Function::ValuesAsLists => {
            let pairs = map(function, first)?.iter();
            let listed = pairs.map(|(key, value)| (key.clone(), as_list(value)));
            Ok(Value::map(listed.collect()))
        }
        Function::Join => join(function, arguments),
        Function::Ids => {
            let mut ids = Vec::new();
            open_ids(first, &mut ids)?;
            Ok(Value::list(ids))
        }
        Function::RebuildCollection => {
            let entries = list(function, &arguments[1])?;
            Ok(match first {
                Value::Map(_) => map_of_pairs(function, entries)?,
                Value::List(_) | Value::Set(_) | Value::Path(_) => arguments[1].clone(),
                _ => entries.first().unwrap_or(first).clone(),
            })
        }
        Function::WithObjects => match first {
            Value::Path(path) => {
                let objects = list(function, &arguments[1])?.to_vec();
                Ok(Value::Path(Arc::new(Path::new(objects, path.tags().into_owned()))))
            }
            other => Err(bad(format!("{function} expects a path but got a {}", other.type_name()))),
        },
        Function::PropertyOf => property_of(function, arguments),
        Function::TreeOf => tree_of(function, list(function, first)?),
        Function::GraphOf => graph_of(function, list(function, first)?),
        Function::KeyOf => match first {
            Value::VertexProperty(property) => Ok(Value::String(property.key.clone())),
            Value::Property(property) => Ok(Value::String(property.key.clone())),
            other => {
                Err(bad(format!("{function} expects a property but got a {}", other.type_name())))
            }
        },
        Function::OwnerOf => match first {
            Value::VertexProperty(property) => Ok(Value::Vertex(property.owner)),
            Value::Property(property) => Ok(property.owner.clone()),
            other => {
                Err(bad(format!("{function} expects a property but got a {}", other.type_name())))
            }
        },
        Function::ToInt => {
            let int = int(function, first)?;
            let fits = i32::try_from(int).map(Value::I32);
            fits.map_err(|_| bad(format!("{function}: {int} does not fit 32 bits")))
        }
        other => Err(misplaced(other)),
    }
}

fn property_of(function: Function, arguments: &[Value]) -> Result<Value> {
    let [owner, Value::String(key), value, ordinal @ ..] = arguments else {
        return Err(bad(format!("{function} expects an element, a key and a value")));
    };
    let key = key.clone();
    Ok(match owner {
        Value::Vertex(owner) => {
            let ordinal = ordinal.first().and_then(Value::as_int).unwrap_or(0);
            let ordinal = u32::try_from(ordinal).map_err(|_| bad("an ordinal is out of range"))?;
            let property = VertexProperty { owner: *owner, key, ordinal };
            Value::VertexProperty(Arc::new(property))
        }
        owner => {
            let property = Property { owner: owner.clone(), key, value: value.clone() };
            Value::Property(Arc::new(property))
        }
    })
}

fn graph_of(function: Function, edges: &[Value]) -> Result<Value> {
    let (mut all, mut vertices) = (Vec::new(), Vec::new());
    for edge in edges {
        let [Value::Edge(edge), Value::Vertex(source), Value::Vertex(target)] =
            list(function, edge)?
        else {
            return Err(bad(format!("{function} expects edges with their two ends")));
        };
        all.push(*edge);
        vertices.extend([*source, *target]);
    }
    Ok(Value::Subgraph(Arc::new(Subgraph::new(vertices, all))))
}

/// Bytes of a branch of a tree, about, with the room of lists that grow.
const BRANCH_BYTES: u64 = 3 * size_of::<(Value, Tree)>() as u64;

/// Branches that are made without asking for memory.
const ROOM_BRANCHES_UNASKED_MAX: u64 = 1 << 14;

fn tree_of(function: Function, ways: &[Value]) -> Result<Value> {
    let mut tree = Tree::default();
    let (mut branches, mut asked) = (0, 0);
    for way in ways {
        if ROOM_BRANCHES_UNASKED_MAX <= branches - asked {
            query_limits::require_room(branches * BRANCH_BYTES)?;
            asked = branches;
        }
        let mut below = &mut tree;
        for object in list(function, way)? {
            query_limits::step(below.branches.len() as u64 + 1)?;
            // Linear at each fork, as a fork keeps the order in which it was first taken.
            let place = below.branches.iter().position(|(own, _)| own == object);
            let place = place.unwrap_or_else(|| {
                below.branches.push((object.clone(), Tree::default()));
                branches += 1;
                below.branches.len() - 1
            });
            below = &mut below.branches[place].1;
        }
    }
    Ok(Value::Tree(Arc::new(tree)))
}

fn unfold(value: &Value) -> Value {
    match value {
        Value::List(_) => value.clone(),
        Value::Set(entries) => Value::List(entries.clone()),
        Value::Map(pairs) => {
            let pairs = pairs.iter().cloned();
            Value::list(pairs.map(|(key, value)| Value::map_entry(key, value)).collect())
        }
        Value::Path(path) => Value::list(path.objects().into_owned()),
        Value::Tree(tree) => {
            let branch = |(value, below): &(Value, Tree)| {
                Value::map_entry(value.clone(), Value::Tree(Arc::new(below.clone())))
            };
            Value::list(tree.branches.iter().map(branch).collect())
        }
        entries @ Value::PropertyValues(_) => Value::list(each_value(entries).cloned().collect()),
        other => Value::list(vec![other.clone()]),
    }
}

fn open_ids(value: &Value, ids: &mut Vec<Value>) -> Result<()> {
    match value {
        Value::Null => {}
        Value::List(inner) | Value::Set(inner) => {
            inner.iter().try_for_each(|id| open_ids(id, ids))?;
        }
        Value::String(text) => ids.push(ExternalId::of_text(text).to_stored()),
        Value::Uuid(_) => {
            ids.push(display::call(Function::Display, std::slice::from_ref(value))?);
        }
        id => ids.push(whole(id).unwrap_or_else(|| id.clone())),
    }
    Ok(())
}

/// The integer that a number with a point is, if it is one.
fn whole(value: &Value) -> Option<Value> {
    match value {
        Value::F32(_) | Value::F64(_) => {
            let double = value.as_double().filter(|double| double.fract() == 0.0)?;
            (double.abs() <= EXACT_DOUBLE_MAX).then_some(Value::I64(double as i64))
        }
        Value::Decimal(decimal) => {
            let divisor = 10_i128.checked_pow(decimal.scale)?;
            let int = (decimal.unscaled % divisor == 0).then_some(decimal.unscaled / divisor)?;
            i64::try_from(int).ok().map(Value::I64)
        }
        _ => None,
    }
}

/// Doubles up to 2^53 are integers exactly.
const EXACT_DOUBLE_MAX: f64 = 9_007_199_254_740_992.0;

fn as_list(value: &Value) -> Value {
    match value {
        Value::List(_) => value.clone(),
        Value::Set(entries) => Value::List(entries.clone()),
        entries @ Value::PropertyValues(_) => Value::list(each_value(entries).cloned().collect()),
        other => Value::list(vec![other.clone()]),
    }
}

fn map_of_pairs(function: Function, pairs: &[Value]) -> Result<Value> {
    check_entries(pairs.len())?;
    let mut places: HashMap<Value, usize> = HashMap::with_capacity(pairs.len());
    let mut made = ValueMap::with_capacity(pairs.len());
    let mut add = |key: &Value, value: &Value| match places.get(key) {
        Some(&place) => made[place].1 = value.clone(),
        None => {
            places.insert(key.clone(), made.len());
            made.push((key.clone(), value.clone()));
        }
    };
    for pair in pairs {
        match pair {
            Value::Map(pairs) => pairs.iter().for_each(|(key, value)| add(key, value)),
            Value::MapEntry(entry) => add(&entry.0, &entry.1),
            pair => match list(function, pair)? {
                [key, value] => add(key, value),
                _ => return Err(bad(format!("{function} expects pairs of a key and a value"))),
            },
        }
    }
    Ok(Value::map(made))
}

fn join(function: Function, arguments: &[Value]) -> Result<Value> {
    let [texts, separator, none] = arguments else {
        return Err(bad(format!("{function} expects a list, a separator and a text")));
    };
    let texts = list(function, texts)?;
    match texts {
        [] => Ok(none.clone()),
        [one] => Ok(one.clone()),
        texts => {
            let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
            match (texts, separator.as_str()) {
                (Some(texts), Some(separator)) => Ok(Value::string(&texts.join(separator))),
                _ => Err(bad(format!("{function} expects texts"))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(ints: &[i64]) -> Value {
        Value::list(ints.iter().copied().map(Value::I64).collect())
    }

    #[test]
    fn a_map_of_pairs_keeps_the_place_of_the_first_and_the_value_of_the_last() {
        let pairs = Value::list(vec![ints(&[1, 10]), ints(&[2, 20]), ints(&[1, 11])]);
        let made = Function::MapOfPairs.call(&[pairs]).expect("pairs");
        let expected = [(1, 11), (2, 20)].map(|(key, value)| (Value::I64(key), Value::I64(value)));
        assert_eq!(made, Value::map(expected.to_vec()));
        let unfolded = Function::Unfold.call(std::slice::from_ref(&made)).expect("a map");
        assert_eq!(Function::MapOfPairs.call(&[unfolded]), Ok(made));
        assert!(Function::MapOfPairs.call(&[ints(&[1, 2])]).is_err());
    }

    #[test]
    fn a_value_that_is_no_collection_is_its_own_entry() {
        assert_eq!(Function::Unfold.call(&[Value::Null]), Ok(Value::list(vec![Value::Null])));
        assert_eq!(Function::Unfold.call(&[Value::I64(3)]), Ok(ints(&[3])));
        assert_eq!(Function::Unfold.call(&[ints(&[])]), Ok(ints(&[])));
    }

    #[test]
    fn ways_with_a_common_beginning_are_one_branch() {
        let ways = Value::list(vec![ints(&[1, 2]), ints(&[1, 3]), ints(&[4]), ints(&[1, 2, 5])]);
        let Ok(Value::Tree(tree)) = Function::TreeOf.call(&[ways]) else { panic!("no tree") };
        let shape = |tree: &Tree| -> Vec<(Value, usize)> {
            tree.branches.iter().map(|(own, below)| (own.clone(), below.branches.len())).collect()
        };
        assert_eq!(shape(&tree), [(Value::I64(1), 2), (Value::I64(4), 0)]);
        assert_eq!(shape(&tree.branches[0].1), [(Value::I64(2), 1), (Value::I64(3), 0)]);
        assert!(Function::TreeOf.call(&[ints(&[1])]).is_err());
    }

    #[test]
    fn texts_are_joined() {
        let join = |texts: &[&str]| {
            let texts = Value::list(texts.iter().map(|text| Value::string(text)).collect());
            Function::Join.call(&[texts, "::".into(), "none".into()])
        };
        assert_eq!(join(&[]), Ok("none".into()));
        assert_eq!(join(&["a"]), Ok("a".into()));
        assert_eq!(join(&["a", "b"]), Ok("a::b".into()));
    }
}
