//! A plan made ready: run many times, with other parameters, in one context after another.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Instant;

use millrace_model::compare::CompareMode;
use millrace_model::stack::with_levels;
use millrace_model::{Batch, CountedOnce, Error, ErrorKind, Result, query_limits};
use millrace_plan::analysis::{PipelineOrder, element_columns, plan_liveness, plan_order};
use millrace_plan::columns::ColumnSet;
use millrace_plan::{Explanation, LetId, Parameter, Plan, rules};

use super::check::{check, check_size};
use super::explain::{each_operator, explain};
use super::stages::compile_pipeline;
use crate::compile::{Compiled, Compiler, Goal, Purpose};
use crate::context::{Context, CountedOperators, Procedures, RunReport, element_ids};
use crate::expressions::bug;
use crate::pipeline::{Counters, Part, Pipeline, Scopes};
use crate::rows::{Collector, batch_bytes_once, paths_as_values};
use crate::run::{Run, RunState, single_rows};

/// A checked plan with its operators.
pub struct Prepared {
    lets: Vec<PreparedLet>,
    pub(super) root: Pipeline,
    width: usize,
    /// The slot of each output column.
    pub(super) output: Vec<usize>,
    parameters: usize,
    compare: CompareMode,
    /// The seed of random numbers, if each run is to have the same.
    seed: Option<u64>,
    has_effect: bool,
    /// Whether its result has single rows.
    pub(super) single_rows: bool,
    /// How deep its expressions may nest.
    pub(super) levels: usize,
}

struct PreparedLet {
    id: LetId,
    name: String,
    pipeline: Pipeline,
    /// How many columns its rows have, and the slots of those that are kept.
    width: usize,
    slots: Vec<usize>,
}

impl Prepared {
    /// Checks and compiles a plan, which may call the engine's own procedures.
    pub fn new(plan: &Plan) -> Result<Prepared> {
        Prepared::with_purpose(plan, Purpose::Collected, &Procedures::builtin())
    }

    /// The same of a plan that may call the procedures of a context.
    pub(crate) fn within(plan: &Plan, context: &Context) -> Result<Prepared> {
        Prepared::with_purpose(plan, Purpose::Collected, context.procedures())
    }

    /// The same of a plan that one of several threads runs.
    pub(super) fn of_worker(plan: &Plan) -> Result<Prepared> {
        Prepared::with(plan, Purpose::Collected, (&Procedures::builtin(), false))
    }

    /// The same of a plan after the rules, which may call these procedures.
    pub fn optimized(plan: &Plan, procedures: &Procedures) -> Result<Prepared> {
        check_size(&plan.root)?;
        with_levels(plan.levels, || {
            let mut plan = plan.clone();
            query_limits::stoppable(|| rules::optimize(&mut plan))?;
            Prepared::with_purpose(&plan, Purpose::Collected, procedures)
        })
    }

    /// The same for a caller that pulls batches and may stop: the first ones are small.
    pub fn to_be_pulled(plan: &Plan) -> Result<Prepared> {
        Prepared::with_purpose(plan, Purpose::Pulled, &Procedures::builtin())
    }

    fn with_purpose(plan: &Plan, purpose: Purpose, procedures: &Procedures) -> Result<Prepared> {
        Prepared::with(plan, purpose, (procedures, true))
    }

    /// With the procedures that it may call, and whether threads may share its scans.
    fn with(plan: &Plan, purpose: Purpose, may: (&Procedures, bool)) -> Result<Prepared> {
        with_levels(plan.levels, || {
            query_limits::stoppable(|| Prepared::on_this_stack(plan, purpose, may))?
        })
    }

