//! Evaluating compiled expressions over a batch.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, KeyId, LabelId, Result, Value};
use millrace_plan::{
    Arithmetic, Comparison, End, Function, LetId, LetRead, Name, ParameterId, SetName,
};

use super::gather::{Gather, gather};
use super::made::{Made, in_parts, operand_bytes};
use super::operand::Operand;
use super::over::{Makes, Over, Scope};
use super::property_maps::properties;
use super::{arithmetic, case, choose, comparison, elements, logic, property_values, sets};
use crate::context::Resolved;
use crate::rows::own_bytes;
use crate::run::Run;

/// An expression with its names and columns resolved.
#[derive(Debug)]
pub(super) enum Node {
    Slot(usize),
    Constant(Value),
    Parameter(ParameterId),
    Let {
        name: LetId,
        read: LetRead,
    },
    /// A property of a column: the column of `key` in gather `gather`.
    Gathered {
        gather: usize,
        key: usize,
    },
    /// A property of the element that another expression gives.
    Property {
        element: Box<Node>,
        key: [Resolved<KeyId>; 1],
    },
    /// Properties of the element that another expression gives, as a map.
    Properties {
        element: Box<Node>,
        keys: Option<Vec<Resolved<KeyId>>>,
    },
    Id(Box<Node>),
    Labels(Box<Node>),
    HasLabel {
        vertex: Box<Node>,
        label: Resolved<LabelId>,
    },
    EdgeType(Box<Node>),
    /// The flag: only edges are looked at.
    Living(Box<Node>, bool),
    EdgeEnd(Box<Node>, End),
    Compare {
        comparison: Comparison,
        left: Box<Node>,
        right: Box<Node>,
    },
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    IsNull(Box<Node>),
    IsAbsent(Box<Node>),
    InSet {
        item: Box<Node>,
        set: SetName,
    },
    InList {
        item: Box<Node>,
        list: Box<Node>,
    },
    Arithmetic {
        operation: Arithmetic,
        left: Box<Node>,
        right: Box<Node>,
    },
    Call {
        function: Function,
        arguments: Vec<Node>,
    },
    /// Whether the test holds with some value of a property that was gathered.
    AnyValue {
        gather: usize,
        key: usize,
        test: Box<Node>,
    },
    SingleValue {
        property: Box<Node>,
        name: Option<Name>,
    },
    List(Vec<Node>),
    Map(Vec<(Name, Node)>),
    Case {
        branches: Vec<(Node, Node)>,
        otherwise: Option<Box<Node>>,
    },
    Over(Box<Over>),
}

/// The expressions of one operator.
#[derive(Debug, Default)]
pub(crate) struct Exprs {
    pub(super) nodes: Vec<Node>,
    pub(super) gathers: Vec<Gather>,
}

/// A batch under evaluation, with the properties read for it so far.
pub(super) struct Rows<'a> {
    pub(super) batch: &'a Batch,
    pub(super) run: &'a Run<'a>,
    gathers: &'a [Gather],
    gathered: RefCell<Vec<Option<Vec<Arc<Column>>>>>,
    /// What they make of the rows.
    pub(super) made: Made<'a>,
}

