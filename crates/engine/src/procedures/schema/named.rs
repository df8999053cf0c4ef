//! Procedures on an index by its name that have nothing to do here: an index that can be seen can be used, and counts
//! are sampled when they are wanted.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result};
use millrace_plan::{Signature, ValueType, nearest};

use super::rules::rules;
use super::show::is_lookup;
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The procedures.
pub(super) const ALL: [OfIndex; 2] = [
    OfIndex {
        name: "db.awaitIndex",
        description: "Nothing to wait for: an index that can be seen can be used.",
        waits: true,
    },
    OfIndex {
        name: "db.resampleIndex",
        description: "Nothing to do: an index is sampled when a query is planned.",
        waits: false,
    },
];

/// A procedure on the index of a name, which must be there.
pub(super) struct OfIndex {
    name: &'static str,
    description: &'static str,
    waits: bool,
}

impl Procedure for OfIndex {
    fn signature(&self) -> Signature {
        let signature = Signature::reading(self.name, self.description);
        let signature = signature.argument("indexName", ValueType::Text);
        match self.waits {
            true => signature.optional("timeOutSeconds", ValueType::Integer),
            false => signature,
        }
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let known = rules(&context.catalog());
        let indexes = || known.iter().filter(|own| own.rule.what.index().is_some());
        for row in 0..len {
            let name = Arguments { columns, row }.must_text(0)?;
            if is_lookup(&name) || indexes().any(|own| own.name == name) {
                continue;
            }
            let detail = format!("No such index '{name}'");
            let error = Error::new(ErrorKind::NotFound, detail).with_name("IndexNotFound");
            let near = nearest(&name, indexes().map(|own| &*own.name));
            return Err(match near {
                Some(near) => error.with_help(format!("the nearest name is `{near}`")),
                None => error.with_help("`SHOW INDEXES` lists them"),
            });
        }
        Ok(Yielded::void(len))
    }
}
