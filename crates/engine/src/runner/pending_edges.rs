//! Pending edges: a front end adds edges one by one, and the engine creates them in batches.
//!
//! An edge has its id, and has passed every check of its own values and names, before it is
//! pending. The next operation creates the pending edges first. That can fail only because of the
//! disk; the transaction can then no longer commit.

use millrace_model::schema::PropertyDefinition;
use millrace_model::{
    Catalog, Column, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, Owner, Result, Value, VertexId,
};
use millrace_plan::{EdgeLayout, NewEdges, WriteCounts};
use millrace_store::constraint::accept;
use millrace_store::{LeasedEdges, Transaction};

use crate::context::{Context, present_entries};
use crate::limits::{
    EDGE_LAYOUTS_MAX, PENDING_BYTES_MAX, PENDING_EDGE_BYTES_MAX, PENDING_EDGES_MAX,
};

/// The pending edges of one runner.
pub(crate) struct PendingEdges {
    /// The catalog that the layouts are good for.
    generation: u64,
    layouts: Vec<Layout>,
    edge_count: usize,
    bytes: usize,
    edges_max: usize,
    /// Why pending edges could not be created.
    failure: Option<Error>,
}

/// A type with property keys, and its pending edges.
struct Layout {
    name: String,
    key_names: Vec<String>,
    edge_type: EdgeTypeId,
    keys: Vec<KeyId>,
    /// The declarations of each key.
    declared: Vec<Vec<PropertyDefinition>>,
    edges: Vec<EdgeId>,
    sources: Vec<VertexId>,
    targets: Vec<VertexId>,
    columns: Vec<Column>,
}

impl Default for PendingEdges {
    fn default() -> PendingEdges {
        PendingEdges {
            generation: 0,
            layouts: Vec::new(),
            edge_count: 0,
            bytes: 0,
            edges_max: PENDING_EDGES_MAX,
            failure: None,
        }
    }
}

impl PendingEdges {
    /// With 1 each edge is created at once, and with 0 none is accepted.
    pub(crate) fn set_edges_max(&mut self, edges_max: usize) {
        self.edges_max = edges_max;
    }

    /// The layout of edges, if they may be pending.
    pub(crate) fn layout(
        &mut self,
        name: &str,
        key_names: &[String],
        context: &Context,
    ) -> Result<Option<EdgeLayout>> {
        if self.edges_max == 0 || context.transaction().is_err() {
            return Ok(None);
        }
        let catalog = context.catalog();
        let generation = context.catalog_generation();
        if self.generation != generation {
            self.create(context)?;
            self.layouts.clear();
            self.generation = generation;
        }
        let is_same = |layout: &Layout| layout.name == name && layout.key_names == key_names;
        let number = match self.layouts.iter().position(is_same) {
            Some(number) => number,
            None => {
                let layout = Layout::of(&catalog, name, key_names);
                let Some(layout) = layout.filter(|_| self.layouts.len() < EDGE_LAYOUTS_MAX) else {
                    return Ok(None);
                };
                self.layouts.push(layout);
                self.layouts.len() - 1
            }
        };
        Ok(Some(EdgeLayout { generation, number: number as u32 }))
    }

    /// Adds edges; `false` if they cannot be pending.
    pub(crate) fn add(
        &mut self,
        layout: EdgeLayout,
        new: NewEdges<'_>,
        ids: &mut Vec<EdgeId>,
        context: &Context,
    ) -> Result<bool> {
        let bytes: usize = new.values.iter().map(Value::byte_size).sum();
        let is_good = self.generation == layout.generation
            && self.generation == context.catalog_generation()
            && bytes <= PENDING_EDGE_BYTES_MAX * new.sources.len();
        let number = layout.number as usize;
        let Some(known) = self.layouts.get(number).filter(|_| is_good) else { return Ok(false) };
        context.check_pull()?;
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let accepted = context.look(|catalog| known.accepted(catalog, new.values))?;
        if self.has_another_of_the_type(number) {
            self.create(context)?;
        }
        let first = ids.len();
        let known = &mut self.layouts[number];
        ids.extend(context.transaction()?.lease_edges(known.edge_type, new.sources)?);
        let values = accepted.as_deref().unwrap_or(new.values);
        known.take(&ids[first..], NewEdges { values, ..new });
        self.edge_count += new.sources.len();
        self.bytes += bytes;
        if self.edges_max <= self.edge_count || PENDING_BYTES_MAX <= self.bytes {
            self.create(context)?;
        }
        Ok(true)
    }

