//! The stages of a request's plan: what declares, removes, sets and connects.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use millrace_model::{Direction, Result, Value};
use millrace_plan::functions::Function;
use millrace_plan::language::AnswerWriter;
use millrace_plan::{
    ApplyKind, ColumnId, Comparison, Expr, JoinKind, Label, LetId, LetRead, Loops, Name, Op, Plan,
    Properties, Template, op,
};

use super::answer::MutationAnswer;
use super::batch::{Batch, Edges, ListRow, MutationRows, Node, Sets};
use super::nodes::{NodeColumns, part};
use crate::changes::Changes;
use crate::form::AnswerForm;
use crate::schema::GraphSchema;
use crate::translate::{Input, Translator, Values};
use crate::tree::{Block, Fragment, Query, Root};

/// The procedure that declares predicates.
const DEFINE: &str = "dql.define";

/// The procedure that makes the indexes of a predicate in a language.
const INDEX_LANGUAGE: &str = "dql.index_language";

/// A request as a plan.
pub(crate) struct Change {
    pub(crate) plan: Plan,
    pub(crate) inputs: Vec<Input>,
    pub(crate) answer: Box<dyn AnswerWriter>,
    /// The names and the nesting of the answer, by which plans differ, too.
    pub(crate) layout: String,
}

/// The plan of a request, with its query if it has one.
pub(crate) fn translate_changes(
    changes: &Changes,
    query: Option<(&Query, &[Fragment])>,
    (schema, values): (&GraphSchema, &Values<'_>),
) -> Result<Change> {
    let empty =
        Query { offset: Default::default(), name: None, variables: Vec::new(), blocks: Vec::new() };
    let has_query = query.is_some();
    let (query, fragments) = query.unwrap_or((&empty, &[]));
    let mut translator =
        Translator::new((query, fragments), (&changes.query, schema, values), AnswerForm::Json)?;
    translator.operands.take_literals();
    translator.keep(changes.variables());
    let blocks = translator.blocks(&query.blocks)?;
    let mut batch = Batch::of(&changes.mutations, schema, &|name| translator.kind_of(name))?;
    let (conditions, ops, by_uids) = (Vec::new(), Vec::new(), by_uids(query));
    let mut stages = Stages { translator, schema, conditions, by_uids, ops };
    for mutation in &changes.mutations {
        let condition = mutation.condition.as_ref();
        let bound = condition.map(|own| stages.translator.bound_condition(own)).transpose()?;
        stages.conditions.push(bound);
    }
    let statement = |(name, predicate): (&Arc<str>, &crate::schema::Predicate)| {
        [Value::String(Arc::clone(name)), Value::from(predicate.to_string().as_str())]
    };
    stages.define(DEFINE, batch.new.iter().map(statement));
    let languages = batch.new_languages.iter().map(|(name, language)| [name, language]);
    stages.define(INDEX_LANGUAGE, languages.map(|own| own.map(|it| Value::String(Arc::clone(it)))));
    let (pipeline, columns) = stages.nodes(&mut batch)?;
    let kept = vec![columns.number, columns.vertex, columns.name];
    let nodes = stages.translator.builder.bind_pipeline("nodes", pipeline, kept);
    for (number, rows) in std::mem::take(&mut batch.mutations).into_iter().enumerate() {
        stages.mutation(number, rows, (nodes, columns))?;
    }
    let uids = stages.answer_uids(nodes, columns);
    let Stages { translator, ops, .. } = stages;
    let translated = translator.finish(ops, blocks)?;
    Ok(Change {
        plan: translated.plan,
        inputs: translated.inputs,
        layout: match has_query {
            true => format!("{:?}", translated.answer.blocks),
            false => String::new(),
        },
        answer: Box::new(MutationAnswer { queries: translated.answer, has_query, uids }),
    })
}

/// The variables of the nodes that roots have by their uids.
fn by_uids(query: &Query) -> HashSet<String> {
    let is_by_uids = |block: &&Block| match &block.root {
        Root::Function(function) => function.name == "uid",
        Root::Id { .. } => true,
        Root::Absent | Root::Shortest(_) => false,
    };
    let blocks = query.blocks.iter().filter(is_by_uids);
    blocks.filter_map(|block| Some(block.variable.as_ref()?.text.clone())).collect()
}

/// A plan while its stages are added.
pub(super) struct Stages<'a> {
    pub(super) translator: Translator<'a>,
    pub(super) schema: &'a GraphSchema,
    /// One for each mutation.
    pub(super) conditions: Vec<Option<LetId>>,
    /// Variables of blocks that begin with `uid(…)`.
    pub(super) by_uids: HashSet<String>,
    ops: Vec<Op>,
}

