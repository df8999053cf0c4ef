//! Procedures of APOC that are clauses in other words: a call of one becomes these clauses before names are resolved, so
//! that it runs in bulk and is planned as they are.
//!
//! - `elements`: nodes, relationships, labels and properties.
//! - `choose`: `apoc.when`, `apoc.do.when`, `apoc.case`, `apoc.do.case`.
//! - `iterate`: `apoc.periodic.iterate`, which is `CALL { … } IN TRANSACTIONS`.
//! - `lists`: the entries of a list as rows.
//! - `paths`: the paths from a node.
//! - `refactor`: nodes merged into one.
//! - `run`: a statement for each row (`apoc.cypher`).
//! - `void`: those that yield nothing.
//! - `inner`: the texts of statements among the arguments, which therefore have to be literals.
//!
//! The clauses are written as text and read again. A line number from [`LINES`] on is that of such a text; an error in it
//! is reported where the call stands.
//!
//! A tree comes in and a tree goes out: no names, no types and no plans are known here.

mod choose;
mod elements;
mod inner;
mod iterate;
mod lists;
mod paths;
mod refactor;
mod run;
mod void;

use inner::{LINES, clauses_of};
use millrace_model::{Error, ErrorKind, Phase, TextPosition};

use crate::tree::{Body, Call, Clause, Expr, ExprKind, Literal, Query, Statement, Variable};

/// A procedure that becomes clauses.
pub(crate) struct ExpandedProcedure {
    pub(crate) name: &'static str,
    /// Its arguments; those from the second number on may be left out.
    pub(crate) arguments: &'static [&'static str],
    required: usize,
    /// The columns that it yields.
    pub(crate) columns: &'static [&'static str],
    /// A line for the reference page.
    pub(crate) about: &'static str,
    expand: fn(&Expanding<'_>) -> Expanded,
}

/// Clauses in place of a call, or what is wrong with it.
type Expanded = Result<Vec<Clause>, Vec<Error>>;

/// The test behind a `YIELD` has lines of its own.
const TEST_LINES: u32 = LINES / 2;

/// All of them, by name.
pub(crate) const PROCEDURES: &[&[ExpandedProcedure]] = &[
    choose::PROCEDURES,
    elements::PROCEDURES,
    iterate::PROCEDURES,
    lists::PROCEDURES,
    paths::PROCEDURES,
    refactor::PROCEDURES,
    run::PROCEDURES,
    void::PROCEDURES,
];

/// A call that is being expanded.
struct Expanding<'c> {
    call: &'c Call,
    procedure: &'static ExpandedProcedure,
    arguments: &'c [Expr],
    /// Whether a clause stands before it.
    has_rows: bool,
    /// The number of the call, which its inner lines begin with.
    number: u32,
}

/// Where the calls stand that were expanded.
#[derive(Debug, Default)]
pub(crate) struct Origins(Vec<TextPosition>);

/// Expands the calls of a statement.
pub(crate) fn expand(statement: &mut Statement) -> Result<Origins, Vec<Error>> {
    let mut origins = Origins::default();
    if let Body::Query(query) = &mut statement.body {
        origins.expand_query(query, true)?;
    }
    Ok(origins)
}

impl Origins {
    fn expand_query(&mut self, query: &mut Query, is_statement: bool) -> Result<(), Vec<Error>> {
        for part in &mut query.parts {
            let is_alone = is_statement && part.clauses.len() == 1;
            let ends_void = part.clauses.last().is_some_and(is_void);
            let mut clauses = Vec::with_capacity(part.clauses.len());
            for clause in std::mem::take(&mut part.clauses) {
                match clause {
                    Clause::CallSubquery(mut own) => {
                        self.expand_query(&mut own.query, false)?;
                        clauses.push(Clause::CallSubquery(own));
                    }
                    Clause::Call(call) => match procedure(&call.name) {
                        Some(procedure) => {
                            let has_rows = !clauses.is_empty();
                            clauses.extend(self.expand_call(&call, procedure, has_rows, is_alone)?);
                        }
                        None => clauses.push(Clause::Call(call)),
                    },
                    other => clauses.push(other),
                }
            }
            // A query may end with a procedure that yields nothing, but not with every clause that it becomes.
            if ends_void {
                clauses.extend(clauses_of("FINISH", LINES)?);
            }
            part.clauses = clauses;
        }
        Ok(())
    }

