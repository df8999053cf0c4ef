//! What transactions claim: of two that did not see each other, one conflicts.

use std::sync::Arc;

use millrace_engine::execute;
use millrace_model::{ErrorKind, Value, VertexId};
use millrace_plan::{
    Claimed, ColumnId, ElementKind, Expr, LookupMode, Plan, PlanBuilder, Properties, op,
};
use millrace_store::Store;

use crate::fixture::{Graph, builder, edge, empty, graph, vertex, writing};

/// The plan of an upsert that finds and makes by itself: what it claims is what makes two of them conflict.
fn claiming(name: Value, creates: bool) -> Plan {
    let mut plan = builder();
    let name = plan.project("name", Expr::Literal(name));
    let (labels, keys) = (vec!["N".into()], vec!["name".into()]);
    plan.push(op::Claim::vertex(labels, keys, vec![Expr::Column(name)]));
    if creates {
        let v = plan.column("v");
        let template = vertex("N", vec![("name", Expr::Column(name))]);
        plan.push(op::Create { template, id: None, to: v });
    }
    plan.finish(vec![name])
}

fn merging(name: Value) -> Plan {
    let mut plan = builder();
    let v = plan.column("v");
    let (on_create, on_match) = (Properties::default(), Properties::default());
    let template = vertex("N", vec![("name", Expr::Literal(name))]);
    plan.push(op::Merge { template, on_create, on_match, to: v, created: None });
    plan.finish(vec![])
}

/// Whether two transactions that did not see each other may both commit.
fn both_commit(first: &Plan, second: &Plan) -> bool {
    both_commit_over(&empty(), first, second)
}

fn both_commit_over(store: &Arc<dyn Store>, first: &Plan, second: &Plan) -> bool {
    let contexts = [writing(store), writing(store)];
    for (plan, context) in [first, second].into_iter().zip(&contexts) {
        execute(plan, context, &[]).expect("runs");
    }
    let committed = contexts.map(|context| context.into_transaction().expect("writes").commit());
    let [first, second] = committed;
    assert!(first.is_ok());
    match second {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::Conflict);
            false
        }
    }
}

#[test]
fn two_transactions_that_claim_one_key_conflict_without_a_constraint() {
    let (ann, bob) = (|| Value::from("ann"), || Value::from("bob"));
    assert!(!both_commit(&claiming(ann(), true), &claiming(ann(), true)));
    assert!(both_commit(&claiming(ann(), true), &claiming(bob(), true)));
    assert!(!both_commit(&merging(ann()), &claiming(ann(), true)), "a merge claims the same");
    assert!(!both_commit(&claiming(ann(), false), &merging(ann())), "also if it makes nothing");
    assert!(!both_commit(&claiming(Value::I64(1), true), &claiming(Value::F64(1.0), true)));
    assert!(both_commit(&claiming(Value::Null, true), &claiming(Value::Null, true)));
    assert_eq!(
        claiming(ann(), false).to_string(),
        "Project name = \"ann\"\nClaim N(name = name)\n-> name\n"
    );
}

fn bound(plan: &mut PlanBuilder, vertex: VertexId) -> ColumnId {
    let to = plan.column("v");
    let (ids, mode) = (Expr::literal(vertex.0 as i64), LookupMode::Checked);
    plan.push(op::LookupById { element: ElementKind::Vertex, ids, mode, to });
    to
}

fn merging_edge(source: VertexId, target: VertexId) -> Plan {
    let mut plan = builder();
    let [source, target] = [source, target].map(|end| bound(&mut plan, end));
    let to = plan.column("edge");
    let (on_create, on_match) = (Properties::default(), Properties::default());
    let template = edge("LIKES", source, target);
    plan.push(op::Merge { template, on_create, on_match, to, created: None });
    plan.finish(vec![])
}

fn claiming_edge(edge_type: Value, source: VertexId, target: VertexId) -> Plan {
    let mut plan = builder();
    let [source, target] = [source, target].map(|end| Expr::Column(bound(&mut plan, end)));
    let edge_type = Expr::Literal(edge_type);
    plan.push(op::Claim { of: Claimed::Edge { edge_type, source, target } });
    plan.finish(vec![])
}

#[test]
fn a_merge_that_makes_an_edge_claims_it_as_a_claim_does() {
    let (likes, knows) = (|| Value::from("LIKES"), || Value::from("KNOWS"));
    // Each such graph has the same ids.
    let Graph { persons, items, .. } = graph();
    let (person, liked, other) = (persons[0], items[0], items[4]);
    let both = |first: Plan, second: Plan| both_commit_over(&graph().store, &first, &second);
    let claim = claiming_edge;
    assert!(!both(merging_edge(person, other), claim(likes(), person, other)));
    assert!(!both(claim(likes(), person, other), merging_edge(person, other)));
    assert!(!both(claim(likes(), person, other), claim(likes(), person, other)));
    assert!(!both(claim(likes(), person, liked), claim(likes(), person, liked)), "it is there");
    assert!(both(claim(likes(), person, liked), merging_edge(person, liked)), "it makes nothing");
    assert!(both(merging_edge(person, other), claim(likes(), other, person)));
    assert!(both(claim(likes(), person, other), claim(likes(), person, liked)));
    assert!(both(claim(likes(), person, other), claim(knows(), person, other)));
    assert!(both(claim(Value::Null, person, other), claim(Value::Null, person, other)));
    let text = claim(likes(), person, other).to_string();
    assert!(text.contains("Claim v#0 -[\"LIKES\"]-> v#1"), "{text}");
}

fn labelling(vertex: VertexId, (add, remove): (&[&str], &[&str]), claims: bool) -> Plan {
    let mut plan = builder();
    let vertex = bound(&mut plan, vertex);
    let [add, remove] = [add, remove].map(|names| names.iter().map(|own| (*own).into()).collect());
    plan.push(op::SetLabels { vertex, add, remove, claims });
    plan.finish(vec![])
}

#[test]
fn labels_that_stay_are_claimed_where_the_plan_says_so() {
    let person = graph().persons[0];
    let both = |first: Plan, second: Plan| both_commit_over(&graph().store, &first, &second);
    let adds = |label: &str, claims| labelling(person, (&[label], &[]), claims);
    let removes = |label: &str, claims| labelling(person, (&[], &[label]), claims);
    assert!(both(removes("Person", false), adds("Person", false)), "it writes nothing");
    assert!(!both(removes("Person", true), adds("Person", true)));
    assert!(!both(adds("Person", true), removes("Person", true)));
    assert!(!both(adds("Person", true), adds("Person", true)));
    assert!(both(adds("Person", true), removes("Item", true)), "another label");
    assert!(both(removes("Item", true), removes("Item", true)), "it is not there");
    let text = adds("Item", true).to_string();
    assert!(text.contains("SetLabels v +Item claimed"), "{text}");
}
