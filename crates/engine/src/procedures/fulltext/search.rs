//! `db.index.fulltext.queryNodes` and `queryRelationships`: the elements that match a query in Lucene's words, by falling
//! score.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use millrace_model::{Column, EdgeId, Error, ErrorKind, Result, Value, VertexId, query_limits};
use millrace_plan::{Signature, ValueType};
use millrace_terms::Analyzer;
use millrace_terms::query::{self, WordQuery};

use super::corpus::Corpus;
use crate::context::{Arguments, Context, Procedure, RowStream, Yielded};
use crate::procedures::schema::{Fulltext, fulltext_index};

/// `db.index.fulltext.queryNodes`.
pub(super) const QUERY_NODES: Search = Search {
    name: "db.index.fulltext.queryNodes",
    description: "The nodes of a full-text index that match a query, by falling score.",
    are_edges: false,
};

/// `db.index.fulltext.queryRelationships`.
pub(super) const QUERY_RELATIONSHIPS: Search = Search {
    name: "db.index.fulltext.queryRelationships",
    description: "The relationships of a full-text index that match a query, by falling score.",
    are_edges: true,
};

/// A search.
pub(super) struct Search {
    name: &'static str,
    description: &'static str,
    are_edges: bool,
}

impl Procedure for Search {
    fn signature(&self) -> Signature {
        let (element, kind) = match self.are_edges {
            true => ("relationship", ValueType::Edge),
            false => ("node", ValueType::Vertex),
        };
        Signature::reading(self.name, self.description)
            .argument("indexName", ValueType::Text)
            .argument("queryString", ValueType::Text)
            .optional("options", ValueType::Map)
            .yields(element, kind)
            .yields("score", ValueType::Float)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        Yielded::of_streams(self, columns, len, context)
    }

    fn streams(&self) -> bool {
        true
    }

    fn open(&self, arguments: Arguments<'_>, context: &Context) -> Result<Box<dyn RowStream>> {
        let name = arguments.must_text(0)?;
        let text = arguments.must_text(1)?;
        let index = fulltext_index(context, &name, self.are_edges)?;
        let asked = Asked::of(&arguments.value(2))?;
        let analyzer = asked.analyzer.unwrap_or(index.analyzer);
        let query = query::parse(&text).map_err(as_lucene_says)?.analyzed(analyzer, None)?;
        let corpus = index.corpus(context)?;
        let mut found = corpus.evaluate(&query)?;
        let wanted = asked.skip.saturating_add(asked.limit);
        let is_exact = corpus.is_exact();
        if is_exact && wanted < found.len() {
            query_limits::select_by(&mut found, wanted, by_score, |_, _| 1)?;
            found.truncate(wanted);
        }
        let bytes = found.len() * size_of::<Ranked>();
        context.charge(bytes as i64)?;
        let ranked: Vec<Ranked> = found.into_iter().map(Ranked).collect();
        Ok(Box::new(Hits {
            rest: BinaryHeap::from(ranked),
            index: (!is_exact).then_some((index, query)),
            are_edges: self.are_edges,
            skip: asked.skip,
            left: asked.limit,
            bytes,
        }))
    }
}

/// What the options of a search say.
struct Asked {
    skip: usize,
    limit: usize,
    analyzer: Option<Analyzer>,
}

impl Asked {
    fn of(options: &Value) -> Result<Asked> {
        let mut asked = Asked { skip: 0, limit: usize::MAX, analyzer: None };
        let Value::Map(pairs) = options else { return Ok(asked) };
        for (key, value) in pairs.iter() {
            let name = key.as_str().unwrap_or_default();
            let wrong = |wanted: &str| {
                let detail = format!(
                    "the option `{name}` must be {wanted}, and is of type {}",
                    value.type_name()
                );
                Error::new(ErrorKind::BadInput, detail).with_name("ProcedureCallFailed")
            };
            // Neo4j cuts a float off, and leaves out what is no number: that would give rows that were not asked for.
            let whole = || match value {
                Value::I64(count) => Some(*count),
                Value::F64(count) if count.fract() == 0.0 && count.abs() < 9e15 => {
                    Some(*count as i64)
                }
                _ => None,
            };
            let count = || {
                let count = whole().ok_or_else(|| wrong("a whole number"))?;
                usize::try_from(count).map_err(|_| {
                    let detail = format!("the option `{name}` cannot be negative: {count}");
                    Error::new(ErrorKind::BadInput, detail).with_name("ProcedureCallFailed")
                })
            };
            match (name, value) {
                (_, Value::Null) => {}
                ("skip", _) => asked.skip = count()?,
                ("limit", _) => asked.limit = count()?,
                ("analyzer", Value::String(name)) => {
                    let known = Analyzer::named(name);
                    let known = known.map_err(|error| error.with_name("ProcedureCallFailed"))?;
                    asked.analyzer = Some(known);
                }
                ("analyzer", _) => return Err(wrong("a text")),
                _ => {
                    let detail = format!("a search has no option `{name}`");
                    let error =
                        Error::new(ErrorKind::BadInput, detail).with_name("ProcedureCallFailed");
                    return Err(error.with_help("it has `skip`, `limit` and `analyzer`"));
                }
            }
        }
        Ok(asked)
    }
}

