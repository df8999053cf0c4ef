//! The functions of roots and filters: a file for each family, and a line in the table.
//!
//! At a root a function gives nodes, in a filter it is asked of a node. One without a source of its own is asked of all
//! nodes; the engine reads an index in its place where there is one.

mod equal;
mod geo;
mod go_syntax;
mod has;
mod patterns;
mod ranges;
mod similar;
mod terms;
mod types;
mod uids;
mod variables;

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use super::levels::Comes;
use super::predicates::Named;
use super::translator::Translator;
use crate::schema::Kind;
use crate::text::{Described, described};
use crate::tree::{Argument, Function, Offset, Predicate, Subject, Value, ValueKind};

/// Whether a function holds of a node.
type Test = fn(&mut Translator<'_>, ColumnId, &Function) -> Result<Expr>;

/// The nodes that a function gives at a root.
type Source = fn(&mut Translator<'_>, &Function) -> Result<(ColumnId, Comes)>;

/// A function.
pub(crate) struct Entry {
    pub(crate) word: Described,
    test: Test,
    /// None: all nodes of which it holds.
    source: Option<Source>,
    /// Words of `@index` of which the predicate must have one where it stands at a root; none: no index is needed.
    pub(crate) indexes: &'static [&'static str],
}

/// Indexes that find equal values.
const EQUAL: &[&str] = &[
    "hash", "exact", "int", "float", "bool", "bigfloat", "year", "month", "day", "hour", "sha256",
    "term", "fulltext", "trigram", "ngram",
];

/// Indexes that find ranges.
const ORDERED: &[&str] = &["exact", "int", "float", "bigfloat", "year", "month", "day", "hour"];

#[rustfmt::skip]
pub(crate) static FUNCTIONS: &[Entry] = &[
    Entry { word: described("eq", "eq(name, [\"Ann\", \"Bob\"])",
        "The value, `count(edge)`, `val(x)` or `len(x)` equals one of them."),
        test: equal::test, source: None, indexes: EQUAL },
    Entry { word: described("le", "le(age, 7)",
        "It is at most that."),
        test: ranges::test, source: None, indexes: ORDERED },
    Entry { word: described("lt", "lt(age, 7)",
        "It is less."),
        test: ranges::test, source: None, indexes: ORDERED },
    Entry { word: described("ge", "ge(count(friend), 2)",
        "It is at least that."),
        test: ranges::test, source: None, indexes: ORDERED },
    Entry { word: described("gt", "gt(val(x), 7)",
        "It is greater."),
        test: ranges::test, source: None, indexes: ORDERED },
    Entry { word: described("between", "between(born, \"1980\", \"1990\")",
        "It is within two bounds, both included."),
        test: ranges::between, source: None, indexes: ORDERED },
    Entry { word: described("allofterms", "allofterms(name@en, \"green door\")",
        "All of the words, in any order, whatever their case."),
        test: terms::test, source: None, indexes: &["term"] },
    Entry { word: described("anyofterms", "anyofterms(name@en, \"green door\")",
        "One of the words."),
        test: terms::test, source: None, indexes: &["term"] },
    Entry { word: described("alloftext", "alloftext(text@en, \"running dogs\")",
        "All of the words, reduced to their stems; words without meaning do not count."),
        test: terms::test, source: None, indexes: &["fulltext"] },
    Entry { word: described("anyoftext", "anyoftext(text@en, \"running dogs\")",
        "One of the words, reduced to their stems."),
        test: terms::test, source: None, indexes: &["fulltext"] },
    Entry { word: described("ngram", "ngram(text, \"quick brown fox\")",
        "These words one behind the other."),
        test: terms::test, source: None, indexes: &["ngram"] },
    Entry { word: described("near", "near(loc, [-122.4, 37.7], 1000)",
        "Within so many meters."),
        test: geo::test, source: None, indexes: &["geo"] },
    Entry { word: described("within", "within(loc, [[[0, 0], [9, 0], [9, 9], [0, 0]]])",
        "Within an area."),
        test: geo::test, source: None, indexes: &["geo"] },
    Entry { word: described("contains", "contains(area, [1, 2])",
        "The area has a point or an area in it."),
        test: geo::test, source: None, indexes: &["geo"] },
    Entry { word: described("intersects", "intersects(area, [[[0, 0], [9, 0], [9, 9], [0, 0]]])",
        "It has a point in common with an area."),
        test: geo::test, source: None, indexes: &["geo"] },
    Entry { word: described("regexp", "regexp(name, /^st.*rg$/i)",
        "A regular expression matches; an index `trigram` finds candidates."),
        test: patterns::regexp, source: Some(patterns::regexp_root), indexes: &[] },
    Entry { word: described("match", "match(name, \"Stephen\", 3)",
        "At most so many letters differ; an index `trigram` finds candidates."),
        test: patterns::within_edits, source: Some(patterns::match_root), indexes: &[] },
    Entry { word: described("has", "has(friend)",
        "There is a value, or an edge."),
        test: has::test, source: None, indexes: &[] },
    Entry { word: described("type", "type(Person)",
        "The node is of a type."),
        test: types::test, source: Some(types::source), indexes: &[] },
    Entry { word: described("uid", "uid(0x1, a)",
        "The nodes themselves, and those of variables."),
        test: uids::test, source: Some(uids::source), indexes: &[] },
    Entry { word: described("similar_to", "similar_to(embedding, 3, \"[0.1, 0.2]\", ef: 64)",
        "The nearest vectors, by the metric of the index `hnsw`."),
        test: similar::test, source: Some(similar::source), indexes: &[] },
    Entry { word: described("uid_in", "uid_in(friend, 0x1)",
        "One of its edges ends there."),
        test: uids::reaches, source: Some(uids::refuse_root), indexes: &[] },
];

pub(super) use terms::words_of;

/// Whether a function holds of a node.
pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let entry = entry(translator, function)?;
    if let Some(holds) = variables::test(translator, node, function) {
        return holds;
    }
    (entry.test)(translator, node, function)
}

