//! `db.index.vector.queryNodes` and `queryRelationships`: the elements with the vectors nearest to one, with scores; and
//! the procedures that set vectors.
//!
//! Rows that ask one index for equally many are one search.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::schema::IndexDefinition;
use millrace_model::{
    Column, EdgeId, Error, ErrorKind, KeyId, Result, Value, VertexId, query_limits,
};
use millrace_plan::{Name, Signature, ValueType, WriteCounts, nearest};
use millrace_store::nearest::{NearestMatches, NearestQuery};
use millrace_store::{IndexUsage, NameKind, non_blocking};
use millrace_terms::vectors::{Similarity, VectorQuery, VectorSpace};
use rustc_hash::FxHashSet;

use super::made::Made;
use super::options::{pairs, unknown, wrong};
use super::rule::What;
use super::rules::{Named, indexes_of, rule_named, rules};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// `db.index.vector.queryNodes`.
pub(super) const QUERY_NODES: QueryIndex = QueryIndex { is_of_edges: false };

/// `db.index.vector.queryRelationships`.
pub(super) const QUERY_RELATIONSHIPS: QueryIndex = QueryIndex { is_of_edges: true };

/// `db.create.setNodeVectorProperty`.
pub(super) const SET_NODE: SetVector = SetVector {
    name: "db.create.setNodeVectorProperty",
    element: ValueType::Vertex,
    yields: false,
};

/// `db.create.setRelationshipVectorProperty`.
pub(super) const SET_RELATIONSHIP: SetVector = SetVector {
    name: "db.create.setRelationshipVectorProperty",
    element: ValueType::Edge,
    yields: false,
};

/// `db.create.setVectorProperty`, as versions of Neo4j before 5.13 have it.
pub(super) const SET_OLD: SetVector =
    SetVector { name: "db.create.setVectorProperty", element: ValueType::Vertex, yields: true };

/// The option of a search that names the only elements that count.
const WITHIN: &str = "within";

/// The option of a search that compares each vector.
const EXACT: &str = "exact";

/// A search in a vector index.
pub(super) struct QueryIndex {
    is_of_edges: bool,
}

/// A procedure that sets a vector.
pub(super) struct SetVector {
    name: &'static str,
    element: ValueType,
    yields: bool,
}

impl Procedure for QueryIndex {
    fn signature(&self) -> Signature {
        let (name, description, column, kind) = match self.is_of_edges {
            false => (
                "db.index.vector.queryNodes",
                "The nodes of a vector index that are nearest to a vector, the nearest first.",
                "node",
                ValueType::Vertex,
            ),
            true => (
                "db.index.vector.queryRelationships",
                "The relationships of a vector index that are nearest to a vector, the nearest first.",
                "relationship",
                ValueType::Edge,
            ),
        };
        Signature::reading(name, description)
            .argument("indexName", ValueType::Text)
            .argument("numberOfNearestNeighbours", ValueType::Integer)
            .argument("query", ValueType::List)
            .optional("options", ValueType::Map)
            .yields(column, kind)
            .yields("score", ValueType::Float)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        self.answer(columns, len, context).map_err(|error| match error.kind {
            // The code that Neo4j gives to each.
            ErrorKind::BadInput | ErrorKind::NotFound => error.with_name("ProcedureCallFailed"),
            _ => error,
        })
    }
}

/// What rows of one search have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    index: Name,
    limit: usize,
    /// The only elements that count, if some are given.
    within: Option<Vec<u64>>,
    is_exact: bool,
}

