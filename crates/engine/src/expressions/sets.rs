//! Membership: in a collection of the plan by identity, in a list by the language's `=`.

use std::hash::Hash;
use std::sync::Arc;

use millrace_model::compare::{self, CompareMode};
use millrace_model::{
    Column, ColumnValues, EdgeId, Error, ErrorKind, Result, Value, VertexId, query_limits,
};
use millrace_plan::SetName;
use rustc_hash::FxHashSet;

use super::evaluate::Rows;
use super::operand::Operand;
use crate::limits::HASHED_LIST_MIN;

/// Whether entries are in a `Let` or side effect; an absent entry is in none.
pub(super) fn in_set(item: Operand, set: &SetName, rows: &Rows<'_>) -> Operand {
    let column = item.into_column(rows.len());
    let bits = match set {
        SetName::Let(id) => rows.run.bound_set(*id).contains(&column),
        SetName::SideEffect(name) => rows.run.in_side_effect(name, &column),
    };
    Operand::of(Column::of(ColumnValues::Bool(bits)))
}

/// Whether entries equal one of a list: true if one does, else unknown if one comparison is.
pub(super) fn in_list(item: &Operand, list: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let mut truths = Vec::with_capacity(rows.len());
    let mut last = LastList::default();
    for row in 0..rows.len() {
        let item = match (item.get(row), rows.run.compare) {
            // Where null is unknown, an absent entry is in no empty list either.
            (None, CompareMode::NullIsUnknown) => Some(Value::Null),
            (item, _) => item,
        };
        truths.push(match (item, list.value(row)) {
            (_, Value::Null) | (None, _) => None,
            (Some(item), Value::List(values) | Value::Set(values)) => {
                let known = last.members(&values).and_then(|members| members.contains(&item));
                match known {
                    Some(truth) => Some(truth),
                    None => any_equal(&item, &values, rows)?,
                }
            }
            (Some(_), other) => {
                let kind = other.type_name();
                let detail = format!("membership is asked of a {kind}, not of a list");
                return Err(Error::new(ErrorKind::BadQuery, detail));
            }
        });
    }
    Ok(Operand::truths(truths.into_iter()))
}

/// The list of the row before, which many rows share: its entries are hashed when it is met a second time.
#[derive(Default)]
struct LastList {
    list: Option<Arc<[Value]>>,
    members: Option<Members>,
    is_asked: bool,
}

/// The entries of a list that are all of one kind, of which equality is identity in every language.
enum Members {
    Vertices(FxHashSet<VertexId>),
    Edges(FxHashSet<EdgeId>),
    Ints(FxHashSet<i64>),
    Texts(FxHashSet<Arc<str>>),
}

impl LastList {
    fn members(&mut self, list: &Arc<[Value]>) -> Option<&Members> {
        if list.len() < HASHED_LIST_MIN {
            return None;
        }
        if !self.list.as_ref().is_some_and(|last| Arc::ptr_eq(last, list)) {
            *self = LastList { list: Some(Arc::clone(list)), ..LastList::default() };
        } else if !self.is_asked {
            self.is_asked = true;
            self.members = Members::of(list);
        }
        self.members.as_ref()
    }
}

impl Members {
    fn of(list: &[Value]) -> Option<Members> {
        match list.first()? {
            Value::Vertex(_) => all(list, |value| match value {
                Value::Vertex(vertex) => Some(*vertex),
                _ => None,
            })
            .map(Members::Vertices),
            Value::Edge(_) => all(list, |value| match value {
                Value::Edge(edge) => Some(*edge),
                _ => None,
            })
            .map(Members::Edges),
            Value::I64(_) => all(list, int).map(Members::Ints),
            Value::String(_) => all(list, |value| match value {
                Value::String(text) => Some(Arc::clone(text)),
                _ => None,
            })
            .map(Members::Texts),
            _ => None,
        }
    }

    /// Whether an item of the same kind is an entry; of another kind the entries are asked one by one.
    fn contains(&self, item: &Value) -> Option<bool> {
        match (self, item) {
            (Members::Vertices(members), Value::Vertex(vertex)) => Some(members.contains(vertex)),
            (Members::Edges(members), Value::Edge(edge)) => Some(members.contains(edge)),
            (Members::Ints(members), Value::I64(int)) => Some(members.contains(int)),
            (Members::Texts(members), Value::String(text)) => Some(members.contains(text)),
            _ => None,
        }
    }
}

fn int(value: &Value) -> Option<i64> {
    match value {
        Value::I64(int) => Some(*int),
        _ => None,
    }
}

/// All entries of a list, if each is one.
fn all<T: Eq + Hash>(list: &[Value], of: impl Fn(&Value) -> Option<T>) -> Option<FxHashSet<T>> {
    list.iter().map(of).collect()
}

fn any_equal(item: &Value, values: &[Value], rows: &Rows<'_>) -> Result<Option<bool>> {
    let mut found = Some(false);
    let units = query_limits::work_of(item);
    for value in values {
        query_limits::step(units)?;
        match compare::equal(item, value, rows.run.compare) {
            Some(true) => return Ok(Some(true)),
            Some(false) => {}
            None => found = None,
        }
    }
    Ok(found)
}