impl Exprs {
    /// All expressions over a batch.
    pub(crate) fn evaluate(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<Operand>> {
        in_parts(batch, run, &mut |batch| self.evaluate_together(batch, run))
    }

    /// The same; if the values are too large together, the error [`is_wide`](super::is_wide).
    pub(crate) fn evaluate_together(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<Operand>> {
        let rows = self.rows(batch, run);
        self.nodes.iter().map(|node| node.evaluate(&rows)).collect()
    }

    /// The first expression over a batch.
    pub(crate) fn evaluate_one(&self, batch: &Batch, run: &Run<'_>) -> Result<Operand> {
        self.evaluate_at(0, batch, run)
    }

    /// One of the expressions over a batch.
    pub(crate) fn evaluate_at(
        &self,
        index: usize,
        batch: &Batch,
        run: &Run<'_>,
    ) -> Result<Operand> {
        // A bare column is by far the most common expression.
        if let Node::Slot(slot) = &self.nodes[index] {
            return Ok(Operand::Column(batch.columns[*slot].clone()));
        }
        let evaluate =
            &mut |batch: &Batch| Ok(vec![self.nodes[index].evaluate(&self.rows(batch, run))?]);
        Ok(in_parts(batch, run, evaluate)?.remove(0))
    }

    fn rows<'a>(&'a self, batch: &'a Batch, run: &'a Run<'a>) -> Rows<'a> {
        let gathered = RefCell::new(vec![None; self.gathers.len()]);
        Rows { batch, run, gathers: &self.gathers, gathered, made: Made::new(batch.len, run) }
    }
}

impl<'a> Rows<'a> {
    pub(super) fn len(&self) -> usize {
        self.batch.len
    }

    /// Some of the rows, as a batch of their own; properties read so far go with them.
    pub(super) fn narrow<T>(&self, rows: &[u32], look: impl FnOnce(&Rows<'_>) -> T) -> T {
        let batch = self.batch.take(rows);
        let take = |columns: &Vec<Arc<Column>>| -> Vec<Arc<Column>> {
            columns.iter().map(|column| Arc::new(column.take(rows))).collect()
        };
        let gathered = self.gathered.borrow().iter().map(|read| read.as_ref().map(take)).collect();
        let narrow = Rows {
            batch: &batch,
            run: self.run,
            gathers: self.gathers,
            gathered: RefCell::new(gathered),
            made: Made::new(rows.len(), self.run),
        };
        look(&narrow)
    }

    /// Some of the rows, with other values of one property that was read.
    pub(super) fn narrow_with<T>(
        &self,
        rows: &[u32],
        (gather, key, values): (usize, usize, Arc<Column>),
        look: impl FnOnce(&Rows<'_>) -> T,
    ) -> T {
        self.narrow(rows, |narrow| {
            if let Some(read) = &mut narrow.gathered.borrow_mut()[gather] {
                read[key] = values;
            }
            look(narrow)
        })
    }

    /// Reads the properties of elements that the entries of lists want, once for each row and not for each
    /// entry. Those that may fail are left: they are read of the rows that have an entry.
    pub(super) fn gather_first(&self, scope: &Scope) -> Result<()> {
        for &gather in &scope.gathers {
            if self.holds_elements(self.gathers[gather].slot) {
                self.property(gather, 0)?;
            }
        }
        Ok(())
    }

    /// Entries of the rows' lists, as a batch: `rows` says which row each belongs to. It has the columns of the
    /// row that are read, and behind all of the row those that are bound.
    pub(super) fn spread<T>(
        &self,
        rows: &[u32],
        scope: &Scope,
        bound: Vec<Arc<Column>>,
        look: impl FnOnce(&Rows<'_>) -> T,
    ) -> T {
        let unread = Arc::new(Column::of(ColumnValues::Bool(vec![false; rows.len()])));
        let mut columns = vec![unread; scope.item];
        for &slot in &scope.read {
            columns[slot] = Arc::new(self.batch.columns[slot].take(rows));
        }
        columns.extend(bound);
        let mut gathered = vec![None; self.gathers.len()];
        for &gather in &scope.gathers {
            gathered[gather] = self.gathered.borrow()[gather].as_ref().map(|read| {
                read.iter().map(|column| Arc::new(column.take(rows))).collect::<Vec<_>>()
            });
        }
        let batch = Batch { len: rows.len(), columns, ..Batch::default() };
        let (run, gathers) = (self.run, self.gathers);
        let made = Made::new(rows.len(), run);
        look(&Rows { batch: &batch, run, gathers, gathered: RefCell::new(gathered), made })
    }

    fn holds_elements(&self, slot: usize) -> bool {
        matches!(self.batch.columns[slot].values, ColumnValues::Vertex(_) | ColumnValues::Edge(_))
    }

    pub(super) fn property(&self, number: usize, key: usize) -> Result<Operand> {
        let mut gathered = self.gathered.borrow_mut();
        let read = &mut gathered[number];
        if read.is_none() {
            let Gather { slot, keys } = &self.gathers[number];
            let columns = gather(&self.batch.columns[*slot], keys, self.run)?;
            self.made.grow(columns.iter().map(own_bytes).sum())?;
            *read = Some(columns);
        }
        Ok(Operand::Column(read.as_ref().expect("read above")[key].clone()))
    }
}

impl Node {
    pub(super) fn evaluate(&self, rows: &Rows<'_>) -> Result<Operand> {
        if !self.makes_values() {
            return self.operand(rows);
        }
        let before = rows.made.bytes();
        let operand = self.operand(rows)?;
        // What it was made of is dropped.
        rows.made.set(before + operand_bytes(&operand))?;
        Ok(operand)
    }

    /// Whether it makes values that may be large.
    fn makes_values(&self) -> bool {
        matches!(
            self,
            Node::Call { .. }
                | Node::List(_)
                | Node::Map(_)
                | Node::Case { .. }
                | Node::Over(_)
                | Node::Property { .. }
                | Node::Properties { .. }
        )
    }

    fn operand(&self, rows: &Rows<'_>) -> Result<Operand> {
        let run = rows.run;
        Ok(match self {
            Node::Slot(slot) => Operand::Column(rows.batch.columns[*slot].clone()),
            Node::Constant(value) => Operand::Constant(value.clone()),
            Node::Let { name, read } => Operand::Constant(run.bound_value(*name, *read)?),
            Node::Parameter(parameter) => Operand::Constant(run.value(*parameter)?.clone()),
            Node::Gathered { gather, key } => rows.property(*gather, *key)?,
            Node::Property { element, key } => {
                let element = element.evaluate(rows)?.into_column(rows.len());
                let mut columns = gather(&element, key, run)?;
                Operand::Column(columns.pop().expect("one key, one column"))
            }
            Node::Properties { element, keys } => {
                let elements = element.evaluate(rows)?.into_column(rows.len());
                Operand::of(properties(&elements, keys.as_deref(), run)?)
            }
            Node::Id(inner) => elements::ids(&inner.evaluate(rows)?, rows)?,
            Node::Labels(inner) => elements::labels(&inner.evaluate(rows)?, rows)?,
            Node::HasLabel { vertex, label } => {
                elements::has_label(&vertex.evaluate(rows)?, label, rows)?
            }
            Node::EdgeType(inner) => elements::edge_types(&inner.evaluate(rows)?, rows)?,
            Node::EdgeEnd(inner, end) => elements::edge_ends(&inner.evaluate(rows)?, *end, rows)?,
            Node::Living(inner, only_edges) => {
                elements::living(inner.evaluate(rows)?, *only_edges, rows)?
            }
            Node::Compare { comparison, left, right } => {
                let (left, right) = (left.evaluate(rows)?, right.evaluate(rows)?);
                comparison::compare(*comparison, &left, &right, rows.len(), run.compare)
            }
            Node::And(parts) => logic::all_or_any(parts, rows, false)?,
            Node::Or(parts) => logic::all_or_any(parts, rows, true)?,
            Node::Not(inner) => logic::not(&inner.evaluate(rows)?, rows.len())?,
            Node::IsNull(inner) => logic::is_missing(&inner.evaluate(rows)?, rows.len(), true),
            Node::IsAbsent(inner) => logic::is_missing(&inner.evaluate(rows)?, rows.len(), false),
            Node::InSet { item, set } => sets::in_set(item.evaluate(rows)?, set, rows),
            Node::InList { item, list } => {
                sets::in_list(&item.evaluate(rows)?, &list.evaluate(rows)?, rows)?
            }
            Node::Arithmetic { operation, left, right } => {
                let (left, right) = (left.evaluate(rows)?, right.evaluate(rows)?);
                arithmetic::calculate(*operation, &left, &right, rows.len())?
            }
            Node::Call { function, arguments } => choose::call(*function, arguments, rows)?,
            Node::AnyValue { gather, key, test } => {
                property_values::any_value((*gather, *key), test, rows)?
            }
            Node::SingleValue { property, name } => {
                property_values::single_value(property.evaluate(rows)?, name.as_ref(), rows.len())?
            }
            Node::List(items) => choose::list(items, rows)?,
            Node::Map(pairs) => choose::map(pairs, rows)?,
            Node::Case { branches, otherwise } => case::case(branches, otherwise.as_deref(), rows)?,
            Node::Over(over) => over.evaluate(rows)?,
        })
    }

    /// Whether it has one value for all rows, looked up and not calculated.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self, Node::Constant(_) | Node::Parameter(_) | Node::Let { .. })
    }

    /// Text and separator, if it splits a text.
    pub(super) fn as_split(&self) -> Option<&[Node; 2]> {
        match self {
            Node::Call { function: Function::Split, arguments } => arguments.first_chunk(),
            _ => None,
        }
    }

    /// Whether it may raise an error for one of these rows.
    pub(super) fn can_fail(&self, rows: &Rows<'_>) -> bool {
        match self {
            Node::Slot(_) | Node::Constant(_) => false,
            Node::Gathered { gather, .. } => !rows.holds_elements(rows.gathers[*gather].slot),
            Node::IsNull(inner) | Node::IsAbsent(inner) => inner.can_fail(rows),
            Node::InSet { item, .. } => item.can_fail(rows),
            Node::Call { function, arguments } if !function.may_fail() => {
                arguments.iter().any(|node| node.can_fail(rows))
            }
            Node::Compare { left, right, .. } => left.can_fail(rows) || right.can_fail(rows),
            Node::List(items) => items.iter().any(|node| node.can_fail(rows)),
            Node::Map(pairs) => pairs.iter().any(|(_, node)| node.can_fail(rows)),
            Node::And(parts) | Node::Or(parts) => {
                parts.iter().any(|part| part.can_fail(rows) || !part.is_truth())
            }
            Node::Not(inner) => inner.can_fail(rows) || !inner.is_truth(),
            Node::AnyValue { test, .. } => test.can_fail(rows) || !test.is_truth(),
            Node::Parameter(_)
            | Node::Let { .. }
            | Node::Property { .. }
            | Node::Properties { .. }
            | Node::Id(_)
            | Node::Labels(_)
            | Node::HasLabel { .. }
            | Node::EdgeType(_)
            | Node::EdgeEnd(..)
            | Node::Living(..)
            | Node::InList { .. }
            | Node::Arithmetic { .. }
            | Node::Call { .. }
            | Node::SingleValue { .. }
            | Node::Case { .. }
            | Node::Over(_) => true,
        }
    }

    /// Whether it gives nothing but booleans and unknown.
    pub(super) fn is_truth(&self) -> bool {
        if let Node::Call { function, .. } = self {
            return function.gives_truth();
        }
        matches!(
            self,
            Node::HasLabel { .. }
                | Node::Compare { .. }
                | Node::And(_)
                | Node::Or(_)
                | Node::Not(_)
                | Node::IsNull(_)
                | Node::IsAbsent(_)
                | Node::InSet { .. }
                | Node::InList { .. }
                | Node::AnyValue { .. }
        ) || matches!(self, Node::Over(over) if matches!(over.makes, Makes::Truth { .. }))
    }
}
