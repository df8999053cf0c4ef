//! Queries: their parts, which clauses may follow each other, and their columns.

pub(super) mod clauses;
pub(super) mod order;
pub(super) mod procedures;
pub(super) mod projections;
pub(super) mod subqueries;

use millrace_model::{TextPosition, query_limits};

use super::bindings::Bindings;
use super::faults::{composition, fault};
use super::resolver::Resolver;
use super::surroundings::{Columns, Start, Surroundings, Within};
use crate::tree::{Clause, ExprKind, Name, Projection, Query, SingleQuery, Symbol};
use projections::Role;

impl Resolver<'_> {
    /// Resolves the query of a statement; its columns.
    pub(in crate::scope) fn whole_query(&mut self, query: &mut Query) -> Columns {
        self.query(query, &Start::at(Bindings::default()), Within::Statement)
    }

    /// Resolves a query; its columns.
    pub(in crate::scope) fn query(
        &mut self,
        query: &mut Query,
        start: &Start,
        within: Within,
    ) -> Columns {
        self.check_unions(query);
        let mut columns: Option<Columns> = None;
        query.orders.clear();
        let is_alone = query.parts.len() == 1;
        for (index, part) in query.parts.iter_mut().enumerate() {
            let at = match index.checked_sub(1).and_then(|before| query.unions.get(before)) {
                Some((at, _)) => *at,
                None => query.at,
            };
            let own = self.single_query(part, start, at, within, is_alone, columns.as_ref());
            match &columns {
                None => columns = Some(own),
                Some(first) if !same_names(first, &own) => {
                    let detail =
                        "All sub queries in an UNION must have the same return column names";
                    self.refuse(fault("DifferentColumnsInUnion", at, detail));
                }
                Some(first) => query.orders.push(order_of(first, &own)),
            }
        }
        let columns = columns.unwrap_or_default();
        if within == Within::Collect && columns.len() != 1 {
            let detail = "A COLLECT Subquery must end with a single RETURN column";
            self.refuse(composition(query.at, detail));
        }
        columns
    }

    fn check_unions(&mut self, query: &Query) {
        let mut unions = query.unions.iter();
        let Some((_, first)) = unions.next() else { return };
        if let Some((at, _)) = unions.find(|(_, all)| all != first) {
            let detail = "Invalid combination of UNION and UNION ALL";
            let help = "put one of them into a CALL { … } subquery";
            self.refuse(composition(*at, detail).with_help(help));
        }
    }

    fn single_query(
        &mut self,
        part: &mut SingleQuery,
        start: &Start,
        at: TextPosition,
        within: Within,
        is_only_part: bool,
        union: Option<&Columns>,
    ) -> Columns {
        let mut scope = start.scope.clone();
        let mut columns = Columns::new();
        let count = part.clauses.len();
        let is_alone = is_only_part && count == 1;
        self.check_ends(&part.clauses, at, within, is_alone);
        let commits = part.clauses.iter().find_map(in_transactions);
        if let Some(at) = commits.filter(|_| !is_only_part) {
            self.refuse(composition(at, "CALL { … } IN TRANSACTIONS in a UNION is not supported"));
        }
        for (index, clause) in part.clauses.iter_mut().enumerate() {
            // A clause looks at all names before it. What is found after the deadline is dropped.
            if query_limits::is_over((index + 1) as u64) {
                break;
            }
            if let (0, Clause::With(projection), Some(outer)) = (index, &*clause, &start.importable)
                && is_import(projection)
            {
                scope = outer.clone();
                if !is_plain(projection) {
                    let detail = "The WITH that imports variables has nothing but their names";
                    let help = "put DISTINCT, ORDER BY, SKIP, LIMIT or WHERE into a second WITH";
                    self.refuse(composition(projection.at, detail).with_help(help));
                }
            }
            let around = Surroundings { within, is_alone, union };
            let wrote = std::mem::take(&mut self.writes);
            columns = self.clause(clause, &mut scope, around);
            if self.writes && commits.is_some() && in_transactions(clause).is_none() {
                let detail =
                    "A clause that writes beside CALL { … } IN TRANSACTIONS is not supported";
                let error = composition(clause.at(), detail);
                self.refuse(
                    error.with_help("write inside of the CALL, or in a statement of its own"),
                );
            }
            self.writes |= wrote;
        }
        columns
    }

    /// Checks which clause ends a part, and that none stands behind it.
    fn check_ends(&mut self, clauses: &[Clause], at: TextPosition, within: Within, is_alone: bool) {
        let Some((last, others)) = clauses.split_last() else {
            self.refuse(composition(at, "A query needs a clause"));
            return;
        };
        for clause in others {
            if let Clause::Return(_) | Clause::Finish(_) = clause {
                let detail = format!("{} can only be used at the end of the query", clause.word());
                self.refuse(composition(clause.at(), detail));
            }
        }
        if ends_query(last, within, is_alone) {
            return;
        }
        let detail = format!(
            "Query cannot conclude with {} (must be a RETURN clause, a FINISH clause, an update clause, a unit \
             subquery call, or a procedure call with no YIELD)",
            last.word()
        );
        self.refuse(composition(last.at(), detail));
    }

    /// The role of a `RETURN` of a query.
    pub(in crate::scope) fn return_role<'c>(&self, around: Surroundings<'c>) -> Role<'c> {
        Role::Return { within: around.within, union: around.union }
    }
}

