//! A query while it is translated: the plan so far, the levels, the variables, and what of the schema was asked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::builder::PlanBuilder;
use millrace_plan::op::Effect;
use millrace_plan::{ApplyKind, ColumnId, Expr, LetId, Op, Pipeline, Plan, op};

use super::levels::Levels;
use super::operands::{Input, Operands, Values};
use super::problems::{unsupported, wrong};
use super::spread;
use super::variables::Variables;
use crate::answer::{BlockLayout, JsonAnswer};
use crate::form::AnswerForm;
use crate::limits::{OPERATORS_IN_A_ROW_MAX, ROW_SETS_MAX};
use crate::schema::{GraphSchema, Predicate};
use crate::tree::{Fragment, Offset, Query};
use crate::values::order_of_language;

/// What a plan took from the schema: it is good for every graph that has the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The predicates that it names.
    pub(crate) predicates: BTreeMap<Arc<str>, Option<Predicate>>,
    /// Whether ids of vertices are another order than that of the store.
    pub(crate) has_other_ids: bool,
    /// All types, if it depends on them.
    pub(crate) types: Option<u64>,
    /// The names of keys, if its answer names the facets that an edge has: one of a name that is new comes later.
    pub(crate) names_of_keys: Option<Arc<[Arc<str>]>>,
}

/// A query as a plan.
pub(crate) struct Translated {
    pub(crate) plan: Plan,
    pub(crate) inputs: Vec<Input>,
    /// Names of variables whose values are part of the plan.
    pub(crate) fixed: Vec<Arc<str>>,
    pub(crate) facts: Facts,
    pub(crate) answer: JsonAnswer,
}

/// See the module.
pub(crate) struct Translator<'a> {
    pub(super) text: &'a str,
    pub(super) schema: &'a GraphSchema,
    pub(crate) builder: PlanBuilder,
    pub(crate) operands: Operands<'a>,
    pub(super) fragments: HashMap<&'a str, &'a Fragment>,
    pub(super) facts: Facts,
    pub(super) form: AnswerForm,
    pub(super) variables: Variables,
    pub(super) levels: Levels,
    /// Variables that are used behind the query.
    pub(super) outside: BTreeSet<&'a str>,
    /// Whether every level is kept, as what follows changes what it reads.
    pub(super) keeps_levels: bool,
    /// Whether the block has no place in the answer.
    pub(super) is_silent: bool,
    /// The predicates that nodes must have, in a level that cascades; none of them: all that are read.
    pub(super) cascade: Option<Vec<String>>,
    /// Whether the level below is there at all, for an `expand`; it is read by the next level.
    pub(super) only_if: Option<Expr>,
    /// The bags of the answer's row.
    bags: Vec<ColumnId>,
    bag_ops: Vec<Op>,
}

/// The plan of a query.
pub(crate) fn translate<'a>(
    query: &'a Query,
    fragments: &'a [Fragment],
    (text, schema, values): (&'a str, &'a GraphSchema, &'a Values<'a>),
    form: AnswerForm,
) -> Result<Translated> {
    let mut translator = Translator::new((query, fragments), (text, schema, values), form)?;
    let blocks = translator.blocks(&query.blocks)?;
    translator.finish(Vec::new(), blocks)
}

