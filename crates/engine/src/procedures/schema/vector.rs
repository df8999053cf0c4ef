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
use super::made::Made;
use super::options::{CONFIG, PROVIDER, check_provider, pairs, unknown, wrong};
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
    let (mut similarity, mut dimensions) = (Similarity::Cosine, None);
    let default = VectorSpace::new(None, similarity)?;
    let mut config = Value::Null;
    for (name, value) in pairs(options, "OPTIONS")? {
        match &*name {
            PROVIDER => check_provider(What::Made(Made::Vector(default)), &value)?,
            CONFIG => config = value,
            other => return Err(unknown(other, "`OPTIONS` of an index", &[PROVIDER, CONFIG])),
        }
    }
    let GraphDegrees { links, candidates } = GraphDegrees::default();
    let (mut links, mut candidates) = (u64::from(links), u64::from(candidates));
    for (name, value) in pairs(&config, CONFIG)? {
        match &*name.to_lowercase() {
            DIMENSIONS => dimensions = Some(whole(DIMENSIONS, &value)?),
            SIMILARITY => match &value {
                Value::String(name) => similarity = Similarity::named(name)?,
                other => return Err(wrong(SIMILARITY, "a text", other)),
            },
            LINKS => links = whole(LINKS, &value)?,
            CANDIDATES => candidates = whole(CANDIDATES, &value)?,
            // The numbers are kept as they are, which answers no worse.
            QUANTIZATION if matches!(value, Value::Bool(_)) => {}
            QUANTIZATION => return Err(wrong(QUANTIZATION, "a boolean", &value)),
            _ => {
                let known = [DIMENSIONS, SIMILARITY, LINKS, CANDIDATES, QUANTIZATION];
                return Err(unknown(&name, "the configuration of a vector index", &known));
            }
        }
    }
    VectorSpace::new(dimensions, similarity)?.with_degrees(links, candidates)
}

/// The settings of vectors, as `SHOW INDEXES` has them.
pub(super) fn config(space: VectorSpace) -> Vec<(Value, Value)> {
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
    pairs
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

fn whole(name: &str, value: &Value) -> Result<u64> {
    let Some(int) = value.as_int() else { return Err(wrong(name, "an integer", value)) };
    u64::try_from(int).map_err(|_| {
        let detail = format!("`{name}` is {int}, and must be above zero");
        Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
    })
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
            let what = What::Made(Made::Vector(VectorSpace::new(Some(dimensions), similarity)?));
            let owner = OwnerName::Label(arguments.must_text(1)?);
            let rule = Rule::of(what, owner, vec![arguments.must_text(2)?]);
            create_rule(Some(&arguments.must_text(0)?), (false, false), rule, context)?;
        }
        Ok(Yielded::void(len))
    }
}
