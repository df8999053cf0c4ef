//! Vertices and edges that a client names by an id that is a text or a UUID: found before the traversal runs,
//! all of a kind by one plan, in its own transaction.
//!
//! A numeric id names its element without a look-up. Another element may have the text by the next run, so a
//! look-up is valid for this run only.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Result, Value};
use millrace_plan::{ElementKind, Expr, Function, Parameter, Plan, PlanBuilder, Runner};

use crate::parameterize::element;

static VERTICES: LazyLock<Plan> = LazyLock::new(|| plan(ElementKind::Vertex));
static EDGES: LazyLock<Plan> = LazyLock::new(|| plan(ElementKind::Edge));

/// Elements by ids, each once.
#[derive(Default)]
pub(super) struct References {
    vertices: BTreeMap<Value, Value>,
    edges: BTreeMap<Value, Value>,
}

impl References {
    /// Those of a traversal, not found yet.
    pub(super) fn of(bytecode: &mut Bytecode) -> References {
        let mut references = References::default();
        bytecode.each_mut(&mut |argument| {
            if let Some((of_kind, id)) = references.of_kind(argument) {
                of_kind.insert(id.clone(), id);
            }
        });
        references
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.vertices.is_empty() && self.edges.is_empty()
    }

    /// Looks them up and puts them into the traversal. An id without an element stays an id, which equals no element.
    pub(super) fn fill(mut self, runner: &mut dyn Runner, bytecode: &mut Bytecode) -> Result<()> {
        find(&VERTICES, runner, &mut self.vertices)?;
        find(&EDGES, runner, &mut self.edges)?;
        bytecode.each_mut(&mut |argument| {
            let found = self.of_kind(argument).and_then(|(of_kind, id)| of_kind.get(&id).cloned());
            if let Some(found) = found {
                *argument = Argument::Value(found);
            }
        });
        Ok(())
    }

    fn of_kind(&mut self, argument: &Argument) -> Option<(&mut BTreeMap<Value, Value>, Value)> {
        let (of_kind, id) = match argument {
            Argument::Vertex(id) => (&mut self.vertices, id),
            Argument::Edge(id) => (&mut self.edges, id),
            _ => return None,
        };
        let is_sought = matches!(id, Value::String(_) | Value::Uuid(_));
        (is_sought && element(argument).is_none()).then(|| (of_kind, id.clone()))
    }
}

/// Rows of ids → id and element, of those that exist.
fn plan(element: ElementKind) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    let rows = plan.parameter("rows");
    let [asked] = plan.rows(rows, ["asked"]);
    let ids = Expr::call(Function::Ids, vec![Expr::List(vec![Expr::Column(asked)])]);
    let found = plan.ids(element, ids, "found");
    plan.finish(vec![asked, found])
}

fn find(plan: &Plan, runner: &mut dyn Runner, elements: &mut BTreeMap<Value, Value>) -> Result<()> {
    if elements.is_empty() {
        return Ok(());
    }
    let ids = Column::from_values(elements.keys().cloned());
    let plan = runner.prepare(plan)?;
    let batch = runner.run(plan, &[Parameter::Rows(Batch::of(vec![ids]))])?;
    for row in 0..batch.len {
        if let [Some(id), Some(found)] = [0, 1].map(|column: usize| batch.columns[column].get(row))
        {
            elements.insert(id, found);
        }
    }
    Ok(())
}
