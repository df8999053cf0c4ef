//! The order that the operators behind a source have a use for.
//!
//! Between the source and the consumer are filters and projections that cannot fail: an index spares rows, and must not
//! spare their errors. Two errors are left to the rows that are read: of an id that is no number, and of a property with
//! several values where one is wanted (no index serves a key that has those).

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_plan::analysis::can_fail;
use millrace_plan::op::Demand;
use millrace_plan::{
    ColumnId, Expr, Fold, Function, Name, Nulls, Op, OwnerName, ScanSource, SortKey, op,
};

use super::reader::{KeyBounds, OrderQuestion, TieOrder};
use super::{IN_ORDER, InOrder, Ordered, State, alone};
use crate::compile::{Compiler, Place, Placed};
use crate::context::Resolved;
use crate::operators::sources::scan::conditions::Conditions;
use crate::operators::sources::scan::ranged_key::RangedKey;
use crate::operators::sources::seek::{OR_INDEX, SeekOwner};
use crate::pipeline::RowOrder;
use millrace_model::Result;

/// A source of elements.
struct Source<'p> {
    owner: OwnerName,
    to: ColumnId,
    /// What a `Seek` finds by.
    sought: Vec<(&'p Name, &'p Expr)>,
}

/// The order that a consumer has a use for.
struct Wanted {
    /// Its place behind the source.
    consumer: usize,
    key: Name,
    descending: bool,
    /// Where it has elements without the key; `None`: it passes them over.
    nulls: Option<Nulls>,
    /// What decides between equal keys.
    ties: TieOrder,
    /// Keys in front of it that equal one value.
    fixed: Vec<Name>,
}

/// The operators between a source and its consumer.
struct Between<'p> {
    to: ColumnId,
    /// The columns made from the elements.
    made: Vec<(ColumnId, &'p Expr)>,
    filters: Vec<&'p Expr>,
    /// Properties of which each value is a row.
    unwound: Vec<&'p Expr>,
    conditions: Conditions<'p>,
}

impl Compiler<'_> {
    /// The source in a form that may give its elements in order, if an operator behind it has a use for that.
    pub(crate) fn in_order(
        &self,
        op: &Op,
        place: &Place<'_>,
        placed: Placed,
        label: &str,
    ) -> Result<std::result::Result<InOrder, Placed>> {
        let Some(source) = source_of(op) else { return Ok(Err(placed)) };
        let is_free = place.demand == Demand::Free;
        let is_edge = matches!(source.owner, OwnerName::EdgeType(_));
        let Some((between, wanted)) = self.wanted(&source, place).filter(|_| is_free || !is_edge)
        else {
            return Ok(Err(placed));
        };
        let is_never_null = between.is_never_null(&wanted.key, self.plan.compare);
        let Between { mut conditions, .. } = between;
        let [lower_of, upper_of] =
            [true, false].map(|lower| bounds_of_any(&mut conditions, &wanted.key, lower));
        let own = conditions.ranged.iter().position(|own| *own.key.name() == wanted.key);
        let question = OrderQuestion {
            owner: SeekOwner::new(&source.owner),
            key: Resolved::new(&wanted.key),
            descending: wanted.descending,
            nulls: wanted.nulls.filter(|_| !is_never_null),
            ties: wanted.ties,
            fixed: wanted.fixed.iter().map(Resolved::new).collect(),
            is_free,
            equal: conditions
                .equal
                .iter()
                .map(|(key, value)| (Resolved::new(key), *value))
                .collect(),
            sought: source.sought.len(),
            bounds: KeyBounds {
                range: own
                    .map(|own| conditions.ranged.swap_remove(own))
                    .unwrap_or_else(|| RangedKey::new(&wanted.key)),
                lower_of,
                upper_of,
            },
            values: self.exprs(place.layout, conditions.values)?,
            budget: None,
        };
        let (keep, _, [to]) = place.keep_and([Some(source.to)]);
        let order = Arc::new(RowOrder::default());
        let (operator, layout) = placed;
        let ordered = Ordered {
            plain: alone(operator),
            question,
            order: Arc::clone(&order),
            keep,
            to,
            label: label.to_owned(),
            is_seek: matches!(op, Op::Seek(_)),
            key: wanted.key.clone(),
            state: State::Begun,
            charge: Default::default(),
            access: Default::default(),
            ran_plain: false,
        };
        let separator = if label.contains(OR_INDEX) { ", " } else { OR_INDEX };
        Ok(Ok(InOrder {
            consumer: wanted.consumer,
            order,
            placed: (Box::new(ordered), layout),
            label: format!("{separator}{IN_ORDER}{}", wanted.key),
        }))
    }

    fn wanted<'p>(&self, source: &Source<'p>, place: &Place<'p>) -> Option<(Between<'p>, Wanted)> {
        let to = source.to;
        let mut conditions = Conditions::of(to);
        for (key, value) in &source.sought {
            conditions.values.push(value);
            conditions.equal.push((key, conditions.values.len() - 1));
        }
        let mut between =
            Between { to, made: Vec::new(), filters: Vec::new(), unwound: Vec::new(), conditions };
        for (consumer, op) in place.behind.iter().enumerate() {
            if let Op::Filter(op::Filter { predicate }) = op {
                if self.may_fail(predicate, to, true) {
                    return None;
                }
                // A column that is made behind the source is not known in front of it.
                if between.made.is_empty() {
                    between.conditions.add(predicate);
                }
                between.filters.push(predicate);
            } else if let Op::Project(op::Project { columns }) = op {
                if columns.iter().any(|(_, expr)| self.may_fail(expr, to, false)) {
                    return None;
                }
                between.made.extend(columns.iter().map(|(column, expr)| (*column, expr)));
            } else if let Op::UnwindValues(op::UnwindValues { property, to, ordinal: None }) = op {
                between.made.push((*to, property));
                between.unwound.push(property);
            } else {
                let page = place.behind.get(consumer + 1);
                let wanted = between.wanted(op, page, consumer)?;
                // A row of several would stand for one.
                let is_its_own = |property: &&Expr| between.key(property) == Some(&wanted.key);
                let are_its_own = between.unwound.iter().all(is_its_own);
                return are_its_own.then_some((between, wanted));
            }
        }
        None
    }

    fn may_fail(&self, expr: &Expr, to: ColumnId, condition: bool) -> bool {
        let mut expr = expr.clone();
        leave_to_rows(&mut expr, to);
        can_fail(&expr, &self.elements, condition)
    }
}