    fn on_this_stack(
        plan: &Plan,
        purpose: Purpose,
        (procedures, may_share): (&Procedures, bool),
    ) -> Result<Prepared> {
        check(plan, procedures)?;
        let order = plan_order(plan, &plan_liveness(plan));
        let looked_up = plan.side_effects_looked_up();
        let compiler = Compiler {
            plan,
            elements: element_columns(plan),
            looked_up,
            procedures,
            may_share,
            compile_pipeline,
        };
        let live: ColumnSet = plan.output.iter().copied().collect();
        let goal = Goal { runs_once: true, ..Goal::new(&live, &order.root, purpose) };
        let Compiled { pipeline: root, layout } =
            compiler.pipeline(&plan.root.ops, Vec::new(), &goal)?;
        let output = compiler.slots(&layout, &plan.output)?;
        let has_effect =
            plan.root.has_effect() || plan.lets.iter().any(|binding| binding.pipeline.has_effect());
        Ok(Prepared {
            lets: prepare_lets(plan, &compiler, &order.lets)?,
            root,
            width: layout.len(),
            output,
            parameters: plan.parameters.len(),
            compare: plan.compare,
            seed: plan.seed,
            has_effect,
            single_rows: !plan.merging,
            levels: plan.levels,
        })
    }

    /// Runs it; all its rows in one batch of the output columns, weights kept.
    pub fn run(&mut self, context: &Context, parameters: &[Parameter]) -> Result<Batch> {
        let Some(watcher) = context.watcher() else {
            return self.run_counting(context, parameters, false);
        };
        // Those of a run before, should this one fail at once.
        self.forget_counters();
        let began = Instant::now();
        let result = self.run_counting(context, parameters, true);
        let (took, peak_bytes) = (began.elapsed(), context.guard().peak_bytes());
        let rows = result.as_ref().map_or(0, |batch| batch.len as u64);
        watcher.ran(&RunReport { took, peak_bytes, rows, operators: self });
        result
    }

    /// What its last operator holds for the piece of the scan that the run's context has.
    pub(super) fn part_of(&mut self, run: &Run<'_>) -> Result<(Part, u64, Vec<Counters>)> {
        run.context.check()?;
        self.root.begin([Batch::unit()], Scopes::First(1), run);
        let part = with_levels(self.levels, || self.root.part(run))?;
        part.ok_or_else(|| bug("an operator that threads share has parts"))
    }

    /// Its pipelines, those of `Let`s first.
    fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        self.lets.iter().map(|binding| &binding.pipeline).chain([&self.root])
    }

    pub(super) fn forget_counters(&self) {
        self.pipelines().for_each(Pipeline::forget_counters);
    }

    /// Runs it; the explanation has the counters of each operator.
    pub fn profile(
        &mut self,
        context: &Context,
        parameters: &[Parameter],
    ) -> Result<(Batch, Explanation)> {
        let batch = self.run_counting(context, parameters, true)?;
        Ok((batch, self.explain()))
    }

    /// Its operators, with their counters of the last profiled run.
    pub fn explain(&self) -> Explanation {
        let lets = self.lets.iter().map(|binding| (binding.name.as_str(), &binding.pipeline));
        explain(lets, &self.root)
    }

    /// Whether it writes.
    pub fn has_effect(&self) -> bool {
        self.has_effect
    }

    fn run_counting(
        &mut self,
        context: &Context,
        parameters: &[Parameter],
        profiled: bool,
    ) -> Result<Batch> {
        let limits = context.enforce_limits();
        let state = self.begin_run(context, parameters, profiled)?;
        let run = state.run(context);
        let reserved_before = context.reserved_bytes();
        let result = with_levels(self.levels, || self.run_all(&run));
        // The memory that operators still hold is no longer needed.
        context.guard().release(context.reserved_bytes().saturating_sub(reserved_before));
        limits.finish()?;
        let batch = result?;
        if self.has_effect {
            context.finish_statement()?;
        }
        element_ids::to_external(batch, context)
    }

    /// Checks the parameters and returns the run that its operators share.
    pub(super) fn begin_run<'p>(
        &self,
        context: &Context,
        parameters: &'p [Parameter],
        profiled: bool,
    ) -> Result<RunState<'p>> {
        if parameters.len() != self.parameters {
            let (found, wanted) = (parameters.len(), self.parameters);
            let detail = format!("{found} parameters are bound where the plan has {wanted}");
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        context.check()?;
        if self.has_effect {
            context.takes_values_as(self.compare);
        }
        context.refresh_catalog();
        let inside = element_ids::to_internal(parameters, context)?;
        let parameters = inside.map_or(Cow::Borrowed(parameters), Cow::Owned);
        let seed = self.seed.unwrap_or_else(|| context.next_seed());
        Ok(RunState::new(parameters, (self.compare, seed), profiled))
    }

    /// Runs its `Let`s.
    pub(super) fn run_lets(&mut self, run: &Run<'_>) -> Result<()> {
        for binding in &mut self.lets {
            let rows = collect(&mut binding.pipeline, binding.width, run, &mut |_| Ok(()))?;
            let columns = binding.slots.iter().map(|&slot| rows.columns[slot].clone()).collect();
            run.bind(binding.id, Batch { columns, ..rows });
        }
        Ok(())
    }

    fn run_all(&mut self, run: &Run<'_>) -> Result<Batch> {
        self.run_lets(run)?;
        let mut emitted = 0;
        let whole =
            collect(&mut self.root, self.width, run, &mut |batch| run.count(batch, &mut emitted))?;
        let columns = self.output.iter().map(|&slot| whole.columns[slot].clone()).collect();
        let whole = Batch { columns, ordinals: None, ..whole };
        if self.single_rows { single_rows(&whole, run) } else { Ok(whole) }
    }
}