/// The error of a query that cannot be read. neo4j-graphrag and others know it by the name of Lucene's exception in its text.
fn as_lucene_says(mut error: Error) -> Error {
    error.detail.push_str(" (org.apache.lucene.queryparser.classic.ParseException)");
    error.with_name("ProcedureCallFailed")
}

/// An element with its score; of two the greater one comes first: that of the higher score, then of the lower id.
struct Ranked((u64, f64));

fn by_score(one: &(u64, f64), other: &(u64, f64)) -> Ordering {
    other.1.total_cmp(&one.1).then(one.0.cmp(&other.0))
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        by_score(&other.0, &self.0)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// What a search found and was not read yet.
struct Hits {
    rest: BinaryHeap<Ranked>,
    /// The index and the query, where records judge.
    index: Option<(Fulltext, WordQuery)>,
    are_edges: bool,
    skip: usize,
    left: usize,
    bytes: usize,
}

impl RowStream for Hits {
    fn next(&mut self, rows_max: usize, context: &Context) -> Result<Option<Vec<Column>>> {
        let wanted = rows_max.min(self.left);
        let mut rows = Vec::new();
        while rows.len() < wanted {
            let count = (self.skip + wanted - rows.len()).min(READ_MAX);
            let mut next: Vec<(u64, f64)> =
                (0..count).map_while(|_| self.rest.pop().map(|Ranked(own)| own)).collect();
            query_limits::step(next.len() as u64)?;
            if next.is_empty() {
                break;
            }
            if let Some((index, query)) = &self.index {
                index.judge(query, &mut next, context)?;
            }
            let skipped = self.skip.min(next.len());
            self.skip -= skipped;
            rows.extend(next.into_iter().skip(skipped));
        }
        self.left -= rows.len();
        if rows.is_empty() {
            self.rest = BinaryHeap::new();
            context.charge(-(std::mem::take(&mut self.bytes) as i64))?;
            return Ok(None);
        }
        let ids = rows.iter().map(|(id, _)| *id);
        let elements = match self.are_edges {
            true => Column::edges(ids.map(EdgeId).collect()),
            false => Column::vertices(ids.map(VertexId).collect()),
        };
        let scores = rows.iter().map(|(_, score)| Value::F64(*score));
        Ok(Some(vec![elements, Column::from_values(scores)]))
    }
}

/// Elements that are taken, and judged, together.
const READ_MAX: usize = 1_024;

impl Fulltext {
    /// What a search of this index asks.
    fn corpus<'s>(&self, context: &'s Context) -> Result<Corpus<'s>> {
        Corpus::new(context.graph(), self.indexes.clone(), self.fields.clone(), self.analyzer)
    }

    /// Keeps those whose records match.
    fn judge(
        &self,
        query: &WordQuery,
        found: &mut Vec<(u64, f64)>,
        context: &Context,
    ) -> Result<()> {
        let corpus = self.corpus(context)?;
        let ids: Vec<u64> = found.iter().map(|(id, _)| *id).collect();
        let fields: Vec<usize> = (0..self.fields.len()).collect();
        let mut is_match = Vec::with_capacity(ids.len());
        for (covered, fields) in
            corpus.are_covered(&ids)?.into_iter().zip(corpus.words_of(&ids, &fields)?)
        {
            is_match.push(covered && query.matches(&fields)?);
        }
        let mut is_match = is_match.into_iter();
        found.retain(|_| is_match.next().unwrap_or(false));
        Ok(())
    }
}
