//! Traversals: steps that a script put behind one another, and the plan they become.
//!
//! A traversal is a chain that shares its beginning with those it was made from; no step runs. A set
//! that stands further up the same chain is collected on the way, any other set is a plan of its own
//! that runs once. What a script calls is in `functions`; nothing runs here.

use std::rc::Rc;

use millrace_model::{Batch, Catalog, Column, Direction, Value, VertexId};
use millrace_plan::{
    Carried, ColumnId, ElementKind, Expr, Fold, Function, LetId, LookupMode, Loops, Name, Nulls,
    Parameter, PathLeg, PathMode, PathPattern, Plan, PlanBuilder, Repeat, SetName, SortKey,
    UnionPick, op,
};

use crate::columns::{Items, Shared};
use crate::plans::{Condition, builder, fits, key_sources, seek_into};

/// One step of a traversal.
#[derive(Debug)]
pub(crate) enum Step {
    /// The vertex of a type with a key.
    Key { label: String, key: String },
    /// Vertices by id.
    Ids(Rc<Shared>),
    /// All vertices, or those of a type.
    All(Option<String>),
    /// The start of a round of a repeat.
    Round,
    /// To the other ends.
    Expand { direction: Direction, types: Option<Vec<String>> },
    /// Only those with a property that fits.
    Where(Test),
    /// Only those of a type.
    OfType(String),
    /// Only those in a set, or those not in it.
    Among { set: Steps, is_member: bool },
    /// Each once.
    Distinct,
    /// Rounds of steps that begin with [`Step::Round`].
    Repeat { times: u64, round: Steps },
    /// How often each is reached; with a property, how often each of its values.
    GroupCount(Option<String>),
    /// The first by count, or by a property.
    Top { count: u64, by: Option<String>, descending: bool },
}

/// A condition on a property.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) property: String,
    pub(crate) condition: Condition,
    pub(crate) value: Value,
}

/// The rows of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Vertices; with the relationship that led to each, after an expansion.
    Vertices { walked: bool },
    /// Vertices and counts.
    CountedVertices,
    /// Values and counts.
    CountedValues,
}

/// A chain of steps.
#[derive(Clone, Debug)]
pub(crate) struct Steps(Rc<Link>);

/// A traversal as a value of a script.
pub(crate) struct Traversal {
    pub(crate) steps: Steps,
}

#[derive(Debug)]
struct Link {
    step: Step,
    before: Option<Steps>,
    size: usize,
    output: Output,
}

impl Steps {
    /// A chain's first step.
    pub(crate) fn new(step: Step) -> Steps {
        let output = Output::Vertices { walked: false };
        Steps(Rc::new(Link { step, before: None, size: 1, output }))
    }

    /// One step more.
    pub(crate) fn with(&self, step: Step) -> Steps {
        let inside = match &step {
            Step::Among { set: inside, .. } | Step::Repeat { round: inside, .. } => inside.size(),
            _ => 0,
        };
        let output = match (&step, self.output()) {
            (Step::Expand { .. }, _) => Output::Vertices { walked: true },
            (Step::Distinct | Step::Repeat { .. }, _) => Output::Vertices { walked: false },
            (Step::GroupCount(None), _) => Output::CountedVertices,
            (Step::GroupCount(Some(_)), _) => Output::CountedValues,
            (_, output) => output,
        };
        let size = self.size() + inside + 1;
        Steps(Rc::new(Link { step, before: Some(self.clone()), size, output }))
    }

    /// How many steps there are, those of sets and rounds included.
    pub(crate) fn size(&self) -> usize {
        self.0.size
    }

    /// The kind of its rows.
    pub(crate) fn output(&self) -> Output {
        self.0.output
    }

    /// Whether both are the same chain, not only equal.
    pub(crate) fn is(&self, other: &Steps) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The chain's first step, alone.
    pub(crate) fn first(&self) -> &Steps {
        self.0.before.as_ref().map_or(self, Steps::first)
    }

    /// Whether its first step is [`Step::Round`], which only a repeat can run.
    pub(crate) fn is_of_a_round(&self) -> bool {
        matches!(self.first().0.step, Step::Round)
    }

    /// This chain and those it was made from, the first step's first.
    fn chains(&self) -> Vec<&Steps> {
        let mut chains = self.0.before.as_ref().map_or(Vec::new(), Steps::chains);
        chains.push(self);
        chains
    }
}

