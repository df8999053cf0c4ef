//! Detaches the elements in results: one plan for all vertices of a batch, one for all edges.
//!
//! Of an element that no longer exists, as in the results of a traversal that dropped it, the client gets
//! the id only. An element has room for a numeric id; a textual id is sent beside the element.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::compare::CompareMode;
use millrace_model::detached::Properties;
use millrace_model::parts::{Tree, VertexProperty};
use millrace_model::{
    Batch, Catalog, Column, ColumnValues, DetachedEdge, DetachedElements, DetachedProperty,
    DetachedVertex, EdgeId, ElementDetail, Result, Value, VertexId,
};
use millrace_plan::{
    ColumnId, ElementKind, End, Expr, Function, Parameter, Plan, PlanBuilder, Runner, op,
};
use millrace_store::external_ids::is_textual;

use crate::statements::PreparedStatement;
use crate::transaction::Execution;

/// The label that clients see of a vertex without labels.
const DEFAULT_LABEL: &str = "vertex";

/// Every detail, by its number.
const DETAILS: [ElementDetail; 3] =
    [ElementDetail::All, ElementDetail::Tokens, ElementDetail::Labels];

/// The plans that detach elements.
pub(crate) struct DetachPlans {
    /// By the number of the detail.
    vertices: [PreparedStatement; DETAILS.len()],
    edges: [PreparedStatement; DETAILS.len()],
    ids: PreparedStatement,
}

impl Default for DetachPlans {
    fn default() -> DetachPlans {
        let both = |plan: fn(ElementDetail) -> Plan| DETAILS.map(plan);
        DetachPlans {
            vertices: both(vertices_plan).map(PreparedStatement::of_plan),
            edges: both(edges_plan).map(PreparedStatement::of_plan),
            ids: PreparedStatement::of_plan(ids_plan()),
        }
    }
}

/// The elements in some values.
#[derive(Default)]
struct Found {
    vertices: BTreeSet<VertexId>,
    edges: BTreeSet<EdgeId>,
    properties: BTreeSet<VertexProperty>,
    /// Values looked at, each as often as it will be written.
    parts: u64,
}

/// Values between two looks at the limits of a query.
const PARTS_PER_LOOK: u64 = 1 << 16;

/// Bytes that a value takes at least where it is written, about.
const PART_BYTES_MIN: u64 = 2;

impl DetachPlans {
    /// Detaches the elements in some values.
    pub(crate) fn detach(
        &self,
        execution: &mut Execution,
        values: &[Value],
        detail: ElementDetail,
    ) -> Result<DetachedElements> {
        let mut found = Found::default();
        // Lists may be in each other many times over: what is a kilobyte here may have no end as a text.
        let look = &mut |parts: u64| {
            execution.check()?;
            let bytes = i64::try_from(parts * PART_BYTES_MIN).unwrap_or(i64::MAX);
            execution.charge(bytes)?;
            execution.charge(-bytes)
        };
        values.iter().try_for_each(|value| found.collect(value, look))?;
        let mut detached = DetachedElements::default();
        if !found.properties.is_empty() {
            self.detach_properties(execution, &found.properties, detail, &mut detached)?;
        }
        if !found.vertices.is_empty() {
            let vertices: Vec<VertexId> = found.vertices.into_iter().collect();
            let column = Column::vertices(vertices.clone());
            let batch = ask(execution, &self.vertices[detail as usize], column)?;
            detach_vertices(&batch, &execution.catalog(), &mut detached);
            self.add_gone(execution, vertices, &mut detached)?;
        }
        if !found.edges.is_empty() {
            let edges = Column::edges(found.edges.into_iter().collect());
            let batch = ask(execution, &self.edges[detail as usize], edges)?;
            detach_edges(&batch, &execution.catalog(), &mut detached);
        }
        Ok(detached)
    }

    /// Adds the ids of vertices that are gone, where they are texts.
    fn add_gone(
        &self,
        execution: &mut Execution,
        mut vertices: Vec<VertexId>,
        detached: &mut DetachedElements,
    ) -> Result<()> {
        vertices.retain(|vertex| is_textual(vertex.0) && !detached.vertices.contains_key(vertex));
        if vertices.is_empty() {
            return Ok(());
        }
        let ids = ask(execution, &self.ids, Column::vertices(vertices.clone()))?;
        for (row, vertex) in vertices.into_iter().enumerate() {
            let (id, label) = (id_at(&ids.columns[0], row), Arc::from(DEFAULT_LABEL));
            detached
                .vertices
                .insert(vertex, Arc::new(DetachedVertex { id, label, properties: None }));
        }
        Ok(())
    }

