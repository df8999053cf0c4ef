//! `schema {}`: the predicates and types of a graph, as an answer.

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::{Catalog, Result};
use millrace_plan::PlanBuilder;
use millrace_plan::language::Bound;

use super::query::BoundQuery;
use crate::answer::{BlockKind, BlockLayout, JsonAnswer};
use crate::form::AnswerForm;
use crate::schema::{GraphSchema, Predicate, TYPE_PREDICATE, TypeField};
use crate::tree::{Name, SchemaRequest, SchemaScope};
use crate::values::write_string;

/// What can be asked of a predicate.
const FIELDS: [&str; 11] = [
    "type",
    "index",
    "tokenizer",
    "reverse",
    "count",
    "list",
    "upsert",
    "unique",
    "lang",
    "noconflict",
    "vector_specs",
];

/// A request of the schema, bound to that of a graph: its answer is known before anything runs.
pub(super) fn bind(request: &SchemaRequest, catalog: &Arc<Catalog>) -> Result<Bound> {
    let schema = GraphSchema::of(catalog);
    let mut blocks = Vec::new();
    if let Some(predicates) = predicates(request, &schema) {
        blocks.push(block("schema", &predicates));
    }
    if let Some(types) = types(request, &schema) {
        blocks.push(block("types", &types));
    }
    let plan = PlanBuilder::new(CompareMode::Plain).finish(Vec::new());
    Ok(BoundQuery::of_answer(plan, JsonAnswer { blocks, form: AnswerForm::Json }))
}

fn block(name: &str, members: &[String]) -> BlockLayout {
    let whole = format!("[{}]", members.join(","));
    BlockLayout { name: Arc::from(name), kind: BlockKind::Whole(whole) }
}

/// The predicates that are asked for; none: it is asked for types, or there are none.
fn predicates(request: &SchemaRequest, schema: &GraphSchema) -> Option<Vec<String>> {
    let names: Vec<Arc<str>> = match &request.scope {
        SchemaScope::Types(_) => return None,
        SchemaScope::Predicates(names) if !names.is_empty() => {
            let mut names: Vec<Arc<str>> =
                names.iter().map(|name| Arc::from(name.text.as_str())).collect();
            names.sort();
            names
        }
        SchemaScope::Predicates(_) | SchemaScope::All => {
            let own = schema.shown().map(|(name, _)| Arc::clone(name));
            let mut names: Vec<Arc<str>> = own.chain([Arc::from(TYPE_PREDICATE)]).collect();
            names.sort();
            names.dedup();
            names
        }
    };
    let known =
        |name: &Arc<str>| schema.shown_predicate(name).map(|own| predicate(name, &own, request));
    let members: Vec<String> = names.iter().filter_map(known).collect();
    (!members.is_empty()).then_some(members)
}

fn predicate(name: &str, own: &Predicate, request: &SchemaRequest) -> String {
    let is_wanted = |field: &str| {
        request.fields.is_empty() || request.fields.iter().any(|own| own.text == field)
    };
    let mut text = String::from("{\"predicate\":");
    write_string(name, &mut text);
    for field in FIELDS.into_iter().filter(|field| is_wanted(field)) {
        let (is_there, shown) = match field {
            "type" => {
                text.push_str(&format!(",\"type\":\"{}\"", own.kind.word()));
                continue;
            }
            "tokenizer" => {
                for (number, index) in own.indexes.iter().enumerate() {
                    text.push_str(if number == 0 { ",\"tokenizer\":[" } else { "," });
                    write_string(&index.listed(), &mut text);
                }
                text.push_str(if own.indexes.is_empty() { "" } else { "]" });
                continue;
            }
            "vector_specs" => {
                specs(own, &mut text);
                continue;
            }
            "index" => (own.indexes.iter().any(|index| !index.is_of_vectors()), "index"),
            "reverse" => (own.is_reverse, "reverse"),
            "count" => (own.is_counted, "count"),
            "list" => (own.is_list, "list"),
            "upsert" => (own.is_upsert, "upsert"),
            "unique" => (own.is_unique, "unique"),
            "lang" => (own.has_languages, "lang"),
            _ => (own.is_without_conflicts, "no_conflict"),
        };
        if is_there {
            text.push_str(&format!(",\"{shown}\":true"));
        }
    }
    text.push('}');
    text
}

/// The options of an index of vectors, as they were written.
fn specs(own: &Predicate, text: &mut String) {
    for index in own.indexes.iter().filter(|index| index.is_of_vectors()) {
        text.push_str(",\"index_specs\":[{\"name\":");
        write_string(&index.word, text);
        for (number, (key, value)) in index.options.iter().enumerate() {
            text.push_str(if number == 0 { ",\"options\":[{\"key\":" } else { ",{\"key\":" });
            write_string(key, text);
            text.push_str(",\"value\":");
            write_string(value, text);
            text.push('}');
        }
        text.push_str(if index.options.is_empty() { "}]" } else { "]}]" });
    }
}

/// The types that are asked for; none: it is asked for predicates, or there are none.
fn types(request: &SchemaRequest, schema: &GraphSchema) -> Option<Vec<String>> {
    let members: Vec<String> = match &request.scope {
        SchemaScope::Predicates(names) if !names.is_empty() => return None,
        // Dgraph has types of its own, so there is always a list.
        SchemaScope::Predicates(_) | SchemaScope::All => {
            let all = schema.types().map(|(name, fields)| type_of(name, fields));
            return Some(all.collect());
        }
        SchemaScope::Types(names) => {
            let mut names: Vec<&Name> = names.iter().collect();
            names.sort_by(|one, other| one.text.cmp(&other.text));
            let own = |name: &Name| Some(type_of(&name.text, schema.fields(&name.text)?));
            names.into_iter().filter_map(own).collect()
        }
    };
    (!members.is_empty()).then_some(members)
}

fn type_of(name: &str, fields: &[TypeField]) -> String {
    let mut text = String::from("{\"fields\":[");
    for (number, field) in fields.iter().enumerate() {
        text.push_str(if number == 0 { "{\"name\":" } else { ",{\"name\":" });
        let reverse = if field.is_reverse { "~" } else { "" };
        write_string(&format!("{reverse}{}", field.predicate), &mut text);
        text.push('}');
    }
    text.push_str("],\"name\":");
    write_string(name, &mut text);
    text.push('}');
    text
}