/// The end of a traversal.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// Its vertices.
    Ids,
    /// Its vertices with the relationship that led to each.
    Links,
    /// Its groups and their counts.
    Counts,
    /// How many rows there are.
    Count,
    /// A property of each vertex.
    Property(String),
    /// The sum of a property.
    Sum(String),
    /// The relationships of a shortest way to one of the vertices of another traversal, behind the
    /// vertex it starts from.
    Path { to: Steps, direction: Direction, types: Option<Vec<String>> },
}

/// A plan with the values of its parameters.
pub(crate) struct Bound {
    pub(crate) plan: Plan,
    pub(crate) parameters: Vec<Parameter>,
}

/// The plan of a traversal.
pub(crate) fn traversal(catalog: &Catalog, steps: &Steps, end: &End) -> Bound {
    let mut plan = builder();
    let mut making =
        Making { catalog, parameters: Vec::new(), sets: Vec::new(), side_effects: 0, edges: false };
    making.edges = matches!(end, End::Links);
    let at = making.chain(&mut plan, steps, None);
    let output = making.end(&mut plan, at, end);
    let mut plan = plan.finish(output);
    // A frontier is in no order, except after `top`.
    plan.ordered = steps.chains().iter().any(|chain| matches!(chain.0.step, Step::Top { .. }));
    Bound { plan, parameters: making.parameters }
}

/// The columns of a place in a chain.
#[derive(Clone, Copy)]
struct At {
    /// The vertex, or the value that is counted.
    key: ColumnId,
    edge: Option<ColumnId>,
    count: Option<ColumnId>,
}

/// A plan under way.
struct Making<'a> {
    catalog: &'a Catalog,
    parameters: Vec<Parameter>,
    /// Sets that are plans of their own.
    sets: Vec<(Steps, LetId)>,
    side_effects: usize,
    /// Whether the last expansion of the outermost chain keeps its relationships.
    edges: bool,
}

