//! Documents, mutations and upserts.

use std::fmt::{self, Display, Formatter};

use super::blocks::BlockAt;
use super::children::Braces;
use super::{Joined, Line, Parenthesized};
use crate::tree::{
    Document, Fragment, Item, Mutation, Query, QueryVariable, SchemaRequest, SchemaScope, Upsert,
};

impl Display for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Joined(&self.items, "\n"))
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Item::Query(query) => write!(f, "{}", QueryAt(query, 0)),
            Item::Fragment(fragment) => write!(f, "{}", FragmentAt(fragment, 0)),
            Item::Schema(request) => write!(f, "{request}"),
            Item::Mutation(mutation) => write!(f, "{}", MutationAt(mutation, 0)),
            Item::Upsert(upsert) => write!(f, "{upsert}"),
        }
    }
}

/// A query so many levels deep.
struct QueryAt<'a>(&'a Query, usize);

impl Display for QueryAt<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let QueryAt(query, depth) = *self;
        f.write_str("query ")?;
        if let Some(name) = &query.name {
            write!(f, "{name} ")?;
        }
        if !query.variables.is_empty() {
            write!(f, "{} ", Parenthesized(&query.variables))?;
        }
        f.write_str("{")?;
        for block in &query.blocks {
            write!(f, "{}{}", Line(depth + 1), BlockAt(block, depth + 1))?;
        }
        write!(f, "{}}}", Line(depth))
    }
}

impl Display for QueryVariable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let required = if self.is_required { "!" } else { "" };
        write!(f, "${}: {}{required}", self.name.text, self.value_type)?;
        self.default.iter().try_for_each(|value| write!(f, " = {value}"))
    }
}

/// A fragment so many levels deep.
struct FragmentAt<'a>(&'a Fragment, usize);

impl Display for FragmentAt<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "fragment {} {}", self.0.name, Braces(&self.0.children, self.1))
    }
}

impl Display for SchemaRequest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.scope {
            SchemaScope::All => f.write_str("schema ")?,
            SchemaScope::Predicates(names) => {
                write!(f, "schema(pred: [{}]) ", Joined(names, ", "))?;
            }
            SchemaScope::Types(names) => write!(f, "schema(type: [{}]) ", Joined(names, ", "))?,
        }
        write!(f, "{{{}}}", Joined(&self.fields, " "))
    }
}

/// A mutation so many levels deep; its data stays as it is.
struct MutationAt<'a>(&'a Mutation, usize);

impl Display for MutationAt<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let MutationAt(mutation, depth) = *self;
        f.write_str("mutation ")?;
        mutation.condition.iter().try_for_each(|condition| write!(f, "@if({condition}) "))?;
        f.write_str("{")?;
        for part in &mutation.parts {
            write!(f, "{}{} {{{}}}", Line(depth + 1), part.kind.word(), part.data.text)?;
        }
        write!(f, "{}}}", Line(depth))
    }
}

impl Display for Upsert {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "upsert {{{}{}", Line(1), QueryAt(&self.query, 1))?;
        for fragment in &self.fragments {
            write!(f, "{}{}", Line(1), FragmentAt(fragment, 1))?;
        }
        for mutation in &self.mutations {
            write!(f, "{}{}", Line(1), MutationAt(mutation, 1))?;
        }
        f.write_str("\n}")
    }
}