    /// Detaches properties, as their vertices have them.
    fn detach_properties(
        &self,
        execution: &mut Execution,
        properties: &BTreeSet<VertexProperty>,
        detail: ElementDetail,
        detached: &mut DetachedElements,
    ) -> Result<()> {
        let owners: BTreeSet<VertexId> = properties.iter().map(|own| own.owner).collect();
        let owners = Column::vertices(owners.into_iter().collect());
        let batch = ask(execution, &self.vertices[ElementDetail::All as usize], owners)?;
        let mut of_owners = DetachedElements::default();
        detach_vertices(&batch, &execution.catalog(), &mut of_owners);
        for property in properties {
            let owner = of_owners.vertices.get(&property.owner);
            let Some(owner) = owner else { continue };
            let id = property_id(&owner.id, &property.key, property.ordinal);
            let own = owner.properties.as_ref();
            if let Some(own) = own.and_then(|all| all.iter().find(|own| own.id == id)) {
                let mut own = own.clone();
                if detail == ElementDetail::Tokens {
                    own.properties = None;
                }
                detached.properties.insert(property.clone(), Arc::new(own));
            }
        }
        Ok(())
    }
}

impl Found {
    fn collect(&mut self, value: &Value, look: Look<'_>) -> Result<()> {
        self.parts += 1;
        if self.parts.is_multiple_of(PARTS_PER_LOOK) {
            look(self.parts)?;
        }
        match value {
            Value::Vertex(vertex) => drop(self.vertices.insert(*vertex)),
            Value::Edge(edge) => drop(self.edges.insert(*edge)),
            Value::VertexProperty(own) => drop(self.properties.insert((**own).clone())),
            Value::List(values) | Value::Set(values) => self.collect_all(values, look)?,
            Value::Path(path) => self.collect_all(&path.objects(), look)?,
            Value::Map(pairs) => {
                for (key, value) in pairs.iter() {
                    self.collect(key, look)?;
                    self.collect(value, look)?;
                }
            }
            Value::MapEntry(entry) => {
                self.collect(&entry.0, look)?;
                self.collect(&entry.1, look)?;
            }
            Value::Tree(tree) => self.collect_tree(tree, look)?,
            Value::Subgraph(part) => {
                self.vertices.extend(part.vertices());
                self.edges.extend(part.edges());
            }
            // A property of an edge or of a property is its key and its value.
            _ => {}
        }
        Ok(())
    }

    fn collect_all(&mut self, values: &[Value], look: Look<'_>) -> Result<()> {
        values.iter().try_for_each(|value| self.collect(value, look))
    }

    fn collect_tree(&mut self, tree: &Tree, look: Look<'_>) -> Result<()> {
        for (value, below) in &tree.branches {
            self.collect(value, look)?;
            self.collect_tree(below, look)?;
        }
        Ok(())
    }
}

/// Asked after so many values whether there is time and room for more.
type Look<'a> = &'a mut dyn FnMut(u64) -> Result<()>;

fn ask(execution: &mut Execution, prepared: &PreparedStatement, elements: Column) -> Result<Batch> {
    prepared.run(execution, &[Parameter::Rows(Batch::of(vec![elements]))])
}

/// Rows of vertices → their ids, whether they exist or not.
fn ids_plan() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    let rows = plan.parameter("rows");
    let [asked] = plan.rows(rows, ["asked"]);
    let id = id_of(&mut plan, asked);
    plan.finish(vec![id])
}

fn id_of(plan: &mut PlanBuilder, element: ColumnId) -> ColumnId {
    plan.project("id", Expr::Id(Box::new(Expr::Column(element))))
}

/// Rows of vertices → vertex, its id, its label and, if asked for, its properties and all its labels; of those that
/// exist.
fn vertices_plan(detail: ElementDetail) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    let rows = plan.parameter("rows");
    let [asked] = plan.rows(rows, ["asked"]);
    let vertex = plan.ids(ElementKind::Vertex, Expr::Column(asked), "vertex");
    let id = id_of(&mut plan, vertex);
    let label = plan.project("label", label_of(Expr::Column(vertex)));
    let mut output = vec![vertex, id, label];
    if detail != ElementDetail::Tokens {
        let to = plan.column("fields");
        plan.push(op::Fields { element: vertex, keys: None, languages: None, to });
        output.push(to);
    }
    if detail == ElementDetail::Labels {
        let labels = Expr::Labels(Box::new(Expr::Column(vertex)));
        output.push(plan.project("labels", labels));
    }
    plan.finish(output)
}

