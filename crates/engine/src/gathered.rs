//! New edges that wait to be made together: a front end that adds one at a time pays for a batch.
//!
//! An edge has its id, and has passed every test that its own values and names can fail, before it
//! waits. The next operation makes the waiting edges first. Making them can fail only because of the
//! disk; if it does, the transaction can no longer commit.

use millrace_model::schema::PropertyDefinition;
use millrace_model::{
    Catalog, Column, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, Owner, Result, Value, VertexId,
};
use millrace_plan::{EdgeLayout, NewEdges};
use millrace_store::constraint::accept;
use millrace_store::{LeasedEdges, Transaction};

use crate::context::Context;
use crate::limits::{
    EDGE_LAYOUTS_MAX, GATHERED_BYTES_MAX, GATHERED_EDGE_BYTES_MAX, GATHERED_EDGES_MAX,
};

/// The edges of one runner that wait.
pub(crate) struct Gathered {
    /// The catalog that the layouts are good for.
    generation: u64,
    layouts: Vec<Layout>,
    edge_count: usize,
    bytes: usize,
    edges_max: usize,
    /// Why edges that waited could not be made.
    failure: Option<Error>,
}

/// A type with property keys, and the edges of it that wait.
struct Layout {
    name: String,
    key_names: Vec<String>,
    edge_type: EdgeTypeId,
    keys: Vec<KeyId>,
    /// What is declared of each key.
    declared: Vec<Vec<PropertyDefinition>>,
    edges: Vec<EdgeId>,
    sources: Vec<VertexId>,
    targets: Vec<VertexId>,
    columns: Vec<Column>,
}

impl Default for Gathered {
    fn default() -> Gathered {
        Gathered {
            generation: 0,
            layouts: Vec::new(),
            edge_count: 0,
            bytes: 0,
            edges_max: GATHERED_EDGES_MAX,
            failure: None,
        }
    }
}

impl Gathered {
    /// With 1 none waits, and with 0 none is taken.
    pub(crate) fn set_edges_max(&mut self, edges_max: usize) {
        self.edges_max = edges_max;
    }

    /// The layout of edges that may wait, if these may.
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
            self.make(context)?;
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

    /// Takes edges in; `false` if these cannot wait.
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
            && bytes <= GATHERED_EDGE_BYTES_MAX * new.sources.len();
        let number = layout.number as usize;
        let Some(known) = self.layouts.get(number).filter(|_| is_good) else { return Ok(false) };
        context.check_pull()?;
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let accepted = context.look(|catalog| known.accepted(catalog, new.values))?;
        if self.has_another_of_the_type(number) {
            self.make(context)?;
        }
        let first = ids.len();
        let known = &mut self.layouts[number];
        ids.extend(context.transaction()?.lease_edges(known.edge_type, new.sources)?);
        let values = accepted.as_deref().unwrap_or(new.values);
        known.take(&ids[first..], NewEdges { values, ..new });
        self.edge_count += new.sources.len();
        self.bytes += bytes;
        if self.edges_max <= self.edge_count || GATHERED_BYTES_MAX <= self.bytes {
            self.make(context)?;
        }
        Ok(true)
    }

    /// A vertex's list of a type is in the order of creation, so edges of one type wait only with
    /// such as have the same keys.
    fn has_another_of_the_type(&self, number: usize) -> bool {
        let own = &self.layouts[number];
        own.edges.is_empty()
            && self.edge_count != 0
            && self
                .layouts
                .iter()
                .any(|other| other.edge_type == own.edge_type && !other.edges.is_empty())
    }

    /// Makes all edges that wait.
    pub(crate) fn make(&mut self, context: &Context) -> Result<()> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        if self.edge_count == 0 {
            return Ok(());
        }
        let transaction = context.transaction()?;
        (self.edge_count, self.bytes) = (0, 0);
        for layout in &mut self.layouts {
            if let Err(error) = layout.make(transaction) {
                self.failure = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Layout {
    /// `None` where a name is new, or what else is there decides whether an edge may be.
    fn of(catalog: &Catalog, name: &str, key_names: &[String]) -> Option<Layout> {
        let edge_type = catalog.edge_type(name)?;
        let keys: Vec<KeyId> =
            key_names.iter().map(|key| catalog.key(key)).collect::<Option<_>>()?;
        let owner = Owner::EdgeType(edge_type);
        let is_unique =
            catalog.kept_indexes().any(|index| index.owner == owner && index.is_unique());
        let mut declared = catalog.kept_properties().filter(|property| property.owner == owner);
        let is_plain = !catalog.has_external_ids() && !catalog.is_set(edge_type) && !is_unique;
        if !is_plain || declared.any(|property| property.required) {
            return None;
        }
        let of_key = |key: &KeyId| {
            let of_owner = catalog.kept_properties().filter(|property| property.owner == owner);
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

    fn make(&mut self, transaction: &Transaction) -> Result<()> {
        if self.edges.is_empty() {
            return Ok(());
        }
        let columns: Vec<Column> = self.columns.iter_mut().map(std::mem::take).collect();
        let properties: Vec<(KeyId, &Column)> = self.keys.iter().copied().zip(&columns).collect();
        let edges =
            LeasedEdges { ids: &self.edges, sources: &self.sources, targets: &self.targets };
        let made = transaction.create_leased_edges(self.edge_type, edges, &properties);
        self.edges.clear();
        self.sources.clear();
        self.targets.clear();
        made.map_err(as_bug)
    }
}

/// An error that the call that added the edge should have reported is a bug here.
fn as_bug(error: Error) -> Error {
    match error.kind {
        ErrorKind::Constraint | ErrorKind::NotFound | ErrorKind::BadInput | ErrorKind::BadQuery => {
            let detail = format!("an edge that waited could not be made: {error}");
            Error::new(ErrorKind::Bug, detail)
        }
        _ => error,
    }
}
