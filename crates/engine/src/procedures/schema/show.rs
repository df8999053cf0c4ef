//! `db.indexes` and `db.constraints`: the indexes and constraints there are, by name.

use std::sync::Arc;

use millrace_model::{Catalog, Column, PropertyType, Result, Value};
use millrace_plan::{Name, Signature, ValueType};
use millrace_store::IndexUsage;

use super::made::Made;
use super::options::point_config;
use super::rule;
use super::rule::{Rule, What, name_of};
use super::rules::{Named, index_state, indexes_of, rules};
use super::vector::{config, written_options};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The indexes from labels and types to elements, which each graph has: of nodes, of relationships. Neo4j's names.
const LOOKUPS: [(&str, &str, &str, &str); 2] = [
    ("index_343aff4e", "NODE", "(n)", "labels(n)"),
    ("index_f7700477", "RELATIONSHIP", "()-[r]-()", "type(r)"),
];

/// Whether the name is that of a lookup index.
pub(super) fn is_lookup(name: &str) -> bool {
    LOOKUPS.iter().any(|(own, ..)| *own == name)
}

/// A command that asks for a lookup index, and the one that there is.
pub(super) fn lookup_commands(
    name: Option<&str>,
    if_not_exists: bool,
    is_relationship: bool,
) -> (String, String) {
    let (known, pattern, on) = match is_relationship {
        true => (LOOKUPS[1].0, "()-[e]-()", "type(e)"),
        false => (LOOKUPS[0].0, "(e)", "labels(e)"),
    };
    let name = name.map(|name| format!(" {}", rule::quoted(name))).unwrap_or_default();
    let guard = if if_not_exists { " IF NOT EXISTS" } else { "" };
    let command = format!("CREATE LOOKUP INDEX{name}{guard} FOR {pattern} ON EACH {on}");
    (command, format!("LOOKUP INDEX {known} FOR {pattern} ON EACH {on}"))
}

/// `db.indexes`.
pub(super) struct Indexes;

/// `db.constraints`.
pub(super) struct Constraints;

