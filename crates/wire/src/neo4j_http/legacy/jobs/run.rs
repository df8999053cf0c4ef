//! Jobs as statements of one transaction, and their answers.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Value};

use super::super::failure::Failure;
use super::super::names::references_in;
use super::super::operation::{
    Answer, Answering, Element, Form, Kind, Operation, StatementRows, Statements,
};
use super::stages::{Group, groups};
use super::{Answers, Checked, JobAnswer, JobFailure, Jobs, Order};
use crate::neo4j_http::results::{BASE_PATH, address};

type Done<T> = Result<T, JobFailure>;

impl Jobs {
    /// Runs the jobs in the transaction of `statements`. After a failure it is to be rolled back.
    pub fn run(
        &self,
        statements: &mut dyn Statements,
        answers: Answers<'_>,
        order: Order,
    ) -> Done<Vec<JobAnswer>> {
        let mut run = Run {
            jobs: &self.jobs,
            statements,
            answers,
            made: vec![0; self.jobs.len()],
            done: vec![JobAnswer::default(); self.jobs.len()],
        };
        match order {
            Order::Single => (0..self.jobs.len()).try_for_each(|index| run.single(index))?,
            Order::Bulk => groups(&self.jobs).into_iter().try_for_each(|group| match group {
                Group::Alike(form, indexes) => run.alike(form, &indexes),
                Group::Alone(index) => run.single(index),
            })?,
        }
        Ok(run.done)
    }
}

struct Run<'r> {
    jobs: &'r [Checked],
    statements: &'r mut dyn Statements,
    answers: Answers<'r>,
    /// The number of the element that each job made.
    made: Vec<i64>,
    done: Vec<JobAnswer>,
}

