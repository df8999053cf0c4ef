//! Lists: elements of a type, and those whose property compares so with a value.

use millrace_lua::plans;
use millrace_model::compare::CompareMode;
use millrace_model::{Result, Value};
use millrace_plan::{
    Comparison, ElementKind, Expr, Function, Name, Op, OwnerName, Parameter, Plan, PlanBuilder,
    Runner, ScanSource,
};

use super::show::show_all;
use super::{ids_of, run};

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over.
    pub skip: u64,
    /// How many come at most.
    pub limit: u64,
}

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

/// Whole elements of a type, or all, by id.
pub fn list(
    runner: &mut dyn Runner,
    element: ElementKind,
    type_name: Option<&str>,
    page: Page,
) -> Result<Value> {
    let plan = plans::list(element, type_name, page.skip, page.limit);
    let ids = ids_of(&run(runner, &plan, &[])?, 0);
    Ok(Value::list(show_all(runner, element, &ids)?))
}

/// Whole elements of a type that fit the condition.
pub fn find(
    runner: &mut dyn Runner,
    (element, type_name): (ElementKind, &str),
    (property, condition, value): (&str, Condition, &Value),
    page: Page,
) -> Result<Value> {
    let plan = find_plan(element, type_name, property, condition, page);
    let ids = ids_of(&run(runner, &plan, &[Parameter::Value(value.clone())])?, 0);
    Ok(Value::list(show_all(runner, element, &ids)?))
}

fn find_plan(
    element: ElementKind,
    type_name: &str,
    property: &str,
    condition: Condition,
    page: Page,
) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let value = Expr::Parameter(plan.parameter("value"));
    let to = plan.column("x");
    let name = Name::from(type_name);
    if condition == Condition::Compare(Comparison::Equal) {
        // A seek uses an index where there is one.
        let owner = match element {
            ElementKind::Vertex => OwnerName::Label(name),
            ElementKind::Edge => OwnerName::EdgeType(name),
        };
        let (keys, values) = (vec![property.into()], vec![value]);
        plan.push(Op::Seek { owner, keys, values, range: None, to });
    } else {
        let source = match element {
            ElementKind::Vertex => ScanSource::Vertices(Some(name)),
            ElementKind::Edge => ScanSource::Edges(Some(vec![name])),
        };
        plan.push(Op::Scan { source, to });
        plan.filter(predicate(Expr::property(to, property), condition, value));
    }
    plan.push(Op::Range { from: page.skip, to: Some(page.skip.saturating_add(page.limit)) });
    plan.finish(vec![to])
}

fn predicate(property: Expr, condition: Condition, value: Expr) -> Expr {
    let is_null = Expr::IsNull(Box::new(property.clone()));
    let test = match condition {
        Condition::IsNull => return is_null,
        Condition::IsThere => return is_null.negate(),
        Condition::Compare(comparison) => Expr::compare(comparison, property, value),
        Condition::Text { test, negated } => {
            let holds = Expr::Call { function: test, arguments: vec![property, value] };
            if negated { holds.negate() } else { holds }
        }
    };
    Expr::And(vec![is_null.negate(), test])
}
