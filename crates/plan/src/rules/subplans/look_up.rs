//! A `Scan` with filters on ids becomes a look-up of these: `Scan v; Filter id(v) in …` becomes
//! `Ids v … as scanned`, with the same filters behind it. An id may be compared as it is, as a number or as a text.
//!
//! Proof: `LookupById` as scanned gives the elements that a scan would and that have one of the ids asked
//! for, each once: an element left out fails a part of the filters, and these test the rest as before. Where a list was
//! wanted and is none, all elements are there, and that part fails for them as it did. The
//! scan's own condition (a label, types) is a filter in front of them. Vertices come in the scan's order;
//! edges come by their places, which is another one, so only where no order is demanded of those of one row: the order of
//! the rows before is kept. The ids
//! may be computed where the scan found nothing to compare them with, so they must not fail; nor ask a side
//! effect, which may have grown. And nothing before them may fail, for it was asked of elements that are not
//! looked up.

use crate::analysis::{can_fail, element_columns, is_list};
use crate::base::{ColumnId, ColumnSet, ElementKind, Name};
use crate::builder::PlanBuilder;
use crate::expr::{Comparison, Expr, SetName};
use crate::op::{self, Demand, ElementColumns, IdForm, LookupMode, Op, Pipeline, ScanSource};
use crate::plan::Plan;
use crate::rules::{OrderedPipeline, Phase, Rule, parts, rewrite_ordered};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "look_up",
    phase: Phase::Subplans,
    why: "elements whose ids are known are found by them, however many others there are",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let elements = element_columns(plan);
    // What a scan finds for one row has no order there.
    let only_rows_have_order = plan.sorted_only;
    rewrite_ordered(plan, |OrderedPipeline { pipeline, order, .. }, _| {
        (0..pipeline.ops.len()).any(|index| {
            let is_free = only_rows_have_order || order.output[index] == Demand::Free;
            look_up(pipeline, index, is_free, &elements)
        })
    })
}

impl PlanBuilder {
    /// Makes the scan that the last filters judge a look-up, where they name the ids they want: for a
    /// language that promises no order of scans, which the rule may not assume.
    pub fn look_up(&mut self) -> &mut PlanBuilder {
        let pipeline = self.open_pipeline();
        let scan = pipeline.ops.iter().rposition(|op| !matches!(op, Op::Filter(_)));
        if let Some(index) = scan
            && let Op::Scan(op::Scan { source, to }) = &pipeline.ops[index]
        {
            let kind = match source {
                ScanSource::Vertices(_) => ElementKind::Vertex,
                ScanSource::Edges(_) => ElementKind::Edge,
            };
            let elements = ElementColumns::from_iter([(*to, kind)]);
            look_up(pipeline, index, true, &elements);
        }
        self
    }
}

/// Makes the scan at a place a look-up, if its filters name ids; whether it did.
fn look_up(
    pipeline: &mut Pipeline,
    index: usize,
    is_free: bool,
    elements: &ElementColumns,
) -> bool {
    let Op::Scan(op::Scan { source, to }) = &pipeline.ops[index] else { return false };
    let (element, own) = match source {
        ScanSource::Vertices(label) => {
            (ElementKind::Vertex, label.as_ref().map(|label| has_label(*to, label)))
        }
        ScanSource::Edges(_) if !is_free => return false,
        ScanSource::Edges(types) => {
            (ElementKind::Edge, types.as_ref().map(|types| has_type(*to, types)))
        }
    };
    let asking = Asking { to: *to, elements };
    let filters = pipeline.ops[index + 1..].iter().map_while(|op| {
        let Op::Filter(op::Filter { predicate }) = op else { return None };
        Some(predicate)
    });
    let ids =
        decided_first(filters.flat_map(parts), *to, elements).find_map(|part| asking.ids(part));
    let Some((ids, mode)) = ids else { return false };
    let found = Op::LookupById(op::LookupById { element, ids: ids.clone(), mode, to: *to });
    let own = own.map(|predicate| Op::Filter(op::Filter { predicate }));
    pipeline.ops.splice(index..=index, [found].into_iter().chain(own));
    true
}

/// Parts of the filters of a scan up to the first that can fail, inclusive: parts behind that one are not
/// evaluated for all rows.
pub(super) fn decided_first<'p>(
    parts: impl Iterator<Item = &'p Expr>,
    found: ColumnId,
    elements: &ElementColumns,
) -> impl Iterator<Item = &'p Expr> {
    let mut failed = false;
    parts.take_while(move |part| {
        let is_first = !failed;
        failed |= fails(part, found, elements);
        is_first
    })
}

/// Whether a filter of a scan's elements may fail. These have ids that fit.
pub(super) fn fails(predicate: &Expr, found: ColumnId, elements: &ElementColumns) -> bool {
    let mut predicate = predicate.clone();
    for (form, like) in [
        (IdForm::Number, Expr::literal(1)),
        (IdForm::Text, Expr::literal("4:0:1")),
        (IdForm::Id, Expr::literal(1)),
    ] {
        predicate.replace(&form.of(Expr::Column(found)), &like);
    }
    can_fail(&predicate, elements, true)
}

fn has_label(vertex: ColumnId, label: &Name) -> Expr {
    Expr::HasLabel { vertex: Box::new(Expr::Column(vertex)), label: label.clone() }
}

fn has_type(edge: ColumnId, types: &[Name]) -> Expr {
    let list = types.iter().map(|name| Expr::literal(&**name)).collect();
    let item = Box::new(Expr::EdgeType(Box::new(Expr::Column(edge))));
    Expr::InList { item, list: Box::new(Expr::List(list)) }
}

struct Asking<'e> {
    /// The column of the scan.
    to: ColumnId,
    elements: &'e ElementColumns,
}

impl Asking<'_> {
    /// The ids that a part of the filters wants one of.
    fn ids<'p>(&self, predicate: &'p Expr) -> Option<(&'p Expr, LookupMode)> {
        if let Expr::InList { item, list } = predicate {
            let form = self.form(item).filter(|_| self.is_known(list))?;
            return Some((list, LookupMode::Scanned { form, in_list: !is_list(list) }));
        }
        let Expr::Compare { comparison: Comparison::Equal, left, right } = predicate else {
            return None;
        };
        let (form, other) = match (self.form(left), self.form(right)) {
            (Some(form), None) => (form, right),
            (None, Some(form)) => (form, left),
            _ => return None,
        };
        self.is_known(other).then_some((other, LookupMode::Scanned { form, in_list: false }))
    }

    /// The form in which an expression is the id of the scan's element.
    fn form(&self, expr: &Expr) -> Option<IdForm> {
        IdForm::ALL.into_iter().find(|form| *expr == form.of(Expr::Column(self.to)))
    }

    /// Whether it is the same before the scan, and cannot fail there.
    fn is_known(&self, expr: &Expr) -> bool {
        let mut read = ColumnSet::new();
        expr.read_columns(&mut read);
        let mut grows = false;
        expr.walk(&mut |expr| {
            grows |= matches!(expr, Expr::InSet { set: SetName::SideEffect(_), .. });
        });
        !read.contains(&self.to) && !grows && !can_fail(expr, self.elements, false)
    }
}
