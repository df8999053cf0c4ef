//! The operators that write: each reads all its input, writes, and only then hands rows on.
//!
//! Elements are written one at a time through the transaction, in the order of the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::{
    Column, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId, KeyId, LabelId, Result, Value,
    VertexId,
};
use millrace_plan::op::{self, WriteRules};
use millrace_plan::{
    ColumnId, Expr, Label, Loops, Name, OwnerName, Properties, Template, WriteCounts,
};
use millrace_store::{Elements, NameKind};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;
use crate::operators::label_texts;

type Pairs = Vec<(Name, Value)>;

/// The element of one row, all expressions evaluated.
enum Made {
    /// With a chosen id, if there is one.
    Vertex(Vec<Name>, Option<ExternalId>, Pairs),
    Edge(Name, Option<ExternalId>, (VertexId, VertexId), Pairs),
    /// An edge without an end is not made.
    Nothing,
}

impl Oracle<'_> {
    pub(super) fn create(
        &self,
        template: &Template,
        id: Option<&Expr>,
        to: ColumnId,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let mut made =
            rows.iter().map(|row| self.made(template, row)).collect::<Result<Vec<_>>>()?;
        for (row, made) in rows.iter().zip(&mut made) {
            let Some(expr) = id else { break };
            let choice = chosen(&self.evaluate(expr, row)?.value())?;
            match made {
                Made::Vertex(_, id, _) | Made::Edge(_, id, _, _) => *id = choice,
                Made::Nothing => {}
            }
        }
        let pairs = rows.into_iter().zip(made);
        pairs.map(|(row, made)| Ok(row.with(to, Cell::Value(self.make(made)?)))).collect()
    }

    fn made(&self, template: &Template, row: &Row) -> Result<Made> {
        let pairs = self.properties(template.properties(), row)?;
        Ok(match template {
            Template::Vertex { .. } => Made::Vertex(self.names(template, row)?, None, pairs),
            Template::Edge { source, target, must_have_ends, .. } => {
                let edge_type = self.names(template, row)?.remove(0);
                match (self.vertex(&row.get(*source)?)?, self.vertex(&row.get(*target)?)?) {
                    (Some(source), Some(target)) => {
                        Made::Edge(edge_type, None, (source, target), pairs)
                    }
                    (source, _) => match must_have_ends {
                        Some(names) => return Err(names.missing(source.is_none())),
                        None => Made::Nothing,
                    },
                }
            }
        })
    }

    /// The labels or the type that a row makes, or looks for.
    fn names(&self, template: &Template, row: &Row) -> Result<Vec<Name>> {
        let names = self.label_names(template.labels(), row)?;
        match (template, names.len()) {
            (Template::Vertex { .. }, _) | (Template::Edge { .. }, 1) => Ok(names),
            (Template::Edge { .. }, count) => {
                let detail = format!("an edge has one type, and these are {count}");
                Err(Error::new(ErrorKind::BadInput, detail))
            }
        }
    }

    fn label_names(&self, labels: &[Label], row: &Row) -> Result<Vec<Name>> {
        let mut names = Vec::new();
        for label in labels {
            match label {
                Label::Known(name) => names.push(name.clone()),
                Label::Of(expr) => names.extend(label_texts(&self.evaluate(expr, row)?.value())?),
            }
        }
        Ok(names)
    }

    fn vertex(&self, cell: &Cell) -> Result<Option<VertexId>> {
        match cell.value() {
            Value::Null => Ok(None),
            Value::Vertex(vertex) => Ok(Some(vertex)),
            other => Err(wrong_type("an end", &other)),
        }
    }

    fn make(&self, made: Made) -> Result<Value> {
        let transaction = self.context.transaction()?;
        let columns = |pairs: Pairs| -> Result<Vec<(KeyId, Column)>> {
            // A later value of a name wins; null gives no property.
            let last: BTreeMap<Name, Value> = pairs.into_iter().collect();
            let there = last.into_iter().filter(|(_, value)| !value.is_null());
            let columns = there
                .map(|(name, value)| Ok((self.key(&name)?, Column::from_values([value]))))
                .collect::<Result<Vec<_>>>()?;
            self.count(|counts| counts.properties_set += columns.len() as u64);
            Ok(columns)
        };
        match made {
            Made::Nothing => Ok(Value::Null),
            Made::Vertex(labels, id, pairs) => {
                let names: Vec<_> = labels.iter().map(|name| (NameKind::Label, &**name)).collect();
                let mut labels: Vec<_> =
                    transaction.intern(&names)?.into_iter().map(LabelId).collect();
                labels.sort();
                labels.dedup();
                let columns = columns(pairs)?;
                let columns: Vec<_> = columns.iter().map(|(key, column)| (*key, column)).collect();
                self.count(|counts| {
                    counts.vertices_created += 1;
                    counts.labels_added += labels.len() as u64;
                });
                let labels = Arc::from(labels);
                let made = match id {
                    Some(ExternalId::Number(id)) => {
                        transaction.create_vertices_with_ids(&labels, &[id], &columns)?
                    }
                    Some(ExternalId::Text(text)) => {
                        transaction.create_vertices_with_texts(&labels, &[text], &columns)?
                    }
                    None => transaction.create_vertices(&labels, 1, &columns)?,
                };
                Ok(Value::Vertex(made[0]))
            }
            Made::Edge(edge_type, id, (source, target), pairs) => {
                let number = transaction.intern(&[(NameKind::EdgeType, &edge_type)])?[0];
                let columns = columns(pairs)?;
                let columns: Vec<_> = columns.iter().map(|(key, column)| (*key, column)).collect();
                let edge_type = EdgeTypeId(number);
                let (source, target) = ([source], [target]);
                let made = self.context.counting_new_edges(|transaction| match id {
                    Some(id) => {
                        let ends = (&source[..], &target[..]);
                        transaction.create_edges_with_ids(edge_type, ends, &[id], &columns)
                    }
                    None => transaction.create_edges(edge_type, &source, &target, &columns),
                })?;
                Ok(Value::Edge(made[0]))
            }
        }
    }

    fn count(&self, change: impl FnOnce(&mut WriteCounts)) {
        let mut counts = WriteCounts::default();
        change(&mut counts);
        self.context.count_writes(counts);
    }

    fn key(&self, name: &Name) -> Result<KeyId> {
        Ok(KeyId(self.context.transaction()?.intern(&[(NameKind::Key, name)])?[0]))
    }

    /// One row after the other: a later one finds the elements that an earlier one made.
    pub(super) fn merge(
        &self,
        template: &Template,
        (on_create, on_match): (&Properties, &Properties),
        (to, created): (ColumnId, Option<ColumnId>),
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let mut found = self.matches(template, &row)?;
            let is_new = found.is_empty();
            if is_new {
                found.push(self.make(self.made(template, &row)?)?);
            }
            let more = if is_new { on_create } else { on_match };
            // All matches of a row are read before one is written.
            let mut writes = Vec::new();
            for element in found {
                let row = row.with(to, Cell::Value(element.clone()));
                writes.push((element, self.properties(more, &row)?));
                result.push(row.with_wanted(created, Cell::Value(Value::Bool(is_new))));
            }
            for (element, pairs) in writes {
                self.write(&element, &pairs)?;
            }
        }
        Ok(result)
    }

    fn matches(&self, template: &Template, row: &Row) -> Result<Vec<Value>> {
        let pairs = self.properties(template.properties(), row)?;
        // A later value of a name is the one that is made, so also the one that matches.
        let last: BTreeMap<Name, Value> = pairs.into_iter().collect();
        let (keys, values): (Vec<Name>, Vec<Value>) = last.into_iter().unzip();
        match template {
            Template::Vertex { .. } => {
                let mut found = self.seek(&OwnerName::AllVertices, &keys, &values)?;
                for label in self.names(template, row)? {
                    let mut labelled = Vec::new();
                    for element in found {
                        if let Value::Vertex(vertex) = element
                            && self.labels(vertex)?.contains(&label)
                        {
                            labelled.push(element);
                        }
                    }
                    found = labelled;
                }
                Ok(found)
            }
            Template::Edge { source, target, .. } => {
                let types = self.names(template, row)?;
                let from = row.get(*source)?;
                let out = millrace_model::Direction::Out;
                let mut found = Vec::new();
                for (edge, other) in self.expand(&from, Some(&types), out, Loops::Twice)? {
                    let edge = Value::Edge(edge);
                    let joins = row.get(*target)? == Cell::Value(Value::Vertex(other));
                    if joins && self.has_all(&edge, &keys, &values)? {
                        found.push(edge);
                    }
                }
                Ok(found)
            }
        }
    }

    /// In rounds: the k-th row of an element is evaluated after the (k-1)-th was written.
    pub(super) fn set(&self, set: &op::Set, rows: Vec<Row>) -> Result<Vec<Row>> {
        let op::Set { element, properties, replace, rules } = set;
        let mut rounds: Vec<Vec<(Value, &Row)>> = Vec::new();
        let mut seen: BTreeMap<Value, usize> = BTreeMap::new();
        for row in &rows {
            let Some(owner) = row.get(*element)?.present().cloned() else { continue };
            let round = seen.entry(owner.clone()).or_default();
            if *round == rounds.len() {
                rounds.push(Vec::new());
            }
            rounds[*round].push((owner, row));
            *round += 1;
        }
        for round in rounds {
            let evaluate = |(owner, row): (Value, &Row)| {
                self.properties(properties, row).map(|pairs| (owner, pairs))
            };
            for (owner, pairs) in round.into_iter().map(evaluate).collect::<Result<Vec<_>>>()? {
                if rules.passes_deleted && self.is_deleted(&owner)? {
                    self.count_pairs(&pairs, *rules);
                    continue;
                }
                if *replace {
                    self.remove_all(&owner, &pairs)?;
                }
                self.write_counted(&owner, &pairs, *rules)?;
            }
        }
        Ok(rows)
    }

    pub(super) fn remove(&self, remove: &op::Remove, rows: Vec<Row>) -> Result<Vec<Row>> {
        let op::Remove { element, keys, rules } = remove;
        for row in &rows {
            let cell = row.get(*element)?;
            let Some(owner) = cell.present() else { continue };
            if rules.passes_deleted && self.is_deleted(owner)? {
                continue;
            }
            match keys {
                None => self.remove_all(owner, &Pairs::new())?,
                Some(keys) => {
                    let gone = keys.iter().map(|key| (key.clone(), Value::Null)).collect();
                    self.write(owner, &gone)?;
                }
            }
        }
        Ok(rows)
    }

    /// Removes all properties but those that are set anyway.
    fn remove_all(&self, owner: &Value, set: &Pairs) -> Result<()> {
        let set = set.iter().map(|(name, _)| self.key(name)).collect::<Result<Vec<_>>>()?;
        let graph = self.context.graph();
        let fields = match owner {
            Value::Vertex(vertex) => graph.fields(Elements::Vertices(&[*vertex]))?,
            Value::Edge(edge) => graph.fields(Elements::Edges(&[*edge]))?,
            other => return Err(wrong_type("a property", other)),
        };
        let mut removed = fields[0].iter().filter(|field| !set.contains(&field.key));
        removed.try_for_each(|field| self.write_one(owner, field.key, &Value::Null))
    }

    /// Whether the statement deleted an element.
    pub(super) fn is_deleted(&self, owner: &Value) -> Result<bool> {
        let counts = self.context.write_counts();
        let deletes = 0 < counts.vertices_deleted + counts.edges_deleted;
        let is_element = matches!(owner, Value::Vertex(_) | Value::Edge(_));
        Ok(deletes && is_element && !self.exists(owner)?)
    }

    /// Counts properties of an element that is gone.
    fn count_pairs(&self, pairs: &Pairs, rules: WriteRules) {
        let counted = last(pairs).into_values();
        let counted = counted.filter(|value| rules.counts_nulls || !value.is_null());
        self.count(|written| written.properties_set += counted.count() as u64);
    }

    /// Writes, and counts a null too if the rules say so.
    fn write_counted(&self, owner: &Value, pairs: &Pairs, rules: WriteRules) -> Result<()> {
        let nulls = last(pairs).into_iter().filter(|(_, value)| value.is_null());
        for (name, _) in nulls.filter(|_| rules.counts_nulls) {
            let is_none = self.present(owner, self.key(name)?)?.is_absent(0);
            self.count(|written| written.properties_set += u64::from(is_none));
        }
        self.write(owner, pairs)
    }

    fn write(&self, owner: &Value, pairs: &Pairs) -> Result<()> {
        let mut last = last(pairs).into_iter();
        last.try_for_each(|(name, value)| self.write_one(owner, self.key(name)?, value))
    }

    /// The value of a property before a write.
    fn present(&self, owner: &Value, key: KeyId) -> Result<Column> {
        match owner {
            Value::Vertex(vertex) => self.context.value_before(Elements::Vertices(&[*vertex]), key),
            Value::Edge(edge) => self.context.value_before(Elements::Edges(&[*edge]), key),
            other => Err(wrong_type("a property", other)),
        }
    }

    /// Sets one property; null removes it.
    fn write_one(&self, owner: &Value, key: KeyId, value: &Value) -> Result<()> {
        let mut column = Column::default();
        column.push_entry((!value.is_null()).then(|| value.clone()));
        let transaction = self.context.transaction()?;
        let counts = !value.is_null() || !self.present(owner, key)?.is_absent(0);
        self.count(|written| written.properties_set += u64::from(counts));
        match owner {
            Value::Vertex(vertex) => transaction.set_vertex_properties(key, &[*vertex], &column),
            Value::Edge(edge) => transaction.set_edge_properties(key, &[*edge], &column),
            other => Err(wrong_type("a property", other)),
        }
    }

    /// One vertex after the other.
    pub(super) fn set_labels(
        &self,
        vertex: ColumnId,
        add: &[Label],
        remove: &[Label],
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        for row in &rows {
            let (add, remove) = (self.label_names(add, row)?, self.label_names(remove, row)?);
            let Some(vertex) = self.vertex(&row.get(vertex)?)? else { continue };
            let old: BTreeSet<Name> = self.labels(vertex)?.into_iter().collect();
            let mut names = old.clone();
            names.extend(add.iter().cloned());
            names.retain(|name| !remove.contains(name));
            self.count(|counts| {
                counts.labels_added += names.difference(&old).count() as u64;
                counts.labels_removed += old.difference(&names).count() as u64;
            });
            let transaction = self.context.transaction()?;
            let names: Vec<_> = names.iter().map(|name| (NameKind::Label, &**name)).collect();
            let mut labels: Vec<_> = transaction.intern(&names)?.into_iter().map(LabelId).collect();
            labels.sort();
            transaction.set_labels(&[(vertex, Arc::from(labels))])?;
        }
        Ok(rows)
    }

    pub(super) fn delete(&self, element: &Expr, detach: bool, rows: Vec<Row>) -> Result<Vec<Row>> {
        let (mut vertices, mut edges) = (Vec::new(), Vec::new());
        for row in &rows {
            collect_elements(&self.evaluate(element, row)?.value(), &mut vertices, &mut edges)?;
        }
        self.context.counting_deleted(|transaction| {
            transaction.delete_edges(&edges)?;
            transaction.delete_vertices(&vertices, detach)
        })?;
        Ok(rows)
    }
}

/// The values by name: a later one of a name wins.
fn last(pairs: &Pairs) -> BTreeMap<&Name, &Value> {
    pairs.iter().map(|(name, value)| (name, value)).collect()
}

fn collect_elements(
    value: &Value,
    vertices: &mut Vec<VertexId>,
    edges: &mut Vec<EdgeId>,
) -> Result<()> {
    match value {
        Value::Null => {}
        Value::Vertex(vertex) => vertices.push(*vertex),
        Value::Edge(edge) => edges.push(*edge),
        Value::List(values) | Value::Set(values) => {
            values.iter().try_for_each(|value| collect_elements(value, vertices, edges))?;
        }
        other => return Err(wrong_type("a delete", other)),
    }
    Ok(())
}

/// A chosen id; none if it is null.
fn chosen(id: &Value) -> Result<Option<ExternalId>> {
    match (id, id.as_int()) {
        (Value::Null, _) => Ok(None),
        (Value::String(text), _) => Ok(Some(ExternalId::Text(text.clone()))),
        (_, Some(int)) if 0 < int => Ok(Some(ExternalId::Number(int as u64))),
        _ => Err(Error::new(ErrorKind::BadInput, "a chosen id is an integer from 1 or a text")),
    }
}
