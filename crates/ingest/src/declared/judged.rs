//! What a schema had to say of the statements of a load.

use super::schema::DeclaredPredicate;
use crate::limits::KEYS_NAMED_MAX;
use std::collections::BTreeMap;

/// What a schema had to say of some statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// Predicates that are not in it, as their statements use them.
    pub(crate) undeclared: BTreeMap<Box<str>, DeclaredPredicate>,
    /// Statements with Dgraph's own predicates and types.
    pub(crate) reserved: u64,
}

impl Judged {
    /// Adds what was said of more statements.
    pub(crate) fn add(&mut self, more: Judged) {
        self.reserved += more.reserved;
        for (name, predicate) in more.undeclared {
            let has_languages = predicate.has_languages;
            self.undeclared.entry(name).or_insert(predicate).has_languages |= has_languages;
        }
    }

    /// Lines for the summary of the load.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.reserved != 0 {
            let count = self.reserved;
            notes.push(format!(
                "{count} statements of Dgraph's own predicates and types (dgraph.…) were left out: users and their \
                 rules, GraphQL's schema, namespaces"
            ));
        }
        if !self.undeclared.is_empty() {
            let named: Vec<&str> =
                self.undeclared.keys().take(KEYS_NAMED_MAX).map(|name| &**name).collect();
            let more = match self.undeclared.len() - named.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!(
                "the schema does not have {}{more}: they were declared as their first statements are",
                named.join(", ")
            ));
        }
        notes
    }
}
