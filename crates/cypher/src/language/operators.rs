//! The operators of a plan as the tree that clients of Cypher know: the last operator is the root, and each has the one
//! before it and its subplans as children.
//!
//! ```text
//!   Scan a · Expand b · Apply{ Expand c } · Project      ProduceResults
//!                                                        └ Project ─ Apply ─┬ Expand b ─ Scan a
//!                                                                           └ Expand c
//! ```

use std::sync::Arc;

use millrace_model::profile::ProfileNode;
use millrace_model::{Profile, Value};
use millrace_plan::language::Profiler;
use millrace_plan::{Explanation, OperatorReport, Plan};

use crate::limits::TREE_OPERATORS_MAX;

/// The names in a plan, for its operators as a tree.
pub(super) struct OperatorTree {
    /// The name of each column of the plan.
    names: Vec<Arc<str>>,
    /// The columns of the result.
    results: Arc<[Arc<str>]>,
}

/// Whether the operators have run.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Explained,
    Measured,
}

impl OperatorTree {
    pub(super) fn of(plan: &Plan, results: &Arc<[Arc<str>]>) -> OperatorTree {
        OperatorTree { names: plan.columns.clone(), results: Arc::clone(results) }
    }

    fn profile_of(&self, explanation: &Explanation, state: State) -> Profile {
        let operators = &explanation.operators;
        let is_small = operators.len() <= TREE_OPERATORS_MAX;
        let mut pipelines = if is_small { self.pipelines(operators, 0, state) } else { Vec::new() };
        // The main pipeline is the last one, behind those that it reads.
        pipelines.reverse();
        let last = operators.iter().rev().find(|own| own.depth == 0);
        let nanos = operators.iter().map(|own| own.own_nanos).fold(0, u64::saturating_add);
        let text = match state {
            State::Explained => explanation.operators_text(),
            State::Measured => explanation.to_string(),
        };
        let mut annotations = vec![
            (Value::from("string-representation"), Value::from(&*text)),
            (Value::from("planner"), Value::from("millrace")),
            (Value::from("runtime"), Value::from("millrace")),
        ];
        let mut counts = Vec::new();
        if state == State::Measured {
            counts = rows_of(last.map_or(0, |own| own.weight));
            annotations.push((Value::from("GlobalTime"), Value::I64(signed(nanos))));
        }
        let root = ProfileNode {
            id: Arc::from("0"),
            name: Arc::from("ProduceResults"),
            counts,
            annotations,
            variables: self.results.to_vec(),
            nested: pipelines,
            ..ProfileNode::default()
        };
        Profile { nanos: signed(nanos), operators: vec![root] }
    }

    /// The last operator of each pipeline of a depth, with the others below it.
    fn pipelines(
        &self,
        operators: &[OperatorReport],
        depth: usize,
        state: State,
    ) -> Vec<ProfileNode> {
        let mut ends: Vec<ProfileNode> = Vec::new();
        let mut rest = operators;
        while let Some((own, behind)) = rest.split_first() {
            let inner = behind.iter().position(|next| next.depth <= depth);
            let (inner, behind) = behind.split_at(inner.unwrap_or(behind.len()));
            rest = behind;
            let before = if own.is_first { None } else { ends.pop() };
            let mut node = self.node(own, before.as_ref(), state);
            node.nested = self.pipelines(inner, depth + 1, state);
            if let Some(before) = before {
                node.nested.insert(0, before);
            }
            ends.push(node);
        }
        ends
    }

    fn node(
        &self,
        own: &OperatorReport,
        before: Option<&ProfileNode>,
        state: State,
    ) -> ProfileNode {
        let label = own.did();
        let kind = label.split([' ', '[', '(']).next().unwrap_or(label);
        let mut variables = before.map(|node| node.variables.clone()).unwrap_or_default();
        for column in &own.makes {
            let name = self.names.get(column.0 as usize);
            variables.extend(name.filter(|name| !variables.contains(name)).cloned());
        }
        ProfileNode {
            name: Arc::from(kind),
            nanos: signed(own.own_nanos),
            counts: if state == State::Measured { rows_of(own.weight) } else { Vec::new() },
            annotations: vec![(Value::from("Details"), Value::from(label))],
            variables,
            ..ProfileNode::default()
        }
    }
}

fn rows_of(weight: u64) -> Vec<(Arc<str>, i64)> {
    vec![(Arc::from("rows"), signed(weight))]
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Profiler for OperatorTree {
    fn profile(&self, explanation: &Explanation) -> Profile {
        self.profile_of(explanation, State::Measured)
    }

    fn tree(&self, explanation: &Explanation) -> Option<Profile> {
        Some(self.profile_of(explanation, State::Explained))
    }
}

#[cfg(test)]
mod tests {
    use millrace_plan::ColumnId;

    use super::*;

    fn report(label: &str, depth: usize, is_first: bool, makes: &[u32]) -> OperatorReport {
        OperatorReport {
            label: label.to_owned(),
            used: None,
            depth,
            is_first,
            batches: 1,
            rows: 2,
            weight: 3,
            nanos: 5,
            own_nanos: 4,
            makes: makes.iter().map(|&id| ColumnId(id)).collect(),
        }
    }

    fn shown(node: &ProfileNode) -> String {
        let nested: Vec<String> = node.nested.iter().map(shown).collect();
        match nested.is_empty() {
            true => node.name.to_string(),
            false => format!("{}({})", node.name, nested.join(" ")),
        }
    }

    #[test]
    fn each_operator_has_the_one_before_it_and_its_subplans_below_it() {
        let operators = vec![
            report("Let x", 0, true, &[]),
            report("Values", 1, true, &[]),
            report("Scan a", 0, true, &[0]),
            report("Union", 0, false, &[]),
            report("Expand b", 1, true, &[1]),
            report("Filter", 1, false, &[]),
            report("Expand c", 1, true, &[]),
            report("Project[d]", 0, false, &[1]),
        ];
        let names = vec![Arc::from("a"), Arc::from("b")];
        let tree = OperatorTree { names, results: Arc::new([Arc::from("d")]) };
        let profile = tree.profile(&Explanation { operators });
        let [root] = profile.operators.as_slice() else { panic!("one root") };
        assert_eq!(
            shown(root),
            "ProduceResults(Project(Union(Scan Filter(Expand) Expand)) Let(Values))"
        );
        assert_eq!(root.counts, [(Arc::from("rows"), 3)]);
        let known: Vec<&str> = root.nested[0].variables.iter().map(|name| &**name).collect();
        assert_eq!(known, ["a", "b"]);
        assert_eq!(profile.nanos, 32);
    }
}
