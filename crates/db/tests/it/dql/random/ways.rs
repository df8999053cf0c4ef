//! The ways to run a query, their outcomes, and when two outcomes agree.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use millrace_db::Database;
use millrace_db::languages::dql::language::DQL;
use millrace_db::languages::{Binding, Language};
use millrace_engine::{CancelFlag, Context, Limits, oracle};
use millrace_model::{Batch, Error, ErrorKind, Result, Value};
use millrace_plan::language::{AnswerRoom, AnswerWriter, Options, Scope, slot_index};
use millrace_plan::rules::{RULES, optimize, optimize_without};
use millrace_plan::{Parameter, Plan, Runner};

use crate::dql::query;
use crate::limits;
use crate::random_runs::{Outcome, context_over};

/// Any room.
struct NoBound;

impl AnswerRoom for NoBound {
    fn take(&self, _bytes: u64) -> Result<()> {
        Ok(())
    }
}

/// The scope of a text that has no values but its literals.
struct OnlyLiterals<'r> {
    runner: &'r mut dyn Runner,
    literals: Vec<Value>,
}

impl Scope for OnlyLiterals<'_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        Some(Binding::Value(self.literals.get(slot_index(name)?)?.clone()))
    }

    fn is_graph(&self, _name: &str) -> bool {
        true
    }

    fn runner(&mut self, _options: &Options) -> Result<&mut dyn Runner> {
        Ok(self.runner)
    }
}

/// A query as it is translated.
struct Translated {
    plan: Plan,
    parameters: Vec<Parameter>,
    writer: Box<dyn AnswerWriter>,
}

type Execute = fn(&Plan, &Context, &[Parameter]) -> Result<Batch>;

/// A way to run a query.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) name: String,
    execute: Option<Execute>,
    rules: Rules,
    /// Whether literals are slots of the plan, as they are where texts share one.
    is_normalized: bool,
    batch_rows_max: usize,
}

#[derive(Clone, Copy)]
enum Rules {
    None,
    All,
    AllBut(&'static str),
}

fn way(name: &str, execute: Execute, rules: Rules) -> Way {
    let (name, execute) = (name.to_owned(), Some(execute));
    Way { name, execute, rules, is_normalized: false, batch_rows_max: usize::MAX }
}

/// The plan as it was translated, row by row: the reference for all others.
pub(super) fn reference() -> Way {
    way("oracle", oracle::execute, Rules::None)
}

/// As a request is answered, with everything that the database keeps of earlier ones.
fn as_served() -> Way {
    let served = way("request", millrace_engine::execute, Rules::All);
    Way { execute: None, ..served }
}

/// The others. With one rule off now and then, as that is many.
pub(super) fn ways(each_rule_off: bool) -> Vec<Way> {
    let engine: Execute = millrace_engine::execute;
    let ruled = |name: &str| way(name, engine, Rules::All);
    let mut ways = vec![
        way("engine without rules", engine, Rules::None),
        ruled("engine with rules"),
        Way { is_normalized: true, ..ruled("engine with rules, literals as slots") },
        Way { batch_rows_max: 2, ..ruled("engine with rules, two rows a batch") },
        Way { batch_rows_max: 1, ..way("engine, one row a batch", engine, Rules::None) },
        way("oracle with rules", oracle::execute, Rules::All),
        as_served(),
    ];
    if each_rule_off {
        ways.extend(RULES.iter().map(|rule| Way {
            rules: Rules::AllBut(rule.name),
            ..ruled(&format!("engine with rules but {}", rule.name))
        }));
    }
    ways
}

/// Whether a way may give `outcome` where the reference gave `expected`: the same, but for an error of a row that
/// it need not look at.
pub(super) fn agree(outcome: &Outcome, expected: &Outcome) -> bool {
    match (outcome, expected) {
        (Outcome::Rows { .. }, Outcome::Failed(_)) => !expected.is_bug(),
        (Outcome::Failed(_) | Outcome::Refused(_), Outcome::Failed(_) | Outcome::Refused(_)) => {
            !outcome.is_bug() && !expected.is_bug()
        }
        (one, other) => one == other,
    }
}

impl Way {
    /// The plan of a query as it runs.
    pub(super) fn plan(&self, database: &Database, text: &str) -> Result<Plan> {
        self.translated(database, text).map(|own| own.plan)
    }

    fn translated(&self, database: &Database, text: &str) -> Result<Translated> {
        database.graph("dql")?.read(&limits(), |runner| {
            let normalized = DQL.normalize(text).filter(|_| self.is_normalized);
            let script = match &normalized {
                Some(normalized) => DQL.parse_normalized(normalized, text),
                None => None,
            };
            let literals = match &script {
                Some(_) => normalized.map(|own| own.literals).unwrap_or_default(),
                None => Vec::new(),
            };
            let script = script.map_or_else(|| DQL.parse(text), Ok)?;
            let bound = script.bind(0, &mut OnlyLiterals { runner, literals })?;
            let compiled = bound.statement.compile()?;
            let value = |slot: usize| Parameter::Value(bound.values[slot].value.clone());
            let parameters = compiled.slots.into_iter().map(value).collect();
            let mut plan = compiled.plan;
            match self.rules {
                Rules::None => {}
                Rules::All => optimize(&mut plan),
                Rules::AllBut(name) => optimize_without(&mut plan, &[name]),
            }
            let writer = compiled.writer.expect("an answer of DQL is written");
            Ok(Translated { plan, parameters, writer })
        })
    }

    pub(super) fn run(&self, database: &Database, text: &str) -> Outcome {
        catch_unwind(AssertUnwindSafe(|| self.run_once(database, text)))
            .unwrap_or_else(|panic| Outcome::Failed(Error::new(ErrorKind::Bug, message(&*panic))))
    }

    fn run_once(&self, database: &Database, text: &str) -> Outcome {
        let Some(execute) = self.execute else {
            return query(database, text).map_or_else(Outcome::Failed, answered);
        };
        let Translated { plan, parameters, writer } = match self.translated(database, text) {
            Ok(translated) => translated,
            Err(error) => return Outcome::Refused(error),
        };
        let graph = database.graph("dql").expect("it was made");
        let limits = Limits { batch_rows_max: self.batch_rows_max, ..Limits::default() };
        let context = context_over(graph.store(), &plan).with_limits(limits, CancelFlag::default());
        let context = context.calling(&database.procedures());
        let rows = execute(&plan, &context, &parameters);
        let answer = rows.and_then(|rows| writer.write(&rows, &NoBound));
        answer.map_or_else(Outcome::Failed, answered)
    }
}

fn answered(answer: String) -> Outcome {
    Outcome::Rows { rows: vec![answer], graph: Vec::new() }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
    format!("panicked: {}", text.unwrap_or_default())
}
