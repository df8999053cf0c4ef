//! The nodes of a list: those that the graph has by their ids, and new ones.

use crate::csv::{IdType, KnownSpaces, remember};
use crate::error::LoadError;
use crate::graph::{ensure_unique, intern_labels, intern_one, lease, push_text};
use millrace_model::column::ColumnValues;
use millrace_model::{Column, KeyId, Owner, Value, VertexId};
use millrace_store::{Labels, NameKind, Store, VertexBlock};
use std::ops::Range;
use std::sync::Arc;

/// Nodes with the same labels, by their ids.
pub(super) struct Nodes {
    space: Box<str>,
    labels: Labels,
    key: KeyId,
    id_type: IdType,
    /// Nodes of earlier loads, if there are some.
    known: Option<KnownSpaces>,
}

impl Nodes {
    /// The space of nodes with these labels: that of the first.
    pub(super) fn space(labels: &[Arc<str>]) -> &str {
        labels.first().map_or("", |label| label)
    }

    /// Has the graph find nodes with these labels by the key.
    pub(super) fn new(
        store: &dyn Store,
        names: &[Arc<str>],
        (key, id_type): (&str, IdType),
    ) -> Result<Self, LoadError> {
        let space = Self::space(names);
        let labels = intern_labels(store, names)?;
        let key = KeyId(intern_one(store, NameKind::Key, key)?);
        for label in labels.iter() {
            ensure_unique(store, Owner::Label(*label), key)?;
            remember(store, space, (key, id_type), *label)?;
        }
        let snapshot = store.snapshot()?;
        let mut is_empty = true;
        for label in labels.iter() {
            is_empty = is_empty && snapshot.count_vertices(Some(*label))? == 0;
        }
        let known = (!is_empty).then(|| KnownSpaces::new(snapshot));
        Ok(Self { space: space.into(), labels, key, id_type, known })
    }

    /// The vertices of distinct ids, and a block of those that are new.
    pub(super) fn of_names(
        &self,
        store: &dyn Store,
        names: &[&str],
    ) -> Result<(Vec<VertexId>, Option<VertexBlock>), LoadError> {
        let found = match &self.known {
            None => vec![None; names.len()],
            Some(known) => known.find(&self.space, names)?,
        };
        let fresh = || found.iter().zip(names).filter(|(found, _)| found.is_none());
        let ids = lease(store, fresh().count())?;
        let mut column = Column::default();
        for (_, name) in fresh() {
            match self.id_type {
                IdType::Text => push_text(&mut column, name),
                id_type => column.push(id_type.value(name).unwrap_or(Value::Null)),
            }
        }
        let mut next = ids.iter();
        let vertices = found.iter().filter_map(|found| found.or_else(|| next.next().copied()));
        let vertices = vertices.collect();
        Ok((vertices, self.block(ids, column)))
    }

    /// The vertices of whole numbers, and whether each is new.
    pub(super) fn of_numbers(
        &self,
        store: &dyn Store,
        numbers: Range<i64>,
    ) -> Result<(Vec<VertexId>, Vec<bool>), LoadError> {
        let found = match &self.known {
            None => vec![None; numbers.count()],
            Some(known) => {
                let names: Vec<String> = numbers.map(|number| number.to_string()).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                known.find(&self.space, &names)?
            }
        };
        let are_new: Vec<bool> = found.iter().map(Option::is_none).collect();
        let ids = lease(store, are_new.iter().filter(|is_new| **is_new).count())?;
        let mut next = ids.into_iter();
        let vertices = found.into_iter().filter_map(|found| found.or_else(|| next.next()));
        Ok((vertices.collect(), are_new))
    }

    /// New vertices of whole numbers.
    pub(super) fn block_of_numbers(
        &self,
        ids: Vec<VertexId>,
        numbers: Vec<i64>,
    ) -> Option<VertexBlock> {
        let column = match self.id_type {
            IdType::Integer => Column::of(ColumnValues::I64(numbers)),
            IdType::Text => {
                let mut column = Column::default();
                numbers.iter().for_each(|number| push_text(&mut column, &number.to_string()));
                column
            }
        };
        self.block(ids, column)
    }

    fn block(&self, ids: Vec<VertexId>, column: Column) -> Option<VertexBlock> {
        let (labels, properties) = (Arc::clone(&self.labels), vec![(self.key, column)]);
        (!ids.is_empty()).then_some(VertexBlock { labels, ids, properties })
    }
}
