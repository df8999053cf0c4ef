//! One scenario against a server: prepares the graph, runs the query, compares its result, side effects or error.
//!
//! A failure that no step expects fails the scenario at the next step, and never passes unseen at its end.

use crate::effects::{self, State};
use crate::errors::{ExpectedError, Failure, Phase};
use crate::executor::{Executor, RunError};
use crate::procedure::Procedure;
use crate::step::Step;
use crate::suite::{Case, Graphs};
use crate::values::{Answer, Table, Value, compare, parse};

/// The result of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// It failed, and why.
    Failed(String),
    /// It cannot be run on this server, and why.
    Skipped(String),
}

/// A scenario that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    /// Whether the detail name of the expected error was found in the failure; none if none is expected.
    pub(crate) is_named: Option<bool>,
}

/// A scenario with this tag contradicts the language's users.
const IGNORED: &str = "@ignore";

/// Runs a scenario. With `strict_names` the detail name of an error counts.
pub(crate) fn run(
    case: &Case,
    graphs: &Graphs,
    executor: &mut dyn Executor,
    strict_names: bool,
) -> Run {
    if case.scenario.tags.iter().any(|tag| tag == IGNORED) {
        let outcome = Outcome::Skipped(format!("it is tagged {IGNORED}"));
        return Run { outcome, is_named: None };
    }
    let mut running = Running {
        executor,
        graphs,
        strict_names,
        parameters: Vec::new(),
        query: "",
        before: None,
        answer: None,
        is_named: None,
    };
    let outcome = running.all_steps(case).unwrap_or_else(Outcome::Failed);
    Run { outcome, is_named: running.is_named }
}

/// A scenario between two of its steps.
struct Running<'r> {
    executor: &'r mut dyn Executor,
    graphs: &'r Graphs,
    strict_names: bool,
    parameters: Vec<(String, Value)>,
    /// The last query.
    query: &'r str,
    /// The state of the graph before it, if a step asks for side effects.
    before: Option<State>,
    /// Its answer or failure, until a step looks at it.
    answer: Option<Result<Answer, Failure>>,
    is_named: Option<bool>,
}