    /// A vertex's list of a type is in the order of creation, so pending edges of one type all have
    /// the same keys.
    fn has_another_of_the_type(&self, number: usize) -> bool {
        let own = &self.layouts[number];
        own.edges.is_empty()
            && self.edge_count != 0
            && self
                .layouts
                .iter()
                .any(|other| other.edge_type == own.edge_type && !other.edges.is_empty())
    }

    /// Creates all pending edges.
    pub(crate) fn create(&mut self, context: &Context) -> Result<()> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        if self.edge_count == 0 {
            return Ok(());
        }
        let transaction = context.transaction()?;
        (self.edge_count, self.bytes) = (0, 0);
        for layout in &mut self.layouts {
            if let Err(error) = layout.create(transaction, context) {
                self.failure = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Layout {
    /// `None` where a name is new, or where other data decides whether an edge may be added.
    fn of(catalog: &Catalog, name: &str, key_names: &[String]) -> Option<Layout> {
        let edge_type = catalog.edge_type(name)?;
        let keys: Vec<KeyId> =
            key_names.iter().map(|key| catalog.key(key)).collect::<Option<_>>()?;
        let owner = Owner::EdgeType(edge_type);
        let is_unique = catalog.maintained_of(owner).any(|index| index.is_unique());
        let mut declared = catalog.enforced_of(owner);
        let is_plain = !catalog.has_external_ids() && !catalog.is_set(edge_type) && !is_unique;
        if !is_plain || declared.any(|property| property.required) {
            return None;
        }
        let of_key = |key: &KeyId| {
            let of_owner = catalog.enforced_of(owner);
            of_owner.filter(|property| property.key == *key).cloned().collect()
        };
        Some(Layout {
            name: name.to_owned(),
            key_names: key_names.to_vec(),
            edge_type,
            declared: keys.iter().map(of_key).collect(),
            columns: keys.iter().map(|_| Column::default()).collect(),
            keys,
            edges: Vec::new(),
            sources: Vec::new(),
            targets: Vec::new(),
        })
    }

    /// The values as their declarations store them, if that is another form.
    fn accepted(&self, catalog: &Catalog, values: &[Value]) -> Result<Option<Vec<Value>>> {
        let mut accepted: Option<Vec<Value>> = None;
        for (place, value) in values.iter().enumerate() {
            for declared in &self.declared[place % self.keys.len()] {
                let current = accepted.as_ref().map_or(value, |values| &values[place]);
                let stored = accept(catalog, declared, current)?;
                if stored != *current {
                    accepted.get_or_insert_with(|| values.to_vec())[place] = stored;
                }
            }
        }
        Ok(accepted)
    }

    fn take(&mut self, ids: &[EdgeId], new: NewEdges<'_>) {
        self.edges.extend_from_slice(ids);
        self.sources.extend_from_slice(new.sources);
        self.targets.extend_from_slice(new.targets);
        for row in new.values.chunks_exact(self.keys.len().max(1)) {
            for (column, value) in self.columns.iter_mut().zip(row) {
                // A property that is null is not there.
                match value {
                    Value::Null => column.push_absent(),
                    value => column.push(value.clone()),
                }
            }
        }
    }

    fn create(&mut self, transaction: &Transaction, context: &Context) -> Result<()> {
        if self.edges.is_empty() {
            return Ok(());
        }
        let columns: Vec<Column> = self.columns.iter_mut().map(std::mem::take).collect();
        let properties: Vec<(KeyId, &Column)> = self.keys.iter().copied().zip(&columns).collect();
        let edges =
            LeasedEdges { ids: &self.edges, sources: &self.sources, targets: &self.targets };
        context.count_writes(WriteCounts {
            edges_created: self.edges.len() as u64,
            properties_set: columns.iter().map(present_entries).sum(),
            ..WriteCounts::default()
        });
        let created = transaction.create_leased_edges(self.edge_type, edges, &properties);
        self.edges.clear();
        self.sources.clear();
        self.targets.clear();
        created.map_err(as_bug)
    }
}

/// An error that the call that added the edge should have reported is a bug here.
fn as_bug(error: Error) -> Error {
    match error.kind {
        ErrorKind::Constraint | ErrorKind::NotFound | ErrorKind::BadInput | ErrorKind::BadQuery => {
            let detail = format!("a pending edge could not be created: {error}");
            Error::new(ErrorKind::Bug, detail)
        }
        _ => error,
    }
}
