//! Patterns that are only counted, on a social network.

use std::collections::BTreeMap;

use millrace_model::Direction;
use millrace_plan::{
    ApplyKind, ColumnId, Comparison, DegreeHint, Expr, Fold, Hints, Loops, Name, PlanBuilder, op,
};

/// Two persons that know each other, and messages in trees.
pub(crate) fn hints() -> Hints {
    let labels = [("Person", 1_024), ("City", 8), ("Tag", 64), ("Message", 16_384)];
    let types = [("KNOWS", 8_192), ("LIVES_IN", 1_024), ("HAS_TAG", 16_384), ("REPLY_OF", 8_192)];
    let tags = DegreeHint { out: 32, ..DegreeHint::default() };
    let replies = DegreeHint { out: 16, into: 8, one_out: true, one_into: false };
    let of_message = BTreeMap::from([("HAS_TAG".into(), tags), ("REPLY_OF".into(), replies)]);
    Hints {
        vertices: Some(32_768),
        labels: labels.map(|(label, count)| (label.into(), count)).into(),
        edge_types: types.map(|(name, count)| (name.into(), count)).into(),
        degrees: BTreeMap::from([("Message".into(), of_message)]),
        ..Hints::default()
    }
}

fn hop(
    plan: &mut PlanBuilder,
    from: ColumnId,
    direction: Direction,
    kind: &str,
    to: &str,
) -> (ColumnId, ColumnId) {
    let [edge, to] = ["edge", to].map(|name| plan.column(name));
    let types = Some(vec![Name::from(kind)]);
    let hop =
        op::Expand { from, types, direction, edge: Some(edge), to: Some(to), loops: Loops::Once };
    plan.push(hop);
    (edge, to)
}

fn has_label(plan: &mut PlanBuilder, vertex: ColumnId, label: &str) {
    let vertex = Box::new(Expr::Column(vertex));
    plan.filter(Expr::HasLabel { vertex, label: label.into() });
}

fn differ(plan: &mut PlanBuilder, one: ColumnId, other: ColumnId) {
    plan.filter(Expr::compare(Comparison::NotEqual, Expr::Column(one), Expr::Column(other)));
}

/// The pattern with a name.
pub(crate) fn pattern(plan: &mut PlanBuilder, name: &str) -> Vec<ColumnId> {
    match name {
        "counted: friends of friends" => {
            let a = plan.scan(Some("Person"), "a");
            let (first, b) = hop(plan, a, Direction::Both, "KNOWS", "b");
            let (second, c) = hop(plan, b, Direction::Both, "KNOWS", "c");
            plan.differs(second, &[first]);
            let (_, city) = hop(plan, c, Direction::Out, "LIVES_IN", "city");
            has_label(plan, city, "City");
            differ(plan, a, c);
        }
        "counted: a triangle" => {
            let a = plan.scan(Some("Person"), "a");
            let (first, b) = hop(plan, a, Direction::Both, "KNOWS", "b");
            let (second, c) = hop(plan, b, Direction::Both, "KNOWS", "c");
            let third = plan.column("edge");
            let types = Some(vec![Name::from("KNOWS")]);
            plan.push(op::ExpandInto {
                from: c,
                into: a,
                types,
                direction: Direction::Both,
                edge: Some(third),
                loops: Loops::Once,
            });
            plan.differs(second, &[first]).differs(third, &[first, second]);
            [a, b, c].into_iter().for_each(|vertex| has_label(plan, vertex, "Person"));
        }
        "counted: other tags of an answer" => {
            let tag = plan.scan(Some("Tag"), "s");
            let (_, message) = hop(plan, tag, Direction::In, "HAS_TAG", "m");
            let (_, answer) = hop(plan, message, Direction::In, "REPLY_OF", "c");
            has_label(plan, answer, "Message");
            let (_, other) = hop(plan, answer, Direction::Out, "HAS_TAG", "t");
            differ(plan, tag, other);
            plan.apply(ApplyKind::Absent, |sub| {
                sub.push(op::ExpandInto {
                    from: answer,
                    into: tag,
                    types: Some(vec!["HAS_TAG".into()]),
                    direction: Direction::Out,
                    edge: None,
                    loops: Loops::Once,
                });
            });
        }
        "counted: messages with or without an answer" => {
            let tag = plan.scan(Some("Tag"), "tag");
            let (_, message) = hop(plan, tag, Direction::In, "HAS_TAG", "m");
            has_label(plan, message, "Message");
            plan.apply(ApplyKind::Optional, |sub| {
                let (_, answer) = hop(sub, message, Direction::In, "REPLY_OF", "c");
                has_label(sub, answer, "Message");
            });
        }
        other => panic!("no plan is called {other}"),
    }
    vec![plan.aggregate(&[], "count", Fold::Count)]
}
