//! One element at a time out of a store that takes sets.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::compare::{self, CompareMode};
use millrace_model::property_values::each_value;
use millrace_model::{
    Direction, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, LabelId, Owner, Result, Value,
    VertexId, VertexProperty,
};
use millrace_plan::op::IdForm;
use millrace_plan::{
    ElementKind, End, Expr, Function, LookupMode, Loops, Name, OwnerName, ScanSource, SeekBound,
    SeekRange,
};
use millrace_store::external_ids::number_of;
use millrace_store::{EdgeRows, Elements, Run, ScanCursor};

use super::Oracle;
use super::cell::{Cell, Row};

const SCAN_ROWS: usize = 100;

pub(super) fn wrong_type(asked: &str, found: &Value) -> Error {
    let kind = found.type_name();
    Error::new(ErrorKind::BadQuery, format!("{asked} is asked of a {kind}"))
}

impl Oracle<'_> {
    /// All elements listed, in the store's order.
    pub(super) fn scan(&self, source: &ScanSource) -> Result<Vec<Value>> {
        match source {
            ScanSource::Vertices(None) => self.scan_vertices(None),
            ScanSource::Vertices(Some(label)) => match self.context.catalog().label(label) {
                Some(label) => self.scan_vertices(Some(label)),
                None => Ok(Vec::new()),
            },
            ScanSource::Edges(types) => self.scan_edges(types.as_deref()),
        }
    }

    fn scan_vertices(&self, label: Option<LabelId>) -> Result<Vec<Value>> {
        let (mut vertices, mut cursor) = (Vec::new(), ScanCursor::default());
        while !cursor.finished {
            let graph = self.context.graph();
            graph.scan_vertices(label, &mut cursor, SCAN_ROWS, &mut vertices)?;
        }
        Ok(vertices.into_iter().map(Value::Vertex).collect())
    }

    fn scan_edges(&self, types: Option<&[Name]>) -> Result<Vec<Value>> {
        let types = self.edge_types(types);
        let (mut edges, mut cursor) = (EdgeRows::default(), ScanCursor::default());
        while !cursor.finished && types.as_ref().is_none_or(|types| !types.is_empty()) {
            let graph = self.context.graph();
            graph.scan_edges(types.as_deref(), &mut cursor, SCAN_ROWS, &mut edges)?;
        }
        Ok(edges.edges.into_iter().map(Value::Edge).collect())
    }

    /// The types that there are, each once.
    pub(super) fn edge_types(&self, types: Option<&[Name]>) -> Option<Vec<EdgeTypeId>> {
        let catalog = self.context.catalog();
        let mut known = Vec::new();
        for edge_type in types?.iter().filter_map(|name| catalog.edge_type(name)) {
            if !known.contains(&edge_type) {
                known.push(edge_type);
            }
        }
        Some(known)
    }

    /// Elements with keys equal to the values, ids ascending. A scan: no index is asked.
    pub(super) fn seek(
        &self,
        owner: &OwnerName,
        keys: &[Name],
        values: &[Value],
    ) -> Result<Vec<Value>> {
        let source = match owner {
            OwnerName::Label(label) => ScanSource::Vertices(Some(label.clone())),
            OwnerName::EdgeType(edge_type) => ScanSource::Edges(Some(vec![edge_type.clone()])),
            OwnerName::AllVertices => ScanSource::Vertices(None),
        };
        let mut found = Vec::new();
        for element in self.scan(&source)? {
            if self.has_all(&element, keys, values)? {
                found.push(element);
            }
        }
        found.sort();
        Ok(found)
    }

    /// Those with a key in a row's range; null, absent and incomparable values are in none.
    pub(super) fn in_range(
        &self,
        found: Vec<Value>,
        range: &SeekRange,
        row: &Row,
    ) -> Result<Vec<Value>> {
        let bound = |bound: &Option<SeekBound>| match bound {
            Some(bound) => Ok(Some((self.evaluate(&bound.value, row)?.value(), bound.inclusive))),
            None => Ok(None),
        };
        let (lower, upper) = (bound(&range.lower)?, bound(&range.upper)?);
        let mut kept = Vec::new();
        for element in found {
            let own = self.property(&Cell::Value(element.clone()), &range.key)?.value();
            let holds = |own: &Value, bound: &Option<(Value, bool)>, beyond: Ordering| {
                let Some((value, inclusive)) = bound else { return !own.is_null() };
                let order = compare::compare(own, value, CompareMode::Plain);
                order == Some(beyond) || *inclusive && order == Some(Ordering::Equal)
            };
            let inside = |own: &Value| {
                holds(own, &lower, Ordering::Greater) && holds(own, &upper, Ordering::Less)
            };
            if each_value(&own).any(inside) {
                kept.push(element);
            }
        }
        Ok(kept)
    }

    /// Whether the element's keys have these values; null and absent equal nothing.
    pub(super) fn has_all(&self, element: &Value, keys: &[Name], values: &[Value]) -> Result<bool> {
        for (key, value) in keys.iter().zip(values) {
            let own = self.property(&Cell::Value(element.clone()), key)?;
            let equal = |own: &Value| each_value(own).any(|own| compare::order(own, value).is_eq());
            if value.is_null() || !own.present().is_some_and(equal) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The elements of one id or a list of ids.
    pub(super) fn ids(
        &self,
        element: ElementKind,
        ids: &Value,
        mode: LookupMode,
    ) -> Result<Vec<Value>> {
        let checked = match mode {
            LookupMode::Scanned { form, in_list } => {
                return self.scanned_with(element, ids, form, in_list);
            }
            LookupMode::Checked => true,
            LookupMode::Unchecked => false,
        };
        if let Value::List(ids) | Value::Set(ids) = ids {
            let each = ids.iter().map(|id| self.ids(element, id, mode));
            return Ok(each.collect::<Result<Vec<_>>>()?.concat());
        }
        let number = || ids.as_int().and_then(number_of);
        if let Value::String(text) = ids {
            return self.with_text(element, text);
        }
        let named = match (ids, element) {
            (Value::Null, _) => return Ok(Vec::new()),
            (Value::Vertex(_), ElementKind::Vertex) | (Value::Edge(_), ElementKind::Edge) => {
                Some(ids.clone())
            }
            (_, ElementKind::Vertex) => {
                number().map(|id| self.vertex_by_external_id(id)).transpose()?
            }
            (_, ElementKind::Edge) => {
                number().map(|id| self.edge_by_external_id(id)).transpose()?
            }
        };
        match named {
            Some(named) if !checked || self.exists(&named)? => Ok(vec![named]),
            None if !checked => Err(wrong_type("an element", ids)),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    /// The elements of a scan with an id that is one of a list, or a value; by their places.
    fn scanned_with(
        &self,
        element: ElementKind,
        ids: &Value,
        form: IdForm,
        in_list: bool,
    ) -> Result<Vec<Value>> {
        let (ids, all) = match ids {
            Value::List(ids) | Value::Set(ids) => (Value::List(ids.clone()), false),
            id => (Value::list(vec![id.clone()]), in_list && *id != Value::Null),
        };
        let scanned = self.scan(&match element {
            ElementKind::Vertex => ScanSource::Vertices(None),
            ElementKind::Edge => ScanSource::Edges(None),
        })?;
        let mut found = Vec::new();
        for scanned in scanned {
            let id = form.of(Expr::Literal(scanned.clone()));
            let id = self.evaluate(&id, &Row::default())?;
            if all || self.is_in_list(&id, &ids)? == Some(true) {
                found.push(scanned);
            }
        }
        found.sort();
        Ok(found)
    }

    /// The vertex with an external id.
    fn vertex_by_external_id(&self, id: u64) -> Result<Value> {
        let found = self.context.graph().find_external(&[id])?;
        Ok(Value::Vertex(found.map_or(VertexId(id), |found| found[0])))
    }

    /// The edge with an external id.
    fn edge_by_external_id(&self, id: u64) -> Result<Value> {
        let found = self.context.graph().find_external_edges(&[id])?;
        Ok(Value::Edge(found.map_or(EdgeId(id), |found| found[0])))
    }

    /// The element with a text as its id.
    fn with_text(&self, element: ElementKind, text: &Arc<str>) -> Result<Vec<Value>> {
        let texts = [Arc::clone(text)];
        let graph = self.context.graph();
        let (owner, of_slot): (Owner, fn(u64) -> Value) = match element {
            ElementKind::Vertex => (Owner::AllVertices, |slot| Value::Vertex(VertexId(slot))),
            ElementKind::Edge => (Owner::AllEdges, |slot| Value::Edge(EdgeId(slot))),
        };
        Ok(graph.find_texts(owner, &texts)?[0].map(of_slot).into_iter().collect())
    }

    /// The external id of an element.
    pub(super) fn id(&self, element: &Value) -> Result<Value> {
        let graph = self.context.graph();
        let (external, slot) = match element {
            Value::Null => return Ok(Value::Null),
            Value::Vertex(vertex) => {
                (graph.external_id_values(Elements::Vertices(&[*vertex]))?, vertex.0)
            }
            Value::Edge(edge) => (graph.external_id_values(Elements::Edges(&[*edge]))?, edge.0),
            other => return Err(wrong_type("an id", other)),
        };
        let own = || Value::I64(slot as i64);
        match external.map_or_else(own, |external| external.get(0).unwrap_or_default()) {
            Value::I64(number) if number < 0 => {
                let detail = "an id does not fit a signed integer";
                Err(Error::new(ErrorKind::BadInput, detail))
            }
            id => Ok(id),
        }
    }

    pub(super) fn exists(&self, element: &Value) -> Result<bool> {
        let graph = self.context.graph();
        Ok(match element {
            Value::Vertex(vertex) => graph.exist(Elements::Vertices(&[*vertex]))?.get(0),
            Value::Edge(edge) => graph.exist(Elements::Edges(&[*edge]))?.get(0),
            _ => false,
        })
    }

    /// The edges of a vertex with their other ends, in list order.
    pub(super) fn expand(
        &self,
        from: &Cell,
        types: Option<&[Name]>,
        direction: Direction,
        loops: Loops,
    ) -> Result<Vec<(EdgeId, VertexId)>> {
        let vertex = match from.present() {
            Some(Value::Vertex(vertex)) => *vertex,
            Some(other) => return Err(wrong_type("an expansion", other)),
            None => return Ok(Vec::new()),
        };
        let types = self.edge_types(types);
        if types.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let once = direction == Direction::Both && loops == Loops::Once;
        let mut edges = Vec::new();
        let mut sink = |_row: usize, run: Run<'_>| {
            for index in 0..run.len() {
                let other = run.neighbours.get(index);
                if !(once && run.direction == Direction::In && other == vertex) {
                    edges.push((run.edge(index), other));
                }
            }
            ControlFlow::Continue(())
        };
        let graph = self.context.graph();
        graph.expand(&[vertex], types.as_deref(), direction, &mut sink)?;
        Ok(edges)
    }

    /// An end of an edge; null of null and of an edge that is not there.
    pub(super) fn end(&self, edge: &Cell, end: End) -> Result<Cell> {
        let edge = match edge.present() {
            Some(Value::Edge(edge)) => *edge,
            Some(other) => return Err(wrong_type("an end", other)),
            None => return Ok(Cell::NULL),
        };
        let ends = self.context.graph().ends(&[edge])?;
        if !ends.exist.get(0) {
            return Ok(Cell::NULL);
        }
        Ok(Cell::Value(Value::Vertex(match end {
            End::Source => ends.sources[0],
            End::Target => ends.targets[0],
        })))
    }

    /// A property; null of null, absent of absent and of an element without the key.
    pub(super) fn property(&self, element: &Cell, key: &Name) -> Result<Cell> {
        let number = self.context.catalog().key(key);
        match element {
            Cell::Absent => Ok(Cell::Absent),
            Cell::Opaque(_) | Cell::Value(Value::Null) => Ok(Cell::NULL),
            Cell::Value(Value::Vertex(vertex)) => self.read(Elements::Vertices(&[*vertex]), number),
            Cell::Value(Value::Edge(edge)) => self.read(Elements::Edges(&[*edge]), number),
            Cell::Value(Value::Map(pairs)) => {
                let pair = pairs.iter().find(|(name, _)| name.as_str() == Some(key));
                Ok(Cell::from(pair.map(|(_, value)| value.clone())))
            }
            Cell::Value(Value::VertexProperty(own)) => {
                self.property(&Cell::Value(self.own_properties(own)?), key)
            }
            Cell::Value(Value::Property(_)) => Ok(Cell::Absent),
            Cell::Value(other) => {
                let arguments = [other.clone(), Value::String(key.clone())];
                Function::Component.call(&arguments).map(Cell::Value)
            }
        }
    }

    /// The properties that a vertex's property has itself, as a map.
    fn own_properties(&self, own: &VertexProperty) -> Result<Value> {
        match self.property(&Cell::Value(Value::Vertex(own.owner)), &own.key)? {
            Cell::Value(kept) if !kept.is_null() => {
                Function::MetaAt.call(&[kept, Value::I64(own.ordinal.into())])
            }
            _ => Ok(Value::map(Vec::new())),
        }
    }

    /// The properties of an element, all or those of some keys; `None` of null.
    pub(super) fn fields_of(
        &self,
        element: &Value,
        keys: Option<&[Name]>,
    ) -> Result<Option<Vec<Field>>> {
        let catalog = self.context.catalog();
        let graph = self.context.graph();
        let mut fields = match element {
            Value::Null => return Ok(None),
            Value::Vertex(vertex) => graph.fields(Elements::Vertices(&[*vertex]))?,
            Value::Edge(edge) => graph.fields(Elements::Edges(&[*edge]))?,
            other => return Err(wrong_type("fields", other)),
        };
        let wanted = |field: &&Field| match keys {
            Some(keys) => keys.iter().any(|key| catalog.key(key) == Some(field.key)),
            None => true,
        };
        let shown =
            |field: &Field| Field { key: field.key, value: field.value.clone().vectors_as_lists() };
        Ok(Some(fields.swap_remove(0).iter().filter(wanted).map(shown).collect()))
    }

    /// The same as a map of their names.
    pub(super) fn property_map(&self, element: &Value, keys: Option<&[Name]>) -> Result<Value> {
        let wanted = |key: &Value| {
            keys.is_none_or(|keys| keys.iter().any(|wanted| key.as_str() == Some(wanted)))
        };
        match element {
            Value::VertexProperty(own) => {
                let Value::Map(pairs) = self.own_properties(own)? else { return Ok(Value::Null) };
                let pairs = pairs.iter().filter(|(key, _)| wanted(key));
                return Ok(Value::map(pairs.cloned().collect()));
            }
            Value::Property(_) => return Ok(Value::map(Vec::new())),
            Value::Map(pairs) => {
                let pairs = pairs.iter().filter(|(key, _)| wanted(key));
                return Ok(Value::map(pairs.cloned().collect()));
            }
            _ => {}
        }
        let Some(fields) = self.fields_of(element, keys)? else { return Ok(Value::Null) };
        let catalog = self.context.catalog();
        let named = fields.into_iter().filter_map(|field| {
            Some((Value::String(catalog.keys.name(field.key.0)?.clone()), field.value))
        });
        Ok(Value::map(named.collect()))
    }

    fn read(&self, element: Elements<'_>, key: Option<KeyId>) -> Result<Cell> {
        let Some(key) = key else { return Ok(Cell::Absent) };
        let columns = self.context.graph().gather(element, &[key])?;
        Ok(Cell::from(columns[0].get(0).map(Value::vectors_as_lists)))
    }

    /// The names of a vertex's labels.
    pub(super) fn labels(&self, vertex: VertexId) -> Result<Vec<Name>> {
        let labels = self.context.graph().labels(&[vertex])?;
        let catalog = self.context.catalog();
        let names = labels[0].iter().filter_map(|label| catalog.labels.name(label.0).cloned());
        Ok(names.collect())
    }

    /// The name of an edge's type; null if it is not there.
    pub(super) fn edge_type(&self, edge: EdgeId) -> Result<Value> {
        let ends = self.context.graph().ends(&[edge])?;
        let catalog = self.context.catalog();
        let name = ends.types.first().and_then(|kind| catalog.edge_types.name(kind.0).cloned());
        Ok(name.filter(|_| ends.exist.get(0)).map_or(Value::Null, Value::String))
    }
}
