//! Elements by a property: found among all of a type, or filtered from a list of ids.

use millrace_model::compare::CompareMode;
use millrace_model::{Catalog, Owner, Value};
use millrace_plan::{
    Comparison, ElementKind, Expr, Fold, Function, Name, Nulls, OwnerName, Plan, PlanBuilder,
    SortKey, op,
};

use super::{source, stored_value};

/// How a property compares with a value. An element without the property never fits, but for
/// [`Condition::IsNull`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// By a comparison.
    Compare(Comparison),
    /// By a test of text; `negated`: texts that fail it.
    Text {
        /// The test.
        test: Function,
        /// Whether it must fail.
        negated: bool,
    },
    /// Not there.
    IsNull,
    /// There.
    IsThere,
}

/// The elements that are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// Vertices or edges.
    pub(crate) element: ElementKind,
    /// Their type.
    pub(crate) kind: &'a str,
    /// The property that is compared.
    pub(crate) property: &'a str,
    /// How it compares with the value.
    pub(crate) condition: Condition,
}

impl Wanted<'_> {
    /// The value to compare with, as the property stores it.
    pub(crate) fn stored_value(&self, catalog: &Catalog, value: Value) -> Value {
        let owner = match self.element {
            ElementKind::Vertex => catalog.label(self.kind).map(Owner::Label),
            ElementKind::Edge => catalog.edge_type(self.kind).map(Owner::EdgeType),
        };
        let is_owner = |of: Owner| owner == Some(of);
        stored_value(catalog, is_owner, (self.property, self.condition), value)
    }
}

/// The order of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they come.
    Unordered,
    /// By the property, least first.
    Ascending,
    /// By the property, greatest first.
    Descending,
}

/// The result of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Give {
    /// How many they are.
    Count,
    /// A part of them.
    Page {
        /// How many are passed over.
        skip: u64,
        /// How many come at most.
        limit: u64,
        /// In which order.
        order: Order,
    },
}

/// `$value` → the elements of a type that fit, or how many they are.
pub(crate) fn find(wanted: Wanted<'_>, give: Give) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let value = Expr::Parameter(plan.parameter("value"));
    let to = plan.column("x");
    if wanted.condition == Condition::Compare(Comparison::Equal) {
        // A seek uses an index where there is one.
        let name = Name::from(wanted.kind);
        let owner = match wanted.element {
            ElementKind::Vertex => OwnerName::Label(name),
            ElementKind::Edge => OwnerName::EdgeType(name),
        };
        let (keys, values) = (vec![wanted.property.into()], vec![value]);
        plan.push(op::Seek { owner, keys, values, range: None, to });
    } else {
        plan.push(op::Scan { source: source(wanted.element, Some(wanted.kind)), to });
        plan.filter(fits(Expr::property(to, wanted.property), wanted.condition, value));
    }
    finish(plan, Expr::property(to, wanted.property), to, give)
}

/// Rows `$rows` (element), `$value` → those of the type that fit, in their order, or how many they are.
/// An element that is listed twice comes twice.
pub(crate) fn filter(wanted: Wanted<'_>, give: Give) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let rows = plan.parameter("rows");
    let value = Expr::Parameter(plan.parameter("value"));
    let [name] = plan.rows(rows, ["id"]);
    let to = plan.ids(wanted.element, Expr::Column(name), "x");
    let owner = Box::new(Expr::Column(to));
    plan.filter(match wanted.element {
        ElementKind::Vertex => Expr::HasLabel { vertex: owner, label: wanted.kind.into() },
        ElementKind::Edge => {
            Expr::compare(Comparison::Equal, Expr::EdgeType(owner), Expr::literal(wanted.kind))
        }
    });
    plan.filter(fits(Expr::property(to, wanted.property), wanted.condition, value));
    finish(plan, Expr::property(to, wanted.property), to, give)
}

fn finish(mut plan: PlanBuilder, by: Expr, to: millrace_plan::ColumnId, give: Give) -> Plan {
    let (skip, limit, order) = match give {
        Give::Count => {
            let count = plan.aggregate(&[], "count", Fold::Count);
            return plan.finish(vec![count]);
        }
        Give::Page { skip, limit, order } => (skip, limit, order),
    };
    if order != Order::Unordered {
        let descending = order == Order::Descending;
        plan.push(op::Sort { keys: vec![SortKey { by, descending, nulls: Nulls::Last }] });
    }
    plan.push(op::Range::of(skip, Some(skip.saturating_add(limit))));
    plan.finish(vec![to])
}

pub(crate) fn fits(property: Expr, condition: Condition, value: Expr) -> Expr {
    let is_null = Expr::IsNull(Box::new(property.clone()));
    let test = match condition {
        Condition::IsNull => return is_null,
        Condition::IsThere => return is_null.negate(),
        Condition::Compare(comparison) => Expr::compare(comparison, property, value),
        Condition::Text { test, negated } => {
            let test = Expr::Call { function: test, arguments: vec![property, value] };
            if negated { test.negate() } else { test }
        }
    };
    Expr::And(vec![is_null.negate(), test])
}
