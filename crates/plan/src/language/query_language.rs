//! The interface of a query language: text to statements, statements to plans, rows to results.
//!
//! ```text
//!   text ──normalize──> normalized query ──parse──> Script
//!                                                     │ bind: variables
//!                                                     v
//!   results <──present── rows <──engine── Compiled <──compile── Normalized + values of its slots
//! ```
//!
//! A language is a crate that implements these traits, and one line in the registry of `db`. It knows values
//! and plans. Sessions, transactions, retries, the statement cache and results are shared by all languages and
//! live in `db`.

use std::any::Any;
use std::fmt::Debug;
use std::hash::Hasher;
use std::sync::Arc;

use millrace_model::{
    Batch, Catalog, ElementDetail, Error, ErrorKind, Profile, Result, TextPosition, Value,
};

use crate::language::{Completion, Explanation, Runner, Signatures};
use crate::plan::{Hints, Mentioned, Plan};

/// A query language.
pub trait Language: Send + Sync {
    /// Its name in requests, metrics and logs.
    fn name(&self) -> &'static str;

    /// Names of the default graph in its texts; the first stands for it even where a graph has this name.
    fn default_graph_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The one of [`Language::default_graph_names`] that only commands are sent to, if there is one.
    fn command_graph_name(&self) -> Option<&'static str> {
        None
    }

    /// Whether names of graphs in its texts that differ in the case of ASCII letters only mean the same.
    fn ignores_case_of_graphs(&self) -> bool {
        false
    }

    /// The text with literals replaced by parameter slots; `None`: it has none, or is read as it stands.
    fn normalize(&self, text: &str) -> Option<NormalizedQuery>;

    /// Parses a text.
    fn parse(&self, text: &str) -> Result<Box<dyn Script>>;

    /// Parses a normalized text, if it and its literals have exactly the meaning of `text`.
    fn parse_normalized(&self, normalized: &NormalizedQuery, text: &str)
    -> Option<Box<dyn Script>>;

    /// Where a position of the normalized text is in the text it was made from.
    fn original_position(&self, text: &str, position: TextPosition) -> TextPosition;

    /// The text that gives the profile of this one in place of its rows.
    fn profiled(&self, text: &str) -> String;

    /// Where a position of the profiled text is in the text it was made from.
    fn unprofiled_position(&self, position: TextPosition) -> TextPosition {
        position
    }

    /// Completions at an offset of a text (in bytes, between two characters), from the words of the language
    /// and the names of a graph.
    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion>;
}

/// A text with slots in place of its literals.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalizedQuery {
    /// The text with slots. Each slot has a name that [`slot_index`] reads.
    pub text: String,
    /// The literals, in order.
    pub literals: Vec<Value>,
}

/// The prefix of the names of slots: `$`, a letter for the type of the literal, and its index.
pub const SLOT_PREFIX: char = '$';

/// The index of a slot by its name; `None`: the name is that of a variable.
pub fn slot_index(name: &str) -> Option<usize> {
    name.strip_prefix(SLOT_PREFIX)?.get(1..)?.parse().ok()
}

/// Statements of one request, parsed; it holds no values of variables, so one is cached for all of them.
pub trait Script: Send + Sync {
    /// Its statements, in order; the result of the last statement is the result of the request.
    fn statements(&self) -> &[Statement];

    /// Its text for a log; instructions are written as a text would be.
    fn text(&self) -> String;

    /// Refuses a variable without a value, before the first statement runs.
    fn check_variables(&self, is_known: &dyn Fn(&str) -> bool) -> Result<()>;

    /// The value of a name that has another one whenever it is asked for: the time, a random id.
    fn generate(&self, name: &str) -> Option<Value>;

    /// The value of a statement of kind [`StatementKind::Value`].
    fn value(&self, statement: usize, scope: &dyn Scope) -> Result<Value>;

    /// A query with the values of its variables apart.
    fn bind(&self, statement: usize, scope: &mut dyn Scope) -> Result<Bound>;