impl CountedOperators for Prepared {
    fn each_operator(&self, visit: &mut dyn FnMut(&str, u64, u64)) {
        for pipeline in self.pipelines() {
            each_operator(pipeline, visit);
        }
    }
}

impl Context {
    /// A plan after the rules, ready to run here.
    pub fn prepare(&self, plan: &Plan) -> Result<Prepared> {
        let _enforced = self.enforce_limits();
        self.preparing(|| Prepared::optimized(plan, self.procedures()))
    }
}

fn collect(
    pipeline: &mut Pipeline,
    width: usize,
    run: &Run<'_>,
    look: &mut dyn FnMut(&Batch) -> Result<()>,
) -> Result<Batch> {
    if run.profiled {
        pipeline.forget_counters();
    }
    pipeline.begin([Batch::unit()], Scopes::First(1), run);
    let mut collector = Collector::default();
    let mut counted = CountedOnce::default();
    while let Some(batch) = pipeline.next(run)? {
        look(&batch)?;
        let batch = paths_as_values(batch);
        run.charge(batch_bytes_once(&batch, &mut counted))?;
        collector.push(batch);
    }
    Ok(collector.finish(width))
}

/// The `Let`s that something reads, and those with an effect, which run for it.
fn prepare_lets(
    plan: &Plan,
    compiler: &Compiler<'_>,
    orders: &[PipelineOrder],
) -> Result<Vec<PreparedLet>> {
    let mut needed: BTreeSet<LetId> = plan.root.lets_read();
    for (number, binding) in plan.lets.iter().enumerate().rev() {
        let id = LetId(number as u32);
        if needed.contains(&id) || binding.pipeline.has_effect() {
            needed.insert(id);
            needed.extend(binding.pipeline.lets_read());
        }
    }
    let mut lets = Vec::new();
    for id in needed {
        let (binding, order) = (&plan.lets[id.0 as usize], &orders[id.0 as usize]);
        let live: ColumnSet = binding.columns.iter().copied().collect();
        let goal = Goal::new(&live, order, Purpose::Collected);
        let Compiled { pipeline, layout } =
            compiler.pipeline(&binding.pipeline.ops, Vec::new(), &goal)?;
        let slots = compiler.slots(&layout, &binding.columns)?;
        let name = binding.name.to_string();
        lets.push(PreparedLet { id, name, pipeline, width: layout.len(), slots });
    }
    Ok(lets)
}