impl Making<'_> {
    fn value(&mut self, plan: &mut PlanBuilder, name: &str, value: Value) -> Expr {
        self.parameters.push(Parameter::Value(value));
        Expr::Parameter(plan.parameter(name))
    }

    /// The steps of a chain; `round` is the vertex that a round begins with.
    fn chain(&mut self, plan: &mut PlanBuilder, steps: &Steps, round: Option<ColumnId>) -> At {
        let chains = steps.chains();
        let edges = std::mem::take(&mut self.edges);
        let last_expand =
            chains.iter().rposition(|chain| matches!(chain.0.step, Step::Expand { .. }));
        let mut collected: Vec<(&Steps, Name)> = Vec::new();
        let mut at = self.start(plan, &steps.first().0.step, round);
        for (number, chain) in chains.iter().enumerate() {
            if 0 < number {
                let keeps_edge = edges && last_expand == Some(number);
                at = self.step(plan, &chain.0.step, at, keeps_edge, &collected);
            }
            let is_asked =
                |next: &&Steps| matches!(&next.0.step, Step::Among { set, .. } if set.is(chain));
            if chains[number + 1..].iter().any(is_asked) {
                let before_last = last_expand.is_some_and(|last| number < last);
                collected.push((chain, self.collect(plan, at, before_last || !edges)));
            }
        }
        at
    }

    /// Collects the vertices of this place into a set; with `may_merge` nothing else of a row is
    /// wanted later.
    fn collect(&mut self, plan: &mut PlanBuilder, at: At, may_merge: bool) -> Name {
        // Merged first, the ends of a hop are collected once each.
        if may_merge && at.count.is_none() {
            plan.push(op::Barrier { merge: Some(vec![at.key]) });
        }
        self.side_effects += 1;
        let name: Name = format!("set {}", self.side_effects).into();
        plan.side_effect_set(&name, Expr::Column(at.key));
        name
    }

    fn start(&mut self, plan: &mut PlanBuilder, step: &Step, round: Option<ColumnId>) -> At {
        let key = match (step, round) {
            (_, Some(round)) => round,
            (Step::Key { label, key }, None) => self.keyed(plan, label, key),
            (Step::Ids(ids), None) => self.by_ids(plan, ids),
            (Step::All(label), None) => plan.scan(label.as_deref(), "v"),
            (
                Step::Round
                | Step::Expand { .. }
                | Step::Where(_)
                | Step::OfType(_)
                | Step::Among { .. }
                | Step::Distinct
                | Step::Repeat { .. }
                | Step::GroupCount(_)
                | Step::Top { .. },
                None,
            ) => unreachable!("only a repeat's chain begins with a round"),
        };
        At { key, edge: None, count: None }
    }

    /// The vertex of a type with a key, wherever the catalog says that keys are; own keys first.
    fn keyed(&mut self, plan: &mut PlanBuilder, label: &str, key: &str) -> ColumnId {
        let sources = key_sources(self.catalog, label);
        let to = plan.column("v");
        if sources.is_empty() {
            let ids = Expr::List(Vec::new());
            plan.push(op::LookupById {
                element: ElementKind::Vertex,
                ids,
                mode: LookupMode::Checked,
                to,
            });
            return to;
        }
        let key = self.value(plan, "key", Value::string(key));
        if let [source] = sources.as_slice() {
            seek_into(plan, source, label, key, to);
            return to;
        }
        let branch = |source| plan.pipeline(|plan| seek_into(plan, source, label, key.clone(), to));
        let branches = sources.iter().map(branch).collect();
        plan.push(op::Union { branches, pick: UnionPick::All });
        plan.push(op::Range::of(0, Some(1)));
        to
    }

    fn by_ids(&mut self, plan: &mut PlanBuilder, ids: &Shared) -> ColumnId {
        let ids: Vec<VertexId> = match &**ids {
            Items::Ids(ids) => ids.iter().map(|&id| VertexId(id)).collect(),
            Items::Links { .. } | Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
                unreachable!("a traversal starts from ids")
            }
        };
        self.parameters.push(Parameter::Rows(Batch::of(vec![Column::vertices(ids)])));
        let rows = plan.parameter("ids");
        let [name] = plan.rows(rows, ["id"]);
        plan.ids(ElementKind::Vertex, Expr::Column(name), "v")
    }

    fn step(
        &mut self,
        plan: &mut PlanBuilder,
        step: &Step,
        at: At,
        keeps_edge: bool,
        collected: &[(&Steps, Name)],
    ) -> At {
        match step {
            Step::Expand { direction, types } => {
                let edge = keeps_edge.then(|| plan.column("e"));
                let to = plan.column("v");
                plan.push(op::Expand {
                    from: at.key,
                    types: names(types),
                    direction: *direction,
                    edge,
                    to: Some(to),
                    loops: Loops::Twice,
                });
                return At { key: to, edge, count: None };
            }
            Step::Where(test) => {
                let test = self.test(plan, at.key, test);
                plan.filter(test);
            }
            Step::OfType(label) => {
                let vertex = Box::new(Expr::Column(at.key));
                plan.filter(Expr::HasLabel { vertex, label: label.as_str().into() });
            }
            Step::Among { set, is_member } => {
                let set = self.set(plan, set, collected);
                let among = Expr::InSet { item: Box::new(Expr::Column(at.key)), set };
                plan.filter(if *is_member { among } else { among.negate() });
            }
            Step::Distinct => {
                plan.push(op::Dedup { columns: vec![at.key] });
            }
            Step::Repeat { times, round } => {
                return At {
                    key: self.rounds(plan, at.key, *times, round),
                    edge: None,
                    count: None,
                };
            }
            Step::GroupCount(by) => return group_count(plan, at.key, by.as_deref()),
            Step::Top { count, by, descending } => {
                let by = by.as_ref().map(|by| Expr::property(at.key, by));
                let by = by.or(at.count.map(Expr::Column)).unwrap_or(Expr::Column(at.key));
                let keys = vec![sort_key(by, *descending), sort_key(Expr::Column(at.key), false)];
                plan.push(op::TopK { count: (*count).into(), keys });
            }
            Step::Key { .. } | Step::Ids(_) | Step::All(_) | Step::Round => {
                unreachable!("only the first step starts")
            }
        }
        at
    }

    fn test(&mut self, plan: &mut PlanBuilder, of: ColumnId, test: &Test) -> Expr {
        let value = match test.condition {
            Condition::IsNull | Condition::IsThere => Expr::literal(Value::Null),
            Condition::Compare(_) | Condition::Text { .. } => {
                self.value(plan, &test.property, test.value.clone())
            }
        };
        fits(Expr::property(of, &test.property), test.condition, value)
    }

    /// A set of vertices: one that was collected further up, or a plan of its own.
    fn set(
        &mut self,
        plan: &mut PlanBuilder,
        set: &Steps,
        collected: &[(&Steps, Name)],
    ) -> SetName {
        if let Some((_, name)) = collected.iter().find(|(chain, _)| chain.is(set)) {
            return SetName::SideEffect(name.clone());
        }
        SetName::Let(self.bound(plan, set))
    }

    /// A traversal as a plan that runs once.
    fn bound(&mut self, plan: &mut PlanBuilder, steps: &Steps) -> LetId {
        if let Some((_, bound)) = self.sets.iter().find(|(set, _)| set.is(steps)) {
            return *bound;
        }
        let bound = plan.bind("set", |plan| self.chain(plan, steps, None).key);
        self.sets.push((steps.clone(), bound));
        bound
    }

    fn rounds(
        &mut self,
        plan: &mut PlanBuilder,
        from: ColumnId,
        times: u64,
        round: &Steps,
    ) -> ColumnId {
        let to = plan.column("v");
        let mut next = to;
        let body = plan.pipeline(|plan| next = self.chain(plan, round, Some(to)).key);
        let columns = vec![Carried { from, to, next }];
        let (until, emit, rounds) = (None, None, None);
        let repeat = Repeat { columns, body, until, emit, times: Some(times), rounds };
        plan.push(repeat);
        to
    }

    fn end(&mut self, plan: &mut PlanBuilder, at: At, end: &End) -> Vec<ColumnId> {
        match end {
            End::Ids => vec![at.key],
            End::Links => std::iter::once(at.key).chain(at.edge).collect(),
            End::Counts => std::iter::once(at.key).chain(at.count).collect(),
            End::Count => vec![plan.aggregate(&[], "count", Fold::Count)],
            End::Property(key) => vec![plan.project(key, Expr::property(at.key, key))],
            End::Sum(key) => {
                let fold = Fold::Sum(Expr::property(at.key, key));
                vec![plan.aggregate(&[], "sum", fold)]
            }
            End::Path { to, direction, types } => {
                let target = self.bound(plan, to);
                let into = plan.column("target");
                plan.let_ref(target, &[into]);
                let edges = shortest(plan, at.key, into, *direction, names(types));
                vec![at.key, edges]
            }
        }
    }
}

