//! A plan as text.

use millrace_model::Direction;
use millrace_model::compare::CompareMode;
use millrace_plan::op::TopK;
use millrace_plan::{Expr, Fold, Nulls, PlanBuilder, SetName, SortKey};

#[test]
fn the_recommendation_prints_as_the_algebra_writes_it() {
    let mut builder = PlanBuilder::new(CompareMode::Plain);
    let user = builder.parameter("user");
    let p = builder.seek("Person", "username", Expr::Parameter(user), "p");
    let i = builder.expand(p, Direction::Out, Some(&["LIKES"]), "i");
    builder.side_effect_set("mine", Expr::Column(i));
    let o = builder.expand(i, Direction::In, Some(&["LIKES"]), "o");
    let j = builder.expand(o, Direction::Out, Some(&["LIKES"]), "j");
    let mine = SetName::SideEffect("mine".into());
    builder.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
    let n = builder.aggregate(&[j], "n", Fold::Count);
    let by = SortKey { by: Expr::Column(n), descending: true, nulls: Nulls::Last };
    builder.push(TopK { count: 25.into(), keys: vec![by] });
    let plan = builder.finish(vec![j, n]);
    let expected = "\
Seek p by Person(username = $user)
Expand p -out LIKES-> i
SideEffect mine += i (set)
Expand i -in LIKES-> o
Expand o -out LIKES-> j
Filter not (j in SideEffect mine)
Aggregate [j] n = count
TopK 25 by n desc
-> j, n
";
    assert_eq!(plan.to_string(), expected);
}
