//! Where a block begins in the graph.

use millrace_model::Result;
use millrace_plan::{ColumnId, ElementKind, Expr, LookupMode, op};

use super::functions;
use super::pages::Comes;
use super::translator::Translator;
use crate::tree::{Block, Root, Value, ValueKind};

impl Translator<'_> {
    /// The nodes at which a block begins, and whether they come in order.
    pub(super) fn root(&mut self, block: &Block) -> Result<(ColumnId, Comes)> {
        match &block.root {
            Root::Function(function) => functions::source(self, function),
            Root::Id { key, value } => match key.text.as_str() {
                "_uid_" | "id" => {
                    let uids = self.operands.uids(value)?;
                    Ok((self.nodes_of(uids), Comes::InAnyOrder))
                }
                _ => {
                    let names = self.names(value)?;
                    Ok((self.nodes_of(names), Comes::InAnyOrder))
                }
            },
            Root::Absent => Err(self.wrong(block.offset, "a block of nodes needs a root function")),
            Root::Shortest(_) => Err(self.wrong(block.offset, "a path is no root of nodes")),
        }
    }

    /// The nodes of some uids, each once; one of which nothing is known is a node, too.
    pub(super) fn nodes_of(&mut self, ids: Expr) -> ColumnId {
        let to = self.builder.column("node");
        let (element, mode) = (ElementKind::Vertex, LookupMode::Unchecked);
        self.builder.push(op::LookupById { element, ids, mode, to });
        self.builder.push(op::Dedup { columns: vec![to] });
        to
    }

    /// Ids that clients chose, as the form of 2016 has them: texts.
    fn names(&mut self, value: &Value) -> Result<Expr> {
        let values = match &value.kind {
            ValueKind::List(values) => values.iter().collect(),
            _ => vec![value],
        };
        let kind = crate::schema::Kind::String;
        let names: Result<Vec<Expr>> =
            values.into_iter().map(|own| self.operands.operand(own, kind)).collect();
        Ok(Expr::List(names?))
    }
}
