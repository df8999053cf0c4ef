//! Results: row by row, or as columns.

use std::collections::VecDeque;
use std::sync::Arc;

use millrace_db::session::ResultStream;
use millrace_db::{ResultHead, Results};
use millrace_model::{
    Column, DetachedEdge, DetachedElements, DetachedVertex, Error, ErrorKind, Profile, Result,
    Value,
};

use crate::database::Open;

/// A row: a value, with the elements in it.
#[derive(Clone, Debug)]
pub struct Row {
    value: Value,
    elements: Arc<DetachedElements>,
}

impl Row {
    /// Its value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The same for keeping.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// Its vertex with labels and properties, if it is one.
    pub fn vertex(&self) -> Option<&DetachedVertex> {
        let Value::Vertex(vertex) = &self.value else { return None };
        self.elements.vertices.get(vertex).map(|own| &**own)
    }

    /// Its edge with type, ends and properties, if it is one.
    pub fn edge(&self) -> Option<&DetachedEdge> {
        let Value::Edge(edge) = &self.value else { return None };
        self.elements.edges.get(edge).map(|own| &**own)
    }
}

/// Rows that were made and not asked for yet.
#[derive(Default)]
pub(crate) struct Taken {
    head: ResultHead,
    /// Each with how often it comes.
    rows: VecDeque<(Row, u64)>,
}

impl Results for Taken {
    fn begin(&mut self, _streams: bool) {
        self.rows.clear();
        self.head = ResultHead::default();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.head = head.clone();
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        let elements = Arc::new(elements.clone());
        for (row, weight) in values.chunks(self.head.width().max(1)).zip(weights) {
            // A row of named columns is the list of its values.
            let value = match (row, &self.head.columns) {
                ([only], None) => only.clone(),
                (several, _) => Value::list(several.to_vec()),
            };
            let row = Row { value, elements: Arc::clone(&elements) };
            self.rows.push_back((row, *weight));
        }
        Ok(())
    }

    fn take_profile(&mut self, _profile: &Profile) -> Result<()> {
        let error = Error::new(ErrorKind::Unsupported, "a profile is no row");
        Err(error
            .with_help("end the traversal without profile(); explain() gives the plan as text"))
    }
}

/// Rows of a query, made as they are asked for. Dropped, the rest is not made.
pub struct Rows {
    open: Arc<Open>,
    stream: Option<Box<ResultStream>>,
    taken: Taken,
}

impl Rows {
    pub(crate) fn new(open: Arc<Open>, stream: Option<Box<ResultStream>>, taken: Taken) -> Rows {
        Rows { open, stream, taken }
    }

    fn pull(&mut self) -> Result<bool> {
        match &mut self.stream {
            Some(stream) => stream.next(&self.open.0, &mut self.taken),
            None => Ok(false),
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Row>;

    fn next(&mut self) -> Option<Result<Row>> {
        loop {
            if let Some((row, weight)) = self.taken.rows.front_mut() {
                *weight -= 1;
                if *weight == 0 {
                    return self.taken.rows.pop_front().map(|(row, _)| Ok(row));
                }
                return Some(Ok(row.clone()));
            }
            match self.pull() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// All rows, column by column.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    names: Vec<String>,
    columns: Vec<Column>,
    len: usize,
}

impl Columns {
    pub(crate) fn of(rows: Rows) -> Result<Columns> {
        let mut all = Columns::default();
        for row in rows {
            match row?.into_value() {
                Value::Map(pairs) if pairs.iter().all(|(key, _)| key.as_str().is_some()) => {
                    for (key, value) in pairs.iter() {
                        all.set(key.as_str().unwrap_or_default(), value.clone());
                    }
                }
                value => all.set("value", value),
            }
            all.len += 1;
            all.fill();
        }
        Ok(all)
    }

    /// The value of the row at hand.
    fn set(&mut self, name: &str, value: Value) {
        let at = self.names.iter().position(|own| own == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.columns.push(Column::from_values((0..self.len).map(|_| Value::Null)));
            self.names.len() - 1
        });
        self.columns[at].push(value);
    }

    /// Null where the row at hand has no value.
    fn fill(&mut self) {
        for column in &mut self.columns {
            if column.len() < self.len {
                column.push(Value::Null);
            }
        }
    }

    /// The names of the columns: the keys of maps, or `value`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        let at = self.names.iter().position(|own| own == name)?;
        self.columns.get(at)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