    /// The result of a query, made of its plan's outcome. A result of more than `bytes_max` bytes is refused.
    fn present(&self, statement: usize, outcome: Outcome, bytes_max: u64) -> Result<Presented>;

    /// Refuses a statement that cannot be run where only commands are, as in Neo4j's database `system`.
    fn check_command(&self, _statement: usize) -> Result<()> {
        Ok(())
    }

    /// Whether the rows of a query are its results as they are, so that they may leave one by one.
    fn streams(&self, statement: usize) -> bool;

    /// The results that one value is for a client: a collection may be sent as its entries.
    fn spread(&self, value: Value) -> Vec<Value> {
        vec![value]
    }
}

/// A statement, as far as a session has to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// The graph, as the text names it.
    pub graph: Arc<str>,
    /// The variable that its result is assigned to.
    pub target: Option<Target>,
    /// Variables that it reads, each as often as it occurs.
    pub variables: Vec<Arc<str>>,
}

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// Runs a plan.
    Query,
    /// Makes a plan and describes it.
    Explain,
    /// Is a value.
    Value,
    /// Begins a transaction.
    Begin,
    /// Commits the transaction on its graph.
    Commit,
    /// Rolls back the transaction on its graph.
    Rollback,
}

/// A variable that is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it ends with the script.
    pub is_temporary: bool,
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A value.
    Value(Value),
    /// A binding that only its language understands, such as a predicate.
    Foreign(Arc<dyn ForeignBinding>),
}

impl PartialEq for Binding {
    fn eq(&self, other: &Binding) -> bool {
        match (self, other) {
            (Binding::Value(one), Binding::Value(other)) => one == other,
            (Binding::Foreign(one), Binding::Foreign(other)) => one.equals(&**other),
            (Binding::Value(_), Binding::Foreign(_)) | (Binding::Foreign(_), Binding::Value(_)) => {
                false
            }
        }
    }
}

impl Binding {
    /// The value that a slot takes in its place.
    pub fn slot_value(&self) -> Option<Value> {
        match self {
            Binding::Value(value) => Some(value.clone()),
            Binding::Foreign(foreign) => foreign.slot_value(),
        }
    }
}

/// A binding that is no value.
pub trait ForeignBinding: Any + Debug + Send + Sync {
    /// Whether both are the same.
    fn equals(&self, other: &dyn ForeignBinding) -> bool;

    /// The value that a slot takes in its place, if there is one.
    fn slot_value(&self) -> Option<Value>;
}

/// The variables and graphs that a statement sees when it is bound.
pub trait Scope {
    /// The value of a variable.
    fn variable(&self, name: &str) -> Option<Binding>;

    /// Whether there is a graph of this name.
    fn is_graph(&self, name: &str) -> bool;

    /// What is known of the statement's graph and the names that its text mentions, for the plan ([`Plan::hints`]);
    /// empty where nothing is.
    fn hints(&mut self, _mentioned: &Mentioned) -> Result<Arc<Hints>> {
        Ok(Arc::default())
    }

    /// The procedures that a plan may call.
    fn signatures(&self) -> Signatures {
        Signatures::default()
    }

    /// The transaction on the statement's graph, to look elements up by ids.
    fn runner(&mut self, options: &Options) -> Result<&mut dyn Runner>;
}

/// A query apart from its values.
pub struct Bound {
    /// The query without its values.
    pub statement: Box<dyn Normalized>,
    /// The values of its slots.
    pub values: Vec<SlotValue>,
    /// Whether the statement is the same whenever its variables have values of these types; false where
    /// values were looked up.
    pub is_reusable: bool,
    /// The catalog that it depends on, beyond names and indexes; `None`: it is right for any.
    pub catalog: Option<Arc<Catalog>>,
}

/// The value of a slot.
#[derive(Clone, Debug)]
pub struct SlotValue {
    /// The value.
    pub value: Value,
    /// The variable that held it, if one did.
    pub variable: Option<Arc<str>>,
    /// Makes the slot's value of the variable's; `None`: they are the same.
    pub reader: Option<Arc<dyn ValueReader>>,
}

