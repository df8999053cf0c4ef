//! A request as statements: one, whatever its text has.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_model::stack::with_levels;
use millrace_model::temporal::DateTime;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::language::{
    Binding, Bound, NormalizedQuery, Outcome, Presented, SLOT_PREFIX, Scope, Script, Statement,
    StatementKind,
};

use super::DEFAULT_GRAPH;
use super::change::{BoundChange, ChangeScript};
use super::profiler::is_profiled;
use super::query::{BoundQuery, QueryScript};
use super::schema_request;
use crate::changes::{Alter, Changes, Mutation};
use crate::form::AnswerForm;
use crate::limits::NESTING_MAX;
use crate::translate::NOW;
use crate::tree::{self, Document, Item, MutationKind, Query, SchemaRequest};

/// A request.
pub(super) struct DqlScript {
    text: Arc<str>,
    body: Body,
    /// Levels of its trees, fragments in their places.
    levels: usize,
    statements: Vec<Statement>,
}

enum Body {
    Query(QueryScript),
    Schema(SchemaRequest),
    Changes(ChangeScript),
    Alter(Alter),
}

impl DqlScript {
    pub(super) fn of_text(text: &str, answer: AnswerForm) -> Result<DqlScript> {
        let (document, nesting) = crate::syntax::parse_measured(text)?;
        let fragments = document.items.iter().filter(|item| matches!(item, Item::Fragment(_)));
        let levels = nesting * (1 + fragments.count());
        let text: Arc<str> = Arc::from(text);
        let body = Body::of_document(&text, document, answer)?;
        if is_profiled(&text) && !matches!(body, Body::Query(_)) {
            let detail =
                "only a query has a profile: a mutation, or a question for the schema, has none";
            return Err(
                Error::new(ErrorKind::Unsupported, detail).with_help("profile its query alone")
            );
        }
        let variables = body.variables();
        Ok(DqlScript { text, body, levels, statements: vec![statement(variables)] })
    }

    /// The same of a text with slots.
    pub(super) fn of_normalized(
        normalized: &NormalizedQuery,
        answer: AnswerForm,
    ) -> Result<DqlScript> {
        let mut script = DqlScript::of_text(&normalized.text, answer)?;
        for statement in &mut script.statements {
            let slots = 0..normalized.literals.len();
            statement.variables.extend(slots.map(|slot| literal_name(slot).into()));
        }
        Ok(script)
    }

    /// Whether it only asks.
    pub(super) fn is_query(&self) -> bool {
        matches!(self.body, Body::Query(_))
    }

    pub(super) fn of_changes(changes: Changes) -> Result<DqlScript> {
        let text = Arc::clone(&changes.query);
        let (mut query, mut fragments) = (None, Vec::new());
        if !text.trim().is_empty() {
            for item in crate::syntax::parse(&text)?.items {
                match item {
                    Item::Query(own) => query = Some(own),
                    Item::Fragment(own) => fragments.push(own),
                    Item::Schema(_) | Item::Mutation(_) | Item::Upsert(_) => {
                        let detail = "the query beside mutations has blocks of a query only";
                        return Err(Error::new(ErrorKind::BadQuery, detail));
                    }
                }
            }
        }
        let variables = query.iter().flat_map(names).collect();
        let has_trees =
            query.is_some() || changes.mutations.iter().any(|own| own.condition.is_some());
        let levels = if has_trees { NESTING_MAX } else { 1 };
        let body = Body::Changes(ChangeScript { changes, query, fragments });
        Ok(DqlScript { text, body, levels, statements: vec![statement(variables)] })
    }

    /// What it changes, if it has mutations.
    pub(super) fn changes(&self) -> Option<&Changes> {
        match &self.body {
            Body::Changes(script) => Some(&script.changes),
            Body::Query(_) | Body::Schema(_) | Body::Alter(_) => None,
        }
    }

    pub(super) fn of_alter(alter: Alter) -> DqlScript {
        let (text, body) = (Arc::from("alter"), Body::Alter(alter));
        DqlScript { text, body, levels: 1, statements: vec![statement(Vec::new())] }
    }
}

/// The time, in UTC.
pub(super) fn now() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    Value::DateTime(DateTime { seconds, nanos: since.subsec_nanos(), offset_seconds: 0 })
}

/// The name of a slot for a literal, behind the dollar of a variable.
pub(super) fn literal_name(slot: usize) -> String {
    format!("{SLOT_PREFIX}t{slot}")
}

