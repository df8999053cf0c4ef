//! `db.createIndex` and `db.createConstraint`: an index or a constraint, under a name or a generated one.
//!
//! Which rules exclude one another, and the errors that say so in words on which clients act, are as in Neo4j 5.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Name, Notice, OwnerName, Signature, ValueType};

use super::rule::{Rule, What};
use super::rules::{Named, make, rules_beside};
use super::show::{is_lookup, lookup_commands};
use super::vector::space_of;
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The kind of index that each graph has for all labels, and for all types.
const LOOKUP: &str = "lookup";

/// The kind of an index of vectors, which its options describe.
const VECTOR: &str = "vector";

/// `db.createIndex`.
pub(super) struct CreateIndex;

/// `db.createConstraint`.
pub(super) struct CreateConstraint;

impl Procedure for CreateIndex {
    fn signature(&self) -> Signature {
        let description = "Makes an index of `kind` (range, text, exact, vector) over keys of nodes or of \
                           relationships; without a name it gets one.";
        signature("db.createIndex", description).optional("options", ValueType::Map)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        create(arguments, len, context, false)
    }
}

impl Procedure for CreateConstraint {
    fn signature(&self) -> Signature {
        let description = "Makes a constraint of `kind` (unique, key, exists, type …) over keys of \
                           nodes or of relationships; without a name it gets one.";
        signature("db.createConstraint", description)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        create(arguments, len, context, true)
    }
}

/// The arguments of what makes a rule.
pub(super) fn signature(name: &str, description: &str) -> Signature {
    Signature::reading(name, description)
        .argument("name", ValueType::Text)
        .argument("ifNotExists", ValueType::Boolean)
        .argument("kind", ValueType::Text)
        .argument("entityType", ValueType::Text)
        .argument("labelOrType", ValueType::Text)
        .argument("properties", ValueType::List)
        .writing()
}

fn create(
    arguments: &[Arc<Column>],
    len: usize,
    context: &Context,
    is_constraint: bool,
) -> Result<Yielded> {
    for row in 0..len {
        let arguments = Arguments { columns: arguments, row };
        let name = arguments.text(0)?.filter(|name| !name.is_empty());
        let if_not_exists = arguments.value(1) == Value::Bool(true);
        let written = name.clone();
        if !is_constraint && arguments.must_text(2)?.as_ref() == LOOKUP {
            let is_relationship = arguments.must_text(3)?.as_ref() == "relationship";
            let (command, known) =
                lookup_commands(written.as_deref(), if_not_exists, is_relationship);
            context.notify(Notice::AlreadyExists { command, known });
            continue;
        }
        let rule = rule(arguments, is_constraint)?;
        let named = Named { name: name.unwrap_or_else(|| rule.generated_name()), rule };
        let known = rules_beside(&context.catalog(), &named);
        if if_not_exists && let Some(known) = there(&named, &known) {
            let command = format!("CREATE {}", named.rule.command(written.as_deref(), true));
            context.notify(Notice::AlreadyExists { command, known });
            continue;
        }
        check_new(&named, &known)?;
        make(&named, context)?;
    }
    Ok(Yielded::void(len))
}

/// Makes an index under a name, which must be new.
pub(super) fn create_rule(rule: Rule, name: Name, context: &Context) -> Result<()> {
    let named = Named { name, rule };
    check_new(&named, &rules_beside(&context.catalog(), &named))?;
    make(&named, context)
}

/// The rule of arguments.
pub(super) fn rule(arguments: Arguments<'_>, is_constraint: bool) -> Result<Rule> {
    let what = arguments.must_text(2)?;
    let what = match &*what {
        VECTOR => Some(What::Vector(space_of(&arguments.value(6))?)),
        word => What::parse(word),
    };
    let what = what.filter(|what| what.is_constraint() == is_constraint);
    let what = what.ok_or_else(|| bad_input("`kind` is none that this procedure makes"))?;
    let owner = match &*arguments.must_text(3)? {
        "node" => OwnerName::Label(arguments.must_text(4)?),
        "relationship" => OwnerName::EdgeType(arguments.must_text(4)?),
        _ => return Err(bad_input("`entityType` is `node` or `relationship`")),
    };
    let keys = arguments.texts(5)?;
    if keys.is_empty() || (1..keys.len()).any(|place| keys[..place].contains(&keys[place])) {
        return Err(bad_input("`properties` are one key or several, each of them once"));
    }
    if keys.len() != 1 && matches!(what, What::Vector(_)) {
        let error = Error::new(ErrorKind::Unsupported, "a vector index has one property");
        return Err(error.with_help("make an index for each of them"));
    }
    if keys.len() != 1 && matches!(what, What::Exists | What::Type(_)) {
        let detail = "Only single property constraints are allowed for NOT NULL and types";
        let error = Error::new(ErrorKind::Unsupported, detail);
        return Err(error.with_help("make a constraint for each of them"));
    }
    Ok(Rule { what, owner, keys })
}