fn names(types: &Option<Vec<String>>) -> Option<Vec<Name>> {
    types.as_ref().map(|types| types.iter().map(|name| name.as_str().into()).collect())
}

fn sort_key(by: Expr, descending: bool) -> SortKey {
    SortKey { by, descending, nulls: Nulls::Last }
}

fn group_count(plan: &mut PlanBuilder, of: ColumnId, by: Option<&str>) -> At {
    let key = match by {
        None => of,
        Some(by) => {
            let value = plan.project(by, Expr::property(of, by));
            plan.filter(Expr::IsNull(Box::new(Expr::Column(value))).negate());
            value
        }
    };
    let count = plan.aggregate(&[key], "count", Fold::Count);
    At { key, edge: None, count: Some(count) }
}

/// The relationships of a shortest way, of all that there are the shortest one.
fn shortest(
    plan: &mut PlanBuilder,
    from: ColumnId,
    into: ColumnId,
    direction: Direction,
    types: Option<Vec<Name>>,
) -> ColumnId {
    let edges = plan.column("edges");
    let (loops, ways) = (Loops::Twice, PathMode::AnyShortest);
    let step = PathLeg::along(types, direction, loops);
    let path =
        PathPattern { into: Some(into), ..PathPattern::repeating(from, step, (0, None), ways) };
    plan.push(op::PathExpand { edges: Some(edges), ..op::PathExpand::unread(path) });
    let length = Expr::Call { function: Function::Size, arguments: vec![Expr::Column(edges)] };
    plan.push(op::TopK { count: 1.into(), keys: vec![sort_key(length, false)] });
    edges
}

/// Rows `$rows` (relationship) → the ends of each.
pub(crate) fn ends_of() -> Plan {
    let mut plan = builder();
    let rows = plan.parameter("rows");
    let [edge] = plan.rows(rows, ["e"]);
    let (source, target) = (plan.column("source"), plan.column("target"));
    plan.push(op::Endpoints { edge, end: millrace_plan::End::Source, to: source });
    plan.push(op::Endpoints { edge, end: millrace_plan::End::Target, to: target });
    plan.finish(vec![source, target])
}