/// The element source that an operator is, if it is one that an index may replace.
fn source_of(op: &Op) -> Option<Source<'_>> {
    if let Op::Scan(op::Scan { source, to }) = op {
        let owner = match source {
            ScanSource::Vertices(Some(label)) => OwnerName::Label(label.clone()),
            ScanSource::Vertices(None) => OwnerName::AllVertices,
            ScanSource::Edges(Some(types)) if types.len() == 1 => {
                OwnerName::EdgeType(types[0].clone())
            }
            ScanSource::Edges(_) => return None,
        };
        return Some(Source { owner, to: *to, sought: Vec::new() });
    }
    let Op::Seek(op::Seek { owner, keys, values, range: None, to }) = op else { return None };
    Some(Source { owner: owner.clone(), to: *to, sought: keys.iter().zip(values).collect() })
}

/// Takes expressions out that may fail for a row that is read.
fn leave_to_rows(expr: &mut Expr, to: ColumnId) {
    if is_left_to_rows(expr, to) {
        *expr = Expr::Column(to);
        return;
    }
    expr.children_mut().into_iter().for_each(|child| leave_to_rows(child, to));
}

fn is_left_to_rows(expr: &Expr, to: ColumnId) -> bool {
    let is_element = |expr: &Expr| *expr == Expr::Column(to);
    if let Expr::Call { function: Function::NumberOfId, arguments } = expr {
        return matches!(&arguments[..], [Expr::Id(id), own] if is_element(id) && is_element(own));
    }
    if let Expr::SingleValue(property) = expr {
        return matches!(&**property, Expr::Property { element, .. } if is_element(element));
    }
    matches!(expr, Expr::Id(id) if is_element(id))
}

impl<'p> Between<'p> {
    /// The order that an operator behind has a use for; `page` is the operator behind that.
    fn wanted(&self, op: &Op, page: Option<&Op>, consumer: usize) -> Option<Wanted> {
        let is_page = matches!(page, Some(Op::Range(op::Range { to: Some(_), .. })));
        if let Op::TopK(op::TopK { keys, .. }) = op {
            return self.sorted(keys, consumer);
        }
        if let Op::Sort(op::Sort { keys }) = op {
            return is_page.then(|| self.sorted(keys, consumer)).flatten();
        }
        let Op::Aggregate(op::Aggregate { keys, folds }) = op else { return None };
        let (true, [(_, fold)]) = (keys.is_empty(), folds.as_slice()) else { return None };
        let fold = if let Fold::IfSeen { fold, .. } = fold { &**fold } else { fold };
        let (expr, descending) = match fold {
            Fold::Min(expr) => (expr, false),
            Fold::Max(expr) => (expr, true),
            Fold::Count
            | Fold::CountDistinct(_)
            | Fold::Sum(_)
            | Fold::Mean(_)
            | Fold::CountValues(_)
            | Fold::StDev(_)
            | Fold::StDevP(_)
            | Fold::PercentileCont(_)
            | Fold::PercentileDisc(_)
            | Fold::Collect(_)
            | Fold::CollectValues(_)
            | Fold::First(_)
            | Fold::Exists
            | Fold::Distinct(_)
            | Fold::IfSeen { .. } => return None,
        };
        let key = self.key(expr)?.clone();
        let (nulls, ties, fixed) = (None, TieOrder::OfSource, Vec::new());
        Some(Wanted { consumer, key, descending, nulls, ties, fixed })
    }