/// The nodes that a function gives.
pub(super) fn source(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let entry = entry(translator, function)?;
    if let Some(source) = entry.source {
        return source(translator, function);
    }
    check_index(translator, function, entry.indexes)?;
    if let Some(nodes) = variables::source(translator, function) {
        return nodes;
    }
    let node = translator.builder.scan(None, "node");
    let holds = match (&function.subject, entry.word.name) {
        (Subject::Count(predicate), "le" | "lt") => {
            ranges::few(translator, node, (function, predicate))?
        }
        _ => (entry.test)(translator, node, function)?,
    };
    translator.builder.filter(holds);
    Ok((node, Comes::InOrder))
}

fn entry(translator: &Translator<'_>, function: &Function) -> Result<&'static Entry> {
    FUNCTIONS.iter().find(|entry| entry.word.name == function.name).ok_or_else(|| {
        let known: Vec<&str> = FUNCTIONS.iter().map(|entry| entry.word.name).collect();
        let error =
            translator.wrong(function.offset, format!("Invalid function name: {}", function.name));
        error.with_help(format!("functions: {}", known.join(", ")))
    })
}

/// A root needs the predicate's index.
fn check_index(
    translator: &mut Translator<'_>,
    function: &Function,
    words: &'static [&'static str],
) -> Result<()> {
    match &function.subject {
        Subject::Predicate(predicate) if !words.is_empty() => {
            let Some(Named { known, .. }) = translator.named(predicate) else { return Ok(()) };
            if known.is_indexed_by(words) || !translator.schema.is_shown(&known) {
                return Ok(());
            }
            let name = &predicate.name;
            let detail = match known.indexes.is_empty() {
                true => format!("Predicate {name} is not indexed"),
                false => format!(
                    "Attribute {name} does not have a valid tokenizer for the function {}",
                    function.name
                ),
            };
            let help = match known.kind {
                Kind::Vector => {
                    format!("ask {} in a filter; similar_to asks an index", function.name)
                }
                kind => {
                    let index = index_for(words, kind);
                    format!("alter the schema: `{name}: {} @index({index}) .`", kind.word())
                }
            };
            Err(translator.wrong(predicate.offset, detail).with_help(help))
        }
        Subject::Count(predicate) => {
            let Some(Named { known, .. }) = translator.named(predicate) else { return Ok(()) };
            if known.is_counted || !translator.schema.is_shown(&known) {
                return Ok(());
            }
            let detail = format!(
                "Need @count directive in schema for attr: {} for fn: {} at root with count",
                predicate.name, function.name
            );
            Err(translator.wrong(predicate.offset, detail))
        }
        Subject::Predicate(_) | Subject::Absent | Subject::Variable(_) | Subject::Length(_) => {
            Ok(())
        }
    }
}

/// An index that a type has, of those that would do.
fn index_for(words: &[&'static str], kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Float => "float",
        Kind::Bool => "bool",
        Kind::BigFloat => "bigfloat",
        Kind::DateTime => "year",
        _ => words.first().copied().unwrap_or("exact"),
    }
}

/// The predicate that a function asks about.
fn subject<'f>(translator: &Translator<'_>, function: &'f Function) -> Result<&'f Predicate> {
    match &function.subject {
        Subject::Predicate(predicate) => {
            translator.check_predicate(predicate)?;
            if predicate.languages.iter().any(|tag| tag == "*") {
                let detail = "The * symbol cannot be used as a valid language inside functions";
                let help = "`@.` asks about the first language that there is";
                return Err(translator.wrong(predicate.offset, detail).with_help(help));
            }
            Ok(predicate)
        }
        Subject::Absent | Subject::Count(_) | Subject::Variable(_) | Subject::Length(_) => {
            let detail = format!("{} asks about a predicate", function.name);
            Err(translator.wrong(function.offset, detail))
        }
    }
}

/// The values among a function's arguments.
fn values<'f>(translator: &Translator<'_>, function: &'f Function) -> Result<Vec<&'f Value>> {
    let mut values = Vec::new();
    for argument in &function.arguments {
        match argument {
            Argument::Value(value) => values.push(value),
            Argument::Variable(name) | Argument::ValueOf(name) => {
                return Err(unsupported(translator, name.offset));
            }
            Argument::Uids { offset, .. } => return Err(unsupported(translator, *offset)),
            Argument::Named(named) => return Err(unsupported(translator, named.name.offset)),
        }
    }
    Ok(values)
}

fn unsupported(translator: &Translator<'_>, at: Offset) -> millrace_model::Error {
    let what = "this argument is not supported yet";
    translator.unsupported(at, what, "write values as they are")
}

/// The only value of a function.
pub(super) fn only_value<'f>(
    translator: &Translator<'_>,
    function: &'f Function,
) -> Result<&'f Value> {
    match values(translator, function)?[..] {
        [value] if !matches!(value.kind, ValueKind::List(_)) => Ok(value),
        _ => {
            let detail = format!("{} expects only 1 argument", function.name);
            Err(translator.wrong(function.offset, detail))
        }
    }
}