    fn expand_call(
        &mut self,
        call: &Call,
        procedure: &'static ExpandedProcedure,
        has_rows: bool,
        is_alone: bool,
    ) -> Expanded {
        self.0.push(call.at);
        let number = u32::try_from(self.0.len()).unwrap_or(u32::MAX >> 20);
        let wrong = |detail: String| {
            let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
            vec![error.with_name("InvalidNumberOfArguments").at(call.at)]
        };
        let arguments = call.arguments.as_deref().unwrap_or_default();
        let most = procedure.arguments.len();
        if !(procedure.required..=most).contains(&arguments.len()) {
            let names = procedure.arguments.join(", ");
            return Err(wrong(format!("{} takes the arguments {names}", procedure.name)));
        }
        let expanding = Expanding { call, procedure, arguments, has_rows, number };
        expanding.check_yields()?;
        let clauses =
            (procedure.expand)(&expanding).map_err(|errors| self.all_positioned(errors))?;
        let mut clauses = clauses;
        if let Some(test) = call.yields.as_ref().and_then(|yields| yields.test.as_ref()) {
            clauses
                .extend(clauses_of(&format!("WITH * WHERE {test}"), number * LINES + TEST_LINES)?);
        }
        if is_alone {
            let columns: Vec<String> =
                procedure.columns.iter().filter_map(|column| expanding.yielded(column)).collect();
            if !columns.is_empty() {
                let end = format!("RETURN {}", columns.join(", "));
                clauses.extend(clauses_of(&end, number * LINES)?);
            }
        }
        Ok(clauses)
    }

    /// Errors in the inner text of a call are reported where the call stands.
    pub(crate) fn all_positioned(&self, errors: Vec<Error>) -> Vec<Error> {
        let positioned = |error: Error| match error.position {
            Some(at) if LINES <= at.line => {
                let call = usize::try_from(at.line / LINES - 1).ok();
                let call = call.and_then(|call| self.0.get(call)).copied();
                Error { position: call, ..error }
            }
            Some(_) | None => error,
        };
        errors.into_iter().map(positioned).collect()
    }
}

/// Whether a clause is a call that yields nothing.
fn is_void(clause: &Clause) -> bool {
    let Clause::Call(call) = clause else { return false };
    procedure(&call.name).is_some_and(|own| own.columns.is_empty())
}

/// The procedure of a name.
fn procedure(name: &str) -> Option<&'static ExpandedProcedure> {
    PROCEDURES.iter().flat_map(|own| own.iter()).find(|own| own.name.eq_ignore_ascii_case(name))
}

/// What to do in place of a procedure of APOC, of graph data science or of other indexes that there is not.
pub(crate) fn remedy(name: &str) -> Option<&'static str> {
    let (family, instead) = [
        ("apoc.periodic.", "CALL { … } IN TRANSACTIONS"),
        ("apoc.load.", "LOAD CSV, apoc.load.json, or send the data as a parameter"),
        ("apoc.import.", "millrace load"),
        ("apoc.export.", "millrace export"),
        ("apoc.path.", "apoc.path.expandConfig, apoc.path.spanningTree, or a quantified path pattern, such as (a)(()-[:R]->()){1,3}(b)"),
        ("apoc.neighbors.", "apoc.path.subgraphNodes"),
        ("apoc.refactor.", "MATCH with CREATE, SET and DELETE"),
        ("apoc.meta.", "apoc.meta.data, apoc.meta.schema, apoc.meta.graph, or apoc.meta.stats"),
        ("apoc.schema.assert", "CREATE INDEX … IF NOT EXISTS, CREATE CONSTRAINT … IF NOT EXISTS, and DROP"),
        ("apoc.schema.", "SHOW INDEXES, SHOW CONSTRAINTS"),
        ("apoc.create.v", "maps in place of nodes and relationships that are not in the graph"),
        ("apoc.algo.", "shortestPath, or SHORTEST k in a path pattern"),
        ("apoc.search.", "MATCH with WHERE"),
        ("apoc.index.", "MATCH with WHERE, and CREATE INDEX"),
        ("apoc.nodes.", "MATCH with CREATE or DELETE for all rows"),
        ("apoc.lock.", "SET in the transaction, which locks what it writes"),
        ("apoc.atomic.", "SET n.count = n.count + 1, which is retried after a conflict"),
        ("apoc.ml.", "the client that calls the model"),
        ("apoc.warmup.", "nothing: the graph is in memory"),
        ("apoc.util.sleep", "the client that waits"),
        ("apoc.log.", "the client that logs"),
        ("apoc.spatial.", "the client that asks a service, and point()"),
        ("apoc.cypher.", "a CALL { … } subquery"),
        ("apoc.create.", "CREATE and SET, with dynamic labels `$(…)`"),
        ("apoc.trigger.", "the client that writes"),
        (
            "db.schema.visualization",
            "apoc.meta.graph, or db.schema.nodeTypeProperties and db.schema.relTypeProperties",
        ),
        (
            "gds.",
            "patterns over the graph itself, such as SHORTEST k, quantified paths and counts: graph data science is not supported",
        ),
    ]
    .into_iter()
    .find(|(family, _)| {
        name.get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family))
    })?;
    let _family: &str = family;
    Some(instead)
}