impl<'r> Running<'r> {
    fn all_steps(&mut self, case: &'r Case) -> Result<Outcome, String> {
        let steps: Vec<Step<'r>> =
            case.scenario.steps.iter().map(Step::of).collect::<Result<_, _>>()?;
        let procedures: Vec<Procedure> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Procedure(procedure) => Some(procedure.clone()),
                Step::EmptyGraph
                | Step::NamedGraph(_)
                | Step::Prepare(_)
                | Step::Parameters(_)
                | Step::Query(_)
                | Step::Rows { .. }
                | Step::NoRows
                | Step::Effects(_)
                | Step::Error(_) => None,
            })
            .collect();
        self.executor.clear()?;
        if !self.executor.define(&procedures)? {
            let reason = "procedures cannot be defined on this server".to_owned();
            return Ok(Outcome::Skipped(reason));
        }
        for (index, step) in steps.iter().enumerate() {
            let next = steps.get(index + 1..).unwrap_or_default();
            self.step(step, next)?;
        }
        self.no_failure_left()?;
        Ok(Outcome::Passed)
    }

    fn step(&mut self, step: &Step<'r>, next: &[Step<'r>]) -> Result<(), String> {
        match step {
            Step::EmptyGraph | Step::Procedure(_) => Ok(()),
            Step::NamedGraph(name) => {
                let scripts = self.graphs.get(*name);
                let scripts = scripts.ok_or_else(|| format!("there is no graph `{name}`"))?;
                scripts.iter().try_for_each(|script| self.prepare(script))
            }
            Step::Prepare(query) => self.prepare(query),
            Step::Parameters(table) => self.set_parameters(table),
            Step::Query(query) => {
                self.no_failure_left()?;
                self.query(query, next)
            }
            Step::Rows { table, rows, lists } => compare(table, &self.answer()?, *rows, *lists),
            Step::NoRows => match self.answer()?.rows.len() {
                0 => Ok(()),
                rows => Err(format!("expected no rows, not {rows}")),
            },
            Step::Effects(table) => {
                self.no_failure_left()?;
                let before = self.before.take().ok_or("no query ran before the side effects")?;
                effects::compare(table, &before, &self.state()?)
            }
            Step::Error(expected) => self.error(expected),
        }
    }

    fn prepare(&mut self, query: &str) -> Result<(), String> {
        let ran = self.executor.run(query.trim().trim_end_matches(';'), &[]);
        ran.map(|_| ()).map_err(|error| format!("while the graph was prepared: {error}"))
    }

    fn set_parameters(&mut self, table: &Table) -> Result<(), String> {
        for row in table {
            let [name, value] = row.as_slice() else {
                return Err(format!("a parameter has a name and a value, not {row:?}"));
            };
            self.parameters.push((name.clone(), parse(value)?));
        }
        Ok(())
    }

    fn query(&mut self, query: &'r str, next: &[Step<'r>]) -> Result<(), String> {
        let until_next_query = next.iter().take_while(|step| !matches!(step, Step::Query(_)));
        let asks_effects =
            until_next_query.into_iter().any(|step| matches!(step, Step::Effects(_)));
        self.before = if asks_effects { Some(self.state()?) } else { None };
        self.query = query;
        self.answer = match self.executor.run(query, &self.parameters) {
            Ok(answer) => Some(Ok(answer)),
            Err(RunError::Failed(failure)) => Some(Err(failure)),
            Err(RunError::Broken(reason)) => return Err(reason),
        };
        Ok(())
    }

    fn state(&mut self) -> Result<State, String> {
        State::read(self.executor).map_err(|error| format!("the state of the graph: {error}"))
    }

    fn no_failure_left(&mut self) -> Result<(), String> {
        match self.answer.take() {
            Some(Err(failure)) => Err(failure.to_string()),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    fn answer(&mut self) -> Result<Answer, String> {
        let answer = self.answer.take().ok_or("no query ran before the result")?;
        answer.map_err(|failure| failure.to_string())
    }

    fn error(&mut self, expected: &ExpectedError<'_>) -> Result<(), String> {
        let ExpectedError { kind, phase, name } = *expected;
        let failure = match self.answer.take().ok_or("no query ran before the error")? {
            Err(failure) => failure,
            Ok(answer) => {
                let rows = answer.rows.len();
                return Err(format!("expected {kind} {name}, not a result of {rows} rows"));
            }
        };
        expected.check_kind(&failure)?;
        let is_named = expected.is_named(&failure);
        if expected.has_name() {
            self.is_named = Some(is_named);
        }
        if self.strict_names && !is_named {
            return Err(format!("expected the name {name} in {failure}"));
        }
        let explained = match phase {
            Phase::Any => return Ok(()),
            Phase::CompileTime | Phase::Runtime => {
                self.executor.run(&format!("EXPLAIN {}", self.query), &self.parameters)
            }
        };
        match (phase, explained) {
            (Phase::CompileTime, Err(RunError::Failed(failure))) => expected.check_kind(&failure),
            (Phase::CompileTime, Ok(_)) => {
                Err(format!("expected {name} at compile time, but EXPLAIN succeeds"))
            }
            (Phase::Runtime, Err(RunError::Failed(failure))) => {
                Err(format!("expected {name} at runtime, but EXPLAIN fails: {failure}"))
            }
            (Phase::CompileTime | Phase::Runtime, Err(RunError::Broken(reason))) => Err(reason),
            (Phase::Runtime, Ok(_)) | (Phase::Any, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use millrace_testkit::features::scenarios;

    use super::*;

    /// An executor with written answers, which notes what it is asked.
    #[derive(Default)]
    struct Scripted {
        answers: BTreeMap<&'static str, Vec<Result<Answer, RunError>>>,
        asked: Vec<String>,
        can_define: bool,
    }

    impl Scripted {
        fn on(mut self, query: &'static str, answer: Result<Answer, RunError>) -> Scripted {
            self.answers.entry(query).or_default().push(answer);
            self
        }
    }

    impl Executor for Scripted {
        fn clear(&mut self) -> Result<(), String> {
            self.asked.push("clear".to_owned());
            Ok(())
        }

        fn run(&mut self, query: &str, parameters: &[(String, Value)]) -> Result<Answer, RunError> {
            let shown = parameters.iter().map(|(name, value)| format!(" {name}={value}"));
            self.asked.push(format!("{query}{}", shown.collect::<String>()));
            let answers = self.answers.get_mut(query);
            match answers.filter(|answers| !answers.is_empty()).map(|answers| answers.remove(0)) {
                Some(answer) => answer,
                None => Ok(Answer::default()),
            }
        }

        fn define(&mut self, procedures: &[Procedure]) -> Result<bool, String> {
            Ok(self.can_define || procedures.is_empty())
        }
    }

    fn rows(column: &str, values: &[&str]) -> Result<Answer, RunError> {
        let row = |value: &&str| vec![parse(value).expect("a value")];
        Ok(Answer { columns: vec![column.to_owned()], rows: values.iter().map(row).collect() })
    }

    fn failed(code: &str, message: &str) -> Result<Answer, RunError> {
        let code = format!("Neo.ClientError.Statement.{code}");
        let message = message.to_owned();
        Err(RunError::Failed(Failure { code, message, details: Vec::new() }))
    }

    fn run_steps(steps: &str, executor: &mut Scripted, strict_names: bool) -> Run {
        let text = format!("Feature: f\n  Scenario: [1] s\n{steps}");
        let scenario = scenarios(&text).expect("a feature").remove(0);
        let case = Case { folder: "f".to_owned(), id: "f/F1 [1]".to_owned(), scenario };
        let graphs = [("tree".to_owned(), vec!["CREATE (:Tree);".to_owned()])].into();
        run(&case, &graphs, executor, strict_names)
    }

    fn outcome(steps: &str, executor: &mut Scripted) -> Outcome {
        run_steps(steps, executor, false).outcome
    }

    fn reason(steps: &str, executor: &mut Scripted) -> String {
        match outcome(steps, executor) {
            Outcome::Failed(reason) => reason,
            other => panic!("{other:?}"),
        }
    }

    const ASKS: &str = "When executing query:\n\"\"\"\nQ\n\"\"\"\n";
    const EXPECTS_ONE: &str = "Then the result should be, in any order:\n| n |\n| 1 |\n";

    #[test]
    fn a_graph_is_prepared_before_the_query_and_parameters_go_with_it() {
        let steps = format!(
            "Given the tree graph\nAnd having executed:\n\"\"\"\nCREATE ()\n\"\"\"\n\
             And parameters are:\n| p | [1] |\n{ASKS}{EXPECTS_ONE}"
        );
        let mut executor = Scripted::default().on("Q", rows("n", &["1"]));
        assert_eq!(outcome(&steps, &mut executor), Outcome::Passed);
        assert_eq!(executor.asked, ["clear", "CREATE (:Tree)", "CREATE ()", "Q p=[1]"]);
        let unknown = steps.replace("the tree graph", "the bush graph");
        assert_eq!(reason(&unknown, &mut executor), "there is no graph `bush`");
    }

    #[test]
    fn a_result_is_compared_with_the_table() {
        let mut executor = Scripted::default().on("Q", rows("n", &["2"]));
        let steps = format!("Given any graph\n{ASKS}{EXPECTS_ONE}");
        assert_eq!(reason(&steps, &mut executor), "expected | 1 |, not | 2 |");
        let mut executor = Scripted::default().on("Q", rows("n", &["2"]));
        let steps = format!("Given any graph\n{ASKS}Then the result should be empty\n");
        assert_eq!(reason(&steps, &mut executor), "expected no rows, not 1");
    }

    #[test]
    fn effects_are_read_around_the_query_only() {
        let steps = format!(
            "Given an empty graph\n{ASKS}Then the result should be empty\n\
             And the side effects should be:\n| +nodes | 1 |\n\
             When executing control query:\n\"\"\"\nC\n\"\"\"\n{EXPECTS_ONE}"
        );
        let executor = Scripted::default().on("MATCH (n) RETURN n", rows("n", &[]));
        let executor = executor.on("MATCH (n) RETURN n", rows("n", &["()"]));
        let mut executor = executor.on("C", rows("n", &["1"]));
        assert_eq!(outcome(&steps, &mut executor), Outcome::Passed);
        let (nodes, edges) = ("MATCH (n) RETURN n", "MATCH ()-[r]->() RETURN r");
        assert_eq!(executor.asked, ["clear", nodes, edges, "Q", nodes, edges, "C"]);
    }

    #[test]
    fn a_failure_that_no_step_expects_is_not_lost() {
        let broken = || failed("SyntaxError", "odd");
        for steps in [
            format!("{ASKS}{EXPECTS_ONE}"),
            format!("{ASKS}Then the result should be empty\n"),
            format!("{ASKS}Then no side effects\n"),
            format!("{ASKS}{ASKS}{EXPECTS_ONE}"),
            ASKS.to_owned(),
        ] {
            let mut executor = Scripted::default().on("Q", broken());
            assert_eq!(reason(&steps, &mut executor), "SyntaxError: odd", "{steps}");
        }
        let mut executor = Scripted::default().on("CREATE ()", broken());
        let steps = "Given having executed:\n\"\"\"\nCREATE ()\n\"\"\"\n";
        assert!(reason(steps, &mut executor).starts_with("while the graph was prepared: "));
    }

    #[test]
    fn an_error_at_compile_time_fails_explain_and_one_at_runtime_does_not() {
        let expects = |phase: &str| {
            format!("{ASKS}Then a TypeError should be raised at {phase}: InvalidArgumentType\n")
        };
        let wrong = || failed("TypeError", "InvalidArgumentType: a list");
        let fails = |explain| Scripted::default().on("Q", wrong()).on("EXPLAIN Q", explain);
        assert_eq!(outcome(&expects("compile time"), &mut fails(wrong())), Outcome::Passed);
        assert_eq!(outcome(&expects("runtime"), &mut fails(rows("n", &[]))), Outcome::Passed);
        assert_eq!(outcome(&expects("any time"), &mut fails(wrong())), Outcome::Passed);
        let late = reason(&expects("compile time"), &mut fails(rows("n", &[])));
        assert!(late.ends_with("but EXPLAIN succeeds"), "{late}");
        let early = reason(&expects("runtime"), &mut fails(wrong()));
        assert!(early.contains("but EXPLAIN fails"), "{early}");
        let mut none = Scripted::default().on("Q", rows("n", &["1"]));
        let missed = reason(&expects("runtime"), &mut none);
        assert_eq!(missed, "expected TypeError InvalidArgumentType, not a result of 1 rows");
    }

    #[test]
    fn a_missing_detail_name_counts_only_if_names_are_strict() {
        let steps =
            format!("{ASKS}Then a TypeError should be raised at any time: InvalidArgumentType\n");
        let nameless = || Scripted::default().on("Q", failed("TypeError", "a list"));
        let run = run_steps(&steps, &mut nameless(), false);
        assert_eq!(run, Run { outcome: Outcome::Passed, is_named: Some(false) });
        let run = run_steps(&steps, &mut nameless(), true);
        assert!(matches!(run.outcome, Outcome::Failed(_)), "{run:?}");
    }

    #[test]
    fn a_scenario_with_procedures_is_skipped_where_none_can_be_defined() {
        let steps = format!(
            "Given there exists a procedure test.it() :: (n :: INTEGER?):\n| n |\n| 1 |\n{ASKS}{EXPECTS_ONE}"
        );
        let skipped = outcome(&steps, &mut Scripted::default());
        assert!(matches!(skipped, Outcome::Skipped(_)), "{skipped:?}");
        let mut executor = Scripted { can_define: true, ..Scripted::default() };
        executor = executor.on("Q", rows("n", &["1"]));
        assert_eq!(outcome(&steps, &mut executor), Outcome::Passed);
    }
}
