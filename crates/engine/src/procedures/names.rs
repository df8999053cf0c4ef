//! Procedures that make a label, a type or a key before anything has it.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result};
use millrace_plan::{Signature, ValueType};
use millrace_store::NameKind;

use crate::context::{Arguments, Context, Procedure, Yielded};

/// The procedures.
pub(super) const ALL: [CreateName; 3] = [
    CreateName {
        name: "db.createLabel",
        argument: "newLabel",
        description: "Makes a label, which no node has.",
        kind: NameKind::Label,
    },
    CreateName {
        name: "db.createProperty",
        argument: "newProperty",
        description: "Makes a key, of which there is no property.",
        kind: NameKind::Key,
    },
    CreateName {
        name: "db.createRelationshipType",
        argument: "newRelationshipType",
        description: "Makes a type, of which there is no relationship.",
        kind: NameKind::EdgeType,
    },
];

/// A procedure that makes a name.
pub(super) struct CreateName {
    name: &'static str,
    argument: &'static str,
    description: &'static str,
    kind: NameKind,
}

impl Procedure for CreateName {
    fn signature(&self) -> Signature {
        let signature = Signature::reading(self.name, self.description);
        signature.argument(self.argument, ValueType::Text).writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let name = Arguments { columns, row }.text(0)?;
            let name = name.ok_or_else(|| wrong("Null"))?;
            if name.is_empty() || name.contains('\0') {
                return Err(wrong(&format!("'{}'", name.escape_debug())));
            }
            context.transaction()?.intern(&[(self.kind, &name)])?;
        }
        context.refresh_catalog();
        Ok(Yielded::void(len))
    }
}

fn wrong(name: &str) -> Error {
    let detail = format!(
        "{name} is not a valid token name. Token names cannot be empty or contain any null-bytes."
    );
    Error::new(ErrorKind::BadInput, detail).with_name("TokenNameError")
}