impl<'a> Translator<'a> {
    /// A translator that has translated nothing.
    pub(crate) fn new(
        (query, fragments): (&'a Query, &'a [Fragment]),
        (text, schema, values): (&'a str, &'a GraphSchema, &'a Values<'a>),
        form: AnswerForm,
    ) -> Result<Translator<'a>> {
        let named = fragments.iter().map(|fragment| (fragment.name.text.as_str(), fragment));
        let fragments: HashMap<&'a str, &'a Fragment> = named.collect();
        spread::check(text, query, &fragments)?;
        Ok(Translator {
            text,
            schema,
            builder: PlanBuilder::new(CompareMode::Plain).without_merging(),
            operands: Operands::new(text, query, values)?,
            fragments,
            facts: Facts { has_other_ids: schema.has_other_ids(), ..Facts::default() },
            form,
            variables: Variables::default(),
            levels: Levels::default(),
            outside: BTreeSet::new(),
            keeps_levels: false,
            is_silent: false,
            cascade: None,
            only_if: None,
            bags: Vec::new(),
            bag_ops: Vec::new(),
        })
    }

    /// Keeps all levels and some variables for what follows the query.
    pub(crate) fn keep(&mut self, variables: BTreeSet<&'a str>) {
        self.keeps_levels = true;
        self.outside = variables;
    }

    /// The plan: the bags of the answer, then what follows them.
    pub(crate) fn finish(
        mut self,
        behind: Vec<Op>,
        blocks: Vec<BlockLayout>,
    ) -> Result<Translated> {
        for op in self.bag_ops.into_iter().chain(behind) {
            self.builder.push(op);
        }
        let (inputs, fixed) = self.operands.into_inputs(&mut self.builder);
        let plan = self.builder.finish(self.bags);
        check_size(&plan)?;
        Ok(Translated {
            plan,
            inputs,
            fixed,
            facts: self.facts,
            answer: JsonAnswer { blocks, form: self.form },
        })
    }

    /// A bag of some columns of a pipeline, in the answer's row; the number of its column there.
    pub(crate) fn bag(&mut self, sub: Pipeline, columns: Vec<ColumnId>) -> usize {
        if self.is_silent {
            return usize::MAX;
        }
        let to = self.builder.column("level");
        self.bag_ops.push(Op::Apply(op::Apply { sub, kind: ApplyKind::Bag { columns, to } }));
        self.bags.push(to);
        self.bags.len() - 1
    }

    /// The predicate of a name, with its languages as Dgraph orders them: `@.` gives the first that there is.
    pub(crate) fn predicate(&mut self, name: &str) -> Option<Predicate> {
        let found = self.schema.predicate(name);
        self.facts.predicates.insert(Arc::from(name), found.clone());
        let mut found = found?;
        found.languages.sort_by_cached_key(|tag| order_of_language(tag));
        Some(found)
    }

    /// A column for each of a `Let`'s, of its rows.
    pub(super) fn let_ref(&mut self, name: LetId, kept: &[ColumnId]) -> Vec<ColumnId> {
        let columns: Vec<(ColumnId, ColumnId)> =
            kept.iter().map(|&own| (own, self.builder.column("node"))).collect();
        let made = columns.iter().map(|(_, to)| *to).collect();
        self.builder.push(op::LetRef { name, columns });
        made
    }

    /// An error at a byte of the text.
    pub(super) fn wrong(&self, at: Offset, detail: impl Into<String>) -> Error {
        wrong(self.text, at, detail)
    }

    /// A refusal at a byte of the text.
    pub(super) fn unsupported(&self, at: Offset, what: &str, help: &str) -> Error {
        unsupported(self.text, at, what, help)
    }
}

/// Refuses a plan that the engine would not run before rules work on it, of which some take time with the square of its
/// operators.
fn check_size(plan: &Plan) -> Result<()> {
    if ROW_SETS_MAX < plan.lets.len() {
        let detail = format!("the query has more than {ROW_SETS_MAX} variables and levels");
        return Err(too_many(detail));
    }
    let pipelines = plan.lets.iter().map(|own| &own.pipeline).chain([&plan.root]);
    pipelines.into_iter().try_for_each(check_rows)
}

fn check_rows(pipeline: &Pipeline) -> Result<()> {
    let mut in_a_row = 0;
    for op in &pipeline.ops {
        in_a_row = if op.effect() == Some(Effect::Writes) { 0 } else { in_a_row + 1 };
        if OPERATORS_IN_A_ROW_MAX < in_a_row {
            let detail =
                format!("the plan has more than {OPERATORS_IN_A_ROW_MAX} operators in a row");
            return Err(too_many(detail));
        }
        op.subplans().iter().try_for_each(check_rows)?;
    }
    Ok(())
}

fn too_many(detail: String) -> Error {
    let error = Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Compile);
    error.with_help("send several shorter queries")
}
