//! A parsed text: its statements, and the plan of each.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_model::stack::with_levels;
use millrace_model::temporal::DateTime;
use millrace_model::{Error, ErrorKind, Phase, Result, Value};
use millrace_plan::language::{
    Binding, Bound, Compiled, Normalized, Options, Outcome, Presented, Profiler, Scope, Script,
    SlotValue, Statement, StatementKind,
};
use millrace_plan::{Hints, Mentioned, Op, Plan, Signatures, works_without_graph};

use super::first;
use super::operators::OperatorTree;
use crate::clauses;
use crate::commands::{self, DEFAULT_GRAPH};
use crate::scope::{Resolved, resolve};
use crate::text::{self, NOW, Parsed};
use crate::tree::{self, Body, Clause, Mode, Name};

/// A parsed text.
pub(super) struct CypherScript {
    text: Arc<str>,
    trees: Vec<Arc<tree::Statement>>,
    statements: Vec<Statement>,
    mentioned: Mentioned,
    /// How deep the text nests.
    levels: usize,
}

impl CypherScript {
    pub(super) fn new(text: &str, Parsed { statements, levels }: Parsed) -> CypherScript {
        let parameters = text::parameters(text);
        let trees: Vec<Arc<tree::Statement>> = statements.into_iter().map(Arc::new).collect();
        let statements = trees.iter().map(|tree| statement(tree, &parameters)).collect();
        let mentioned = text::mentioned(text);
        CypherScript { text: Arc::from(text), trees, statements, mentioned, levels }
    }

    /// A statement of its own with its names resolved, and what is known of them.
    fn resolved(
        &self,
        statement: usize,
        signatures: &Signatures,
    ) -> Result<(tree::Statement, Resolved)> {
        let mut tree = (*self.trees[statement]).clone();
        let resolved = resolve(&mut tree, signatures).map_err(first)?;
        Ok((tree, resolved))
    }
}

impl Drop for CypherScript {
    fn drop(&mut self) {
        let trees = mem::take(&mut self.trees);
        with_levels(self.levels, || drop(trees));
    }
}

/// A statement as sessions see it.
fn statement(tree: &tree::Statement, parameters: &[Arc<str>]) -> Statement {
    let kind = match tree.mode {
        Mode::Run | Mode::Profile => StatementKind::Query,
        Mode::Explain => StatementKind::Explain,
    };
    let graph =
        tree.graph.as_ref().map_or_else(|| Arc::from(DEFAULT_GRAPH), |(_, name)| Arc::clone(name));
    Statement { kind, graph, target: None, variables: parameters.to_vec() }
}

impl Script for CypherScript {
    fn statements(&self) -> &[Statement] {
        &self.statements
    }

    fn text(&self) -> String {
        self.text.to_string()
    }

    /// Other errors come before that of a missing parameter, so it is found when names are resolved.
    fn check_variables(&self, _is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        Ok(())
    }

    fn generate(&self, name: &str) -> Option<Value> {
        (name == NOW).then(now)
    }

    fn value(&self, _statement: usize, _scope: &dyn Scope) -> Result<Value> {
        Err(Error::new(ErrorKind::Bug, "no statement of Cypher is a value"))
    }

