//! The texts of operations on single elements: for one request, and over the rows of many jobs.
//!
//! They are constants, so that the cache of statements has them, and each reads the elements by their numbers: the plan of
//! both texts is a look-up, never a scan. A parameter `@name` is `$name` in the one text and a column in the other.

use std::sync::{Arc, OnceLock};

use super::Direction;
use crate::neo4j_http::results::ElementKind;

/// The form of an operation.
#[derive(Debug)]
pub(in super::super) struct Form {
    name: FormName,
    /// The parameters, in the order of the operation's arguments.
    parameters: &'static [&'static str],
    /// The clauses in front of the results. A `WITH` in them passes `@job` on.
    clauses: &'static str,
    /// The results besides the job.
    results: Results,
    texts: OnceLock<Texts>,
}

/// The results of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Results {
    None,
    /// For the answer alone.
    Answer(&'static str),
    /// What decides whether it was done, too.
    Needed(&'static str),
    /// The number of a new element.
    Made,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormName {
    CreateNode,
    CreateRelationship,
    Get(ElementKind),
    Delete(ElementKind),
    Relationships(Direction),
    Degree(Direction),
    GetProperties(ElementKind),
    SetProperties(ElementKind),
    GetProperty(ElementKind),
    SetProperty(ElementKind),
    RemoveProperty(ElementKind),
    GetLabels,
    AddLabels,
    SetLabels,
    RemoveLabel,
}

/// The texts of a form.
#[derive(Debug)]
struct Texts {
    single: Arc<str>,
    bulk: Arc<str>,
    /// Without results.
    bulk_silent: Arc<str>,
}

const NODE: ElementKind = ElementKind::Node;
const RELATIONSHIP: ElementKind = ElementKind::Relationship;

macro_rules! node {
    ($($rest:literal)?) => {
        concat!("MATCH (n) WHERE id(n) = @id" $(, " ", $rest)?)
    };
}

macro_rules! relationship {
    ($($rest:literal)?) => {
        concat!("MATCH ()-[n]->() WHERE id(n) = @id" $(, " ", $rest)?)
    };
}

const fn reads(
    name: FormName,
    parameters: &'static [&'static str],
    clauses: &'static str,
    results: &'static str,
) -> Form {
    Form { name, parameters, clauses, results: Results::Answer(results), texts: OnceLock::new() }
}

const fn judges(
    name: FormName,
    parameters: &'static [&'static str],
    clauses: &'static str,
    results: &'static str,
) -> Form {
    Form { name, parameters, clauses, results: Results::Needed(results), texts: OnceLock::new() }
}

const fn writes(
    name: FormName,
    parameters: &'static [&'static str],
    clauses: &'static str,
) -> Form {
    Form { name, parameters, clauses, results: Results::None, texts: OnceLock::new() }
}