impl Expanding<'_> {
    /// Clauses of a text that this call becomes.
    fn clauses(&self, text: &str) -> Expanded {
        clauses_of(text, self.number * LINES)
    }

    /// The call of another procedure with the same arguments and columns.
    fn renamed(&self, name: &str) -> Expanded {
        Ok(vec![Clause::Call(Call { name: name.into(), ..self.call.clone() })])
    }

    /// An argument as text; a default in place of one that was left out.
    fn argument(&self, index: usize, default: &str) -> String {
        self.arguments.get(index).map_or_else(|| default.to_owned(), ToString::to_string)
    }

    /// The variable that a column is bound to; of a call without a `YIELD` its own name.
    fn yielded(&self, column: &str) -> Option<String> {
        let Some(yields) = self.call.yields.as_ref().filter(|yields| !yields.all) else {
            return Some(column.to_owned());
        };
        let item = yields.items.iter().find(|item| &*item.column == column)?;
        Some(item.variable.to_string())
    }

    fn check_yields(&self) -> Result<(), Vec<Error>> {
        let items = self.call.yields.iter().flat_map(|yields| &yields.items);
        for item in items {
            if !self.procedure.columns.contains(&&*item.column) {
                let detail = format!("Unknown procedure output: `{}`", item.column);
                let columns = self.procedure.columns.join(", ");
                let help = format!("`{}` yields {columns}", self.procedure.name);
                let error = Error::new(ErrorKind::BadQuery, detail).with_help(help);
                let error = error.in_phase(Phase::Compile).with_name("UndefinedVariable");
                return Err(vec![error.at(item.at)]);
            }
        }
        Ok(())
    }

    fn refused(&self, at: TextPosition, detail: &str, help: &str) -> Vec<Error> {
        let detail = format!("{}: {detail}", self.procedure.name);
        let error = Error::new(ErrorKind::Unsupported, detail).with_help(help);
        vec![error.in_phase(Phase::Compile).at(at)]
    }

    /// A variable with the value of an argument, and the clause that binds it where the argument is none.
    fn as_variable(&self, index: usize, name: &str) -> (String, Option<String>) {
        match self.arguments.get(index).map(|argument| &argument.kind) {
            Some(ExprKind::Variable(Variable { .. })) => (self.argument(index, "null"), None),
            _ => {
                let variable = format!("`{name}{}`", self.number);
                let value = self.argument(index, "null");
                let star = if self.has_rows { "*, " } else { "" };
                (variable.clone(), Some(format!("WITH {star}{value} AS {variable} ")))
            }
        }
    }

    /// The pairs of a map that is written in the call; none where the argument was left out.
    fn pairs(&self, index: usize) -> Result<Vec<(&str, &Expr)>, Vec<Error>> {
        match self.arguments.get(index).map(|argument| (argument.at, &argument.kind)) {
            None | Some((_, ExprKind::Literal(Literal::Null))) => Ok(Vec::new()),
            Some((_, ExprKind::Map(pairs))) => {
                Ok(pairs.iter().map(|(key, value)| (&**key, value)).collect())
            }
            Some((at, _)) => {
                let help = "write {key: value} in the call; values may be parameters";
                Err(self.refused(at, "a map of settings that is not written in the call", help))
            }
        }
    }

    /// A text that is written in the call.
    fn literal(&self, index: usize) -> Result<&str, Vec<Error>> {
        match self.arguments.get(index) {
            None => Ok(""),
            Some(argument) => self.literal_of(argument),
        }
    }

    fn literal_of<'e>(&self, expr: &'e Expr) -> Result<&'e str, Vec<Error>> {
        match &expr.kind {
            ExprKind::Literal(Literal::String(text)) => Ok(text),
            _ => {
                let help = "write the text in the call: it is planned with the query";
                Err(self.refused(expr.at, "the text of a statement that is a value", help))
            }
        }
    }
}