impl QueryIndex {
    fn answer(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let mut searches: BTreeMap<Asked, Vec<(usize, Value)>> = BTreeMap::new();
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let (within, is_exact) = self.options(&arguments.value(3))?;
            let asked = Asked {
                index: arguments.must_text(0)?,
                limit: count_of(&arguments.value(1))?,
                within,
                is_exact,
            };
            searches.entry(asked).or_default().push((row, arguments.value(2)));
        }
        let mut found: Vec<(usize, u64, f64)> = Vec::new();
        for (Asked { index: name, limit, within, is_exact }, asked) in searches {
            let (index, space) = self.index(&name, context)?;
            let within = within.map(|ids| ids.into_iter().collect::<FxHashSet<u64>>());
            let vectors = asked.iter().map(|(_, vector)| {
                space.query(&numbers_of(vector)?).map_err(|error| {
                    let detail = format!("the vector index '{name}': {}", error.detail);
                    Error { detail, ..error }
                })
            });
            let vectors = vectors.collect::<Result<Vec<_>>>()?;
            let together = together(&index, limit, &vectors, context)?;
            for (vectors, asked) in vectors.chunks(together).zip(asked.chunks(together)) {
                context.check()?;
                let query = NearestQuery {
                    vectors,
                    limit,
                    within: within.as_ref(),
                    without: None,
                    breadth: 0,
                    is_exact,
                };
                let mut matches = NearestMatches::default();
                context.graph().nearest(index.id, &query, &mut matches)?;
                let rows = matches.rows.iter().zip(&matches.ids).zip(&matches.nearness);
                found.extend(rows.map(|((row, id), nearness)| {
                    let row = *row as usize;
                    (asked[row].0, *id, vectors[row].score(*nearness))
                }));
                // Twice, as it is put into columns.
                let bytes = 2 * found.len() * size_of::<(usize, u64, f64)>();
                query_limits::require_room(bytes as u64)?;
            }
        }
        // Stable: the nearest first.
        query_limits::step(found.len() as u64)?;
        found.sort_by_key(|(row, ..)| *row);
        let ids = found.iter().map(|(_, id, _)| *id);
        let elements = match self.is_of_edges {
            true => Column::edges(ids.map(EdgeId).collect()),
            false => Column::vertices(ids.map(VertexId).collect()),
        };
        let scores = Column::from_values(found.iter().map(|(.., score)| Value::F64(*score)));
        let rows = found.iter().map(|(row, ..)| *row as u32).collect();
        Ok(Yielded { rows, columns: vec![elements, scores] })
    }

    /// What options ask for that Neo4j has not: the nearest of some elements, as many as there are, and a comparison with
    /// each vector.
    fn options(&self, options: &Value) -> Result<(Option<Vec<u64>>, bool)> {
        let (mut within, mut is_exact) = (None, false);
        for (name, value) in pairs(options, "options")? {
            match (&*name, value) {
                (EXACT, Value::Bool(exact)) => is_exact = exact,
                (EXACT, other) => return Err(wrong(EXACT, "a boolean", &other)),
                (WITHIN, Value::List(elements)) => within = Some(self.ids_of(&elements)?),
                (WITHIN, other) => return Err(wrong(WITHIN, "a list of elements", &other)),
                (other, _) => {
                    return Err(unknown(other, "a search for vectors", &[WITHIN, EXACT]));
                }
            }
        }
        Ok((within, is_exact))
    }

    fn ids_of(&self, elements: &[Value]) -> Result<Vec<u64>> {
        query_limits::step(elements.len() as u64)?;
        query_limits::require_room((elements.len() * 4 * size_of::<u64>()) as u64)?;
        let id = |element: &Value| match element {
            Value::Vertex(vertex) if !self.is_of_edges => Ok(vertex.0),
            Value::Edge(edge) if self.is_of_edges => Ok(edge.0),
            other => Err(wrong(WITHIN, "a list of elements of the index", other)),
        };
        elements.iter().map(id).collect()
    }

    /// The index of a name, which must be one of vectors, and ready.
    fn index(&self, name: &Name, context: &Context) -> Result<(IndexDefinition, VectorSpace)> {
        let catalog = context.catalog();
        let known = rule_named(&catalog, name);
        let is_meant = |own: &Named| {
            matches!(own.rule.what, What::Made(Made::Vector(_)))
                && own.rule.is_relationship() == self.is_of_edges
        };
        let known = match known {
            Some(own) if is_meant(&own) => Ok(own),
            Some(own) => Err(Some(own)),
            None => Err(None),
        };
        let named = known.map_err(|other| {
            let detail = format!("There is no such vector schema index: {name}");
            let error = Error::new(ErrorKind::NotFound, detail);
            if let Some(other) = other {
                return error.with_help(other_index(&other, self.is_of_edges));
            }
            let all = rules(&catalog);
            let names = all.iter().filter(|own| is_meant(own)).map(|own| &*own.name);
            match nearest(name, names) {
                Some(near) => error.with_help(format!("the nearest name is `{near}`")),
                None => error
                    .with_help("`SHOW VECTOR INDEXES` lists them; `CREATE VECTOR INDEX` makes one"),
            }
        })?;
        let ids = indexes_of(&catalog, &named.rule);
        let index = ids.first().and_then(|id| catalog.indexes.get(id));
        match (index, named.rule.what) {
            (Some(index), What::Made(Made::Vector(space))) => Ok((index.clone(), space)),
            _ => {
                let usage = context.graph().index_usage(&ids)?;
                let percent = usage.iter().map(IndexUsage::percent).fold(100.0, f64::min);
                let detail = format!("the vector index '{name}' is being built: {percent:.1} %");
                let error = Error::new(ErrorKind::Unavailable, detail);
                Err(error.with_help("`SHOW INDEXES` says how far it is"))
            }
        }
    }
}

/// Multiplications between two looks at the limits of the query: less than a second of one core.
const NUMBERS_TOGETHER: u64 = 1 << 31;

/// Elements that are found between two looks.
const FOUND_TOGETHER: u64 = 1 << 18;

/// Vectors of one search of the store, where a graph of neighbours makes each a short one.
const VECTORS_TOGETHER: u64 = 16;