fn bad_input(detail: &str) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// Why `IF NOT EXISTS` makes nothing: a rule of its kind has the name, or the same keys.
fn there(named: &Named, known: &[Named]) -> Option<String> {
    let is_constraint = named.rule.what.is_constraint();
    let found = known.iter().find(|own| {
        // The index of a constraint has its name.
        let is_kind = own.rule.what.is_constraint() == is_constraint
            || !is_constraint && own.rule.what.index().is_some();
        let has_name = own.name == named.name && is_kind;
        has_name || own.rule.has_schema_of(&named.rule) && is_equal(named.rule.what, own.rule.what)
    });
    let lookup = || {
        let is_lookup = !is_constraint && is_lookup(&named.name);
        is_lookup.then(|| format!("LOOKUP INDEX {}", named.name))
    };
    // The index of a constraint is one to those that ask for an index.
    let of_constraint = |own: &Named| Rule { what: What::Range, ..own.rule.clone() };
    let shown = |own: &Named| match own.rule.what.is_constraint() == is_constraint {
        true => own.rule.command(Some(&own.name), false),
        false => of_constraint(own).command(Some(&own.name), false),
    };
    found.map(shown).or_else(lookup)
}

/// Whether a rule over the same keys is there already where this one is asked for: the index of a constraint, too.
fn is_equal(asked: What, known: What) -> bool {
    let owns_index = matches!(known, What::Unique | What::Key);
    asked.is_same(known) || asked == What::Range && owns_index
}

/// Another rule must neither have the name, nor make this one a second one over the same keys.
fn check_new(named: &Named, known: &[Named]) -> Result<()> {
    let Named { name, rule } = named;
    let same = known.iter().find(|own| own.name == *name);
    if let Some(same) = same
        && same.rule.has_schema_of(rule)
        && same.rule.what.is_same(rule.what)
    {
        let (kind, shown) = (kind_name(rule.what), same.rule.described(&same.name));
        let detail = format!("An equivalent {kind} already exists, '{shown}'.");
        return Err(exists("EquivalentSchemaRuleAlreadyExists", detail, rule.what));
    }
    for own in known.iter().filter(|own| own.rule.has_schema_of(rule)) {
        check_schema(rule, own)?;
    }
    match same {
        None if is_lookup(name) => Err(name_taken(name, What::Range)),
        None => Ok(()),
        Some(same) => Err(name_taken(name, same.rule.what)),
    }
}

/// A rule over the same keys.
fn check_schema(rule: &Rule, own: &Named) -> Result<()> {
    let (schema, shown) = (rule.schema(), own.rule.described(&own.name));
    let (asked, known) = (rule.what, own.rule.what);
    if asked.is_same(known) {
        let (name, detail) = match asked.is_constraint() {
            true => ("ConstraintAlreadyExists", format!("Constraint already exists: {shown}")),
            false => ("IndexAlreadyExists", format!("There already exists an index {schema}.")),
        };
        return Err(exists(name, detail, asked));
    }
    let finds = |what: What| matches!(what, What::Exact | What::Range);
    let is_once = |what: What| matches!(what, What::Unique | What::Key);
    if is_once(asked) && finds(known) {
        let detail = format!(
            "There already exists an index {schema}. A constraint cannot be created until the index has been dropped."
        );
        return Err(exists("IndexAlreadyExists", detail, known));
    }
    let are_types = matches!((asked, known), (What::Type(_), What::Type(_)));
    if is_once(known) && finds(asked) {
        let detail = format!(
            "There is a uniqueness constraint on {schema}, so an index is already created that matches this."
        );
        return Err(exists("ConstraintAlreadyExists", detail, known));
    }
    if are_types || is_once(known) && is_once(asked) {
        let detail = format!("Constraint already exists: {shown}");
        return Err(exists("ConstraintAlreadyExists", detail, known));
    }
    Ok(())
}

fn name_taken(name: &Name, by: What) -> Error {
    let (article, kind) = (if by.is_constraint() { "a" } else { "an" }, kind_name(by));
    let detail = format!("There already exists {article} {kind} called '{name}'.");
    let code = match by.is_constraint() {
        true => "ConstraintWithNameAlreadyExists",
        false => "IndexWithNameAlreadyExists",
    };
    exists(code, detail, by)
}

fn kind_name(what: What) -> &'static str {
    if what.is_constraint() { "constraint" } else { "index" }
}

fn exists(name: &'static str, detail: String, what: What) -> Error {
    let kind = kind_name(what).to_uppercase();
    let help = format!("write `IF NOT EXISTS`, or drop it before: `DROP {kind} name`");
    Error::new(ErrorKind::AlreadyExists, detail).with_name(name).with_help(help)
}
