//! A traversal while it is translated: the builder, the shared state, and the state of traversers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Error, ErrorKind, Phase, Result, Value};
use millrace_plan::functions::Reduction;
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Fold, Missing, Name, Op, ParameterId, Pipeline, PlanBuilder, op,
};

use super::calls::{self, Call, wrong};
use super::connectives::connect;
use super::kind::{At, Kind};
use super::sack_merges::SackMerges;
use super::state::{State, Sub, Tag};
use super::step::{Fact, Leads};
use super::step_list::StepList;
use super::values::SourceValue;

/// The columns of a plan that were made for a step, or for the steps inside of it.
#[derive(Clone, Debug)]
pub struct StepColumns {
    /// The step's name.
    pub step: &'static str,
    /// Its columns.
    pub columns: Range<ColumnId>,
}

/// How deep traversals may stand inside each other.
const DEEPEST: u32 = 64;

/// The state that all parts of a traversal share.
pub(crate) struct Shared {
    /// The steps that there are.
    pub list: &'static StepList,
    /// Whether a step asks for paths.
    pub paths: bool,
    /// The values of parameters, by number.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// The kinds of side effects, by name.
    pub side_effects: BTreeMap<Name, SideEffectKind>,
    /// Initial values of side effects.
    pub seeds: BTreeMap<Name, SourceValue>,
    /// Keys with a `by` that gives null where it finds nothing; none: of all.
    pub productive: Option<Vec<Name>>,
    /// Whether nothing may be written.
    pub read_only: bool,
    /// The sack's first value.
    pub sack: Option<Expr>,
    /// How sacks of equal traversers become one.
    pub merged_sacks: Option<Reduction>,
    /// Whether merged traversers count by their weight; if not, they count as one.
    pub bulk: bool,
    /// Whether `and` and `or` may stand between steps.
    pub connects: bool,
    /// The seed of random numbers.
    pub seed: Option<u64>,
    /// Which step made which columns.
    pub steps: Vec<StepColumns>,
    numbers: BTreeMap<Arc<str>, ParameterId>,
    depth: u32,
}

/// The form in which a side effect is read.
#[derive(Clone)]
pub(crate) enum SideEffectKind {
    /// As a list.
    List,
    /// As a value that an operator made of a first one and all objects.
    Reduced(Reduction),
    /// As a tree of the collected paths.
    Tree,
    /// As the subgraph of the collected edges.
    Subgraph,
    /// As the count of each key.
    GroupCount,
    /// As groups: pairs of a key and an object were collected, and this is made of a key's objects.
    Group {
        /// The kind of the objects.
        kind: Kind,
        /// The `by` of the values.
        values: Option<Instruction>,
        /// Whether each pair has a list of objects.
        lists: bool,
    },
}

impl Shared {
    /// The shared state before the words about the source are read.
    pub(crate) fn of(list: &'static StepList, bytecode: &Bytecode) -> Shared {
        Shared {
            list,
            paths: asks_for_paths(list, bytecode),
            parameters: Vec::new(),
            side_effects: BTreeMap::new(),
            seeds: BTreeMap::new(),
            productive: None,
            read_only: false,
            sack: None,
            merged_sacks: None,
            bulk: true,
            connects: true,
            seed: None,
            steps: Vec::new(),
            numbers: BTreeMap::new(),
            depth: 0,
        }
    }
}

fn asks_for_paths(list: &StepList, bytecode: &Bytecode) -> bool {
    fn inside(list: &StepList, argument: &Argument) -> bool {
        match argument {
            Argument::Bytecode(inner) => asks_for_paths(list, inner),
            Argument::List(inner) | Argument::Set(inner) => {
                inner.iter().any(|inner| inside(list, inner))
            }
            Argument::Map(pairs) => pairs.iter().any(|(_, value)| inside(list, value)),
            Argument::Predicate(predicate) => {
                predicate.arguments.iter().any(|inner| inside(list, inner))
            }
            _ => false,
        }
    }
    let mut came_along = false;
    bytecode.steps.iter().any(|instruction| {
        let step = list.named(&instruction.name);
        let is = |fact| step.is_some_and(|step| step.is(fact));
        let asks = is(Fact::NeedsPath) || is(Fact::NeedsOrigin) && !came_along;
        if !is(Fact::KeepsPlace) {
            // Behind a hop to an edge it is known where the traverser came from.
            came_along = step.is_some_and(|step| step.leads == Some(Leads::IncidentEdges));
        }
        asks || instruction.arguments.iter().any(|argument| inside(list, argument))
    })
}