/// Makes the value of a slot of that of a variable, in a language whose variables have values of other types.
pub trait ValueReader: Debug + Send + Sync {
    /// The slot's value; an error where there is none.
    fn read(&self, value: &Value) -> Result<Value>;
}

impl SlotValue {
    /// The value of a variable, or of a literal without a name.
    pub fn of(value: Value, variable: Option<Arc<str>>) -> SlotValue {
        SlotValue { value, variable, reader: None }
    }

    /// The slot's value for that of its variable, if it can take the place of this one.
    pub fn value_of(&self, value: Value) -> Option<Value> {
        let value = match &self.reader {
            Some(reader) => reader.read(&value).ok()?,
            None => value,
        };
        Some(value).filter(|value| self.fits(value))
    }

    /// The same as far as its plan asks, which saw the type alone: without what a large value of a variable has.
    pub fn without_value(self) -> SlotValue {
        if self.variable.is_none() {
            return self;
        }
        let value = match self.value {
            Value::String(_) => Value::string(""),
            Value::Bytes(_) => Value::Bytes(Arc::from([])),
            Value::List(_) => Value::list(Vec::new()),
            Value::Set(_) => Value::Set(Arc::from([])),
            Value::Vector(_) => Value::Vector(Arc::from([])),
            Value::Map(_) => Value::map(Vec::new()),
            other => other,
        };
        SlotValue { value, ..self }
    }

    /// Whether a value can take the place of this one in the same plan: the compiler saw only the type.
    pub fn fits(&self, value: &Value) -> bool {
        std::mem::discriminant(&self.value) == std::mem::discriminant(value)
    }
}

/// A query without the values of its slots: the key of its plan in the statement cache.
pub trait Normalized: Any + Send + Sync {
    /// Feeds the parts that [`Normalized::equals`] compares.
    fn hash(&self, hasher: &mut dyn Hasher);

    /// Whether both are the same query.
    fn equals(&self, other: &dyn Normalized) -> bool;

    /// Its bytes in memory besides those of its plan, about: a cache has it as long as the plan.
    fn byte_size(&self) -> usize {
        0
    }

    /// Its plan.
    fn compile(&self) -> Result<Compiled>;
}

/// A query as a plan.
pub struct Compiled {
    /// The plan.
    pub plan: Plan,
    /// For each parameter of the plan the slot that has its value.
    pub slots: Vec<usize>,
    /// The options in the query's text.
    pub options: Options,
    /// Makes the profile of a run, and the tree of an explanation; `None`: neither is wanted.
    pub profiler: Option<Box<dyn Profiler>>,
    /// Writes the answer; `None`: its rows are the answer, as [`Script::present`] gives them.
    pub writer: Option<Box<dyn AnswerWriter>>,
    /// The names of the columns of its rows; `None`: a row is one value without a name.
    pub columns: Option<Arc<[Arc<str>]>>,
    /// Whether it is a command, or calls a procedure of the program.
    pub is_administrative: bool,
}

/// Options that a query sets for its run; its request sets the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Milliseconds it may take, within those of the request.
    pub timeout_ms: Option<u64>,
    /// The detail of elements in results.
    pub detail: Option<ElementDetail>,
    /// Whether its transaction is serializable.
    pub serializable: bool,
}

/// Writes the rows of a run as an answer in JSON, where a protocol has nested answers and no rows.
pub trait AnswerWriter: Send + Sync {
    /// The answer, one value in JSON. It takes room as it grows: an answer may be far longer than the rows, which share
    /// what it repeats.
    fn write(&self, rows: &Batch, room: &dyn AnswerRoom) -> Result<String>;
}

/// Memory and time for an answer that is written.
pub trait AnswerRoom {
    /// Takes so many bytes more, perhaps none. Fails where there are no more, or where no time is left.
    fn take(&self, bytes: u64) -> Result<()>;
}

/// Makes a profile of a run in the words of a language.
pub trait Profiler: Send + Sync {
    /// The profile of a run.
    fn profile(&self, explanation: &Explanation) -> Profile;