    fn sorted(&self, keys: &[SortKey], consumer: usize) -> Option<Wanted> {
        // What equals one value orders nothing.
        let is_fixed = |key: &Name| self.conditions.equal.iter().any(|(own, _)| *own == key);
        let fixed = keys.iter().map_while(|own| self.key(&own.by).filter(|key| is_fixed(key)));
        let fixed: Vec<Name> = fixed.cloned().collect();
        let (SortKey { by, descending, nulls }, rest) = keys[fixed.len()..].split_first()?;
        let (key, ties) = (self.key(by)?.clone(), self.ties(rest));
        let (descending, nulls) = (*descending, Some(*nulls));
        Some(Wanted { consumer, key, descending, nulls, ties, fixed })
    }

    /// What the keys behind the first decide between elements that are equal in that.
    fn ties(&self, rest: &[SortKey]) -> TieOrder {
        match rest {
            [] => TieOrder::OfSource,
            // No two elements are equal: further keys decide nothing.
            [own, ..] if own.by == Expr::Column(self.to) => {
                TieOrder::OfElements { descending: own.descending }
            }
            [_, ..] => TieOrder::Other,
        }
    }

    /// The key of the elements whose values an expression has.
    fn key<'e>(&'e self, expr: &'e Expr) -> Option<&'e Name>
    where
        'p: 'e,
    {
        let mut expr = expr;
        // A column is made from those before it.
        for _ in 0..=2 * self.made.len() + 2 {
            if let Expr::Property { element, key } = expr {
                return (**element == Expr::Column(self.to)).then_some(key);
            }
            expr = if let Expr::Column(column) = expr {
                self.made.iter().rev().find(|own| own.0 == *column)?.1
            } else if let Expr::SingleValue(inner) = expr {
                inner
            } else if let Expr::Call { function: Function::OrNull, arguments } = expr {
                arguments.first()?
            } else {
                return None;
            };
        }
        None
    }

    /// Whether the filters drop elements without the key.
    fn is_never_null(&self, key: &Name, mode: CompareMode) -> bool {
        let is_bound = |conditions: &Conditions<'_>| {
            let ranged = conditions.ranged.iter().filter(|own| own.key.name() == key);
            let mut ranged = ranged.map(|own| {
                let is_above = own.lower.is_some() || own.prefix.is_some() || own.never_null;
                is_above || own.upper.is_some() && mode != CompareMode::NullIsValue
            });
            ranged.any(|is_bound| is_bound)
        };
        let equals = |conditions: &Conditions<'_>| {
            // Something may equal null in another mode.
            mode == CompareMode::NullIsUnknown
                && conditions.equal.iter().any(|(own, _)| *own == key)
        };
        let alternatives = &self.conditions.alternatives;
        let says_so = |part: &Expr| {
            let Expr::Not(inner) = part else { return false };
            let tested = if let Expr::IsNull(inner) | Expr::IsAbsent(inner) = &**inner {
                inner
            } else {
                return false;
            };
            self.key(tested) == Some(key)
        };
        is_bound(&self.conditions)
            || equals(&self.conditions)
            || !alternatives.is_empty()
                && alternatives.iter().all(|own| is_bound(own) || equals(own))
            || self.filters.iter().flat_map(|filter| parts(filter)).any(says_so)
    }
}

/// The parts of a predicate that all must hold.
fn parts(predicate: &Expr) -> &[Expr] {
    if let Expr::And(parts) = predicate { parts } else { std::slice::from_ref(predicate) }
}

/// Values of which the outermost bounds the key on one side, where each alternative of an `or` bounds it.
fn bounds_of_any(conditions: &mut Conditions<'_>, key: &Name, lower: bool) -> Vec<usize> {
    let bound = |own: &Conditions<'_>| {
        let equal = own.equal.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let ranged = own.ranged.iter().find(|own| own.key.name() == key);
        let ranged = ranged.and_then(|own| if lower { own.lower } else { own.upper });
        equal.or(ranged.map(|(value, _)| value))
    };
    let alternatives = std::mem::take(&mut conditions.alternatives);
    let bounds: Option<Vec<usize>> = alternatives.iter().map(bound).collect();
    let mut places = Vec::new();
    for (own, value) in alternatives.iter().zip(bounds.unwrap_or_default()) {
        conditions.values.push(own.values[value]);
        places.push(conditions.values.len() - 1);
    }
    conditions.alternatives = alternatives;
    places
}
