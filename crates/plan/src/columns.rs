//! Which columns an operator reads and which it makes: what liveness and checking stand on.
//!
//! Subplans count: an `Apply` reads what its subplan reads and has not made itself.

use std::collections::BTreeSet;

use crate::expr::Expr;
use crate::op::{ApplyKind, Fold, JoinKind, Missing, Op, SeekRange, UnionPick};
use crate::plan::{ColumnId, Pipeline};
use crate::writes::{Label, Properties, Template};

/// A set of columns.
pub type ColumnSet = BTreeSet<ColumnId>;

impl Expr {
    /// Calls `visit` for this expression and all inside it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Adds the columns it reads.
    pub fn read_columns(&self, columns: &mut ColumnSet) {
        self.walk(&mut |expr| {
            if let Expr::Column(column) = expr {
                columns.insert(*column);
            }
        });
    }
}

impl Fold {
    /// The expression it folds, if it looks at one.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Fold::Count | Fold::Exists => None,
            Fold::CountDistinct(expr)
            | Fold::Sum(expr)
            | Fold::SumTimes(expr)
            | Fold::Min(expr)
            | Fold::Max(expr)
            | Fold::Mean(expr)
            | Fold::Collect(expr)
            | Fold::First(expr) => Some(expr),
            Fold::IfSeen { fold, .. } => fold.expr(),
        }
    }

    /// Whether there may be no row where it saw nothing.
    pub fn drops_rows(&self) -> bool {
        matches!(self, Fold::IfSeen { missing: Missing::NoRow, .. })
    }
}

impl Properties {
    /// The expressions of its values.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.keyed.iter().map(|(_, expr)| expr).chain(&self.map)
    }
}

impl Template {
    /// Its properties.
    pub fn properties(&self) -> &Properties {
        match self {
            Template::Vertex { properties, .. } | Template::Edge { properties, .. } => properties,
        }
    }

    /// The labels or the type of what is made.
    pub fn labels(&self) -> &[Label] {
        match self {
            Template::Vertex { labels, .. } => labels,
            Template::Edge { edge_type, .. } => std::slice::from_ref(edge_type),
        }
    }

    /// The expressions of its properties, and of labels that only rows know.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.properties().exprs().chain(self.labels().iter().filter_map(Label::expr))
    }

    fn ends(&self) -> Vec<ColumnId> {
        match self {
            Template::Vertex { .. } => Vec::new(),
            Template::Edge { source, target, .. } => vec![*source, *target],
        }
    }
}

