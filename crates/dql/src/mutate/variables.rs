//! The stages that set and remove `val(v)`: for each node the value that the query found for it, as one of the predicate's
//! type. A node without a value is left as it is.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{Result, Value};
use millrace_plan::functions::Function;
use millrace_plan::{ColumnId, Comparison, Expr, JoinKind, Label, Name, Properties, op};

use super::batch::{Node, VariableOf};
use super::nodes::part;
use super::stages::{Nodes, Stages};
use crate::schema::TYPE_PREDICATE;

impl Stages<'_> {
    pub(super) fn set_variable(
        &mut self,
        number: usize,
        own: &VariableOf,
        subjects: Vec<(Node, Value)>,
        nodes: Nodes,
    ) -> Result<()> {
        let row =
            |(node, facets): (Node, Value)| Value::list(vec![Value::I64(i64::from(node)), facets]);
        // A variable has one value for a node, of which the facets that come last count.
        let last: BTreeMap<Node, Value> = subjects.into_iter().collect();
        let rows = self.data(last.into_iter().map(row).collect());
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let vertex = stages.node(item, 0, nodes);
            let value = Expr::Column(stages.typed_value(vertex, own)?);
            if *own.predicate == *TYPE_PREDICATE {
                let (add, remove) = (labels(value), Vec::new());
                stages.translator.builder.push(op::SetLabels { vertex, add, remove, claims: true });
                return Ok(());
            }
            if own.is_claimed {
                let keys = vec![Name::from(&*own.predicate)];
                let values = vec![value.clone()];
                stages.translator.builder.push(op::Claim::vertex(Vec::new(), keys, values));
            }
            if own.is_list {
                let all = Expr::property(vertex, &own.stored());
                let one = |own: Expr| Expr::List(vec![own]);
                let arguments = vec![all, one(value), one(part(item, 1))];
                let added = Expr::call(Function::SetValues, arguments);
                stages.set_one(vertex, &own.stored(), added);
                return Ok(());
            }
            let keyed = vec![(Name::from(&*own.stored()), value)];
            let properties = Properties { keyed, map: Some(part(item, 1)) };
            let (element, rules) = (vertex, Default::default());
            stages.translator.builder.push(op::Set { element, properties, replace: false, rules });
            Ok(())
        })
    }

    pub(super) fn remove_variable(
        &mut self,
        number: usize,
        own: &VariableOf,
        subjects: Vec<Node>,
        nodes: Nodes,
    ) -> Result<()> {
        let subjects: BTreeSet<Node> = subjects.into_iter().collect();
        let rows = self.nodes_alone(&Vec::from_iter(subjects));
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let vertex = stages.node(item, 0, nodes);
            let value = Expr::Column(stages.typed_value(vertex, own)?);
            if *own.predicate == *TYPE_PREDICATE {
                let (add, remove) = (Vec::new(), labels(value));
                stages.translator.builder.push(op::SetLabels { vertex, add, remove, claims: true });
                return Ok(());
            }
            let all = Expr::property(vertex, &own.stored());
            if own.is_list {
                let gone = Expr::List(vec![value]);
                let less = Expr::call(Function::WithoutValues, vec![all, gone]);
                stages.set_one(vertex, &own.stored(), less);
                return Ok(());
            }
            stages.translator.builder.filter(Expr::compare(Comparison::Equal, all, value));
            stages.set_one(vertex, &own.stored(), Expr::Literal(Value::Null));
            Ok(())
        })
    }

    /// The value of a variable for a node, of the type of its predicate.
    fn typed_value(&mut self, vertex: ColumnId, own: &VariableOf) -> Result<ColumnId> {
        let found = self.translator.join_value(vertex, &own.variable, JoinKind::Inner)?;
        let is_there = Expr::IsNull(Box::new(Expr::Column(found))).negate();
        self.translator.builder.filter(is_there);
        Ok(self.translator.typed(found, own.kind, &own.predicate))
    }
}

fn labels(value: Expr) -> Vec<Label> {
    vec![Label::Of(Expr::List(vec![value]))]
}
