//! `db.createIndex` and `db.createConstraint`: an index or a constraint, under a name or a generated one.
//!
//! Which rules exclude one another, and the errors that say so in words on which clients act, are as in Neo4j 5.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Name, Notice, OwnerName, Signature, ValueType};

use super::made::Made;
use super::options::kind_with_options;
use super::rule::{Rule, What};
use super::rules::{Named, make, rules_beside};
use super::show::{is_lookup, lookup_commands};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The kind of index that each graph has for all labels, and for all types.
const LOOKUP: &str = "lookup";

/// The kind of an index of which no kind is written: a range index, which does not stand beside that of a constraint.
const UNWRITTEN: &str = "index";

/// `db.createIndex`.
pub(super) struct CreateIndex;

/// `db.createConstraint`.
pub(super) struct CreateConstraint;

impl Procedure for CreateIndex {
    fn signature(&self) -> Signature {
        let description = "Makes an index of `kind` (range, text, point, fulltext, vector, exact; index: \
                           range, unless a constraint has one) over keys of nodes or of \
                           relationships; without a name it gets one.";
        signature("db.createIndex", description)
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
        .argument("labelOrType", ValueType::Any)
        .argument("properties", ValueType::List)
        .optional("options", ValueType::Any)
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
        if !is_constraint && arguments.must_text(2)?.as_ref() == LOOKUP {
            let is_relationship = arguments.must_text(3)?.as_ref() == "relationship";
            let (command, known) = lookup_commands(name.as_deref(), if_not_exists, is_relationship);
            context.notify(Notice::AlreadyExists { command, known });
            continue;
        }
        let is_beside = arguments.must_text(2)?.as_ref() == What::Range.to_string();
        let rule = rule(arguments, is_constraint)?;
        create_rule(name.as_ref(), (if_not_exists, is_beside), rule, context)?;
    }
    Ok(Yielded::void(len))
}

/// Makes a rule, unless one is in its way. An index may be one `is_beside` that of a constraint.
pub(super) fn create_rule(
    written: Option<&Name>,
    (if_not_exists, is_beside): (bool, bool),
    rule: Rule,
    context: &Context,
) -> Result<()> {
    let name = written.cloned().unwrap_or_else(|| rule.generated_name());
    let named = Named { name, rule };
    let known = rules_beside(&context.catalog(), &named);
    if if_not_exists && let Some(known) = there(&named, &known, is_beside) {
        let command = format!("CREATE {}", named.rule.command(written.map(|name| &**name), true));
        context.notify(Notice::AlreadyExists { command, known });
        return Ok(());
    }
    check_new(&named, &known, is_beside)?;
    make(&named, context)
}

/// The rule of arguments.
pub(super) fn rule(arguments: Arguments<'_>, is_constraint: bool) -> Result<Rule> {
    let kind = arguments.must_text(2)?;
    let kind = if *kind == *UNWRITTEN { Name::from(What::Range.to_string()) } else { kind };
    let what = kind_with_options(&kind, &arguments.value(6))?;
    let what = what.filter(|what| what.is_constraint() == is_constraint);
    let what = what.ok_or_else(|| bad_input("`kind` is none that this procedure makes"))?;
    let owner = match &*arguments.must_text(3)? {
        "node" => OwnerName::Label,
        "relationship" => OwnerName::EdgeType,
        _ => return Err(bad_input("`entityType` is `node` or `relationship`")),
    };
    let owners: Vec<OwnerName> = arguments.texts(4)?.into_iter().map(owner).collect();
    let rule = Rule { what, owners, keys: arguments.texts(5)? };
    rule.check()?;
    Ok(rule)
}