static ALL: [Form; 26] = [
    Form {
        name: FormName::CreateNode,
        parameters: &["p"],
        clauses: "CREATE (n) SET n = @p",
        results: Results::Made,
        texts: OnceLock::new(),
    },
    Form {
        name: FormName::CreateRelationship,
        parameters: &["source", "target", "type", "p"],
        clauses: "MATCH (a) WHERE id(a) = @source MATCH (b) WHERE id(b) = @target \
                  CREATE (a)-[n:$(@type)]->(b) SET n = @p",
        results: Results::Made,
        texts: OnceLock::new(),
    },
    reads(FormName::Get(NODE), &["id"], node!(), "n"),
    reads(FormName::Get(RELATIONSHIP), &["id"], relationship!(), "n"),
    writes(FormName::Delete(NODE), &["id"], node!("DELETE n")),
    writes(FormName::Delete(RELATIONSHIP), &["id"], relationship!("DELETE n")),
    reads(
        FormName::Relationships(Direction::All),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)-[r]-() WHERE size(@types) = 0 OR type(r) IN @types"),
        "collect(r) AS found",
    ),
    reads(
        FormName::Relationships(Direction::In),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)<-[r]-() WHERE size(@types) = 0 OR type(r) IN @types"),
        "collect(r) AS found",
    ),
    reads(
        FormName::Relationships(Direction::Out),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)-[r]->() WHERE size(@types) = 0 OR type(r) IN @types"),
        "collect(r) AS found",
    ),
    reads(
        FormName::Degree(Direction::All),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)-[r]-() WHERE size(@types) = 0 OR type(r) IN @types"),
        "count(r) AS found",
    ),
    reads(
        FormName::Degree(Direction::In),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)<-[r]-() WHERE size(@types) = 0 OR type(r) IN @types"),
        "count(r) AS found",
    ),
    reads(
        FormName::Degree(Direction::Out),
        &["id", "types"],
        node!("OPTIONAL MATCH (n)-[r]->() WHERE size(@types) = 0 OR type(r) IN @types"),
        "count(r) AS found",
    ),
    reads(FormName::GetProperties(NODE), &["id"], node!(), "properties(n) AS found"),
    reads(
        FormName::GetProperties(RELATIONSHIP),
        &["id"],
        relationship!(),
        "properties(n) AS found",
    ),
    writes(FormName::SetProperties(NODE), &["id", "p"], node!("SET n = @p")),
    writes(FormName::SetProperties(RELATIONSHIP), &["id", "p"], relationship!("SET n = @p")),
    judges(FormName::GetProperty(NODE), &["id", "key"], node!(), "n[@key] AS found"),
    judges(
        FormName::GetProperty(RELATIONSHIP),
        &["id", "key"],
        relationship!(),
        "n[@key] AS found",
    ),
    // As a map, whose values are looked at before they are stored.
    writes(FormName::SetProperty(NODE), &["id", "p"], node!("SET n += @p")),
    writes(FormName::SetProperty(RELATIONSHIP), &["id", "p"], relationship!("SET n += @p")),
    judges(
        FormName::RemoveProperty(NODE),
        &["id", "key"],
        node!("WITH @job AS job, n, @key AS key, n[@key] AS old SET n[key] = null"),
        "old IS NOT NULL AS found",
    ),
    judges(
        FormName::RemoveProperty(RELATIONSHIP),
        &["id", "key"],
        relationship!("WITH @job AS job, n, @key AS key, n[@key] AS old SET n[key] = null"),
        "old IS NOT NULL AS found",
    ),
    reads(FormName::GetLabels, &["id"], node!(), "labels(n) AS found"),
    writes(FormName::AddLabels, &["id", "labels"], node!("SET n:$(@labels)")),
    writes(FormName::SetLabels, &["id", "labels"], node!("REMOVE n:$(labels(n)) SET n:$(@labels)")),
    writes(FormName::RemoveLabel, &["id", "labels"], node!("REMOVE n:$(@labels)")),
];

impl Form {
    pub(super) fn of(name: FormName) -> Option<&'static Form> {
        ALL.iter().find(|form| form.name == name)
    }

    /// The names of its parameters.
    pub(in super::super) fn names(&self) -> impl Iterator<Item = Arc<str>> {
        self.parameters.iter().map(|name| Arc::from(*name))
    }

    /// Whether its one result is the number of a new element.
    pub(in super::super) fn makes(&self) -> bool {
        self.results == Results::Made
    }

    /// The text for one request.
    pub(in super::super) fn single_text(&self) -> &Arc<str> {
        &self.texts().single
    }

    /// The text over rows. Without results it names the jobs that were done, and what they made.
    pub(in super::super) fn bulk_text(&self, has_results: bool) -> &Arc<str> {
        match has_results {
            true => &self.texts().bulk,
            false => &self.texts().bulk_silent,
        }
    }

    fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| {
            let text = |is_answered: bool| {
                let results = match (self.results, is_answered) {
                    (Results::None, _) | (Results::Answer(_), false) => String::new(),
                    (Results::Answer(results), true) | (Results::Needed(results), _) => {
                        format!(", {results}")
                    }
                    (Results::Made, _) => ", id(n) AS made".to_owned(),
                };
                format!("{} RETURN @job AS job{results}", self.clauses)
            };
            let single = text(true).replace("@job AS job", "0 AS job").replace('@', "$");
            let columns = self.parameters.iter().map(|name| format!(", row.{name} AS {name}"));
            let columns: String = columns.collect();
            let bulk = |is_answered| {
                let text = text(is_answered).replace('@', "");
                Arc::from(format!("UNWIND $rows AS row WITH row.job AS job{columns} {text}"))
            };
            Texts { single: Arc::from(single), bulk: bulk(true), bulk_silent: bulk(false) }
        })
    }
}

/// The texts of all operations on single elements: each for one request, over rows, and over rows without results.
pub fn statement_texts() -> Vec<Arc<str>> {
    let texts = |form: &Form| {
        let texts = form.texts();
        [&texts.single, &texts.bulk, &texts.bulk_silent].map(Arc::clone)
    };
    ALL.iter().flat_map(texts).collect()
}
