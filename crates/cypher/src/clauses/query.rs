//! Queries: clauses one behind the other, and unions of them.

use millrace_model::{Result, query_limits};
use millrace_plan::op::{self, UnionPick};
use millrace_plan::{ColumnId, Expr, Hints, Plan, Signatures};

use crate::primitives::key_of;
use crate::translate::{Nested, Parameters, Translator};
use crate::tree::{PathPattern, Query, SingleQuery};
use crate::types::Symbols;

/// The plan of a query, and the parameters that it reads.
pub(crate) fn translate(
    query: &Query,
    symbols: &Symbols,
    hints: &Hints,
    signatures: &Signatures,
) -> Result<(Plan, Parameters)> {
    let mut translator = Translator::new(symbols, hints, signatures, &InExpressions);
    let columns = translator.query(query)?;
    Ok(translator.finish(columns))
}

/// Queries and patterns as they stand inside of expressions.
pub(crate) struct InExpressions;

impl Nested for InExpressions {
    fn query(&self, translator: &mut Translator<'_>, query: &Query) -> Result<Vec<ColumnId>> {
        translator.query(query)
    }

    fn patterns(&self, translator: &mut Translator<'_>, patterns: &[PathPattern]) -> Result<()> {
        translator.match_patterns(patterns, false)
    }

    fn path(&self, translator: &mut Translator<'_>, pattern: &PathPattern) -> Result<Expr> {
        translator.path_value(pattern)
    }
}

impl Translator<'_> {
    /// Runs a query on the rows of now; the columns of its result, none where it has no result.
    pub(crate) fn query(&mut self, query: &Query) -> Result<Vec<ColumnId>> {
        let [single] = query.parts.as_slice() else { return self.union(query) };
        self.single(single)
    }

    fn single(&mut self, query: &SingleQuery) -> Result<Vec<ColumnId>> {
        let mut columns = Vec::new();
        for clause in &query.clauses {
            // Many know all columns before them.
            query_limits::step(self.columns.len() as u64)?;
            columns = clause.translate(self)?;
        }
        Ok(columns)
    }

    /// Unions are all `ALL` or none is: then each row is there once.
    fn union(&mut self, query: &Query) -> Result<Vec<ColumnId>> {
        let mut branches = Vec::new();
        let mut columns: Vec<ColumnId> = Vec::new();
        let mut to: Vec<ColumnId> = Vec::new();
        for (number, part) in query.parts.iter().enumerate() {
            let (mut pipeline, own) = self.sub(|sub| sub.single(part))?;
            if number == 0 {
                to = own.iter().map(|_| self.plan.column("union")).collect();
                columns.clone_from(&to);
            }
            let own = match number.checked_sub(1).and_then(|before| query.orders.get(before)) {
                Some(order) => order.iter().filter_map(|&index| own.get(index).copied()).collect(),
                None => own,
            };
            let pairs = to.iter().zip(&own).map(|(&to, &own)| (to, Expr::Column(own)));
            pipeline.ops.push(op::Project { columns: pairs.collect() }.into());
            branches.push(pipeline);
        }
        let all = query.unions.last().is_none_or(|(_, all)| *all);
        let joined = self.joined(branches, &to, !all);
        joined.ops.into_iter().for_each(|op| {
            self.plan.push(op);
        });
        Ok(columns)
    }

    /// Branches as one pipeline, each row once or as often as it is there.
    fn joined(
        &mut self,
        branches: Vec<millrace_plan::Pipeline>,
        columns: &[ColumnId],
        distinct: bool,
    ) -> millrace_plan::Pipeline {
        self.plan.pipeline(|plan| {
            plan.push(op::Union { branches, pick: UnionPick::All });
            if distinct {
                let keys: Vec<_> = columns
                    .iter()
                    .map(|&column| plan.project("key", key_of(Expr::Column(column))))
                    .collect();
                plan.push(op::Dedup { columns: keys });
            }
        })
    }
}
