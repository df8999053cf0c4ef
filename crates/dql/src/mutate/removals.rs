//! The stages that remove: values, edges, labels, and the predicates of a node's types.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Direction, Result, Value};
use millrace_plan::functions::Function;
use millrace_plan::{ColumnId, Comparison, Expr, Label, Loops, Name, op};

use super::batch::{Node, Removals};
use super::names::stored_names;
use super::nodes::part;
use super::stages::{Nodes, Stages};
use crate::schema::TYPE_PREDICATE;

impl Stages<'_> {
    pub(super) fn removals(
        &mut self,
        number: usize,
        removals: Removals,
        nodes: Nodes,
    ) -> Result<()> {
        let Removals {
            properties,
            values,
            variables,
            list_values,
            edges,
            all_edges,
            labels,
            all_labels,
            everything,
        } = removals;
        // Of the types that the node has before anything of it is removed.
        self.remove_everything(number, &everything, nodes)?;
        let rows = properties.into_iter().map(|(node, names)| {
            let pair = |name: Arc<str>| (Value::String(name), Value::Null);
            let map = Value::map(names.into_iter().map(pair).collect());
            Value::list(vec![Value::I64(i64::from(node)), map])
        });
        self.set_properties(number, rows.collect(), nodes)?;
        for (stored, rows) in values {
            let rows = self.node_values(rows);
            self.stage(Some(number), |stages| {
                let item = stages.unwind(rows);
                let vertex = stages.node(item, 0, nodes);
                let own = Expr::property(vertex, &stored);
                let is_it = Expr::compare(Comparison::Equal, own, part(item, 1));
                stages.translator.builder.filter(is_it);
                stages.set_one(vertex, &stored, Expr::Literal(Value::Null));
                Ok(())
            })?;
        }
        for (own, rows) in variables {
            self.remove_variable(number, &own, rows, nodes)?;
        }
        for (stored, rows) in list_values {
            let mut by_node: BTreeMap<Node, Vec<Value>> = BTreeMap::new();
            rows.into_iter().for_each(|(node, value)| by_node.entry(node).or_default().push(value));
            let rows = by_node.into_iter().map(|(node, values)| (node, Value::list(values)));
            let rows = self.node_values(rows.collect());
            self.stage(Some(number), |stages| {
                let item = stages.unwind(rows);
                let vertex = stages.node(item, 0, nodes);
                let arguments = vec![Expr::property(vertex, &stored), part(item, 1)];
                let less = Expr::call(Function::WithoutValues, arguments);
                stages.set_one(vertex, &stored, less);
                Ok(())
            })?;
        }
        for (predicate, rows) in edges {
            let row = |(source, target): (Node, Node)| {
                Value::list(vec![Value::I64(i64::from(source)), Value::I64(i64::from(target))])
            };
            let rows = self.data(rows.into_iter().map(row).collect());
            self.stage(Some(number), |stages| {
                let item = stages.unwind(rows);
                let source = stages.node(item, 0, nodes);
                let target = stages.node(item, 1, nodes);
                let name = Expr::literal(&*predicate);
                match stages.is_list(&predicate) {
                    true => stages.claim_edge(name, source, target),
                    false => stages.claim_subject(source, name),
                }
                let (edge, reached) = stages.hop(source, &predicate);
                let is_it =
                    Expr::compare(Comparison::Equal, Expr::Column(reached), Expr::Column(target));
                stages.translator.builder.filter(is_it);
                stages.delete(edge);
                Ok(())
            })?;
        }
        for (predicate, rows) in all_edges {
            self.remove_edges(number, &predicate, &rows, nodes)?;
        }
        let labels = labels.into_iter().map(|(node, labels)| {
            Value::list(vec![Value::I64(i64::from(node)), Value::list(labels)])
        });
        self.set_labels(number, labels.collect(), nodes, false)?;
        self.remove_all_labels(number, &all_labels, nodes)
    }

    fn node_values(&mut self, rows: Vec<(Node, Value)>) -> Expr {
        let row =
            |(node, value): (Node, Value)| Value::list(vec![Value::I64(i64::from(node)), value]);
        self.data(rows.into_iter().map(row).collect())
    }

    pub(super) fn nodes_alone(&mut self, rows: &[Node]) -> Expr {
        let row = |node: &Node| Value::list(vec![Value::I64(i64::from(*node))]);
        self.data(rows.iter().map(row).collect())
    }

    fn remove_edges(
        &mut self,
        number: usize,
        predicate: &str,
        rows: &[Node],
        nodes: Nodes,
    ) -> Result<()> {
        let rows = self.nodes_alone(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let source = stages.node(item, 0, nodes);
            stages.claim_subject(source, Expr::literal(predicate));
            let (edge, reached) = stages.hop(source, predicate);
            if stages.is_list(predicate) {
                stages.claim_edge(Expr::literal(predicate), source, reached);
            }
            stages.delete(edge);
            Ok(())
        })
    }

    fn remove_all_labels(&mut self, number: usize, rows: &[Node], nodes: Nodes) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let rows = self.nodes_alone(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let vertex = stages.node(item, 0, nodes);
            let labels = Expr::Labels(Box::new(Expr::Column(vertex)));
            let remove = vec![Label::Of(labels)];
            stages.translator.builder.push(op::SetLabels {
                vertex,
                add: Vec::new(),
                remove,
                claims: true,
            });
            Ok(())
        })
    }

    /// The predicates of the types that a node has, and then the types.
    fn remove_everything(&mut self, number: usize, rows: &[Node], nodes: Nodes) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let types: Vec<(Arc<str>, Vec<Arc<str>>)> = self
            .schema
            .types()
            .map(|(name, fields)| {
                let own = fields.iter().filter(|field| !field.is_reverse);
                (Arc::clone(name), own.map(|field| Arc::clone(&field.predicate)).collect())
            })
            .collect();
        for (name, fields) in types {
            self.remove_type(number, (&name, &fields), rows, nodes)?;
        }
        self.remove_all_labels(number, rows, nodes)
    }

    fn remove_type(
        &mut self,
        number: usize,
        (name, fields): (&Arc<str>, &[Arc<str>]),
        rows: &[Node],
        nodes: Nodes,
    ) -> Result<()> {
        let mut stored = Vec::new();
        let mut edge_types = Vec::new();
        for field in fields.iter().filter(|field| ***field != *TYPE_PREDICATE) {
            let Some(known) = self.translator.predicate(field) else { continue };
            match known.is_edge() {
                true => edge_types.push(Name::from(&**field)),
                false => stored.extend(stored_names(field, &known, None)),
            }
        }
        let is_of_type = |vertex: ColumnId| Expr::HasLabel {
            vertex: Box::new(Expr::Column(vertex)),
            label: Name::from(&**name),
        };
        let own = self.nodes_alone(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(own);
            let vertex = stages.node(item, 0, nodes);
            stages.translator.builder.filter(is_of_type(vertex));
            let (element, keys) = (vertex, Some(stored));
            stages.translator.builder.push(op::Remove { element, keys, rules: Default::default() });
            Ok(())
        })?;
        if edge_types.is_empty() {
            return Ok(());
        }
        let own = self.nodes_alone(rows);
        let names = edge_types.iter().map(|name| Value::String(Arc::clone(name))).collect();
        self.stage(Some(number), |stages| {
            let item = stages.unwind(own);
            let vertex = stages.node(item, 0, nodes);
            stages.translator.builder.filter(is_of_type(vertex));
            let name = stages.unwind(Expr::Literal(Value::list(names)));
            stages.claim_subject(vertex, Expr::Column(name));
            Ok(())
        })?;
        let own = self.nodes_alone(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(own);
            let vertex = stages.node(item, 0, nodes);
            stages.translator.builder.filter(is_of_type(vertex));
            let builder = &mut stages.translator.builder;
            let [edge, reached] = ["edge", "reached"].map(|name| builder.column(name));
            builder.push(op::Expand {
                from: vertex,
                types: Some(edge_types),
                direction: Direction::Out,
                edge: Some(edge),
                to: Some(reached),
                loops: Loops::Once,
            });
            stages.claim_edge(Expr::EdgeType(Box::new(Expr::Column(edge))), vertex, reached);
            stages.delete(edge);
            Ok(())
        })
    }
}