/// A traversal while it is translated.
pub(crate) struct Traversal<'b> {
    /// Where operators go.
    pub plan: &'b mut PlanBuilder,
    /// The state that all parts share.
    pub shared: &'b mut Shared,
    /// The state of traversers now.
    pub state: State,
}

impl Traversal<'_> {
    /// Adds the operators of a traversal's steps.
    pub(crate) fn run(&mut self, bytecode: &Bytecode) -> Result<()> {
        self.shared.depth += 1;
        if DEEPEST < self.shared.depth {
            let detail = format!("traversals stand more than {DEEPEST} deep inside each other");
            return Err(Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Compile));
        }
        if self.shared.connects
            && let Some(connected) = connect(self.shared.list, bytecode)
        {
            self.shared.depth -= 1;
            return self.run(&connected);
        }
        let calls = calls::calls(self.shared.list, bytecode)?;
        let mut merges = SackMerges::default();
        for (place, call) in calls.iter().enumerate() {
            if self.shared.read_only && call.step.is(Fact::Writes) {
                let detail = "The provided traversal has a mutating step and thus is not read only";
                return Err(call.wrong(detail));
            }
            if let Some((least, most)) = call.step.arguments {
                calls::check_count(call.instruction, least, most)?;
            }
            let first = self.plan.next_column();
            (call.step.translate)(self, call)?;
            merges.behind(self, call, calls.get(place + 1));
            for tags in &call.tags {
                self.tag(tags)?;
            }
            let columns = first..self.plan.next_column();
            self.shared.steps.push(StepColumns { step: call.step.name, columns });
        }
        self.shared.depth -= 1;
        Ok(())
    }

    /// The columns of the result.
    pub(crate) fn output(&mut self) -> Vec<ColumnId> {
        self.state.at.iter().map(|at| at.column).collect()
    }

    /// Where traversers are; an error where there are none yet.
    pub(crate) fn at(&self, call: &Call<'_>) -> Result<At> {
        self.here(call.instruction)
    }

    /// Where traversers are; an error where there are none yet.
    pub(crate) fn here(&self, instruction: &Instruction) -> Result<At> {
        self.state.at.ok_or_else(|| wrong(instruction, "cannot be the first step"))
    }

    /// Traversers have moved to another object.
    pub(crate) fn moved(&mut self, column: ColumnId, kind: Kind) {
        self.state.at = Some(At::new(column, kind));
        self.state.other = None;
        self.state.property = None;
        if self.shared.paths {
            self.state.path = Some(self.plan.path(self.state.path, Some(column), &[], "path"));
        }
    }

    /// A column with an expression's value.
    pub(crate) fn project(&mut self, name: &str, expr: Expr) -> ColumnId {
        if let Expr::Column(column) = expr {
            return column;
        }
        self.plan.project(name, expr)
    }

    /// Traversers have moved to the value of an expression.
    pub(crate) fn moved_to(&mut self, name: &str, expr: Expr, kind: Kind) {
        let column = self.project(name, expr);
        self.moved(column, kind);
    }

    /// A barrier has made one object of many; the other state of traversers is forgotten.
    pub(crate) fn reduced(&mut self, column: ColumnId, kind: Kind) {
        self.state.forget();
        self.moved(column, kind);
    }

    /// Keeps rows that have an entry.
    pub(crate) fn keep_present(&mut self, column: ColumnId) {
        let absent = Expr::IsAbsent(Box::new(Expr::Column(column)));
        self.plan.filter(absent.negate());
    }

    /// Sets tags to where traversers are.
    pub(crate) fn tag(&mut self, tags: &Instruction) -> Result<()> {
        let at = self.here(tags)?;
        let names = calls::names(tags)?;
        for name in &names {
            let tag = match self.state.tags.get(name).copied() {
                None => Tag { at, many: false, may_miss: false },
                Some(before) => {
                    let before = self.tag_as_list(before);
                    let column = self.plan.tag(name, Some(before), Expr::Column(at.column));
                    Tag { at: At::new(column, Kind::Any), many: true, may_miss: true }
                }
            };
            self.state.tags.insert(name.clone(), tag);
        }
        if let Some(path) = self.state.path {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            self.state.path = Some(self.plan.path(Some(path), None, &names, "path"));
        }
        Ok(())
    }

    /// All that a tag was set to, as a list.
    pub(crate) fn tag_as_list(&mut self, tag: Tag) -> ColumnId {
        if tag.many {
            return tag.at.column;
        }
        self.plan.project("tag", Expr::List(vec![Expr::Column(tag.at.column)]))
    }

    /// A traversal inside this one, that starts from where traversers are.
    pub(crate) fn sub(&mut self, bytecode: &Bytecode) -> Result<Sub> {
        let state = self.state.clone();
        self.sub_from(state, |inner| inner.run(bytecode))
    }

    /// A part inside this traversal that starts from traversers in the given state.
    pub(crate) fn sub_from(
        &mut self,
        state: State,
        build: impl FnOnce(&mut Traversal<'_>) -> Result<()>,
    ) -> Result<Sub> {
        let Traversal { plan, shared, .. } = self;
        let mut ended = Ok(State::default());
        let pipeline = plan.pipeline(|plan| {
            let mut inner = Traversal { plan, shared, state };
            ended = build(&mut inner).map(|()| inner.state);
        });
        Ok(Sub { pipeline, state: ended? })
    }

    /// The first value a traversal inside has for each row; absent where it has none.
    pub(crate) fn first_of(&mut self, from: At, bytecode: &Bytecode) -> Result<At> {
        let state = State { at: Some(from), ..self.state.clone() };
        let Sub { mut pipeline, state } = self.sub_from(state, |inner| inner.run(bytecode))?;
        let end = state.at.unwrap_or(from);
        let fold = take_closing_fold(&mut pipeline, end.column).unwrap_or(Fold::IfSeen {
            fold: Box::new(Fold::First(Expr::Column(end.column))),
            missing: Missing::Absent,
        });
        let to = self.plan.column("value");
        self.plan.push(op::Apply { sub: pipeline, kind: ApplyKind::Value { fold, to } });
        Ok(At::new(to, end.kind))
    }

    /// The first value of a traversal that starts without a traverser.
    pub(crate) fn first_from_nowhere(&mut self, bytecode: &Bytecode) -> Result<At> {
        let nothing = self.plan.project("nothing", Expr::Literal(Value::Null));
        self.first_of(At::new(nothing, Kind::Any), bytecode)
    }

    /// Whether a traversal inside has a row, as a column.
    pub(crate) fn exists(&mut self, bytecode: &Bytecode) -> Result<ColumnId> {
        let sub = self.sub(bytecode)?;
        let to = self.plan.column("exists");
        let kind = ApplyKind::Value { fold: Fold::Exists, to };
        self.plan.push(op::Apply { sub: sub.pipeline, kind });
        Ok(to)
    }

    /// The sacks of traversers: the initial ones of the source if none was set yet, and `None` if it has none.
    pub(crate) fn sack(&mut self) -> Option<At> {
        if self.state.sack.is_none()
            && let Some(first) = self.shared.sack.clone()
        {
            let column = self.project("sack", first);
            self.state.sack = Some(At::new(column, Kind::Any));
            if self.shared.merged_sacks.is_some() && self.shared.bulk {
                self.state.bulk_ordinal =
                    Some(self.plan.project("bulk_ordinal", Expr::Literal(Value::Null)));
            }
        }
        self.state.sack
    }

    /// A parameter for a value that has a name.
    pub(crate) fn parameter(&mut self, name: &Arc<str>, value: &Value) -> Expr {
        let Shared { numbers, parameters, .. } = &mut *self.shared;
        let number = *numbers.entry(name.clone()).or_insert_with(|| {
            parameters.push((name.clone(), value.clone()));
            self.plan.parameter(name)
        });
        Expr::Parameter(number)
    }
}

/// Takes the fold that closes a subplan, if its result is the wanted column: an `Apply` folds better itself.
fn take_closing_fold(pipeline: &mut Pipeline, column: ColumnId) -> Option<Fold> {
    let Some(Op::Aggregate(op::Aggregate { keys, folds })) = pipeline.ops.last() else {
        return None;
    };
    let ([], [(to, fold)]) = (keys.as_slice(), folds.as_slice()) else { return None };
    if *to != column {
        return None;
    }
    let fold = match fold.clone() {
        Fold::IfSeen { fold, missing: _ } => Fold::IfSeen { fold, missing: Missing::Absent },
        fold => fold,
    };
    pipeline.ops.pop();
    Some(fold)
}

/// The tags that are set in a traversal, inner traversals included.
pub(crate) fn set_tags(list: &StepList, bytecode: &Bytecode, into: &mut BTreeSet<Name>) {
    for step in &bytecode.steps {
        if list.is(step, Fact::SetsTags) {
            into.extend(calls::names(step).unwrap_or_default());
        }
        for argument in &step.arguments {
            if let Argument::Bytecode(inner) = argument {
                set_tags(list, inner, into);
            }
        }
    }
}
