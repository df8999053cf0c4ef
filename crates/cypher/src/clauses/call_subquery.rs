//! `CALL { … }` and `CALL (x) { … }`.

use std::collections::BTreeSet;

use millrace_model::{Result, TextPosition};
use millrace_plan::op::{self, ApplyKind, OnBatchError, RowCount};
use millrace_plan::{ColumnId, Expr as PlanExpr, Pipeline};

use super::Clause;
use crate::limits::TRANSACTION_ROWS_DEFAULT;
use crate::text::{Parser, Read};
use crate::translate::Translator;
use crate::tree::{Expr, Projection, Query, Variable};

/// `[OPTIONAL] CALL (imports) { query } [IN TRANSACTIONS …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallSubquery {
    pub(crate) at: TextPosition,
    pub(crate) optional: bool,
    /// Variables of the scope clause; `None`: without one, the query imports by a leading `WITH`.
    pub(crate) imports: Option<Imports>,
    pub(crate) query: Query,
    pub(crate) in_transactions: Option<InTransactions>,
}

/// What a scope clause imports.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Imports {
    /// `(*)`.
    All,
    /// `(a, b)`, and `()`.
    Listed(Vec<Variable>),
}

/// `IN TRANSACTIONS`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InTransactions {
    pub(crate) at: TextPosition,
    /// `IN n CONCURRENT TRANSACTIONS`; the number may be left out.
    pub(crate) concurrent: Option<Option<Expr>>,
    /// `OF n ROWS`.
    pub(crate) rows: Option<Expr>,
    /// `ON ERROR …`.
    pub(crate) on_error: OnError,
    /// `REPORT STATUS AS variable`.
    pub(crate) status: Option<Variable>,
}

/// What an error of a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    Fail,
    Break,
    Continue,
}

/// What stands behind `CALL`.
pub(super) fn read(
    parser: &mut Parser<'_>,
    at: TextPosition,
    optional: bool,
) -> Read<CallSubquery> {
    let imports = match parser.take("(") {
        true => Some(Imports::read(parser)?),
        false => None,
    };
    parser.expect("{")?;
    let query = parser.query(Some("}"))?;
    parser.expect("}")?;
    let in_transactions = InTransactions::read(parser)?;
    Ok(CallSubquery { at, optional, imports, query, in_transactions })
}

impl Imports {
    fn read(parser: &mut Parser<'_>) -> Read<Imports> {
        let imports = if parser.take("*") {
            Imports::All
        } else if parser.is_mark(")") {
            Imports::Listed(Vec::new())
        } else {
            Imports::Listed(parser.list(Parser::variable)?)
        };
        parser.expect(")")?;
        Ok(imports)
    }
}

impl InTransactions {
    /// `IN n CONCURRENT TRANSACTIONS OF m ROWS ON ERROR … REPORT STATUS AS s`, if it is there.
    fn read(parser: &mut Parser<'_>) -> Read<Option<InTransactions>> {
        let at = parser.position();
        if !parser.take_word("IN") {
            return Ok(None);
        }
        let concurrent = InTransactions::read_concurrency(parser)?;
        parser.expect_one_of(&["TRANSACTIONS", "TRANSACTION"])?;
        let on_error = OnError::Fail;
        let mut read = InTransactions { at, concurrent, rows: None, on_error, status: None };
        loop {
            if parser.take_word("OF") {
                read.rows = Some(parser.expression()?);
                parser.expect_one_of(&["ROWS", "ROW"])?;
            } else if parser.take_word("ON") {
                parser.expect_word("ERROR")?;
                read.on_error = OnError::read(parser)?;
            } else if parser.take_word("REPORT") {
                parser.expect_word("STATUS")?;
                parser.expect_word("AS")?;
                read.status = Some(parser.variable()?);
            } else {
                return Ok(Some(read));
            }
        }
    }

    fn read_concurrency(parser: &mut Parser<'_>) -> Read<Option<Option<Expr>>> {
        if parser.take_word("CONCURRENT") {
            return Ok(Some(None));
        }
        if parser.is_word("TRANSACTIONS") || parser.is_word("TRANSACTION") {
            parser.expect_also("CONCURRENT");
            return Ok(None);
        }
        let count = parser.expression()?;
        parser.expect_word("CONCURRENT")?;
        Ok(Some(Some(count)))
    }
}

impl OnError {
    fn read(parser: &mut Parser<'_>) -> Read<OnError> {
        let at = parser.position();
        if parser.take_word("FAIL") {
            Ok(OnError::Fail)
        } else if parser.take_word("BREAK") {
            Ok(OnError::Break)
        } else if parser.take_word("CONTINUE") {
            Ok(OnError::Continue)
        } else if parser.is_word("RETRY") {
            let detail = "`ON ERROR RETRY` is not supported";
            let help = "write `ON ERROR CONTINUE REPORT STATUS AS s` and repeat what failed";
            Err(parser.refused(at, detail, help))
        } else {
            Err(parser.unexpected())
        }
    }
}

impl CallSubquery {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let columns = match &self.in_transactions {
            None => self.called(translator)?,
            Some(own) => {
                let (sub, columns) = translator.sub(|sub| self.called(sub))?;
                own.translate(sub, translator)?;
                columns
            }
        };
        let aliases = result_of(&self.query).map_or([].as_slice(), |result| &result.items);
        for (item, &column) in aliases.iter().zip(&columns) {
            if let Some(alias) = &item.alias {
                translator.bind(alias, column);
            }
        }
        Ok(())
    }

    /// Runs its query for each row; the columns of its result.
    fn called(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        let outer: BTreeSet<ColumnId> = translator.columns.values().copied().collect();
        let (sub, columns) = translator.sub(|sub| {
            let mut columns = sub.inner_query(&self.query)?;
            // Where the query has no row, or failed, its results are null, and what it read is not.
            if self.optional || self.in_transactions.is_some() {
                for column in columns.iter_mut().filter(|column| outer.contains(column)) {
                    *column = sub.plan.project("result", PlanExpr::Column(*column));
                }
            }
            Ok(columns)
        })?;
        let kind = match (columns.is_empty(), self.optional) {
            (true, _) => ApplyKind::Effect,
            (false, true) => ApplyKind::Optional,
            (false, false) => ApplyKind::Flat,
        };
        translator.apply(sub, kind);
        Ok(columns)
    }
}

impl InTransactions {
    /// Batches run one after the other, `CONCURRENT` or not: their commits share syncs with those of other clients.
    fn translate(&self, sub: Pipeline, translator: &mut Translator<'_>) -> Result<()> {
        let rows = match &self.rows {
            Some(rows) => translator.row_count(rows)?,
            None => RowCount::Number(TRANSACTION_ROWS_DEFAULT),
        };
        let on_error = match self.on_error {
            OnError::Fail => OnBatchError::Fail,
            OnError::Break => OnBatchError::Break,
            OnError::Continue => OnBatchError::Continue,
        };
        let status = self.status.as_ref().map(|status| translator.new_column(status));
        translator.plan.push(op::InTransactions { sub, rows, on_error, status });
        if let (Some(variable), Some(column)) = (&self.status, status) {
            translator.bind(variable, column);
        }
        Ok(())
    }
}

/// The projection that gives the columns of a query: that of its first part.
fn result_of(query: &Query) -> Option<&Projection> {
    match query.parts.first()?.clauses.last()? {
        Clause::Return(projection) => Some(projection),
        _ => None,
    }
}
