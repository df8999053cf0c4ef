//! `db.dropIndex` and `db.dropConstraint`: the end of an index or a constraint, by its name.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Name, Notice, Signature, ValueType, nearest};

use super::create;
use super::rule::{Rule, quoted};
use super::rules::{Named, end, rule_named, rules, rules_of_all};
use super::show::is_lookup;
use crate::context::{Arguments, Context, Procedure, Yielded};

/// `db.dropIndex`.
pub(super) const DROP_INDEX: DropRule = DropRule {
    name: "db.dropIndex",
    description: "Drops the index of a name.",
    is_constraint: false,
};

/// `db.dropConstraint`.
pub(super) const DROP_CONSTRAINT: DropRule = DropRule {
    name: "db.dropConstraint",
    description: "Drops the constraint of a name.",
    is_constraint: true,
};

/// `db.dropIndexOn`.
pub(super) const DROP_INDEX_ON: DropRuleOn = DropRuleOn {
    name: "db.dropIndexOn",
    description: "Drops the index over keys of nodes, as versions of Neo4j before 5 name it.",
    by_name: DROP_INDEX,
};

/// `db.dropConstraintOn`.
pub(super) const DROP_CONSTRAINT_ON: DropRuleOn = DropRuleOn {
    name: "db.dropConstraintOn",
    description: "Drops the constraint over keys, as versions of Neo4j before 5 name it.",
    by_name: DROP_CONSTRAINT,
};

/// A procedure that drops what another one would make of the same arguments.
pub(super) struct DropRuleOn {
    name: &'static str,
    description: &'static str,
    by_name: DropRule,
}

impl Procedure for DropRuleOn {
    fn signature(&self) -> Signature {
        create::signature(self.name, self.description)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let is_constraint = self.by_name.is_constraint;
            let rule = create::rule(Arguments { columns: arguments, row }, is_constraint)?;
            let catalog = context.catalog();
            let known = rules_of_all(&catalog, &rule);
            let is_it = |own: &&Named| {
                let is_kind = match is_constraint {
                    true => own.rule.what.is_same(rule.what),
                    false => own.rule.what.index().is_some(),
                };
                own.rule.has_schema_of(&rule) && is_kind
            };
            // The index of a constraint is the last that is meant.
            let known = known.iter().filter(is_it).min_by_key(|own| own.rule.what.is_constraint());
            match known {
                Some(named) => self.by_name.drop(&named.name, false, context)?,
                None => {
                    let kind = if is_constraint { "constraint" } else { "index" };
                    let detail = format!("there is no {kind} as `{}` makes", create_of(&rule));
                    let list = if is_constraint { "SHOW CONSTRAINTS" } else { "SHOW INDEXES" };
                    let error = failed(detail, self.by_name.code());
                    return Err(error.with_help(format!("`{list}` lists them")));
                }
            }
        }
        Ok(Yielded::void(len))
    }
}

/// The command that makes a rule.
fn create_of(rule: &Rule) -> String {
    format!("CREATE {}", rule.command(None, false))
}

/// A procedure that drops.
#[derive(Clone, Copy)]
pub(super) struct DropRule {
    name: &'static str,
    description: &'static str,
    is_constraint: bool,
}

impl Procedure for DropRule {
    fn signature(&self) -> Signature {
        Signature::reading(self.name, self.description)
            .argument("name", ValueType::Text)
            .argument("ifExists", ValueType::Boolean)
            .writing()
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let arguments = Arguments { columns: arguments, row };
            let if_exists = arguments.value(1) == Value::Bool(true);
            self.drop(&arguments.must_text(0)?, if_exists, context)?;
        }
        Ok(Yielded::void(len))
    }
}

/// Drops the index of a name, which must be there.
pub(in crate::procedures) fn drop_index(name: &Name, context: &Context) -> Result<()> {
    DROP_INDEX.drop(name, false, context)
}

impl DropRule {
    fn drop(&self, name: &Name, if_exists: bool, context: &Context) -> Result<()> {
        let catalog = context.catalog();
        let named = rule_named(&catalog, name);
        if let Some(named) = &named
            && named.rule.what.is_constraint() == self.is_constraint
        {
            return end(named, context);
        }
        if !self.is_constraint && is_lookup(name) {
            let detail = format!("the lookup index `{name}` is always there");
            let error = Error::new(ErrorKind::Unsupported, detail);
            return Err(error.with_help("leave it: it costs nothing"));
        }
        if !self.is_constraint && named.is_some_and(|own| own.rule.what.index().is_some()) {
            let detail = format!("Unable to drop index: Index belongs to constraint: `{name}`");
            let help = format!("write `DROP CONSTRAINT {name}`");
            return Err(failed(detail, self.code()).with_help(help));
        }
        if if_exists {
            let kind = if self.is_constraint { "CONSTRAINT" } else { "INDEX" };
            let command = format!("DROP {kind} {} IF EXISTS", quoted(name));
            context.notify(Notice::DoesNotExist { command, name: name.to_string() });
            return Ok(());
        }
        let known = rules(&catalog);
        let names = known.iter().filter(|own| own.rule.what.is_constraint() == self.is_constraint);
        let near = nearest(name, names.map(|own| &*own.name));
        let detail = match self.is_constraint {
            true => format!("Unable to drop constraint `{name}`: No such constraint {name}."),
            false => format!("Unable to drop index called `{name}`. There is no such index."),
        };
        let error = failed(detail, self.code());
        Err(match near {
            Some(near) => error.with_help(format!("the nearest name is `{near}`")),
            None => error.with_help("write `IF EXISTS` where it may be missing"),
        })
    }

    fn code(&self) -> &'static str {
        if self.is_constraint { "ConstraintDropFailed" } else { "IndexDropFailed" }
    }
}

fn failed(detail: String, name: &'static str) -> Error {
    Error::new(ErrorKind::NotFound, detail).with_name(name)
}
