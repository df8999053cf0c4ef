//! Full-text indexes by name, for the procedures that search them; and one made without Cypher's command.

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, Error, ErrorKind, KeyId, Result};
use millrace_plan::{Name, OwnerName, nearest};
use millrace_store::IndexUsage;
use millrace_terms::Analyzer;

use super::create::create_rule;
use super::made::Made;
use super::rule::{Rule, What};
use super::rules::{indexes_of, rule_named, rules};
use crate::context::Context;

/// A full-text index that is ready.
pub(in crate::procedures) struct Fulltext {
    /// One of each label or type.
    pub(in crate::procedures) indexes: Vec<IndexDefinition>,
    /// The properties, in the order of the indexes.
    pub(in crate::procedures) fields: Vec<(Name, KeyId)>,
    pub(in crate::procedures) analyzer: Analyzer,
}

/// The full-text index of a name, which must be of nodes or of relationships, and ready.
pub(in crate::procedures) fn fulltext_index(
    context: &Context,
    name: &str,
    are_edges: bool,
) -> Result<Fulltext> {
    let catalog = context.catalog();
    let catalog = &*catalog;
    let named = rule_named(catalog, name);
    let found = named.as_ref().and_then(|named| match named.rule.what {
        What::Made(Made::Fulltext(analyzer)) => Some((&named.rule, analyzer)),
        _ => None,
    });
    let Some((rule, analyzer)) = found else {
        return Err(no_such(catalog, name, are_edges));
    };
    if rule.is_relationship() != are_edges {
        let (own, other) = match are_edges {
            true => ("nodes", "queryNodes"),
            false => ("relationships", "queryRelationships"),
        };
        let detail = format!("the full-text index '{name}' is of {own}");
        let error = Error::new(ErrorKind::BadInput, detail).with_name("ProcedureCallFailed");
        return Err(error.with_help(format!("call `db.index.fulltext.{other}`")));
    }
    let ids = indexes_of(catalog, rule);
    let indexes: Vec<IndexDefinition> =
        ids.iter().filter_map(|id| catalog.indexes.get(id).cloned()).collect();
    if indexes.len() < ids.len() {
        let usage = context.graph().index_usage(&ids)?;
        let percent = usage.iter().map(IndexUsage::percent).fold(100.0, f64::min);
        let detail = format!("the full-text index '{name}' is being built: {percent:.1} %");
        let error = Error::new(ErrorKind::Unavailable, detail);
        return Err(error.with_help("`SHOW INDEXES` says how far it is"));
    }
    let fields = rule.keys.iter().filter_map(|key| Some((key.clone(), catalog.key(key)?)));
    Ok(Fulltext { indexes, fields: fields.collect(), analyzer })
}

fn no_such(catalog: &Catalog, name: &str, are_edges: bool) -> Error {
    let known = rules(catalog);
    let names = known.iter().filter(|own| {
        matches!(own.rule.what, What::Made(Made::Fulltext(_)))
            && own.rule.is_relationship() == are_edges
    });
    let near = nearest(name, names.map(|own| &*own.name));
    let detail = format!("There is no such fulltext schema index: {name}");
    let error = Error::new(ErrorKind::NotFound, detail).with_name("ProcedureCallFailed");
    error.with_help(match near {
        Some(near) => format!("the nearest name is `{near}`"),
        None => "`SHOW FULLTEXT INDEXES` lists them".to_owned(),
    })
}

/// Makes a full-text index.
pub(in crate::procedures) fn create_fulltext(
    name: &Name,
    owners: Vec<OwnerName>,
    keys: Vec<Name>,
    analyzer: Analyzer,
    context: &Context,
) -> Result<()> {
    let rule = Rule { what: What::Made(Made::Fulltext(analyzer)), owners, keys };
    rule.check()?;
    create_rule(Some(name), (false, false), rule, context)
}