/// Rows of edges → edge, its id and type, the ids of both ends with their labels and, if asked for, its
/// properties.
fn edges_plan(detail: ElementDetail) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    let rows = plan.parameter("rows");
    let [asked] = plan.rows(rows, ["asked"]);
    let edge = plan.ids(ElementKind::Edge, Expr::Column(asked), "edge");
    let kind = plan.project("type", Expr::EdgeType(Box::new(Expr::Column(edge))));
    let mut output = vec![edge, id_of(&mut plan, edge), kind];
    for (end, name) in [(End::Source, "source"), (End::Target, "target")] {
        let to = plan.column(name);
        plan.push(op::Endpoints { edge, end, to });
        let label = plan.project("label", label_of(Expr::Column(to)));
        output.extend([id_of(&mut plan, to), label]);
    }
    if detail != ElementDetail::Tokens {
        let to = plan.column("fields");
        plan.push(op::Fields { element: edge, keys: None, languages: None, to });
        output.push(to);
    }
    plan.finish(output)
}

fn label_of(vertex: Expr) -> Expr {
    let labels = Expr::Labels(Box::new(vertex));
    Expr::call(Function::Join, vec![labels, Expr::literal("::"), Expr::literal(DEFAULT_LABEL)])
}

fn detach_vertices(batch: &Batch, catalog: &Catalog, detached: &mut DetachedElements) {
    for row in 0..batch.len {
        let Some(Value::Vertex(vertex)) = batch.columns[0].get(row) else { continue };
        let id = id_at(&batch.columns[1], row);
        let properties = batch.columns.get(3).map(|fields| {
            let fields = fields_at(fields, row);
            let named = fields.iter().filter_map(|field| Some((name_of(field, catalog)?, field)));
            named.flat_map(|(key, field)| properties_of(&id, &key, field)).collect()
        });
        let label = text_at(&batch.columns[2], row);
        if let Some(labels) = batch.columns.get(4) {
            detached.labels.insert(vertex, texts_at(labels, row));
        }
        let own = DetachedVertex { id, label, properties };
        detached.vertices.insert(vertex, Arc::new(own));
    }
}

fn detach_edges(batch: &Batch, catalog: &Catalog, detached: &mut DetachedElements) {
    for row in 0..batch.len {
        let Some(Value::Edge(edge)) = batch.columns[0].get(row) else { continue };
        let end = |place: usize| {
            (id_at(&batch.columns[place], row), text_at(&batch.columns[place + 1], row))
        };
        let properties = batch.columns.get(7).map(|fields| {
            let named = fields_at(fields, row).iter();
            let named = named.filter_map(|own| Some((name_of(own, catalog)?, own.value.clone())));
            named.collect::<Properties>()
        });
        let (id, label) = (id_at(&batch.columns[1], row), text_at(&batch.columns[2], row));
        let (source, target) = (end(3), end(5));
        let own = DetachedEdge { id, label, source, target, properties };
        detached.edges.insert(edge, Arc::new(own));
    }
}

/// The properties of a key: one for each value.
fn properties_of(owner: &Value, key: &Arc<str>, field: &Field) -> Vec<DetachedProperty> {
    let property = |ordinal: u32, value: &Value, own: &Properties| DetachedProperty {
        id: property_id(owner, key, ordinal),
        key: key.clone(),
        value: value.clone(),
        properties: Some(own.clone()),
    };
    match &field.value {
        Value::PropertyValues(several) => {
            let values = several.values().iter();
            values.map(|own| property(own.ordinal, &own.value, &own.meta)).collect()
        }
        plain => vec![property(0, plain, &Properties::new())],
    }
}

/// The external id of a property of a vertex.
fn property_id(owner: &Value, key: &str, ordinal: u32) -> Value {
    Value::from(
        match owner {
            Value::String(owner) => format!("{owner}:{key}:{ordinal}"),
            // Any other id is a number.
            other => format!("{}:{key}:{ordinal}", other.as_int().unwrap_or_default()),
        }
        .as_str(),
    )
}

fn id_at(column: &Column, row: usize) -> Value {
    column.get(row).unwrap_or_default()
}

fn text_at(column: &Column, row: usize) -> Arc<str> {
    match column.get(row) {
        Some(Value::String(text)) => text,
        _ => Arc::from(DEFAULT_LABEL),
    }
}

fn texts_at(column: &Column, row: usize) -> Arc<[Arc<str>]> {
    let Some(Value::List(values)) = column.get(row) else { return Arc::from([]) };
    values.iter().filter_map(|value| value.as_str().map(Arc::from)).collect()
}

fn fields_at(column: &Column, row: usize) -> &[Field] {
    match &column.values {
        ColumnValues::Fields(rows) if !column.is_null(row) => &rows[row],
        _ => &[],
    }
}

fn name_of(field: &Field, catalog: &Catalog) -> Option<Arc<str>> {
    catalog.keys.name(field.key.0).cloned()
}