/// How many vectors are one search of the store: it looks at the limits of the query now and then, and holds what all
/// of them found.
fn together(
    index: &IndexDefinition,
    limit: usize,
    vectors: &[VectorQuery],
    context: &Context,
) -> Result<usize> {
    let usage = context.graph().index_usage(&[index.id])?;
    let entries = usage.iter().map(|own| own.entries).sum::<u64>().max(1);
    let bytes = vectors.iter().map(VectorQuery::key_bytes).max().unwrap_or(1).max(1);
    let numbers = entries * bytes as u64 / size_of::<f32>() as u64;
    let compared = (NUMBERS_TOGETHER / numbers.max(1)).max(VECTORS_TOGETHER);
    let held = (FOUND_TOGETHER / entries.min(limit as u64)).max(1);
    Ok(usize::try_from(compared.min(held)).unwrap_or(usize::MAX))
}

/// How to ask an index of another kind, or of other elements.
fn other_index(other: &Named, is_of_edges: bool) -> String {
    let name = &other.name;
    let of = if other.rule.is_relationship() { "relationships" } else { "nodes" };
    let calls = if is_of_edges { "queryNodes" } else { "queryRelationships" };
    match other.rule.what {
        What::Made(Made::Vector(_)) => {
            format!("`{name}` is a vector index of {of}: call `db.index.vector.{calls}`")
        }
        What::Made(Made::Fulltext(_)) => {
            let calls = if of == "nodes" { "queryNodes" } else { "queryRelationships" };
            format!("`{name}` is a full-text index: call `db.index.fulltext.{calls}`")
        }
        _ => format!("`{name}` is no index of vectors: `SHOW VECTOR INDEXES` lists these"),
    }
}

fn count_of(value: &Value) -> Result<usize> {
    // Neo4j takes a float, too, and cuts it off: one with a fraction was not meant.
    let whole = |number: &f64| number.fract() == 0.0 && number.abs() < 9e15;
    let count = match value {
        Value::F64(number) if whole(number) => Some(*number as i64),
        other => other.as_int(),
    };
    match count {
        Some(count) if 0 < count => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
        _ => {
            let detail = "'numberOfNearestNeighbours' must be an integer above zero";
            Err(Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue"))
        }
    }
}

/// The numbers of a list, in single precision.
fn numbers_of(value: &Value) -> Result<Arc<[f32]>> {
    value.as_vector().ok_or_else(|| {
        let given = match value {
            Value::List(_) => "a list with other values",
            other => other.type_name(),
        };
        let detail = format!("a vector is a list of numbers, and this is {given}");
        Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
    })
}

impl Procedure for SetVector {
    fn signature(&self) -> Signature {
        let (element, of) = match self.element {
            ValueType::Edge => ("relationship", "a relationship"),
            _ => ("node", "a node"),
        };
        let description = format!(
            "Sets a property of {of} to a vector: a list of numbers, kept in single precision."
        );
        let signature = Signature::reading(self.name, &description)
            .argument(element, self.element)
            .argument("key", ValueType::Text)
            .argument("vector", ValueType::List)
            .writing();
        if self.yields { signature.yields("node", ValueType::Vertex) } else { signature }
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        let any = VectorSpace::new(None, Similarity::Euclidean)?;
        let mut by_key: BTreeMap<Name, (Vec<u64>, Vec<Value>)> = BTreeMap::new();
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let id = match (arguments.value(0), self.element) {
                (Value::Edge(edge), ValueType::Edge) => edge.0,
                (Value::Vertex(vertex), ValueType::Vertex) => vertex.0,
                (other, _) => {
                    let detail =
                        format!("argument 1 of `{}` is a {}", self.name, other.type_name());
                    return Err(
                        Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
                    );
                }
            };
            let vector = arguments.value(2);
            query_limits::step(query_limits::work_of(&vector))?;
            let numbers = numbers_of(&vector)?;
            any.check(&numbers)?;
            let (ids, values) = by_key.entry(arguments.must_text(1)?).or_default();
            ids.push(id);
            values.push(Value::Vector(numbers));
        }
        for (name, (ids, values)) in by_key {
            let numbers = context.transaction()?.intern(&[(NameKind::Key, &name)])?;
            context.refresh_catalog();
            let key = numbers.first().copied().map(KeyId);
            let key = key.ok_or_else(|| Error::new(ErrorKind::Bug, "a store numbers each name"))?;
            let properties_set = values.len() as u64;
            let values = Column::from_values(values);
            match self.element {
                ValueType::Edge => {
                    let edges: Vec<EdgeId> = ids.into_iter().map(EdgeId).collect();
                    context.transaction()?.set_edge_properties(key, &edges, &values)?;
                }
                _ => {
                    let vertices: Vec<VertexId> = ids.into_iter().map(VertexId).collect();
                    context.transaction()?.set_vertex_properties(key, &vertices, &values)?;
                }
            }
            context.count_writes(WriteCounts { properties_set, ..WriteCounts::default() });
        }
        let mut yielded = Yielded::void(len);
        if self.yields {
            yielded.columns = vec![columns[0].as_ref().clone()];
        }
        Ok(yielded)
    }
}
