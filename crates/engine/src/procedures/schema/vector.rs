//! Options of a vector index, as Neo4j writes them; and the command of versions before `CREATE VECTOR INDEX`.
//!
//! ```text
//!   {indexConfig: {`vector.dimensions`: 768, `vector.similarity_function`: 'cosine'}, indexProvider: 'vector-2.0'}
//! ```

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{OwnerName, Signature, ValueType};
use millrace_terms::vectors::{GraphDegrees, Similarity, VectorSpace};

use super::create::create_rule;
use super::rule::{Rule, What};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The settings of `indexConfig`.
const DIMENSIONS: &str = "vector.dimensions";
const SIMILARITY: &str = "vector.similarity_function";
const LINKS: &str = "vector.hnsw.m";
const CANDIDATES: &str = "vector.hnsw.ef_construction";
const QUANTIZATION: &str = "vector.quantization.enabled";

/// The vectors that options ask for.
pub(super) fn space_of(options: &Value) -> Result<VectorSpace> {
    let mut config = Value::Null;
    for (name, value) in pairs(options, "`OPTIONS`")? {
        match name.as_str() {
            Some("indexConfig") => config = value,
            Some("indexProvider") => {}
            _ => return Err(unknown(&name, "indexConfig, indexProvider")),
        }
    }
    let (mut dimensions, mut similarity) = (None, Similarity::Cosine);
    let degrees = GraphDegrees::default();
    let (mut links, mut candidates) = (u64::from(degrees.links), u64::from(degrees.candidates));
    for (name, value) in pairs(&config, "`indexConfig`")? {
        let is = |own: &str| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(own));
        if is(DIMENSIONS) {
            dimensions = Some(whole(DIMENSIONS, &value)?);
        } else if is(SIMILARITY) {
            similarity = match &value {
                Value::String(name) => Similarity::named(name)?,
                other => return Err(wrong(SIMILARITY, "a text", other)),
            };
        } else if is(LINKS) {
            links = whole(LINKS, &value)?;
        } else if is(CANDIDATES) {
            candidates = whole(CANDIDATES, &value)?;
        } else if is(QUANTIZATION) {
            // The numbers are kept as they are, which answers no worse.
            if !matches!(value, Value::Bool(_)) {
                return Err(wrong(QUANTIZATION, "a boolean", &value));
            }
        } else {
            let all = [DIMENSIONS, SIMILARITY, LINKS, CANDIDATES, QUANTIZATION].join(", ");
            return Err(unknown(&name, &all));
        }
    }
    VectorSpace::new(dimensions, similarity)?.with_degrees(links, candidates)
}

/// The settings of vectors, as `SHOW INDEXES` has them.
pub(super) fn config(space: VectorSpace) -> Value {
    let text = Value::from;
    let number = |number: u16| Value::I64(i64::from(number));
    let mut pairs = Vec::new();
    pairs.extend(space.dimensions.map(|count| (text(DIMENSIONS), number(count))));
    pairs.extend([
        (text(CANDIDATES), number(space.degrees.candidates)),
        (text(LINKS), number(space.degrees.links)),
        (text(QUANTIZATION), Value::Bool(false)),
        (text(SIMILARITY), text(&space.similarity.to_string().to_uppercase())),
    ]);
    Value::map(pairs)
}

/// The same as the options of a command.
pub(super) fn written_options(space: VectorSpace) -> String {
    let mut settings = Vec::new();
    settings.extend(space.dimensions.map(|count| format!("`{DIMENSIONS}`: {count}")));
    if space.degrees != GraphDegrees::default() {
        settings.push(format!("`{CANDIDATES}`: {}", space.degrees.candidates));
        settings.push(format!("`{LINKS}`: {}", space.degrees.links));
    }
    settings.push(format!("`{SIMILARITY}`: '{}'", space.similarity));
    format!("OPTIONS {{indexConfig: {{{}}}}}", settings.join(", "))
}

fn pairs(value: &Value, what: &str) -> Result<Vec<(Value, Value)>> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Map(pairs) => Ok(pairs.to_vec()),
        other => Err(wrong(what, "a map", other)),
    }
}

fn whole(name: &str, value: &Value) -> Result<u64> {
    value.as_int().and_then(|int| u64::try_from(int).ok()).ok_or_else(|| match value.as_int() {
        Some(int) => bad(
            format!("`{name}` is {int}, and must be above zero"),
            "give the number of your vectors",
        ),
        None => wrong(name, "an integer", value),
    })
}

fn unknown(name: &Value, all: &str) -> Error {
    let shown = name.as_str().map_or_else(|| name.type_name().to_owned(), ToOwned::to_owned);
    bad(format!("`{shown}` is no option of a vector index"), &format!("the options are {all}"))
}

fn wrong(name: &str, wanted: &str, given: &Value) -> Error {
    let detail = format!("`{name}` must be {wanted}, and is of type {}", given.type_name());
    bad(detail, "see `CREATE VECTOR INDEX` in the guide on Neo4j")
}

fn bad(detail: String, help: &str) -> Error {
    Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue").with_help(help)
}

/// `db.index.vector.createNodeIndex`.
pub(super) struct CreateNodeIndex;

impl Procedure for CreateNodeIndex {
    fn signature(&self) -> Signature {
        let description = "Makes a vector index of nodes, as versions of Neo4j before 5.15 do; \
                           `CREATE VECTOR INDEX` in others.";
        Signature::reading("db.index.vector.createNodeIndex", description)
            .argument("indexName", ValueType::Text)
            .argument("label", ValueType::Text)
            .argument("propertyKey", ValueType::Text)
            .argument("vectorDimension", ValueType::Integer)
            .argument("vectorSimilarityFunction", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let dimensions = whole(DIMENSIONS, &arguments.value(3))?;
            let similarity = Similarity::named(&arguments.must_text(4)?)?;
            let what = What::Vector(VectorSpace::new(Some(dimensions), similarity)?);
            let owner = OwnerName::Label(arguments.must_text(1)?);
            let rule = Rule { what, owner, keys: vec![arguments.must_text(2)?] };
            create_rule(rule, arguments.must_text(0)?, context)?;
        }
        Ok(Yielded::void(len))
    }
}