impl Body {
    fn of_document(text: &Arc<str>, document: Document, answer: AnswerForm) -> Result<Body> {
        let mut fragments = Vec::new();
        let (mut query, mut schema) = (None, None);
        let mut mutations = Vec::new();
        for item in document.items {
            match item {
                Item::Query(own) => query = Some(own),
                Item::Fragment(fragment) => fragments.push(fragment),
                Item::Schema(own) => schema = Some(own),
                Item::Mutation(own) => mutations.push(mutation(text, own)?),
                Item::Upsert(own) => {
                    let own_mutations = own.mutations.into_iter().map(|own| mutation(text, own));
                    mutations.extend(own_mutations.collect::<Result<Vec<_>>>()?);
                    query = Some(own.query);
                    fragments.extend(own.fragments);
                }
            }
        }
        if !mutations.is_empty() {
            let changes = Changes { query: Arc::clone(text), mutations };
            return Ok(Body::Changes(ChangeScript { changes, query, fragments }));
        }
        if let Some(schema) = schema {
            return Ok(Body::Schema(schema));
        }
        let query = query.ok_or_else(|| Error::new(ErrorKind::BadQuery, "empty request"))?;
        Ok(Body::Query(QueryScript { text: Arc::clone(text), query, fragments, answer }))
    }

    fn variables(&self) -> Vec<Arc<str>> {
        match self {
            Body::Query(script) => names(&script.query).collect(),
            Body::Changes(script) => script.query.iter().flat_map(names).collect(),
            Body::Alter(_) | Body::Schema(_) => Vec::new(),
        }
    }
}

/// The names of a query's variables.
fn names(query: &Query) -> impl Iterator<Item = Arc<str>> + '_ {
    query.variables.iter().map(|own| own.name.text.as_str().into())
}

/// A mutation of a text.
fn mutation(text: &str, own: tree::Mutation) -> Result<Mutation> {
    let mut mutation = Mutation { condition: own.condition, ..Mutation::default() };
    for part in own.parts {
        let quads = match part.kind {
            MutationKind::Set => &mut mutation.set,
            MutationKind::Delete => &mut mutation.delete,
            MutationKind::Schema => return Err(not_yet("a schema in a mutation")),
        };
        quads.read_nquads(&part.data.text, text, part.data.offset)?;
    }
    Ok(mutation)
}

fn not_yet(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what} is not supported yet"))
}

fn statement(variables: Vec<Arc<str>>) -> Statement {
    let graph = Arc::from(DEFAULT_GRAPH);
    Statement { kind: StatementKind::Query, graph, target: None, variables }
}

impl Script for DqlScript {
    fn statements(&self) -> &[Statement] {
        &self.statements
    }

    fn text(&self) -> String {
        self.text.to_string()
    }

    /// A variable without a value has a default, or is found to have none when the query is bound.
    fn check_variables(&self, _is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        Ok(())
    }

    fn generate(&self, name: &str) -> Option<Value> {
        (name == NOW).then(now)
    }

    fn value(&self, _statement: usize, _scope: &dyn Scope) -> Result<Value> {
        Err(Error::new(ErrorKind::Bug, "no statement of DQL is a value"))
    }

    fn bind(&self, _statement: usize, scope: &mut dyn Scope) -> Result<Bound> {
        let catalog = scope.runner(&Default::default())?.catalog();
        let value = |name: &str| match scope.variable(name) {
            Some(Binding::Value(value)) => Some(value),
            Some(Binding::Foreign(_)) | None => None,
        };
        let levels = self.levels.min(NESTING_MAX);
        with_levels(levels, || match &self.body {
            Body::Query(query) => BoundQuery::bind((query, levels), &catalog, &value),
            Body::Schema(request) => schema_request::bind(request, &catalog),
            Body::Changes(changes) => BoundChange::bind((changes, levels), &catalog, &value),
            Body::Alter(alter) => BoundChange::alter(alter, &catalog),
        })
    }

    fn present(&self, _statement: usize, outcome: Outcome, _bytes_max: u64) -> Result<Presented> {
        Ok(match outcome {
            Outcome::Rows(rows) => Presented::Rows(rows),
            Outcome::Explained(explained) => Presented::Explanation(explained),
            // Its rows are bags, which only the writer of an answer reads.
            Outcome::Profiled(profile, _) => Presented::Profile(profile, None),
        })
    }

    fn streams(&self, _statement: usize) -> bool {
        false
    }
}
