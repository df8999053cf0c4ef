//! `dql.similar`: the nodes of a graph with the vectors that are nearest to one, by the index of a predicate.
//!
//! Which those are is the store's: it compares all of few vectors, and asks a graph of neighbours of many. Here a distance
//! is what DQL calls one, `sqrt` of the squares' sum or 1 less the cosine, both in single precision.

use std::sync::Arc;

use millrace_dql::schema::metric_name;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::schema::IndexDefinition;
use millrace_model::{
    Column, Error, ErrorKind, KeyId, Owner, Result, Value, VertexId, query_limits,
};
use millrace_plan::{Signature, ValueType};
use millrace_store::nearest::{NearestMatches, NearestQuery};
use millrace_store::{Elements, ScanCursor, non_blocking};
use millrace_terms::KeyExtractor;
use millrace_terms::vectors::{Similarity, VectorSpace};

use crate::limits::VECTORS_LOOKED_AT_TOGETHER;

/// The procedure.
pub(super) struct Similar;

/// The index that is asked.
struct Asked {
    index: IndexDefinition,
    space: VectorSpace,
    key: KeyId,
}

impl Procedure for Similar {
    fn signature(&self) -> Signature {
        let description =
            "The nodes of DQL with the vectors that are nearest to one; `similar_to` calls it.";
        Signature::reading("dql.similar", description)
            .argument("predicate", ValueType::Text)
            .argument("neighbors", ValueType::Integer)
            .argument("vector", ValueType::Any)
            .argument("ef", ValueType::Integer)
            .argument("distance_threshold", ValueType::Float)
            .yields("node", ValueType::Vertex)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let ids = match len {
            0 => Vec::new(),
            1 => similar(Arguments { columns, row: 0 }, context)?,
            count => {
                let detail = format!("similar_to takes one vector, and its variable has {count}");
                let error = Error::new(ErrorKind::BadQuery, detail);
                return Err(error.with_help("ask for one node's, as with `first: 1`"));
            }
        };
        let rows = vec![0; ids.len()];
        Ok(Yielded { rows, columns: vec![Column::vertices(ids)] })
    }
}

fn similar(arguments: Arguments<'_>, context: &Context) -> Result<Vec<VertexId>> {
    let name = arguments.must_text(0)?;
    let asked = asked(&name, context)?;
    let numbers = vector_of(&arguments.value(2))?;
    let wanted = arguments.value(1).as_int().unwrap_or_default();
    let breadth = arguments.value(3).as_int().unwrap_or_default();
    // Fewer than one are none.
    let limit = usize::try_from(wanted).unwrap_or(0);
    let vectors = [asked.space.query(&numbers)?];
    let query = NearestQuery {
        vectors: &vectors,
        limit,
        within: None,
        without: None,
        breadth: usize::try_from(breadth).unwrap_or(0),
        is_exact: false,
    };
    let mut matches = NearestMatches::default();
    context.graph().nearest(asked.index.id, &query, &mut matches)?;
    query_limits::require_room(2 * (matches.ids.len() * size_of::<u64>()) as u64)?;
    let ids: Vec<VertexId> = matches.ids.iter().map(|id| VertexId(*id)).collect();
    if ids.is_empty() && 0 < limit {
        require_none(&asked, numbers.len(), context)?;
    }
    let Value::F64(farthest) = arguments.value(4) else { return Ok(ids) };
    near(&asked, (&numbers, farthest), ids, context)
}

/// The index of a predicate, which its schema says there is.
fn asked(name: &str, context: &Context) -> Result<Asked> {
    let catalog = context.catalog();
    let key = catalog.keys.number(name).map(KeyId);
    let indexes = catalog.indexes.of_owner(Owner::AllVertices);
    let mut own = indexes
        .filter(|index| Some(index.keys.as_slice()) == key.as_ref().map(std::slice::from_ref));
    let found = own.find_map(|index| {
        let method = index.method.as_ref()?;
        match method.0.parse() {
            Ok(KeyExtractor::Vectors(space)) => Some((index.clone(), space)),
            _ => None,
        }
    });
    match (found, key) {
        (Some((index, space)), Some(key)) => Ok(Asked { index, space, key }),
        _ => {
            let detail = format!("the index of vectors of {name} is not there, or is being made");
            let error = Error::new(ErrorKind::Unavailable, detail);
            Err(error.with_help("try again; if it stays so, alter the schema of the predicate"))
        }
    }
}

