//! `count(p)` as a child: the number of a node's edges, or of the values of a list.

use millrace_model::Result;
use millrace_plan::functions::Function;
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, op};

use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::tree::{self, Traversal};

impl Translator<'_> {
    /// The number of a node's edges, or of the values of a list.
    pub(in crate::translate) fn count(
        &mut self,
        node: ColumnId,
        named: &Named<'_>,
        traversal: &Traversal,
    ) -> Result<ColumnId> {
        let facets = &traversal.directives.facets;
        if !named.known.is_edge() && !named.tree.is_reverse {
            let value = self.value_with_facets(node, named, facets)?;
            return Ok(self.count_values(value));
        }
        let to = self.builder.column("count");
        self.builder.begin_pipeline();
        let built = self.counted(node, named, traversal);
        let sub = self.builder.end_pipeline();
        built?;
        self.builder.push(op::Apply { sub, kind: ApplyKind::Value { fold: Fold::Count, to } });
        Ok(to)
    }

    fn counted(&mut self, node: ColumnId, named: &Named<'_>, traversal: &Traversal) -> Result<()> {
        let facets = &traversal.directives.facets;
        let (reached, edge) = self.expand_edges(node, named.tree, !facets.is_empty());
        if let Some(edge) = edge {
            self.filter_facets(edge, facets)?;
        }
        let filter = traversal.directives.filter.as_deref();
        self.filter(reached, filter)?;
        // All edges are counted where nothing else is asked of them.
        if filter.is_some() {
            let keys = vec![self.uid_key(reached)];
            self.builder.push(op::Sort { keys });
            self.page(&traversal.page)?;
        }
        Ok(())
    }

    /// The same without a condition.
    pub(in crate::translate) fn count_of(
        &mut self,
        node: ColumnId,
        named: &Named<'_>,
    ) -> Result<ColumnId> {
        let traversal = Traversal {
            predicate: named.tree.clone(),
            page: tree::Page::default(),
            order: Vec::new(),
            directives: tree::Directives::default(),
            children: Vec::new(),
        };
        self.count(node, named, &traversal)
    }

    /// The number of values of a predicate: 0 or 1, or as many as a list has.
    fn count_values(&mut self, value: Expr) -> ColumnId {
        let is_missing = Expr::IsNull(Box::new(value.clone()));
        let size = Expr::call(Function::Size, vec![Expr::call(Function::AsList, vec![value])]);
        let branches = vec![(is_missing, Expr::literal(0_i64))];
        self.builder.project("count", Expr::Case { branches, otherwise: Some(Box::new(size)) })
    }
}