    fn bind(&self, statement: usize, scope: &mut dyn Scope) -> Result<Bound> {
        let signatures = scope.signatures();
        let (tree, resolved) = with_levels(self.levels, || self.resolved(statement, &signatures))?;
        let mut slots = self.statements[statement].variables.clone();
        let implicit = implicit_parameters(&tree, &slots);
        let is_explained = tree.mode == Mode::Explain;
        slots.extend(implicit.iter().cloned());
        let mut values = Vec::new();
        let mut missing: Vec<&str> = Vec::new();
        for name in &slots {
            let bound = self.generate(name).map(Binding::Value);
            let value = match bound.or_else(|| scope.variable(name)) {
                Some(Binding::Value(value)) => value,
                Some(Binding::Foreign(_)) => {
                    let detail = format!("parameter ${name} is no value");
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
                None => {
                    // Which parameters a call without parentheses takes is a matter of its plan.
                    if !is_explained || implicit.contains(name) {
                        missing.push(name);
                    }
                    Value::Null
                }
            };
            let written = &resolved.parameters;
            written.iter().try_for_each(|own| own.check(name, &value))?;
            values.push(SlotValue::of(value, Some(Arc::clone(name))));
        }
        if !missing.is_empty() {
            return Err(missing_parameters(&missing));
        }
        let query = CypherQuery {
            text: Arc::clone(&self.text),
            number: statement,
            levels: self.levels,
            tree,
            resolved,
            slots,
            signatures,
            hints: scope.hints(&self.mentioned)?,
        };
        Ok(Bound { statement: Box::new(query), values, is_reusable: true, catalog: None })
    }

    fn present(&self, _statement: usize, outcome: Outcome, _bytes_max: u64) -> Result<Presented> {
        Ok(match outcome {
            Outcome::Rows(rows) => Presented::Rows(rows),
            Outcome::Explained(explained) => Presented::Explanation(explained),
            Outcome::Profiled(profile, rows) => Presented::Profile(profile, Some(rows)),
        })
    }

    /// Commands, but for those on a graph's own schema, and calls of procedures that read no graph.
    fn check_command(&self, statement: usize) -> Result<()> {
        let reads_no_graph = match &self.trees[statement].body {
            Body::Query(query) => {
                let is_call = |clause: &Clause| matches!(clause, Clause::Call(_));
                let mut clauses = query.parts.iter().flat_map(|part| &part.clauses);
                clauses.clone().any(is_call)
                    && clauses.all(|clause| {
                        if let Clause::Call(call) = clause {
                            return works_without_graph(&call.name);
                        }
                        matches!(clause, Clause::Return(_) | Clause::With(_))
                    })
            }
            Body::Command(command) => command.works_without_graph(),
        };
        if reads_no_graph {
            return Ok(());
        }
        let detail = "Not a recognised system command or procedure. This Cypher command can only be \
                      executed in a user database";
        let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
        Err(error
            .with_name("SemanticError")
            .with_help("open the session on `neo4j` or another graph"))
    }

    fn streams(&self, statement: usize) -> bool {
        let Body::Query(query) = &self.trees[statement].body else { return false };
        let last = query.parts.last().and_then(|part| part.clauses.last());
        matches!(last, Some(Clause::Return(_) | Clause::Call(_)))
    }
}

/// The parameters that a call without parentheses takes its arguments from.
fn implicit_parameters(tree: &tree::Statement, known: &[Arc<str>]) -> Vec<Arc<str>> {
    let Body::Query(query) = &tree.body else { return Vec::new() };
    let clauses = query.parts.iter().flat_map(|part| &part.clauses);
    let mut names = Vec::new();
    for clause in clauses {
        let Clause::Call(call) = clause else { continue };
        for argument in call.arguments.iter().flatten() {
            if let tree::ExprKind::Parameter(name) = &argument.kind
                && !known.contains(name)
            {
                names.push(Arc::clone(name));
            }
        }
    }
    names
}

fn missing_parameters(missing: &[&str]) -> Error {
    let detail = format!("Expected parameter(s): {}", missing.join(", "));
    let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
    error.with_name("MissingParameter").with_help("send a value for each of them")
}

/// The time, in UTC.
fn now() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    Value::DateTime(DateTime { seconds, nanos: since.subsec_nanos(), offset_seconds: 0 })
}

/// A statement of a text with what its plan depends on: the key of the plan.
struct CypherQuery {
    text: Arc<str>,
    number: usize,
    levels: usize,
    tree: tree::Statement,
    resolved: Resolved,
    /// The names of parameters, in the order of the slots.
    slots: Vec<Arc<str>>,
    signatures: Signatures,
    hints: Arc<Hints>,
}

/// Whether a procedure is called that is about the program or the transaction, and not about a graph.
fn calls_program(plan: &Plan) -> bool {
    let mut found = false;
    let is_meant = |name: &str| name.starts_with("dbms.") || name.starts_with("tx.");
    plan.root.visit_ops(&mut |op| {
        found |= matches!(op, Op::Call(call) if is_meant(&call.procedure));
    });
    found
}

impl Normalized for CypherQuery {
    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.text.hash(&mut hasher);
        self.number.hash(&mut hasher);
    }

    fn equals(&self, other: &dyn Normalized) -> bool {
        (other as &dyn Any).downcast_ref::<CypherQuery>().is_some_and(|other| {
            (&self.text, self.number) == (&other.text, other.number)
                && self.hints == other.hints
                && self.signatures == other.signatures
        })
    }

    fn compile(&self) -> Result<Compiled> {
        with_levels(self.levels, || self.translated())
    }
}

impl CypherQuery {
    fn translated(&self) -> Result<Compiled> {
        let CypherQuery { tree, resolved, .. } = self;
        let (mut plan, parameters) = match &tree.body {
            Body::Query(query) => {
                clauses::translate(query, &resolved.symbols, &self.hints, &self.signatures)?
            }
            Body::Command(command) => {
                commands::translate(command, resolved, &self.hints, &self.signatures)?
            }
        };
        plan.hints = self.hints.clone();
        plan.levels = self.levels;
        let is_administrative = match &tree.body {
            Body::Command(command) => command.is_administrative(),
            Body::Query(_) => calls_program(&plan),
        };
        let slot = |name: &Name| {
            self.slots
                .iter()
                .position(|own| own == name)
                .ok_or_else(|| Error::new(ErrorKind::Bug, format!("parameter ${name} has no slot")))
        };
        let columns: Arc<[Arc<str>]> = resolved.columns.iter().cloned().collect();
        let profiler: Option<Box<dyn Profiler>> = match tree.mode {
            Mode::Run => None,
            Mode::Explain | Mode::Profile => Some(Box::new(OperatorTree::of(&plan, &columns))),
        };
        Ok(Compiled {
            plan,
            slots: parameters.names().iter().map(slot).collect::<Result<_>>()?,
            options: Options::default(),
            profiler,
            writer: None,
            columns: Some(columns),
            is_administrative,
        })
    }
}