impl Run<'_> {
    /// One job by itself.
    fn single(&mut self, index: usize) -> Done<()> {
        let job = &self.jobs[index];
        let failed = |failure| JobFailure::of(job, failure);
        let failed_by = |error: Error| JobFailure::of(job, Failure::of(&error));
        let operation = self.named(index);
        let operation = operation.as_ref().unwrap_or(&job.operation);
        let rows = match &operation.0 {
            Kind::Whole(whole) => whole.run(self.statements).map_err(failed_by)?,
            _ => {
                let rows = self.run_form(operation).map_err(failed_by)?;
                if rows.values.is_empty()
                    && let Some(probe) = operation.probe()
                {
                    let has_start = !self.run_form(&probe).map_err(failed_by)?.values.is_empty();
                    let number = |element| number_in(&self.made, element);
                    return Err(failed(operation.missing_node(has_start, &number)));
                }
                rows
            }
        };
        if operation.form().is_some_and(Form::makes) {
            self.made[index] = rows.values.get(1).and_then(Value::as_int).unwrap_or_default();
        }
        let answer = operation
            .answer_rows(&rows, &self.answering(&|element| number_in(&self.made, element)));
        self.answered(index, answer.map_err(failed)?);
        Ok(())
    }

    /// A statement of an operation on an element.
    fn run_form(&mut self, operation: &Operation) -> millrace_model::Result<StatementRows> {
        let Some(form) = operation.form() else { return Ok(StatementRows::default()) };
        let values = operation.arguments(&|element| number_in(&self.made, element));
        let parameters = form.names().zip(values).collect();
        self.statements.run("cypher", form.single_text(), parameters)
    }

    /// Jobs of one form as one statement.
    fn alike(&mut self, form: &'static Form, indexes: &[usize]) -> Done<()> {
        let keys: Vec<Value> = form.names().map(Value::String).collect();
        let job_key = Value::from("job");
        let replaced: HashMap<usize, Operation> =
            indexes.iter().filter_map(|index| Some((*index, self.named(*index)?))).collect();
        let of = |index: usize| replaced.get(&index).unwrap_or(&self.jobs[index].operation);
        let rows = indexes.iter().map(|index| {
            let values = of(*index).arguments(&|element| number_in(&self.made, element));
            let job = (job_key.clone(), Value::I64(*index as i64));
            Value::map([job].into_iter().chain(keys.iter().cloned().zip(values)).collect())
        });
        let rows = Value::list(rows.collect());
        let text = form.bulk_text(self.answers != Answers::None);
        let first = &self.jobs[indexes[0]];
        let found = self.statements.run("cypher", text, vec![(Arc::from("rows"), rows)]);
        let found = found.map_err(|error| JobFailure::of(first, Failure::of(&error)))?;
        let mut results = HashMap::with_capacity(indexes.len());
        for row in found.rows() {
            let [job, values @ ..] = row else { continue };
            let index = job.as_int().and_then(|job| usize::try_from(job).ok());
            // A number that several elements have is that of none.
            if index.is_none_or(|index| results.insert(index, values).is_some()) {
                let error = Error::new(ErrorKind::BadInput, "an id is that of several elements");
                return Err(JobFailure::of(first, Failure::of(&error)));
            }
        }
        for index in indexes.iter().filter(|_| form.makes()) {
            let number = results.get(index).and_then(|values| values.first()?.as_int());
            self.made[*index] = number.unwrap_or_default();
        }
        for index in indexes {
            let operation = of(*index);
            let number = |element| number_in(&self.made, element);
            let failed = |failure| JobFailure::of(&self.jobs[*index], failure);
            let Some(values) = results.get(index) else {
                return Err(failed(operation.missing(&number)));
            };
            let answer = operation.answer_row(values, &found.elements, &self.answering(&number));
            self.answered(*index, answer.map_err(failed)?);
        }
        Ok(())
    }

    fn answering<'n>(&'n self, number: &'n dyn Fn(Element) -> i64) -> Answering<'n> {
        match self.answers {
            Answers::None => Answering { base: None, version: "", number },
            Answers::Full { base, version } => Answering { base: Some(base), version, number },
        }
    }

    fn answered(&mut self, index: usize, answer: Answer) {
        let Answer { status, location, body } = answer;
        let job = &self.jobs[index];
        let from = match self.answers {
            Answers::None => String::new(),
            Answers::Full { .. } => self.replaced(&job.to, &job.named),
        };
        self.done[index] = JobAnswer { id: job.id, from, location, status, body };
    }

    /// The operation of a job, if other jobs are named in its strings.
    fn named(&self, index: usize) -> Option<Operation> {
        let job = &self.jobs[index];
        if !job.has_named_values {
            return None;
        }
        let mut operation = job.operation.clone();
        for value in operation.values_mut() {
            *value = self.replaced_value(value, &job.named);
        }
        Some(operation)
    }

    fn replaced_value(&self, value: &Value, named: &[(i64, usize)]) -> Value {
        match value {
            Value::String(text) if text.contains('{') => {
                Value::from(self.replaced(text, named).as_str())
            }
            Value::List(values) => {
                Value::list(values.iter().map(|value| self.replaced_value(value, named)).collect())
            }
            Value::Map(pairs) => {
                let pairs = pairs.iter();
                let pairs =
                    pairs.map(|(key, value)| (key.clone(), self.replaced_value(value, named)));
                Value::map(pairs.collect())
            }
            other => other.clone(),
        }
    }

    /// A text with the addresses of the jobs that it names.
    fn replaced(&self, text: &str, named: &[(i64, usize)]) -> String {
        let base = match self.answers {
            Answers::None => BASE_PATH,
            Answers::Full { base, .. } => base,
        };
        let mut out = String::with_capacity(text.len());
        let mut behind = 0;
        for (range, id) in references_in(text) {
            let index = named.iter().find(|(own, _)| *own == id).map(|(_, index)| *index);
            let subject = index.and_then(|index| self.jobs[index].operation.subject(index));
            let Some(subject) = subject else { continue };
            out.push_str(&text[behind..range.start]);
            out.push_str(&address(base, subject.kind, number_in(&self.made, subject.element)));
            behind = range.end;
        }
        out.push_str(&text[behind..]);
        out
    }
}

/// The number of an element.
fn number_in(made: &[i64], element: Element) -> i64 {
    match element {
        Element::Number(number) => number,
        Element::MadeBy(index) => made.get(index).copied().unwrap_or_default(),
    }
}