/// The nodes of the request, and their columns there.
pub(super) type Nodes = (LetId, NodeColumns);

impl Stages<'_> {
    /// Data of the request, as an expression.
    pub(super) fn data(&mut self, rows: Vec<Value>) -> Expr {
        self.translator.operands.data(Value::list(rows))
    }

    /// Whether one of some mutations is to run; none: they run always.
    pub(super) fn condition(&self, mutations: &[usize]) -> Option<Expr> {
        let tests: Option<Vec<Expr>> = mutations
            .iter()
            .map(|own| self.conditions[*own].map(|name| Expr::Let { name, read: LetRead::First }))
            .collect();
        tests.map(Expr::Or)
    }

    /// A row for each entry of a list.
    pub(super) fn unwind(&mut self, list: Expr) -> ColumnId {
        let to = self.translator.builder.column("row");
        self.translator.builder.push(op::Unwind { list, to, position: None });
        to
    }

    /// A stage: what `build` adds, if the condition of its mutation holds.
    pub(super) fn stage(
        &mut self,
        mutation: Option<usize>,
        build: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let condition = mutation.and_then(|own| self.condition(&[own]));
        self.translator.builder.begin_pipeline();
        if let Some(condition) = condition {
            self.translator.builder.filter(condition);
        }
        let built = build(self);
        let sub = self.translator.builder.end_pipeline();
        built?;
        self.ops.push(Op::Apply(op::Apply { sub, kind: ApplyKind::Effect }));
        Ok(())
    }

    /// The vertex of the node whose number is a part of a row.
    pub(super) fn node(&mut self, item: ColumnId, place: i64, (nodes, columns): Nodes) -> ColumnId {
        let builder = &mut self.translator.builder;
        let number = builder.project("number", part(item, place));
        let [own, vertex] = ["number", "vertex"].map(|name| builder.column(name));
        builder.begin_pipeline();
        let kept = vec![(columns.number, own), (columns.vertex, vertex)];
        builder.push(op::LetRef { name: nodes, columns: kept });
        let right = builder.end_pipeline();
        builder.push(op::Join { right, kind: JoinKind::Inner, on: vec![(number, own)] });
        vertex
    }

    /// Calls a procedure that changes the schema by what each row says, a predicate's name first.
    fn define(&mut self, procedure: &'static str, rows: impl Iterator<Item = [Value; 2]>) {
        let rows: Vec<Value> = rows.map(|row| Value::list(row.into())).collect();
        if rows.is_empty() {
            return;
        }
        let rows = self.data(rows);
        self.translator.builder.begin_pipeline();
        let item = self.unwind(rows);
        let builder = &mut self.translator.builder;
        let (keys, values) = (vec![Name::from(procedure)], vec![part(item, 0)]);
        builder.push(op::Claim::vertex(Vec::new(), keys, values));
        builder.push(op::Call {
            procedure: Name::from(procedure),
            arguments: vec![part(item, 0), part(item, 1)],
            yields: Vec::new(),
            writes: true,
        });
        let sub = builder.end_pipeline();
        self.ops.push(Op::Apply(op::Apply { sub, kind: ApplyKind::Effect }));
    }

    fn mutation(&mut self, number: usize, rows: MutationRows, nodes: Nodes) -> Result<()> {
        let MutationRows { sets, removals } = rows;
        self.removals(number, removals, nodes)?;
        self.sets(number, sets, nodes)
    }

    fn sets(&mut self, number: usize, sets: Sets, nodes: Nodes) -> Result<()> {
        let Sets { nodes: values, lists, edges, variables, claims } = sets;
        for (predicate, values) in claims {
            let rows = self.data(values);
            self.stage(Some(number), |stages| {
                let item = stages.unwind(rows);
                let keys = vec![Name::from(&*predicate)];
                let values = vec![Expr::Column(item)];
                stages.translator.builder.push(op::Claim::vertex(Vec::new(), keys, values));
                Ok(())
            })?;
        }
        let mut labelled = Vec::new();
        let mut set = Vec::new();
        for (node, own) in values {
            let place = Value::I64(i64::from(node));
            if !own.labels.is_empty() {
                labelled.push(Value::list(vec![place.clone(), Value::list(own.labels)]));
            }
            let properties = own.properties.into_pairs();
            if !properties.is_empty() {
                set.push(Value::list(vec![place, Value::map(properties)]));
            }
        }
        self.set_properties(number, set, nodes)?;
        self.set_labels(number, labelled, nodes, true)?;
        for (predicate, rows) in lists {
            let rows = self.data(rows_of_lists(rows));
            self.stage(Some(number), |stages| {
                let item = stages.unwind(rows);
                let vertex = stages.node(item, 0, nodes);
                // A value that is there is set anew, with these facets alone.
                let all = Expr::property(vertex, &predicate);
                let arguments = vec![all, part(item, 1), part(item, 2)];
                let added = Expr::call(Function::SetValues, arguments);
                stages.set_one(vertex, &predicate, added);
                Ok(())
            })?;
        }
        for (own, subjects) in variables {
            self.set_variable(number, &own, subjects, nodes)?;
        }
        for (predicate, edges) in edges {
            self.set_edges(number, &predicate, edges, nodes)?;
        }
        Ok(())
    }

    pub(super) fn set_properties(
        &mut self,
        number: usize,
        rows: Vec<Value>,
        nodes: Nodes,
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let rows = self.data(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let element = stages.node(item, 0, nodes);
            let properties = Properties { keyed: Vec::new(), map: Some(part(item, 1)) };
            let rules = Default::default();
            stages.translator.builder.push(op::Set { element, properties, replace: false, rules });
            Ok(())
        })
    }

    pub(super) fn set_labels(
        &mut self,
        number: usize,
        rows: Vec<Value>,
        nodes: Nodes,
        is_added: bool,
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let rows = self.data(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let vertex = stages.node(item, 0, nodes);
            let labels = vec![Label::Of(part(item, 1))];
            let (add, remove) = if is_added { (labels, Vec::new()) } else { (Vec::new(), labels) };
            stages.translator.builder.push(op::SetLabels { vertex, add, remove, claims: true });
            Ok(())
        })
    }

    pub(super) fn set_one(&mut self, element: ColumnId, key: &str, value: Expr) {
        let keyed = vec![(Name::from(key), value)];
        let properties = Properties { keyed, map: None };
        let rules = Default::default();
        self.translator.builder.push(op::Set { element, properties, replace: false, rules });
    }

    fn set_edges(
        &mut self,
        number: usize,
        predicate: &Arc<str>,
        edges: Edges,
        nodes: Nodes,
    ) -> Result<()> {
        let Edges { is_single, rows } = edges;
        let row = |(source, target, facets): (Node, Node, Value)| {
            Value::list(vec![Value::I64(i64::from(source)), Value::I64(i64::from(target)), facets])
        };
        // Of several edges of a predicate that has one, the last counts.
        let rows: Vec<Value> = match is_single {
            true => {
                let last = rows.into_iter().map(|own| (own.0, own));
                last.collect::<BTreeMap<_, _>>().into_values().map(row).collect()
            }
            false => rows.into_iter().map(row).collect(),
        };
        if is_single {
            let list = self.data(rows.clone());
            self.stage(Some(number), |stages| {
                let item = stages.unwind(list);
                let source = stages.node(item, 0, nodes);
                let target = stages.node(item, 1, nodes);
                stages.claim_subject(source, Expr::literal(&**predicate));
                let (edge, reached) = stages.hop(source, predicate);
                let is_other = Expr::compare(
                    Comparison::NotEqual,
                    Expr::Column(reached),
                    Expr::Column(target),
                );
                stages.translator.builder.filter(is_other);
                stages.delete(edge);
                Ok(())
            })?;
        }
        let rows = self.data(rows);
        self.stage(Some(number), |stages| {
            let item = stages.unwind(rows);
            let source = stages.node(item, 0, nodes);
            let target = stages.node(item, 1, nodes);
            let builder = &mut stages.translator.builder;
            let [edge, made] = ["edge", "made"].map(|name| builder.column(name));
            let facets = || Properties { keyed: Vec::new(), map: Some(part(item, 2)) };
            let template = Template::Edge {
                edge_type: Label::Known(Name::from(&**predicate)),
                source,
                target,
                must_have_ends: None,
                properties: Properties::default(),
            };
            builder.push(op::Merge {
                template,
                on_create: Properties::default(),
                on_match: Properties::default(),
                to: edge,
                created: (!is_single).then_some(made),
            });
            let rules = Default::default();
            builder.push(op::Set { element: edge, properties: facets(), replace: true, rules });
            // An edge that is made is claimed by that.
            if !is_single {
                builder.filter(Expr::Column(made).negate());
                stages.claim_edge(Expr::literal(&**predicate), source, target);
            }
            Ok(())
        })
    }

    pub(super) fn hop(&mut self, from: ColumnId, predicate: &str) -> (ColumnId, ColumnId) {
        let builder = &mut self.translator.builder;
        let [edge, to] = ["edge", "reached"].map(|name| builder.column(name));
        builder.push(op::Expand {
            from,
            types: Some(vec![Name::from(predicate)]),
            direction: Direction::Out,
            edge: Some(edge),
            to: Some(to),
            loops: Loops::Once,
        });
        (edge, to)
    }

    pub(super) fn delete(&mut self, edge: ColumnId) {
        let element = Expr::Column(edge);
        self.translator.builder.push(op::Delete { element, detach: false });
    }

    /// The bag of new nodes' names and uids, in the answer's row.
    fn answer_uids(&mut self, nodes: LetId, columns: NodeColumns) -> usize {
        let builder = &mut self.translator.builder;
        builder.begin_pipeline();
        let [name, vertex] = ["name", "vertex"].map(|name| builder.column(name));
        let kept = vec![(columns.name, name), (columns.vertex, vertex)];
        builder.push(op::LetRef { name: nodes, columns: kept });
        builder.filter(Expr::IsNull(Box::new(Expr::Column(name))).negate());
        let uid = builder.project("uid", Expr::Id(Box::new(Expr::Column(vertex))));
        let sub = builder.end_pipeline();
        self.translator.bag(sub, vec![name, uid])
    }
}

/// A row for each node, with the values that its list gets and their facets: a row for each value would write the list
/// as often as there are values.
fn rows_of_lists(rows: Vec<ListRow>) -> Vec<Value> {
    let mut by_node: BTreeMap<Node, (Vec<Value>, Vec<Value>)> = BTreeMap::new();
    for (node, value, facets) in rows {
        let (values, all_facets) = by_node.entry(node).or_default();
        values.push(value);
        all_facets.push(facets);
    }
    let row = |(node, (values, all_facets)): (Node, (Vec<Value>, Vec<Value>))| {
        let is_empty = |facets: &Value| matches!(facets, Value::Map(pairs) if pairs.is_empty());
        let all_facets = match all_facets.iter().all(is_empty) {
            true => Value::Null,
            false => Value::list(all_facets),
        };
        Value::list(vec![Value::I64(i64::from(node)), Value::list(values), all_facets])
    };
    by_node.into_iter().map(row).collect()
}
