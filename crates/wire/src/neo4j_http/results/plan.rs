//! The operators of a plan as JSON: of the Query API, and of a statement of a transaction.

use millrace_model::{Profile, ProfileNode};

use crate::bolt::plan::{arguments, rows};
use crate::json::{write_string, write_value};

/// The operators of a plan, and whether they have run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The operators.
    pub operators: Profile,
    /// Whether it is a profile.
    pub is_profile: bool,
}

/// The two forms.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Arguments are an object of their own.
    Query,
    /// Arguments are fields of the operator.
    Transaction,
}

impl Plan {
    /// Writes the field of the answer to a query, and a comma in front of it.
    pub(super) fn write_of_query(&self, out: &mut String) {
        let field = if self.is_profile { "profiledQueryPlan" } else { "queryPlan" };
        out.push(',');
        write_string(out, field);
        out.push(':');
        self.write(out, Form::Query);
    }

    /// Writes the field of the result of a statement, and a comma in front of it.
    pub(super) fn write_of_statement(&self, out: &mut String) {
        out.push_str(",\"plan\":{\"root\":");
        self.write(out, Form::Transaction);
        out.push('}');
    }

    fn write(&self, out: &mut String, form: Form) {
        let Profile { nanos, operators } = &self.operators;
        match operators.as_slice() {
            [root] => write_operator(out, root, form),
            several => {
                let nested = several.to_vec();
                let name = "Profile".into();
                let root = ProfileNode { name, nanos: *nanos, nested, ..ProfileNode::default() };
                write_operator(out, &root, form);
            }
        }
    }
}

fn write_operator(out: &mut String, node: &ProfileNode, form: Form) {
    out.push_str("{\"operatorType\":");
    write_string(out, &node.name);
    if form == Form::Query {
        out.push_str(",\"arguments\":{");
    }
    for (index, (name, value)) in arguments(node).iter().enumerate() {
        if 0 < index || form == Form::Transaction {
            out.push(',');
        }
        write_value(out, name);
        out.push(':');
        write_value(out, value);
    }
    if form == Form::Query {
        out.push('}');
        if let Some(rows) = rows(node) {
            out.push_str(&format!(",\"records\":{rows},\"time\":{}", node.nanos));
        }
    }
    out.push_str(",\"identifiers\":[");
    for (index, name) in node.variables.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_string(out, name);
    }
    out.push_str("],\"children\":[");
    for (index, child) in node.nested.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_operator(out, child, form);
    }
    out.push_str("]}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_interfaces_have_two_forms() {
        let scan = ProfileNode {
            name: "Scan".into(),
            nanos: 5,
            counts: vec![("rows".into(), 2)],
            variables: vec!["n".into()],
            ..ProfileNode::default()
        };
        let operators = Profile { nanos: 5, operators: vec![scan] };
        let plan = Plan { operators, is_profile: true };
        let mut out = String::new();
        plan.write_of_query(&mut out);
        assert_eq!(
            out,
            concat!(
                r#","profiledQueryPlan":{"operatorType":"Scan","arguments":{"Rows":2,"Time":5},"#,
                r#""records":2,"time":5,"identifiers":["n"],"children":[]}"#
            )
        );
        out.clear();
        plan.write_of_statement(&mut out);
        assert_eq!(
            out,
            concat!(
                r#","plan":{"root":{"operatorType":"Scan","Rows":2,"Time":5,"#,
                r#""identifiers":["n"],"children":[]}}"#
            )
        );
    }
}
