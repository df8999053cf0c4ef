//! Statements and queries, and how reading goes on behind an error.

use millrace_model::TextPosition;

use super::commands;
use super::error::{Detail, Read, syntax, unsupported};
use super::lexer::Token;
use super::parser::{A_CLAUSE, A_COMMAND, Parser};
use crate::tree::{Body, Clause, Match, Mode, Name, Query, SingleQuery, Statement, SubqueryKind};

/// The version of the language that is served.
const VERSION: u64 = 5;

/// The options of Neo4j 5, in any case. They choose how it plans and runs a query and change no result, so they are
/// read and have no effect here.
const OPTIONS: &[&str] = &[
    "connectComponentsPlanner",
    "debug",
    "eagerAnalyzer",
    "expressionEngine",
    "inferSchemaParts",
    "interpretedPipesFallback",
    "labelInference",
    "operatorEngine",
    "parallelRuntimeSupport",
    "planner",
    "replan",
    "runtime",
    "statefulShortestPlanningMode",
    "updateStrategy",
];

impl Parser<'_> {
    /// All statements of the text; errors are kept.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            while self.take(";") {}
            if matches!(self.token(), Token::End) || self.has_enough_errors() {
                return statements;
            }
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(error) => {
                    self.report(error);
                    self.skip_statement();
                }
            }
            if !self.is_mark(";") && !matches!(self.token(), Token::End) {
                self.expect_also(";");
                let error = self.unexpected();
                self.report(error);
                self.skip_statement();
            }
        }
    }

    fn statement(&mut self) -> Read<Statement> {
        if self.is_mark(":") {
            let detail = "a line that begins with `:` is a command of a client";
            let help = "send parameters with the statement, and transactions by the protocol";
            return Err(unsupported(self.position(), detail, help));
        }
        let mode = self.mode();
        let graph = self.graph()?;
        let body = match commands::command_reader(self) {
            Some(reader) => Body::Command((reader.read)(self)?),
            None => {
                self.expect_also(A_COMMAND);
                Body::Query(self.query(None)?)
            }
        };
        Ok(Statement { mode, graph, body })
    }

    fn mode(&mut self) -> Mode {
        let mut mode = Mode::Run;
        loop {
            if self.take_word("EXPLAIN") {
                mode = Mode::Explain;
            } else if self.take_word("PROFILE") {
                mode = Mode::Profile;
            } else if !self.take_options() {
                return mode;
            }
        }
    }

    /// Whether there were options. An unknown version or name is reported, and reading goes on behind it.
    pub(super) fn take_options(&mut self) -> bool {
        if !self.is_word("CYPHER") {
            return false;
        }
        self.advance();
        loop {
            let at = self.position();
            match *self.token() {
                Token::Integer(VERSION) => {}
                Token::Integer(_) | Token::Float(_) => {
                    let detail = "a version of the language other than 5 is not supported";
                    self.report(unsupported(at, detail, "write `CYPHER 5`, or leave it out"));
                }
                Token::Word(name) if self.is_mark_after(1, "=") => {
                    if !OPTIONS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
                        let detail = format!("the option `{name}` of a query is not supported");
                        self.report(unsupported(at, detail, "leave it out"));
                    }
                    (0..2).for_each(|_| self.advance());
                }
                _ => return true,
            }
            self.advance();
        }
    }
    /// `USE graph`.
    fn graph(&mut self) -> Read<Option<(TextPosition, Name)>> {
        if !self.take_word("USE") {
            return Ok(None);
        }
        let at = self.position();
        let name = self.dotted_name("the name of a graph")?;
        if self.is_mark("(") {
            let detail = format!("`{name}` as the graph of a query is not supported");
            return Err(unsupported(at, detail, "write the name of the graph: `USE name`"));
        }
        Ok(Some((at, name)))
    }

    /// Queries joined by `UNION`, up to the end of the statement or the closing bracket.
    pub(crate) fn query(&mut self, closer: Option<&'static str>) -> Read<Query> {
        self.nested(|parser| {
            let at = parser.position();
            let mut query = Query::new(at);
            loop {
                parser.refuse_inner_use()?;
                query.parts.push(SingleQuery { clauses: parser.clauses(closer)? });
                let at = parser.position();
                if !parser.take_word("UNION") {
                    return Ok(query);
                }
                let all = parser.take_word("ALL");
                if !all {
                    parser.take_word("DISTINCT");
                }
                query.unions.push((at, all));
            }
        })
    }

    fn refuse_inner_use(&self) -> Read<()> {
        if !self.is_word("USE") {
            return Ok(());
        }
        let detail = "`USE` inside of a query is not supported";
        Err(unsupported(self.position(), detail, "write it in front of the whole statement"))
    }

    /// One clause or more. Behind a wrong one it goes on at the next.
    pub(crate) fn clauses(&mut self, closer: Option<&'static str>) -> Read<Vec<Clause>> {
        let mut clauses = Vec::new();
        let mut has_errors = false;
        loop {
            let begin = self.here();
            if self.ends_clauses(closer) || self.has_enough_errors() {
                self.expect_also(A_CLAUSE);
                let is_empty = clauses.is_empty() && !has_errors;
                return if is_empty { Err(self.unexpected()) } else { Ok(clauses) };
            }
            match self.clause() {
                Ok(clause) => clauses.push(clause),
                Err(error) => {
                    has_errors = true;
                    self.report(error);
                    self.recover(begin, closer);
                }
            }
        }
    }

    fn clause(&mut self) -> Read<Clause> {
        if let Some(reader) = self.clause_reader(self.token()) {
            return (reader.read)(self);
        }
        if self.begins_pages() {
            return self.read_pages(self.position()).map(Clause::With);
        }
        self.expect_also(A_CLAUSE);
        Err(self.unexpected())
    }

    fn ends_clauses(&self, closer: Option<&str>) -> bool {
        matches!(self.token(), Token::End)
            || self.is_mark(";")
            || self.is_word("UNION")
            || closer.is_some_and(|closer| self.is_mark(closer))
    }

    /// Goes on behind an error in what began at a place: at the next clause, or where the query ends. Brackets that were
    /// opened since then are skipped with what is in them.
    fn recover(&mut self, begin: usize, closer: Option<&str>) {
        let failed = self.here();
        let mut place = begin;
        loop {
            let is_behind = place > begin && place >= failed;
            let is_end = match self.token_at(place) {
                Token::End => true,
                Token::Mark(";") => place >= failed,
                Token::Mark(mark) => place >= failed && closer == Some(*mark),
                Token::Word(_) => is_behind && self.begins_clause(place),
                _ => false,
            };
            if is_end {
                self.skip_to(place);
                return;
            }
            place = self.partner(place).unwrap_or(place) + 1;
        }
    }

    /// Whether a word at a place is likely the beginning of a clause and no name.
    fn begins_clause(&self, place: usize) -> bool {
        let is_clause = self.clause_reader(self.token_at(place)).is_some();
        if !is_clause && !self.is_word_at(place, "UNION") {
            return false;
        }
        let before = place.checked_sub(1).map_or(&Token::End, |before| self.token_at(before));
        let is_part = match before {
            Token::Word(word) => {
                ["AS", "ON", "STARTS", "ENDS", "CSV", "OPTIONAL", "DETACH", "NODETACH"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
            }
            Token::Mark(mark) => matches!(*mark, "." | ":"),
            _ => false,
        };
        let is_name = match self.token_at(place + 1) {
            Token::Mark(mark) => {
                matches!(*mark, "." | "," | ")" | "]" | ":" | "=" | "<" | ">" | "|")
            }
            _ => false,
        };
        !is_part && !is_name
    }

    /// Goes on at the end of a statement.
    pub(crate) fn skip_statement(&mut self) {
        while !self.is_mark(";") && !matches!(self.token(), Token::End) {
            self.advance();
        }
    }

    /// `{ query }`, or a pattern and its test in braces.
    pub(super) fn query_in_braces(&mut self, kind: SubqueryKind) -> Read<Query> {
        self.expect("{")?;
        let has_clauses = kind == SubqueryKind::Collect
            || self.is_mark("}")
            || (matches!(self.token(), Token::Word(_)) && !self.begins_path());
        let query = self.with_pipe_ending(false, |parser| match has_clauses {
            true => parser.query(Some("}")),
            false => parser.nested(Self::pattern_query),
        })?;
        self.expect("}")?;
        Ok(query)
    }

    /// Whether the word ahead begins a pattern: `p = …`, `ANY …`, `shortestPath(`.
    fn begins_path(&self) -> bool {
        let words = ["ALL", "ANY", "SHORTEST", "shortestPath", "allShortestPaths"];
        self.is_mark_after(1, "=") || words.iter().any(|word| self.is_word(word))
    }

    fn pattern_query(&mut self) -> Read<Query> {
        let at = self.position();
        let clause = Clause::Match(Match::read_behind(self, at, false)?);
        Ok(Query::of_clause(at, clause))
    }

    /// Refuses a clause of a version of the language that is not supported.
    pub(crate) fn refuse_clause(&self, help: &str) -> Read<Clause> {
        let word = self.written().to_uppercase();
        Err(unsupported(self.position(), format!("the clause `{word}` is not supported"), help))
    }

    /// A clause that is no part of the language any more.
    pub(crate) fn removed_clause(&self, name: &str, help: &str) -> Read<Clause> {
        let detail = format!("`{name}` was removed from the language");
        Err(syntax(Detail::UnexpectedSyntax, self.position(), detail).with_help(help))
    }
}
