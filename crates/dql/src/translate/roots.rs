//! Where a block begins in the graph.

use millrace_model::Result;
use millrace_plan::{ColumnId, Comparison, ElementKind, Expr, LookupMode, op};

use super::functions;
use super::levels::Comes;
use super::translator::Translator;
use crate::tree::{Block, Predicate, Root, Value, ValueKind};

/// The predicate in which a load keeps the names that nodes have in its file.
const LOADED_NAME: &str = "dgraph.xid";

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
                _ => self.nodes_of_names(block, value),
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

    /// The nodes of names, as the form of 2016 has them: what a load read in its file, or ids that clients chose.
    fn nodes_of_names(&mut self, block: &Block, value: &Value) -> Result<(ColumnId, Comes)> {
        let names = self.names(value)?;
        let (offset, name) = (block.offset, LOADED_NAME.to_owned());
        let loaded = Predicate { offset, is_reverse: false, name, languages: Vec::new() };
        let Some(loaded) = self.named(&loaded) else {
            return Ok((self.nodes_of(Expr::List(names)), Comes::InAnyOrder));
        };
        let node = self.builder.scan(None, "node");
        let is_named = self.some_value(node, &loaded, |value| match names.as_slice() {
            [name] => Expr::compare(Comparison::Equal, value, name.clone()),
            _ => Expr::InList { item: Box::new(value), list: Box::new(Expr::List(names.clone())) },
        });
        self.builder.filter(is_named);
        Ok((node, Comes::InOrder))
    }

    /// Names as texts.
    fn names(&mut self, value: &Value) -> Result<Vec<Expr>> {
        let values = match &value.kind {
            ValueKind::List(values) => values.iter().collect(),
            _ => vec![value],
        };
        let kind = crate::schema::Kind::String;
        values.into_iter().map(|own| self.operands.operand(own, kind)).collect()
    }
}
