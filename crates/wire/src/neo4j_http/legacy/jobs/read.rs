//! Jobs as they come, to jobs that can be run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::{ErrorKind, Value};

use super::super::failure::Failure;
use super::super::names::{reference_of, references_in};
use super::super::operation::{Element, Subject};
use super::super::routes::{Body, Target, lead};
use super::{Checked, Job, JobFailure, Jobs};
use crate::json;
use crate::limits::JOBS_MAX;
use crate::neo4j_http::results::BASE_PATH;

impl Jobs {
    /// Reads the body of a batch: a list of objects.
    pub fn read(body: &[u8]) -> Result<Jobs, JobFailure> {
        let parsed = json::parse(body).map_err(|error| JobFailure::refused(Failure::of(&error)))?;
        Jobs::of_value(&parsed)
    }

    /// The same where the list is a value already.
    pub fn of_value(batch: &Value) -> Result<Jobs, JobFailure> {
        let Value::List(jobs) = batch else {
            let message = format!("a batch is a list of jobs, and this is a {}", batch.type_name());
            return Err(JobFailure::refused(Failure::bad_input(message)));
        };
        Jobs::of_all(jobs.len(), jobs.iter().map(job_of))
    }

    /// Checks jobs.
    pub fn of(jobs: Vec<Job>) -> Result<Jobs, JobFailure> {
        Jobs::of_all(jobs.len(), jobs.into_iter().map(Ok))
    }

    fn of_all(
        count: usize,
        jobs: impl Iterator<Item = Result<Job, Failure>>,
    ) -> Result<Jobs, JobFailure> {
        if JOBS_MAX < count {
            let message = format!("a batch has at most {JOBS_MAX} jobs, and this has {count}");
            let failure =
                Failure::new((413, "InvalidArgumentsException"), ErrorKind::LimitReached, message);
            return Err(JobFailure::refused(failure));
        }
        let mut checking = Checking::default();
        for (index, job) in jobs.enumerate() {
            let job = job.map_err(|failure| {
                let message = format!("the entry {index} of the batch: {}", failure.message);
                JobFailure::refused(Failure { message: Arc::from(message), ..failure })
            })?;
            let (id, method, to) = (job.id, Arc::clone(&job.method), Arc::clone(&job.to));
            checking.take(job).map_err(|failure| JobFailure {
                job: Some((id, method, to)),
                failure,
                is_refused: true,
            })?;
        }
        Ok(Jobs { jobs: checking.jobs })
    }
}

/// A job from an object.
fn job_of(value: &Value) -> Result<Job, Failure> {
    let Value::Map(pairs) = value else {
        let message = format!("a job is an object, and this is a {}", value.type_name());
        return Err(Failure::bad_input(message));
    };
    let mut job = Job::default();
    let mut has_target = false;
    for (key, value) in pairs.iter() {
        match (key.as_str().unwrap_or_default(), value) {
            ("method", Value::String(method)) => job.method = upper(method),
            ("to", Value::String(to)) => (job.to, has_target) = (Arc::clone(to), true),
            ("id", Value::Null) => {}
            ("id", Value::I64(id)) => job.id = Some(*id),
            ("body", body) => job.body = body.clone(),
            (field @ ("method" | "to" | "id"), other) => {
                let message = format!("`{field}` is a {}", other.type_name());
                return Err(Failure::bad_input(message));
            }
            // Neo4j passes over what it does not know.
            _ => {}
        }
    }
    match (job.method.is_empty(), has_target) {
        (true, _) => Err(Failure::bad_input("`method` is missing")),
        (false, false) => Err(Failure::bad_input("`to` is missing")),
        (false, true) => Ok(job),
    }
}

fn upper(method: &Arc<str>) -> Arc<str> {
    match method.bytes().any(|byte| byte.is_ascii_lowercase()) {
        true => Arc::from(method.to_ascii_uppercase()),
        false => Arc::clone(method),
    }
}

