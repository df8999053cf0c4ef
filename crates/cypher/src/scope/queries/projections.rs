//! `WITH` and `RETURN`: items, `*`, aliases, and the rows behind.

use std::collections::HashSet;

use super::order::Column;
use crate::functions::contains_aggregate;
use crate::scope::bindings::Bindings;
use crate::scope::faults::{already_bound, fault, wrong_type};
use crate::scope::resolver::Resolver;
use crate::scope::surroundings::{Columns, Within};
use crate::tree::{Expr, ExprKind, Literal, Projection, ProjectionItem, Symbol, Unary, Variable};
use crate::types::Type;

/// Which projection it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::scope) enum Role<'c> {
    With,
    Return {
        within: Within,
        /// The columns of the first part of a union, which have the symbols.
        union: Option<&'c Columns>,
    },
}

impl Resolver<'_> {
    /// Resolves a projection; the scope becomes that of the rows behind. Its columns.
    pub(in crate::scope) fn projection(
        &mut self,
        projection: &mut Projection,
        scope: &mut Bindings,
        role: Role<'_>,
    ) -> Columns {
        self.expand_star(projection, scope, role);
        let written: Vec<Expr> = match is_plain(projection) {
            true => Vec::new(),
            false => projection.items.iter().map(|item| item.expr.clone()).collect(),
        };
        let mut types = Vec::new();
        for item in &mut projection.items {
            types.push(self.value(&mut item.expr, scope));
            self.check_aggregates(&item.expr);
        }
        let aggregates = projection.items.iter().any(|item| contains_aggregate(&item.expr));
        if aggregates {
            self.check_grouping(&projection.items, scope);
        }
        let columns = self.aliases(&mut projection.items, types, scope, role);
        let rows = scope.with_rows(columns.iter().cloned());
        let hides = aggregates || projection.distinct;
        let visible = if hides { rows.clone() } else { scope.overlaid(&rows) };
        let aliases = projection.items.iter().filter_map(|item| item.alias.clone());
        let keys: Vec<Column> = written
            .into_iter()
            .zip(aliases)
            .map(|(written, alias)| Column { written, alias })
            .collect();
        let hidden = if hides { self.hide(scope, &rows) } else { HashSet::new() };
        let hidden = std::mem::replace(&mut self.hidden, hidden);
        for item in &mut projection.order {
            self.sort_key(&mut item.expr, &keys, &visible);
        }
        if let Some(test) = &mut projection.test {
            self.projected_test(test, &keys, &visible);
        }
        self.hidden = hidden;
        let counts = [("SKIP", &mut projection.skip), ("LIMIT", &mut projection.limit)];
        for (word, count) in counts {
            count.iter_mut().for_each(|count| self.constant_count(count, word, 0));
        }
        *scope = rows;
        columns
    }

    fn hide(&self, scope: &Bindings, rows: &Bindings) -> HashSet<crate::tree::Name> {
        let before = scope.rows().map(|(name, _)| name);
        before.filter(|name| rows.symbol(name).is_none()).cloned().collect()
    }

    /// Puts the variables of the rows in place of `*`, by name.
    fn expand_star(&mut self, projection: &mut Projection, scope: &Bindings, role: Role<'_>) {
        if !projection.all {
            return;
        }
        projection.all = false;
        let at = projection.at;
        // What an item names anew is that item's.
        let named: HashSet<&str> = projection.items.iter().map(ProjectionItem::name).collect();
        let rows = scope.rows().filter(|(name, _)| !named.contains(&***name));
        let variables = rows.map(|(name, symbol)| {
            let variable = Variable { at, name: name.clone(), symbol: Some(symbol) };
            let expr = Expr::new(at, ExprKind::Variable(variable));
            ProjectionItem { expr, alias: None, text: name.clone() }
        });
        let mut items: Vec<ProjectionItem> = variables.collect();
        items.append(&mut projection.items);
        projection.items = items;
        let is_result = matches!(
            role,
            Role::Return { within: Within::Statement | Within::Call | Within::Collect, .. }
        );
        if is_result && projection.items.is_empty() {
            let detail = "RETURN * is not allowed when there are no variables in scope";
            self.refuse(fault("NoVariablesInScope", at, detail));
        }
    }

    /// Gives each item an alias with a symbol.
    fn aliases(
        &mut self,
        items: &mut [ProjectionItem],
        types: Vec<Type>,
        scope: &Bindings,
        role: Role<'_>,
    ) -> Columns {
        let mut columns = Columns::new();
        let mut seen = HashSet::new();
        for (item, kind) in items.iter_mut().zip(types) {
            let mut alias = self.alias(item, role);
            if !seen.insert(alias.name.clone()) {
                let detail = format!(
                    "Multiple result columns with the same name are not supported: `{}`",
                    alias.name
                );
                self.refuse(fault("ColumnNameConflict", alias.at, detail));
            }
            let symbol = self.alias_symbol(&alias, &item.expr, kind, scope, role);
            alias.symbol = Some(symbol);
            columns.push((alias.name.clone(), symbol));
            item.alias = Some(alias);
        }
        columns
    }

    fn alias(&mut self, item: &ProjectionItem, role: Role<'_>) -> Variable {
        if let Some(alias) = &item.alias {
            return alias.clone();
        }
        let at = item.expr.at;
        if let ExprKind::Variable(_) | ExprKind::MapProjection(_) = &item.expr.kind {
            return Variable { at, name: item.name().into(), symbol: None };
        }
        let word = match role {
            Role::With => Some("WITH"),
            Role::Return { within: Within::Call, .. } => Some("CALL { RETURN ... }"),
            Role::Return { .. } => None,
        };
        if let Some(word) = word {
            let detail = format!("Expression in {word} must be aliased (use AS)");
            let error = fault("NoExpressionAlias", at, detail);
            self.refuse(error.with_help(format!("write {} AS name", item.text)));
        }
        Variable { at, name: item.text.clone(), symbol: None }
    }

    /// The symbol of an alias: that of the variable it passes on, or of the union's column, or a new one.
    fn alias_symbol(
        &mut self,
        alias: &Variable,
        expr: &Expr,
        kind: Type,
        scope: &Bindings,
        role: Role<'_>,
    ) -> Symbol {
        if let Role::Return { union: Some(union), .. } = role
            && let Some((_, symbol)) = union.iter().find(|(name, _)| *name == alias.name)
        {
            let joined = self.symbols.type_of(*symbol).join(&kind);
            self.symbols.retype(*symbol, joined);
            return *symbol;
        }
        let passed = match &expr.kind {
            ExprKind::Variable(own) if own.name == alias.name => own.symbol,
            _ => None,
        };
        let outer = scope.outer_symbol(&alias.name);
        if let (Role::With, Some(outer)) = (role, outer)
            && passed != Some(outer)
        {
            let help = "it has the name of a variable of the outer query: choose another";
            self.refuse(already_bound(alias.at, &alias.name).with_help(help));
        }
        passed.unwrap_or_else(|| self.symbols.define(&alias.name, kind))
    }

    /// Judges a count, as of `SKIP`: a constant integer that is not below a least value.
    pub(in crate::scope) fn constant_count(&mut self, count: &mut Expr, word: &str, least: i64) {
        let before = self.errors.len();
        let kind = self.value(count, &Bindings::default());
        if reads_variable(count) || contains_aggregate(count) {
            self.errors.truncate(before);
            let detail = format!("It is not allowed to refer to variables in {word}");
            self.refuse(fault("NonConstantExpression", count.at, detail));
            return;
        }
        if !kind.overlaps(&Type::Integer) {
            self.refuse(wrong_type(count.at, "Integer", &kind.to_string()));
        }
        if let Some(value) = integer(count).filter(|value| *value < least) {
            let detail = format!(
                "Invalid input '{value}' is not a valid value for {word}: must be an integer from {least} on"
            );
            self.refuse(fault("NegativeIntegerArgument", count.at, detail));
        }
    }
}

/// Whether nothing behind the items reads them.
fn is_plain(projection: &Projection) -> bool {
    projection.order.is_empty() && projection.test.is_none()
}

/// Whether a variable is read that no inner expression binds.
fn reads_variable(expr: &Expr) -> bool {
    if let ExprKind::Variable(variable) = &expr.kind {
        return variable.symbol.is_none();
    }
    let mut reads = false;
    expr.each_part(&mut |part| reads = reads || reads_variable(part));
    reads
}

/// The value of an integer literal with its signs.
fn integer(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(value)) => Some(*value),
        ExprKind::Unary(Unary::Minus, of) => integer(of)?.checked_neg(),
        ExprKind::Unary(Unary::Plus, of) => integer(of),
        _ => None,
    }
}
