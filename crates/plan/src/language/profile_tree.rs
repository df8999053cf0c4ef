//! A profile with the operators of a run as they stand: those of subplans inside the operator that runs them.

use std::sync::Arc;

use millrace_model::{Profile, ProfileNode, Value};

use super::explanation::{Explanation, OperatorReport};

/// The name that a language has for an operator, in place of its own.
pub type OperatorName<'a> = &'a dyn Fn(&OperatorReport) -> Option<&'static str>;

impl Explanation {
    /// The profile of the run, with the operators that a language names under its names.
    pub fn profile(&self, name: OperatorName<'_>) -> Profile {
        let mut operators = all(&self.operators, "", name);
        let nanos = nanos_of(&operators);
        for operator in &mut operators {
            add_share(operator, nanos);
        }
        Profile { nanos, operators }
    }
}

/// The operators of one depth, with those below each.
fn all(reports: &[OperatorReport], outer: &str, name: OperatorName<'_>) -> Vec<ProfileNode> {
    let mut all = Vec::new();
    let mut left = reports;
    while let [report, behind @ ..] = left {
        let deeper = behind.iter().take_while(|inner| report.depth < inner.depth).count();
        let (inner, behind) = behind.split_at(deeper);
        let id = format!("{outer}{}", all.len());
        all.push(one(report, inner, id, name));
        left = behind;
    }
    all
}

fn one(
    report: &OperatorReport,
    inner: &[OperatorReport],
    id: String,
    name: OperatorName<'_>,
) -> ProfileNode {
    let nested = all(inner, &format!("{id}."), name);
    // The plan that a `Let` binds has no time of its own, only that of its operators.
    let nanos = count(report.own_nanos).max(nanos_of(&nested));
    let counts = [("traverserCount", report.rows), ("elementCount", report.weight)];
    let counts = counts.map(|(name, number)| (Arc::from(name), count(number)));
    let mut node = ProfileNode {
        id: id.into(),
        nanos,
        counts: counts.to_vec(),
        nested,
        ..ProfileNode::default()
    };
    match name(report) {
        Some(own) => {
            node.name = own.into();
            node.annotations.push(("operator".into(), report.did().into()));
        }
        None => node.name = report.did().into(),
    }
    node
}

fn nanos_of(operators: &[ProfileNode]) -> i64 {
    operators.iter().map(|operator| operator.nanos).fold(0, i64::saturating_add)
}

/// Clients print how much of the time an operator took by this name.
fn add_share(operator: &mut ProfileNode, nanos: i64) {
    let share = operator.nanos as f64 * 100.0 / nanos.max(1) as f64;
    operator.annotations.push(("percentDur".into(), Value::F64(share)));
    operator.nested.iter_mut().for_each(|inner| add_share(inner, nanos));
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