/// The jobs so far.
#[derive(Default)]
struct Checking {
    jobs: Vec<Checked>,
    /// The indexes of jobs with a number.
    by_id: HashMap<i64, usize>,
}

impl Checking {
    fn take(&mut self, job: Job) -> Result<(), Failure> {
        let Job { id, method, to, body } = job;
        let index = self.jobs.len();
        if let Some(id) = id
            && self.by_id.contains_key(&id)
        {
            return Err(Failure::bad_input(format!("another job of the batch has the id {id}")));
        }
        let (path, query) = self.target(&to)?;
        let references = |id| self.subject(id);
        let led = lead(&method, (&path, query), Body::Value(&body), &references);
        let mut operation = match led.map_err(|(failure, _)| failure)? {
            Target::Operation(operation) => operation,
            Target::Batch | Target::Transaction { .. } | Target::RollBack(_) => {
                let what = "a batch or a transaction as a job of a batch";
                return Err(Failure::unsupported(what, "a batch is one transaction already"));
            }
        };
        let mut named = self.named_in(&to)?;
        let of_path = named.len();
        for value in operation.values_mut() {
            self.named_in_value(value, &mut named)?;
        }
        let has_named_values = of_path < named.len();
        if let Some(id) = id {
            self.by_id.insert(id, index);
        }
        self.jobs.push(Checked { id, method, to, operation, named, has_named_values });
        Ok(())
    }

    /// The element of an earlier job.
    fn subject(&self, id: i64) -> Result<Subject, Failure> {
        let Some(index) = self.by_id.get(&id) else {
            let message = format!("`{{{id}}}` is no earlier job of the batch");
            return Err(Failure::bad_input(message));
        };
        self.jobs[*index].operation.subject(*index).ok_or_else(|| {
            let message = format!("`{{{id}}}`: job {id} makes neither a node nor a relationship");
            Failure::bad_input(message)
        })
    }

    /// The path of a job below `/db/data`, and its query.
    fn target<'t>(&self, to: &'t str) -> Result<(Cow<'t, str>, Option<&'t str>), Failure> {
        let (path, query) = match to.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (to, None),
        };
        let path = match path.strip_prefix("http://").or_else(|| path.strip_prefix("https://")) {
            Some(rest) => rest.find('/').map_or("", |start| &rest[start..]),
            None => path,
        };
        let path = path.trim_start_matches('/');
        let base = BASE_PATH.trim_start_matches('/');
        let path = match path.strip_prefix(base) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
            Some(_) | None => path,
        };
        let first = path.split('/').next().unwrap_or_default();
        let path = match reference_of(first) {
            Some(id) => Cow::Owned(format!("/{}/{path}", self.subject(id)?.kind.word())),
            None => Cow::Borrowed(path),
        };
        Ok((path, query))
    }

    fn named_in(&self, text: &str) -> Result<Vec<(i64, usize)>, Failure> {
        let found = references_in(text).into_iter();
        found.map(|(_, id)| self.subject(id).map(|_| (id, self.by_id[&id]))).collect()
    }

    fn named_in_value(&self, value: &Value, named: &mut Vec<(i64, usize)>) -> Result<(), Failure> {
        match value {
            Value::String(text) if text.contains('{') => named.extend(self.named_in(text)?),
            Value::List(values) => {
                values.iter().try_for_each(|value| self.named_in_value(value, named))?;
            }
            Value::Map(pairs) => {
                pairs.iter().try_for_each(|(_, value)| self.named_in_value(value, named))?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Checked {
    /// The jobs whose elements it needs.
    pub(super) fn needs(&self, all: &[Checked]) -> Vec<usize> {
        let mut needed = Vec::new();
        for element in self.operation.elements().into_iter().flatten() {
            if let Element::MadeBy(index) = element {
                needed.push(index);
            }
        }
        for (_, index) in &self.named {
            let subject = all[*index].operation.subject(*index);
            if let Some(Subject { element: Element::MadeBy(maker), .. }) = subject {
                needed.push(maker);
            }
        }
        needed
    }
}