impl Procedure for Indexes {
    fn signature(&self) -> Signature {
        let description = "The indexes there are, by name; of one kind where it is given.";
        Signature::reading("db.indexes", description)
            .optional("kind", ValueType::Text)
            .yields("id", ValueType::Integer)
            .yields("name", ValueType::Text)
            .yields("state", ValueType::Text)
            .yields("populationPercent", ValueType::Float)
            .yields("type", ValueType::Text)
            .yields("entityType", ValueType::Text)
            .yields("labelsOrTypes", ValueType::List)
            .yields("properties", ValueType::List)
            .yields("indexProvider", ValueType::Text)
            .yields("owningConstraint", ValueType::Text)
            .yields("lastRead", ValueType::Any)
            .yields("readCount", ValueType::Integer)
            .yields("trackedSince", ValueType::Any)
            .yields("options", ValueType::Map)
            .yields("failureMessage", ValueType::Text)
            .yields("createStatement", ValueType::Text)
            .yields("entries", ValueType::Integer)
            .yields("bytes", ValueType::Integer)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        let mut rows: Vec<(Name, Shown)> = LOOKUPS.iter().map(lookup).collect();
        for named in rules(&catalog) {
            let ids = indexes_of(&catalog, &named.rule);
            if let Some(mut shown) = index(&catalog, &named) {
                shown.usage = Some(Usage::of(&context.graph().index_usage(&ids)?));
                rows.push((named.name, shown));
            }
        }
        rows.sort_by(|one, other| one.0.cmp(&other.0));
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let kind = Arguments { columns: arguments, row }.text(0)?;
            let is_meant = |shown: &&(Name, Shown)| {
                kind.as_ref().is_none_or(|kind| kind.eq_ignore_ascii_case(shown.1.kind))
            };
            let shown = (1i64..).zip(&rows).filter(|(_, row)| is_meant(row));
            Ok(shown.map(|(id, (name, row))| row.values(id, name)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

/// What the store's indexes of one rule take together.
struct Usage {
    percent: f64,
    entries: i64,
    bytes: i64,
}

impl Usage {
    fn of(indexes: &[IndexUsage]) -> Usage {
        let sum = |of: fn(&IndexUsage) -> u64| indexes.iter().map(of).sum::<u64>() as i64;
        let percents = indexes.iter().map(IndexUsage::percent);
        Usage {
            percent: percents.fold(100.0, f64::min),
            entries: sum(|own| own.entries),
            bytes: sum(|own| own.bytes),
        }
    }
}

/// An index, as it is shown.
struct Shown {
    is_ready: bool,
    /// What it takes, if that is known.
    usage: Option<Usage>,
    kind: &'static str,
    element: &'static str,
    owner: Value,
    keys: Value,
    provider: &'static str,
    options: Value,
    constraint: Value,
    statement: String,
}

impl Shown {
    fn values(&self, id: i64, name: &Name) -> Vec<Value> {
        let state = if self.is_ready { "ONLINE" } else { "POPULATING" };
        let percent = match &self.usage {
            Some(usage) if !self.is_ready => usage.percent,
            Some(_) | None => 100.0,
        };
        let shown = |of: fn(&Usage) -> i64| {
            self.usage.as_ref().map_or(Value::Null, |usage| Value::I64(of(usage)))
        };
        vec![
            Value::I64(id),
            Value::String(name.clone()),
            Value::from(state),
            Value::F64(percent),
            Value::from(self.kind),
            Value::from(self.element),
            self.owner.clone(),
            self.keys.clone(),
            Value::from(self.provider),
            self.constraint.clone(),
            Value::Null,
            Value::Null,
            Value::Null,
            self.options.clone(),
            Value::from(""),
            Value::from(self.statement.as_str()),
            shown(|usage| usage.entries),
            shown(|usage| usage.bytes),
        ]
    }
}

fn lookup((name, element, of, on): &(&str, &'static str, &str, &str)) -> (Name, Shown) {
    let shown = Shown {
        is_ready: true,
        usage: None,
        kind: "LOOKUP",
        element,
        owner: Value::Null,
        keys: Value::Null,
        provider: "token-lookup-1.0",
        options: Value::map(vec![
            (Value::from("indexConfig"), Value::map(Vec::new())),
            (Value::from("indexProvider"), Value::from("token-lookup-1.0")),
        ]),
        constraint: Value::Null,
        statement: format!("CREATE LOOKUP INDEX `{name}` FOR {of} ON EACH {on}"),
    };
    (Name::from(*name), shown)
}

/// The index of a rule, if it needs one.
fn index(catalog: &Catalog, Named { name, rule }: &Named) -> Option<Shown> {
    let is_ready = index_state(catalog, rule)?;
    let kind = match rule.what {
        What::Made(made) => made.shown(),
        What::Exact | What::Range | What::Unique | What::Key => "RANGE",
        What::Exists | What::Type(_) => return None,
    };
    let is_owned = rule.what.is_constraint();
    Some(Shown {
        is_ready,
        usage: None,
        kind,
        element: element(rule),
        owner: owner(rule),
        keys: keys(rule),
        provider: provider(rule.what),
        options: options(rule.what),
        constraint: if is_owned { Value::String(name.clone()) } else { Value::Null },
        statement: match is_owned {
            true => constraint_statement(name, rule),
            false => index_statement(name, rule),
        },
    })
}

impl Procedure for Constraints {
    fn signature(&self) -> Signature {
        let description = "The constraints there are, by name; those of some words where they are \
                           given, such as `NODE UNIQUE`.";
        Signature::reading("db.constraints", description)
            .optional("words", ValueType::Text)
            .yields("id", ValueType::Integer)
            .yields("name", ValueType::Text)
            .yields("type", ValueType::Text)
            .yields("entityType", ValueType::Text)
            .yields("labelsOrTypes", ValueType::List)
            .yields("properties", ValueType::List)
            .yields("ownedIndex", ValueType::Text)
            .yields("propertyType", ValueType::Text)
            .yields("options", ValueType::Map)
            .yields("createStatement", ValueType::Text)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let known = rules(&context.catalog());
        let known: Vec<&Named> = known.iter().filter(|own| own.rule.what.is_constraint()).collect();
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let words = Arguments { columns: arguments, row }.text(0)?.unwrap_or_default();
            let meant = known.iter().filter(|own| is_of_words(&own.rule, &words));
            Ok((1i64..).zip(meant).map(|(id, named)| constraint(id, named)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

fn constraint(id: i64, Named { name, rule }: &Named) -> Vec<Value> {
    let is_relationship = rule.is_relationship();
    let kind = match rule.what {
        What::Key if is_relationship => "RELATIONSHIP_KEY",
        What::Key => "NODE_KEY",
        What::Exists if is_relationship => "RELATIONSHIP_PROPERTY_EXISTENCE",
        What::Exists => "NODE_PROPERTY_EXISTENCE",
        What::Type(_) if is_relationship => "RELATIONSHIP_PROPERTY_TYPE",
        What::Type(_) => "NODE_PROPERTY_TYPE",
        _ if is_relationship => "RELATIONSHIP_UNIQUENESS",
        _ => "UNIQUENESS",
    };
    let owned = rule.what.index().map_or(Value::Null, |_| Value::String(name.clone()));
    let property_type = match rule.what {
        What::Type(kind) => Value::from(type_name(kind)),
        _ => Value::Null,
    };
    vec![
        Value::I64(id),
        Value::String(name.clone()),
        Value::from(kind),
        Value::from(element(rule)),
        owner(rule),
        keys(rule),
        owned,
        property_type,
        rule.what.index().map_or_else(|| Value::map(Vec::new()), |_| options(rule.what)),
        Value::from(constraint_statement(name, rule).as_str()),
    ]
}

/// The options of an index, with which it would be made again.
fn options(what: What) -> Value {
    let config = match what {
        What::Made(Made::Fulltext(analyzer)) => vec![
            (Value::from("fulltext.analyzer"), Value::from(analyzer.name())),
            (Value::from("fulltext.eventually_consistent"), Value::Bool(false)),
        ],
        What::Made(Made::Point) => {
            point_config().into_iter().map(|(name, extent)| (Value::from(name), extent)).collect()
        }
        What::Made(Made::Vector(space)) => config(space),
        _ => Vec::new(),
    };
    Value::map(vec![
        (Value::from("indexConfig"), Value::map(config)),
        (Value::from("indexProvider"), Value::from(provider(what))),
    ])
}

/// The name of what provides an index, in Neo4j.
pub(super) fn provider(what: What) -> &'static str {
    match what {
        What::Made(made) => made.provider(),
        _ => "range-1.0",
    }
}

/// Whether all of the words are true of a constraint.
fn is_of_words(rule: &Rule, words: &str) -> bool {
    words.split(' ').all(|word| match word {
        "NODE" => !rule.is_relationship(),
        "REL" | "RELATIONSHIP" => rule.is_relationship(),
        "UNIQUE" | "UNIQUENESS" => rule.what == What::Unique,
        "KEY" => rule.what == What::Key,
        "EXIST" | "EXISTENCE" => rule.what == What::Exists,
        "TYPE" => matches!(rule.what, What::Type(_)),
        _ => true,
    })
}

fn element(rule: &Rule) -> &'static str {
    if rule.is_relationship() { "RELATIONSHIP" } else { "NODE" }
}

fn owner(rule: &Rule) -> Value {
    Value::list(rule.owners.iter().filter_map(name_of).map(Value::String).collect())
}

fn keys(rule: &Rule) -> Value {
    Value::list(rule.keys.iter().cloned().map(Value::String).collect())
}

fn constraint_statement(name: &Name, rule: &Rule) -> String {
    let (of, keys) = statement_parts(rule);
    let keys = keys.join(", ");
    let requires = match rule.what {
        What::Key if rule.is_relationship() => "IS RELATIONSHIP KEY".to_owned(),
        What::Key => "IS NODE KEY".to_owned(),
        What::Exists => "IS NOT NULL".to_owned(),
        What::Type(kind) => format!("IS :: {}", type_name(kind)),
        _ => "IS UNIQUE".to_owned(),
    };
    format!("CREATE CONSTRAINT {} FOR {of} REQUIRE ({keys}) {requires}", quoted(name))
}

fn index_statement(name: &Name, rule: &Rule) -> String {
    let (of, keys) = statement_parts(rule);
    let (name, keys) = (quoted(name), keys.join(", "));
    match rule.what {
        What::Made(made @ (Made::Text | Made::Point)) => {
            format!("CREATE {} INDEX {name} FOR {of} ON ({keys})", made.shown())
        }
        What::Made(Made::Fulltext(analyzer)) => format!(
            "CREATE FULLTEXT INDEX {name} FOR {of} ON EACH [{keys}] OPTIONS {{indexConfig: \
             {{`fulltext.analyzer`: '{analyzer}', `fulltext.eventually_consistent`: false}}, \
             indexProvider: 'fulltext-1.0'}}"
        ),
        What::Made(Made::Vector(space)) => {
            let options = written_options(space);
            format!("CREATE VECTOR INDEX {name} FOR {of} ON ({keys}) {options}")
        }
        _ => format!("CREATE RANGE INDEX {name} FOR {of} ON ({keys})"),
    }
}

/// The pattern of a statement, and its keys.
fn statement_parts(rule: &Rule) -> (String, Vec<String>) {
    let of = rule.pattern("n", quoted);
    (of, rule.keys.iter().map(|key| format!("n.{}", quoted(key))).collect())
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A type of properties as Cypher writes it.
fn type_name(kind: PropertyType) -> &'static str {
    match kind {
        PropertyType::Any => "ANY",
        PropertyType::Boolean => "BOOLEAN",
        PropertyType::Integer => "INTEGER",
        PropertyType::Double => "FLOAT",
        PropertyType::String => "STRING",
        PropertyType::Date | PropertyType::DateTime => "ZONED DATETIME",
        PropertyType::BooleanList => "LIST<BOOLEAN NOT NULL>",
        PropertyType::IntegerList => "LIST<INTEGER NOT NULL>",
        PropertyType::DoubleList => "LIST<FLOAT NOT NULL>",
        PropertyType::StringList => "LIST<STRING NOT NULL>",
        PropertyType::DateList => "LIST<ZONED DATETIME NOT NULL>",
    }
}