fn vector_of(value: &Value) -> Result<Arc<[f32]>> {
    let text = || match value {
        Value::String(text) => format!("Value \"{text}\" is not a uid or vector"),
        other => format!("a {} is no vector", other.type_name()),
    };
    value.as_vector().ok_or_else(|| Error::new(ErrorKind::BadQuery, text()))
}

/// Requires a search that found nothing to be one in which there are no vectors: others are of another length, and a client
/// that asks with the wrong one gets an error that says so.
fn require_none(asked: &Asked, length: usize, context: &Context) -> Result<()> {
    let usage = context.graph().index_usage(&[asked.index.id])?;
    if usage.iter().all(|own| own.entries == 0) {
        return Ok(());
    }
    let (mut cursor, mut some) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        some.clear();
        context.graph().scan_vertices(None, &mut cursor, VECTORS_LOOKED_AT_TOGETHER, &mut some)?;
        context.check()?;
        non_blocking::walk(some.len())?;
        let values = context.graph().gather(Elements::Vertices(&some), &[asked.key])?;
        let is_other = |row: usize| {
            let value = values.first().and_then(|column| column.get(row));
            value.and_then(|value| value.as_vector()).is_some_and(|own| own.len() != length)
        };
        if (0..some.len()).any(is_other) {
            let metric = match asked.space.similarity {
                Similarity::DotProduct => "dot product".to_owned(),
                _ => format!("{} distance", metric_name(&asked.space)),
            };
            let detail = format!("can not compute {metric} on vectors of different lengths");
            let error = Error::new(ErrorKind::BadQuery, detail);
            return Err(error.with_help(format!("no vector of the predicate has {length} numbers")));
        }
    }
    Ok(())
}

/// Those that are no farther. A product is no distance, and all are near.
fn near(
    asked: &Asked,
    (numbers, farthest): (&[f32], f64),
    ids: Vec<VertexId>,
    context: &Context,
) -> Result<Vec<VertexId>> {
    if asked.space.similarity == Similarity::DotProduct {
        return Ok(ids);
    }
    let mut near = Vec::new();
    for some in ids.chunks(VECTORS_LOOKED_AT_TOGETHER) {
        let values = context.graph().gather(Elements::Vertices(some), &[asked.key])?;
        query_limits::step((some.len() * (1 + numbers.len() / 16)) as u64)?;
        for (row, id) in some.iter().enumerate() {
            let own = values.first().and_then(|column| column.get(row));
            let own = own.and_then(|value| value.as_vector());
            let distance = own.map(|own| distance(asked.space.similarity, numbers, &own));
            if distance.is_some_and(|distance| f64::from(distance) <= farthest) {
                near.push(*id);
            }
        }
    }
    Ok(near)
}

/// The distance of two vectors of one length.
fn distance(similarity: Similarity, one: &[f32], other: &[f32]) -> f32 {
    let pairs = || one.iter().zip(other).map(|(a, b)| (f64::from(*a), f64::from(*b)));
    if similarity == Similarity::Euclidean {
        return pairs().map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() as f32;
    }
    let (mut product, mut squares) = (0.0, (0.0, 0.0));
    for (a, b) in pairs() {
        product += a * b;
        squares = (squares.0 + a * a, squares.1 + b * b);
    }
    1.0 - (product / (squares.0 * squares.1).sqrt()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_dgraph() {
        let of = |similarity, one: [f32; 2], other: [f32; 2]| distance(similarity, &one, &other);
        assert_eq!(of(Similarity::Euclidean, [1.0, 0.0], [4.0, 4.0]), 5.0);
        assert_eq!(of(Similarity::Cosine, [1.0, 0.0], [0.0, 3.0]), 1.0);
        assert_eq!(of(Similarity::Cosine, [0.1, 0.3], [0.7, 2.1]), 0.0, "of one direction");
        assert_eq!(of(Similarity::Cosine, [1.0, 2.0], [-2.0, -4.0]), 2.0);
    }
}