impl Rule {
    /// Requires labels, types and keys to be as many as its kind has, each once.
    pub(super) fn check(&self) -> Result<()> {
        let Rule { what, owners, keys } = self;
        let refuse = |detail: &str| {
            let error = Error::new(ErrorKind::Unsupported, detail);
            Err(error.with_help("make one for each of them"))
        };
        if owners.is_empty() {
            return Err(bad_input("`labelOrType` is a name, or several, each of them once"));
        }
        if keys.is_empty() {
            return Err(bad_input("`properties` are one key or several, each of them once"));
        }
        let repeats = |code, part: &str| {
            let noun = if what.is_constraint() { "Constraint" } else { "Index" };
            let detail = format!("{noun} on {} includes a {part} more than once.", self.schema());
            Err(Error::new(ErrorKind::BadInput, detail).with_name(code))
        };
        if repeated(owners) {
            return match self.is_relationship() {
                true => repeats("RepeatedRelationshipTypeInSchema", "relationship type"),
                false => repeats("RepeatedLabelInSchema", "label"),
            };
        }
        if repeated(keys) {
            return repeats("RepeatedPropertyInCompositeSchema", "property");
        }
        if owners.len() != 1 && !matches!(what, What::Made(Made::Fulltext(_))) {
            return refuse("only a full-text index is of several labels or types");
        }
        if keys.len() != 1 && matches!(what, What::Exists | What::Type(_)) {
            return refuse("Only single property constraints are allowed for NOT NULL and types");
        }
        if keys.len() != 1 && matches!(what, What::Made(Made::Text | Made::Point)) {
            return refuse(&format!("a {what} index is of one property"));
        }
        if keys.len() != 1 && matches!(what, What::Made(Made::Vector(_))) {
            return refuse("a vector index is of one property");
        }
        let ranges = keys.len().saturating_mul(owners.len());
        if FULLTEXT_KEYS_MAX < keys.len() || FULLTEXT_RANGES_MAX < ranges {
            let detail = format!(
                "an index has at most {FULLTEXT_KEYS_MAX} properties, and labels or types times properties at most {FULLTEXT_RANGES_MAX}"
            );
            let error = Error::new(ErrorKind::LimitReached, detail);
            return Err(error.with_help("make several indexes"));
        }
        Ok(())
    }
}

/// Properties of one index: a byte of its keys says which.
const FULLTEXT_KEYS_MAX: usize = 255;

/// Properties of labels or types of one index: a search reads each.
const FULLTEXT_RANGES_MAX: usize = 1_000;

fn repeated<T: PartialEq>(names: &[T]) -> bool {
    (1..names.len()).any(|place| names[..place].contains(&names[place]))
}

fn bad_input(detail: &str) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// Why `IF NOT EXISTS` makes nothing: a rule of its kind has the name, or the same keys.
fn there(named: &Named, known: &[Named], is_beside: bool) -> Option<String> {
    let is_constraint = named.rule.what.is_constraint();
    let found = known.iter().find(|own| {
        // The index of a constraint has its name.
        let is_kind = own.rule.what.is_constraint() == is_constraint
            || !is_constraint && own.rule.what.index().is_some();
        let has_name = own.name == named.name && is_kind;
        has_name
            || own.rule.has_schema_of(&named.rule)
                && is_equal(named.rule.what, own.rule.what, is_beside)
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

/// Whether a rule over the same keys is there already where this one is asked for: the index of a constraint, too,
/// unless one beside it is wanted.
fn is_equal(asked: What, known: What, is_beside: bool) -> bool {
    let owns_index = matches!(known, What::Unique | What::Key);
    asked.is_same(known) || asked == What::Range && owns_index && !is_beside
}

/// Another rule must neither have the name, nor make this one a second one over the same keys.
fn check_new(named: &Named, known: &[Named], is_beside: bool) -> Result<()> {
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
        check_schema(rule, own, is_beside)?;
    }
    match same {
        None if is_lookup(name) => Err(name_taken(name, What::Range)),
        None => Ok(()),
        Some(same) => Err(name_taken(name, same.rule.what)),
    }
}

/// A rule over the same keys. The hash of a constraint has no order: a range index may stand beside it.
fn check_schema(rule: &Rule, own: &Named, is_beside: bool) -> Result<()> {
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
    if is_once(known) && finds(asked) && !is_beside {
        let detail = format!(
            "There is a uniqueness constraint on {schema}, so an index is already created that matches this."
        );
        let error = exists("ConstraintAlreadyExists", detail, known);
        let help = "write `CREATE RANGE INDEX` for one in the order of the values beside it";
        return Err(error.with_help(help));
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