/// Where `IN TRANSACTIONS` of a clause stands.
fn in_transactions(clause: &Clause) -> Option<TextPosition> {
    let Clause::CallSubquery(call) = clause else { return None };
    call.in_transactions.as_ref().map(|own| own.at)
}

/// Whether a clause may be the last one of a query.
fn ends_query(last: &Clause, within: Within, is_alone: bool) -> bool {
    match last {
        Clause::Return(_) => true,
        Clause::Finish(_)
        | Clause::Create(_)
        | Clause::Merge(_)
        | Clause::Set(_)
        | Clause::Remove(_)
        | Clause::Delete(_)
        | Clause::Foreach(_) => within != Within::Collect,
        Clause::Match(_) | Clause::Unwind(_) | Clause::LoadCsv(_) | Clause::With(_) => {
            within == Within::Test
        }
        Clause::Call(call) => {
            let is_standalone = is_alone && within == Within::Statement;
            is_standalone || within == Within::Test || call.yields.is_none()
        }
        Clause::CallSubquery(call) => {
            within == Within::Test || call.query.parts.iter().all(|part| !returns(part))
        }
    }
}

fn returns(part: &SingleQuery) -> bool {
    matches!(part.clauses.last(), Some(Clause::Return(_)))
}

/// Whether a leading `WITH` imports: it has variables under their own names only.
fn is_import(projection: &Projection) -> bool {
    projection.items.iter().all(|item| match (&item.expr.kind, &item.alias) {
        (ExprKind::Variable(_), None) => true,
        (ExprKind::Variable(variable), Some(alias)) => variable.name == alias.name,
        _ => false,
    })
}

/// Whether a projection is its items alone.
fn is_plain(projection: &Projection) -> bool {
    let Projection { distinct, order, skip, limit, test, at: _, all: _, items: _ } = projection;
    !distinct && order.is_empty() && skip.is_none() && limit.is_none() && test.is_none()
}

/// Where the columns of the first part of a union stand in another part: they are joined by their names.
fn order_of(first: &Columns, own: &Columns) -> Vec<usize> {
    let column_of = |(name, _): &(Name, Symbol)| own.iter().position(|(own, _)| own == name);
    first.iter().filter_map(column_of).collect()
}

fn same_names(one: &Columns, other: &Columns) -> bool {
    let names = |columns: &Columns| {
        let mut names: Vec<Name> = columns.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    };
    names(one) == names(other)
}