impl Op {
    /// The expressions it evaluates itself (not those of its subplans).
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Op::Scan { .. }
            | Op::Rows { .. }
            | Op::LetRef { .. }
            | Op::Expand { .. }
            | Op::ExpandInto { .. }
            | Op::Intersect(_)
            | Op::PathExpand { .. }
            | Op::TrailEndpoints { .. }
            | Op::PathStep { .. }
            | Op::Endpoints { .. }
            | Op::Fields { .. }
            | Op::RecursiveExpand(_)
            | Op::Lookup(_)
            | Op::Fold { .. }
            | Op::Dedup { .. }
            | Op::Range { .. }
            | Op::Tail { .. }
            | Op::Barrier { .. }
            | Op::Join { .. }
            | Op::Group { .. }
            | Op::Remove { .. }
            | Op::Define { .. } => Vec::new(),
            Op::Random(random) => random.expr().into_iter().collect(),
            Op::Call(call) => call.arguments.iter().collect(),
            Op::Repeat(repeat) => repeat.tests().map(|test| &test.holds).collect(),
            Op::Seek { values, range, .. } => {
                let bounds = range.iter().flat_map(SeekRange::bounds).map(|bound| &bound.value);
                values.iter().chain(bounds).collect()
            }
            Op::LookupById { ids: expr, .. }
            | Op::Filter { predicate: expr }
            | Op::Unwind { list: expr, .. }
            | Op::UnwindValues { property: expr, .. }
            | Op::SideEffect { value: expr, .. }
            | Op::Fail { message: expr, .. }
            | Op::Delete { element: expr, .. } => vec![expr],
            Op::Project { columns } => columns.iter().map(|(_, expr)| expr).collect(),
            Op::Aggregate { folds, .. } => {
                folds.iter().filter_map(|(_, fold)| fold.expr()).collect()
            }
            Op::Sort { keys } | Op::TopK { keys, .. } => keys.iter().map(|key| &key.by).collect(),
            Op::Union { pick, .. } => match pick {
                UnionPick::All => Vec::new(),
                UnionPick::First(conditions) => conditions.iter().collect(),
            },
            Op::Apply { kind, .. } => match kind {
                ApplyKind::Value { fold, .. } => fold.expr().into_iter().collect(),
                ApplyKind::Flat
                | ApplyKind::Optional
                | ApplyKind::Exists
                | ApplyKind::Absent
                | ApplyKind::Bag { .. }
                | ApplyKind::Effect => Vec::new(),
            },
            Op::Create { template, id, .. } => template.exprs().chain(id).collect(),
            Op::Merge { template, on_create, on_match, .. } => {
                let options = [on_create, on_match].into_iter().flat_map(Properties::exprs);
                template.exprs().chain(options).collect()
            }
            Op::Set { properties, .. } => properties.exprs().collect(),
        }
    }

    /// The columns it adds (for an `Aggregate` and a merging `Barrier`: all that are left).
    pub fn made_columns(&self) -> Vec<ColumnId> {
        match self {
            Op::Scan { to, .. }
            | Op::Seek { to, .. }
            | Op::LookupById { to, .. }
            | Op::LetRef { to, .. }
            | Op::Endpoints { to, .. }
            | Op::PathStep { to, .. }
            | Op::Fields { to, .. }
            | Op::Fold { to, .. }
            | Op::Create { to, .. } => vec![*to],
            Op::Rows { to, .. } => to.clone(),
            Op::Expand { edge, to, .. } => edge.iter().chain(to).copied().collect(),
            Op::ExpandInto { edge, .. } => edge.iter().copied().collect(),
            Op::Intersect(intersect) => vec![intersect.to],
            Op::Random(random) => random.made().into_iter().collect(),
            Op::Lookup(lookup) => vec![lookup.to],
            Op::RecursiveExpand(recurse) => vec![recurse.to],
            Op::Call(call) => call.yields.iter().map(|(_, column)| *column).collect(),
            Op::PathExpand { edges, to, cost, .. } => {
                edges.iter().chain(to).chain(cost).copied().collect()
            }
            Op::TrailEndpoints { from, to, .. } => from.iter().chain(to).copied().collect(),
            Op::Project { columns } => columns.iter().map(|(column, _)| *column).collect(),
            Op::Unwind { to, position, .. } | Op::UnwindValues { to, ordinal: position, .. } => {
                std::iter::once(to).chain(position).copied().collect()
            }
            Op::Aggregate { keys, folds } => {
                keys.iter().chain(folds.iter().map(|(column, _)| column)).copied().collect()
            }
            Op::Barrier { merge } => merge.clone().unwrap_or_default(),
            Op::Merge { to, created, .. } => std::iter::once(to).chain(created).copied().collect(),
            Op::Union { branches, .. } => {
                branches.iter().flat_map(Pipeline::made_columns).collect()
            }
            Op::Join { right, kind, .. } => match kind {
                JoinKind::Inner | JoinKind::Left => right.made_columns(),
                JoinKind::Semi | JoinKind::Anti => Vec::new(),
            },
            Op::Group { keys, sub } => {
                let made = sub.made_columns().into_iter().filter(|column| !keys.contains(column));
                keys.iter().copied().chain(made).collect()
            }
            Op::Repeat(repeat) => repeat.carried(),
            Op::Apply { sub, kind } => match kind {
                ApplyKind::Flat | ApplyKind::Optional => sub.made_columns(),
                ApplyKind::Value { to, .. } | ApplyKind::Bag { to, .. } => vec![*to],
                ApplyKind::Exists | ApplyKind::Absent | ApplyKind::Effect => Vec::new(),
            },
            Op::Filter { .. }
            | Op::Dedup { .. }
            | Op::Sort { .. }
            | Op::TopK { .. }
            | Op::Range { .. }
            | Op::Tail { .. }
            | Op::SideEffect { .. }
            | Op::Set { .. }
            | Op::Remove { .. }
            | Op::Delete { .. }
            | Op::Fail { .. }
            | Op::Define { .. } => Vec::new(),
        }
    }

    /// The columns that are new with it: those it makes, but for those it only keeps.
    pub fn new_columns(&self) -> Vec<ColumnId> {
        match self {
            Op::Aggregate { folds, .. } => folds.iter().map(|(column, _)| *column).collect(),
            Op::Barrier { .. } => Vec::new(),
            Op::Union { .. }
            | Op::Group { .. }
            | Op::Join { kind: JoinKind::Inner | JoinKind::Left, .. }
            | Op::Apply { kind: ApplyKind::Flat | ApplyKind::Optional, .. } => {
                self.subplans().iter().flat_map(Pipeline::new_columns).collect()
            }
            Op::Apply {
                kind:
                    ApplyKind::Value { .. }
                    | ApplyKind::Exists
                    | ApplyKind::Absent
                    | ApplyKind::Bag { .. }
                    | ApplyKind::Effect,
                ..
            }
            | Op::Join { kind: JoinKind::Semi | JoinKind::Anti, .. }
            | Op::Repeat(_)
            | Op::Scan { .. }
            | Op::Seek { .. }
            | Op::LookupById { .. }
            | Op::Rows { .. }
            | Op::LetRef { .. }
            | Op::Expand { .. }
            | Op::ExpandInto { .. }
            | Op::Intersect(_)
            | Op::Random(_)
            | Op::Lookup(_)
            | Op::RecursiveExpand(_)
            | Op::Call(_)
            | Op::PathExpand { .. }
            | Op::TrailEndpoints { .. }
            | Op::PathStep { .. }
            | Op::Endpoints { .. }
            | Op::Fields { .. }
            | Op::Filter { .. }
            | Op::Project { .. }
            | Op::Unwind { .. }
            | Op::UnwindValues { .. }
            | Op::Fold { .. }
            | Op::Dedup { .. }
            | Op::Sort { .. }
            | Op::TopK { .. }
            | Op::Range { .. }
            | Op::Tail { .. }
            | Op::SideEffect { .. }
            | Op::Create { .. }
            | Op::Merge { .. }
            | Op::Set { .. }
            | Op::Remove { .. }
            | Op::Delete { .. }
            | Op::Fail { .. }
            | Op::Define { .. } => self.made_columns(),
        }
    }

    /// The columns it reads, those that its subplans read from outside included.
    pub fn read_columns(&self) -> ColumnSet {
        let mut columns = self.read_by_itself();
        // A body sees the carried columns and nothing else, a step the vertex it goes from.
        if matches!(self, Op::Repeat(_) | Op::RecursiveExpand(_)) {
            return columns;
        }
        // A fold and a bag may read what the subplan made; that is not the outer row's.
        for made in self.subplans().iter().flat_map(Pipeline::made_columns) {
            columns.remove(&made);
        }
        columns.extend(self.subplans().iter().flat_map(Pipeline::outer_columns));
        columns
    }

    /// The same without its subplans. The options of a merge also read the element it gives, which
    /// is nothing of its input.
    pub(crate) fn read_by_itself(&self) -> ColumnSet {
        let mut columns = ColumnSet::new();
        if let Op::Merge { template, on_create, on_match, to, .. } = self {
            let options = on_create.exprs().chain(on_match.exprs());
            options.for_each(|expr| expr.read_columns(&mut columns));
            columns.remove(to);
            template.exprs().for_each(|expr| expr.read_columns(&mut columns));
        } else if let Op::Repeat(repeat) = self {
            // Its tests read what it carries.
            columns.extend(repeat.columns.iter().map(|carried| carried.from));
        } else {
            self.exprs().into_iter().for_each(|expr| expr.read_columns(&mut columns));
        }
        columns.extend(self.plainly_read());
        columns
    }

    /// Whether only the columns it makes are left.
    pub fn drops_other_columns(&self) -> bool {
        matches!(
            self,
            Op::Aggregate { .. }
                | Op::Barrier { merge: Some(_) }
                | Op::Fold { .. }
                | Op::Group { .. }
                | Op::Repeat(_)
        )
    }

    /// Columns read by name rather than in an expression.
    fn plainly_read(&self) -> Vec<ColumnId> {
        match self {
            Op::Expand { from, .. } => vec![*from],
            Op::ExpandInto { from, into, .. } => vec![*from, *into],
            Op::Intersect(intersect) => intersect.arms.iter().map(|arm| arm.from).collect(),
            Op::RecursiveExpand(recurse) => vec![recurse.from],
            Op::Lookup(lookup) => lookup.map.iter().chain(&lookup.tag).copied().collect(),
            Op::PathExpand { path, .. } => std::iter::once(path.from).chain(path.into).collect(),
            Op::TrailEndpoints { list, .. } => vec![*list],
            Op::PathStep { before, object, .. } => before.iter().chain(object).copied().collect(),
            Op::Join { on, .. } => on.iter().map(|(left, _)| *left).collect(),
            Op::Group { keys, .. } => keys.clone(),
            Op::Endpoints { edge, .. } => vec![*edge],
            Op::Fields { element, .. } | Op::Set { element, .. } | Op::Remove { element, .. } => {
                vec![*element]
            }
            Op::Aggregate { keys, .. } => keys.clone(),
            Op::Dedup { columns } | Op::Fold { columns, .. } => columns.clone(),
            Op::Barrier { merge } => merge.clone().unwrap_or_default(),
            Op::Create { template, .. } | Op::Merge { template, .. } => template.ends(),
            Op::Apply { kind: ApplyKind::Bag { columns, .. }, .. } => columns.clone(),
            Op::Scan { .. }
            | Op::Seek { .. }
            | Op::LookupById { .. }
            | Op::Rows { .. }
            | Op::LetRef { .. }
            | Op::Filter { .. }
            | Op::Project { .. }
            | Op::Unwind { .. }
            | Op::UnwindValues { .. }
            | Op::Sort { .. }
            | Op::TopK { .. }
            | Op::Range { .. }
            | Op::Tail { .. }
            | Op::Union { .. }
            | Op::Apply { .. }
            | Op::Repeat(_)
            | Op::Random(_)
            | Op::Call(_)
            | Op::SideEffect { .. }
            | Op::Delete { .. }
            | Op::Fail { .. }
            | Op::Define { .. } => Vec::new(),
        }
    }

    /// Whether all effects that it has are random numbers, its own and those of its subplans.
    pub fn effects_are_random(&self) -> bool {
        match self.subplans() {
            [] => matches!(self, Op::Random(_)) || !self.has_effect(),
            subplans => subplans.iter().all(|sub| sub.effects_are_random()),
        }
    }

    /// Whether it changes something besides its rows: never dead, never stopped early, nothing
    /// moves across it (docs/design/algebra.md, section 3).
    pub fn has_effect(&self) -> bool {
        match self {
            Op::SideEffect { .. }
            | Op::Random(_)
            | Op::Call(_)
            | Op::Create { .. }
            | Op::Merge { .. }
            | Op::Set { .. }
            | Op::Remove { .. }
            | Op::Delete { .. }
            | Op::Fail { .. }
            | Op::Define { .. } => true,
            Op::Union { .. }
            | Op::Join { .. }
            | Op::Group { .. }
            | Op::Repeat(_)
            | Op::RecursiveExpand(_)
            | Op::Apply { .. } => self.subplans().iter().any(Pipeline::has_effect),
            Op::Scan { .. }
            | Op::Seek { .. }
            | Op::LookupById { .. }
            | Op::Rows { .. }
            | Op::LetRef { .. }
            | Op::Expand { .. }
            | Op::ExpandInto { .. }
            | Op::Intersect(_)
            | Op::PathExpand { .. }
            | Op::TrailEndpoints { .. }
            | Op::PathStep { .. }
            | Op::Endpoints { .. }
            | Op::Fields { .. }
            | Op::Lookup(_)
            | Op::Filter { .. }
            | Op::Project { .. }
            | Op::Unwind { .. }
            | Op::UnwindValues { .. }
            | Op::Aggregate { .. }
            | Op::Fold { .. }
            | Op::Dedup { .. }
            | Op::Sort { .. }
            | Op::TopK { .. }
            | Op::Range { .. }
            | Op::Tail { .. }
            | Op::Barrier { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_merge_read_its_element_and_its_template_does_not() {
        let [input, element] = [ColumnId(0), ColumnId(1)];
        let keyed = |column| Properties {
            keyed: vec![("k".into(), Expr::property(column, "k"))],
            map: None,
        };
        let merge = |matched| Op::Merge {
            template: Template::Vertex { labels: Vec::new(), properties: keyed(matched) },
            on_create: keyed(element),
            on_match: keyed(input),
            to: element,
            created: None,
        };
        assert_eq!(merge(input).read_columns(), ColumnSet::from([input]));
        assert_eq!(merge(element).read_columns(), ColumnSet::from([input, element]));
    }
}