    /// The operators of a plan that was not run, for clients that read them as a tree.
    fn tree(&self, _explanation: &Explanation) -> Option<Profile> {
        None
    }
}

/// The outcome of the plan of a query.
pub enum Outcome {
    /// Its rows.
    Rows(Batch),
    /// Its operators.
    Explained(Explained),
    /// The profile of its run, and its rows.
    Profiled(Profile, Batch),
}

/// The operators of a plan that was not run.
#[derive(Clone, Debug)]
pub struct Explained {
    /// As text.
    pub text: String,
    /// As a tree, if the language has one.
    pub tree: Option<Profile>,
}

/// The result of a statement.
#[derive(Clone, Debug)]
pub enum Presented {
    /// Rows, each as often as its weight says: of the columns of [`Compiled::columns`], or of one.
    Rows(Batch),
    /// Values.
    Values(Vec<Value>),
    /// The profile of a run, and the rows, if clients may have both.
    Profile(Profile, Option<Batch>),
    /// The operators of a plan.
    Explanation(Explained),
    /// An answer that its language wrote, as JSON.
    Json(String),
}

impl Presented {
    /// The first so many rows as a list, each as often as its weight says: few rows may stand for more values
    /// than there is room for.
    pub fn into_list(self, count: u64, bytes_max: u64) -> Result<Value> {
        let rows = match self {
            Presented::Rows(rows) => rows,
            Presented::Values(values) => return Ok(Value::list(values)),
            Presented::Profile(..) => return Err(profile_in_variable()),
            Presented::Explanation(explained) => {
                return Ok(Value::list(vec![Value::from(&*explained.text)]));
            }
            Presented::Json(answer) => return Ok(Value::list(vec![Value::from(&*answer)])),
        };
        let weights = (0..rows.len).map(|row| rows.weight(row));
        let values_count = weights.fold(0, u64::saturating_add).min(count);
        if bytes_max < values_count.saturating_mul(size_of::<Value>() as u64) {
            let detail =
                format!("a list of {values_count} results would hold more than {bytes_max} bytes");
            let help = "take fewer of them, or let the query count them";
            return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help));
        }
        let mut values = Vec::with_capacity(values_count as usize);
        for row in 0..rows.len {
            let left = values_count - values.len() as u64;
            let value = rows.columns.first().and_then(|column| column.get(row)).unwrap_or_default();
            values.extend(std::iter::repeat_n(value, rows.weight(row).min(left) as usize));
        }
        Ok(Value::list(values))
    }

    /// The value of a variable that it is assigned to.
    pub fn into_variable(self, bytes_max: u64) -> Result<Value> {
        match self {
            Presented::Values(values) => Ok(values.into_iter().next().unwrap_or_default()),
            Presented::Rows(_) => self.into_list(u64::MAX, bytes_max),
            Presented::Profile(..) => Err(profile_in_variable()),
            Presented::Explanation(explained) => Ok(Value::from(&*explained.text)),
            Presented::Json(answer) => Ok(Value::from(&*answer)),
        }
    }
}

fn profile_in_variable() -> Error {
    let error = Error::new(ErrorKind::Unsupported, "a profile is no value of a variable");
    error.with_help("use profile() at the end of the last statement")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cached plan had the values of its last runs: of four with a megabyte each, four megabytes.
    #[test]
    fn a_value_that_was_left_out_fits_the_same_values() {
        let values = [
            Value::string("long"),
            Value::list(vec![Value::I64(1)]),
            Value::Vector(Arc::from([1.0_f32])),
            Value::map(vec![(Value::I64(1), Value::I64(2))]),
            Value::I64(7),
        ];
        for value in values {
            let own = SlotValue::of(value.clone(), Some(Arc::from("x"))).without_value();
            assert!(own.fits(&value) && own.value.byte_size() <= 3 * size_of::<Value>(), "{own:?}");
            assert!(!own.fits(&Value::Null));
            let literal = SlotValue::of(value.clone(), None).without_value();
            assert_eq!(literal.value, value, "it is no variable's");
        }
    }
}
