//! The nodes of a request: found by their uids, made where there are none, or those of a variable.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Result, Value};
use millrace_plan::{
    ApplyKind, ColumnId, ElementKind, Expr, Label, LookupMode, Pipeline, Properties, Template,
    UnionPick, op,
};

use super::batch::{Batch, Node};
use super::stages::Stages;
use crate::changes::NodeRef;

/// The columns of the nodes of a request, of which others make rows by number.
#[derive(Clone, Copy)]
pub(super) struct NodeColumns {
    /// The node's number in the request.
    pub(super) number: ColumnId,
    /// The vertex.
    pub(super) vertex: ColumnId,
    /// The name by which the client learns the uid of a new node; null for others.
    pub(super) name: ColumnId,
}

/// New nodes with their labels and values; what was used of a batch is taken out of it.
struct NewNodes {
    rows: Vec<Value>,
}

impl Stages<'_> {
    /// The pipeline that finds and makes the nodes of a batch.
    pub(super) fn nodes(&mut self, batch: &mut Batch) -> Result<(Pipeline, NodeColumns)> {
        let [number, vertex, name] =
            ["number", "vertex", "name"].map(|name| self.translator.builder.column(name));
        let columns = NodeColumns { number, vertex, name };
        let mut by_needs: BTreeMap<Vec<usize>, Vec<(Node, NodeRef)>> = BTreeMap::new();
        for (place, (node, needs)) in batch.nodes.iter().enumerate() {
            let place = Node::try_from(place).unwrap_or(Node::MAX);
            by_needs.entry(needs.clone()).or_default().push((place, node.clone()));
        }
        let mut branches = Vec::new();
        self.translator.builder.begin_pipeline();
        for (needs, nodes) in &by_needs {
            let uids: Vec<Value> = nodes.iter().filter_map(uid_row).collect();
            if !uids.is_empty() {
                if !needs.is_empty() {
                    self.make_missing(needs, &uids);
                }
                branches.push(self.found(uids, columns));
            }
            let new = self.new_nodes(batch, nodes);
            if !new.rows.is_empty() {
                branches.push(self.made(needs, new, columns));
            }
            for (place, node) in nodes {
                if let NodeRef::Variable(variable) = node {
                    if !needs.is_empty() && self.names_uids(variable) {
                        self.make_missing_of(needs, variable)?;
                    }
                    branches.push(self.of_variable(*place, variable, columns)?);
                    if !needs.is_empty() {
                        branches.push(self.made_for_variable(
                            needs,
                            (*place, variable),
                            columns,
                        )?);
                    }
                }
            }
        }
        if branches.is_empty() {
            // A request that names no node has the columns of them, too.
            branches.push(self.found(Vec::new(), columns));
        }
        let builder = &mut self.translator.builder;
        builder.push(op::Union { branches, pick: UnionPick::All });
        let pipeline = builder.end_pipeline();
        Ok((pipeline, columns))
    }

    /// Makes the vertices of uids that have none.
    fn make_missing(&mut self, needs: &[usize], uids: &[Value]) {
        let rows = self.data(uids.to_vec());
        let condition = self.condition(needs);
        let builder = &mut self.translator.builder;
        builder.begin_pipeline();
        if let Some(condition) = condition {
            builder.filter(condition);
        }
        let item = self.unwind(rows);
        self.make_if_missing(part(item, 1));
    }

    /// The same for the nodes of a variable, which a root has by their uids alone.
    fn make_missing_of(&mut self, needs: &[usize], variable: &str) -> Result<()> {
        let (name, kept) = self.translator.uid_variable(variable)?;
        let condition = self.condition(needs);
        let builder = &mut self.translator.builder;
        builder.begin_pipeline();
        if let Some(condition) = condition {
            builder.filter(condition);
        }
        let node = builder.column("node");
        builder.push(op::LetRef { name, columns: vec![(kept, node)] });
        builder.push(op::Dedup { columns: vec![node] });
        self.make_if_missing(Expr::Id(Box::new(Expr::Column(node))));
        Ok(())
    }

    /// Makes the vertices of the ids of the open pipeline that there are not, and ends it.
    fn make_if_missing(&mut self, id: Expr) {
        let builder = &mut self.translator.builder;
        let found = builder.column("found");
        builder.begin_pipeline();
        let (element, mode) = (ElementKind::Vertex, LookupMode::Checked);
        builder.push(op::LookupById { element, ids: id.clone(), mode, to: found });
        let sub = builder.end_pipeline();
        builder.push(op::Apply { sub, kind: ApplyKind::Absent });
        let template = Template::Vertex { labels: Vec::new(), properties: Properties::default() };
        let to = builder.column("made");
        builder.push(op::Create { template, id: Some(id), to });
        let sub = builder.end_pipeline();
        builder.push(op::Apply { sub, kind: ApplyKind::Effect });
    }

    /// The vertices of uids that there are.
    fn found(&mut self, uids: Vec<Value>, columns: NodeColumns) -> Pipeline {
        let rows = self.data(uids);
        self.translator.builder.begin_pipeline();
        let item = self.unwind(rows);
        let builder = &mut self.translator.builder;
        let (element, mode) = (ElementKind::Vertex, LookupMode::Checked);
        builder.push(op::LookupById { element, ids: part(item, 1), mode, to: columns.vertex });
        builder.push(op::Project {
            columns: vec![
                (columns.number, part(item, 0)),
                (columns.name, Expr::Literal(Value::Null)),
            ],
        });
        builder.end_pipeline()
    }

    /// New nodes, with the labels and values that all their mutations set.
    fn new_nodes(&self, batch: &mut Batch, nodes: &[(Node, NodeRef)]) -> NewNodes {
        let mut rows = Vec::new();
        for (place, node) in nodes {
            let NodeRef::Blank(name) = node else { continue };
            let needs = &batch.nodes[*place as usize].1;
            // What only one of several conditions sets is set apart.
            let only = match needs.as_slice() {
                [only] => batch.mutations[*only].sets.nodes.remove(place),
                _ => None,
            };
            let values = only.unwrap_or_default();
            let properties =
                values.properties.into_pairs().into_iter().filter(|(_, value)| !value.is_null());
            rows.push(Value::list(vec![
                Value::I64(i64::from(*place)),
                Value::String(Arc::clone(name)),
                Value::list(values.labels),
                Value::map(properties.collect()),
            ]));
        }
        NewNodes { rows }
    }

    fn made(&mut self, needs: &[usize], new: NewNodes, columns: NodeColumns) -> Pipeline {
        let rows = self.data(new.rows);
        let condition = self.condition(needs);
        self.translator.builder.begin_pipeline();
        if let Some(condition) = condition {
            self.translator.builder.filter(condition);
        }
        let item = self.unwind(rows);
        let template = Template::Vertex {
            labels: vec![Label::Of(part(item, 2))],
            properties: Properties { keyed: Vec::new(), map: Some(part(item, 3)) },
        };
        let builder = &mut self.translator.builder;
        builder.push(op::Create { template, id: None, to: columns.vertex });
        builder.push(op::Project {
            columns: vec![(columns.number, part(item, 0)), (columns.name, part(item, 1))],
        });
        builder.end_pipeline()
    }

    fn of_variable(
        &mut self,
        place: Node,
        variable: &str,
        columns: NodeColumns,
    ) -> Result<Pipeline> {
        self.translator.builder.begin_pipeline();
        let (name, kept) = self.translator.uid_variable(variable)?;
        let may_be_missing = self.names_uids(variable);
        let builder = &mut self.translator.builder;
        if may_be_missing {
            // What is only removed from a node that is not there is removed from none.
            let node = builder.column("node");
            builder.push(op::LetRef { name, columns: vec![(kept, node)] });
            let ids = Expr::Id(Box::new(Expr::Column(node)));
            let (element, mode) = (ElementKind::Vertex, LookupMode::Checked);
            builder.push(op::LookupById { element, ids, mode, to: columns.vertex });
        } else {
            builder.push(op::LetRef { name, columns: vec![(kept, columns.vertex)] });
        }
        builder.push(op::Project {
            columns: vec![
                (columns.number, Expr::literal(i64::from(place))),
                (columns.name, Expr::Literal(Value::Null)),
            ],
        });
        Ok(builder.end_pipeline())
    }

    /// Whether a variable may have nodes of which there is nothing: those that a root names by their uids.
    fn names_uids(&self, variable: &str) -> bool {
        self.by_uids.contains(variable)
    }

    /// A node for a variable that has none.
    fn made_for_variable(
        &mut self,
        needs: &[usize],
        (place, variable): (Node, &Arc<str>),
        columns: NodeColumns,
    ) -> Result<Pipeline> {
        let condition = self.condition(needs);
        self.translator.builder.begin_pipeline();
        if let Some(condition) = condition {
            self.translator.builder.filter(condition);
        }
        let (name, kept) = self.translator.uid_variable(variable)?;
        let builder = &mut self.translator.builder;
        builder.begin_pipeline();
        let node = builder.column("node");
        builder.push(op::LetRef { name, columns: vec![(kept, node)] });
        let sub = builder.end_pipeline();
        builder.push(op::Apply { sub, kind: ApplyKind::Absent });
        let template = Template::Vertex { labels: Vec::new(), properties: Properties::default() };
        builder.push(op::Create { template, id: None, to: columns.vertex });
        builder.push(op::Project {
            columns: vec![
                (columns.number, Expr::literal(i64::from(place))),
                (columns.name, Expr::literal(format!("uid({variable})").as_str())),
            ],
        });
        Ok(builder.end_pipeline())
    }
}

fn uid_row((place, node): &(Node, NodeRef)) -> Option<Value> {
    let NodeRef::Uid(uid) = node else { return None };
    let uid = i64::try_from(*uid).ok()?;
    Some(Value::list(vec![Value::I64(i64::from(*place)), Value::I64(uid)]))
}

/// A part of a row that is a list.
pub(super) fn part(item: ColumnId, place: i64) -> Expr {
    use millrace_plan::functions::{Function, IndexMode, Outside};
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    Expr::call(Function::ElementAt(mode), vec![Expr::Column(item), Expr::literal(place)])
}
