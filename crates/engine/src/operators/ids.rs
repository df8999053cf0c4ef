//! `Ids`: each row, once for every element of its ids.
//!
//! An id is an element or an integer, alone or in a list. With `checked`, what names no element,
//! whatever it is, is left out; without, an id passes whether it names one or not, and anything else
//! is an error. What a reader would get wrong: an element is itself, and an integer is what a vertex
//! is *shown* under.

use millrace_model::{
    Batch, Bits, Column, EdgeId, Entries, Error, ErrorKind, Result, Value, VertexId,
};
use millrace_plan::ElementKind;
use millrace_store::Elements;

use super::deferred::Deferred;
use super::keep::{Keep, add};
use crate::expressions::{Exprs, Operand};
use crate::pipeline::{Operator, Upstream};
use crate::run::Run;

pub(crate) struct Ids {
    element: ElementKind,
    ids: Exprs,
    checked: bool,
    keep: Keep,
    to: bool,
    deferred: Deferred,
}

/// What ids name, before it is looked at.
#[derive(Default)]
struct Named {
    rows: Vec<u32>,
    ids: Vec<u64>,
    /// The places of those that are no elements.
    integers: Vec<u32>,
}

impl Ids {
    pub(crate) fn new(
        element: ElementKind,
        ids: Exprs,
        checked: bool,
        keep: Keep,
        to: bool,
    ) -> Ids {
        Ids { element, ids, checked, keep, to, deferred: Deferred::default() }
    }

    /// Rows and elements, unchecked.
    fn named(&self, operand: &Operand, len: usize, run: &Run<'_>) -> Result<Named> {
        let mut found = self.numbered(operand, len)?;
        if self.element == ElementKind::Vertex && !found.integers.is_empty() {
            let asked: Vec<u64> =
                found.integers.iter().map(|&place| found.ids[place as usize]).collect();
            if let Some(vertices) = run.context.graph().find_outer(&asked)? {
                for (place, vertex) in found.integers.iter().zip(vertices) {
                    found.ids[*place as usize] = vertex.0;
                }
            }
        }
        Ok(found)
    }

    /// Rows and ids as they are given.
    fn numbered(&self, operand: &Operand, len: usize) -> Result<Named> {
        let mut found = Named::default();
        if let (true, Operand::Column(column)) = (operand.is_complete(), operand) {
            let plain = match (&column.entries, self.element) {
                (Entries::Vertex(ids), ElementKind::Vertex) => {
                    found.ids.extend(ids.iter().map(|id| id.0));
                    true
                }
                (Entries::Edge(ids), ElementKind::Edge) => {
                    found.ids.extend(ids.iter().map(|id| id.0));
                    true
                }
                (Entries::I64(ids), _) if ids.iter().all(|&id| 0 <= id) => {
                    found.ids.extend(ids.iter().map(|&id| id as u64));
                    found.integers.extend(0..len as u32);
                    true
                }
                _ => false,
            };
            if plain {
                found.rows.extend(0..len as u32);
                return Ok(found);
            }
        }
        for row in 0..len {
            match operand.value(row) {
                Value::List(ids) | Value::Set(ids) => {
                    for id in ids.iter() {
                        self.push(id, row, &mut found)?;
                    }
                }
                id => self.push(&id, row, &mut found)?,
            }
        }
        Ok(found)
    }

    fn push(&self, id: &Value, row: usize, found: &mut Named) -> Result<()> {
        let number = match (id, self.element) {
            (Value::Null, _) => return Ok(()),
            (Value::Vertex(VertexId(id)), ElementKind::Vertex)
            | (Value::Edge(EdgeId(id)), ElementKind::Edge) => Some(*id),
            (other, _) => {
                found.integers.push(found.ids.len() as u32);
                other.as_int().and_then(|int| u64::try_from(int).ok())
            }
        };
        match number {
            Some(number) => {
                found.rows.push(row as u32);
                found.ids.push(number);
                Ok(())
            }
            None if self.checked => {
                found.integers.pop();
                Ok(())
            }
            None => {
                let kind = id.type_name();
                let detail = format!("an id is an element or an integer from 0, not this {kind}");
                Err(Error::new(ErrorKind::BadInput, detail))
            }
        }
    }

    fn column(&self, ids: &[u64]) -> Column {
        match self.element {
            ElementKind::Vertex => Column::vertices(ids.iter().map(|&id| VertexId(id)).collect()),
            ElementKind::Edge => Column::edges(ids.iter().map(|&id| EdgeId(id)).collect()),
        }
    }

    fn existing(&self, column: &Column, run: &Run<'_>) -> Result<Bits> {
        let elements = match &column.entries {
            Entries::Edge(edges) => Elements::Edges(edges),
            _ => Elements::Vertices(column.as_vertices().unwrap_or(&[])),
        };
        run.context.graph().exist(elements)
    }
}

impl Operator for Ids {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let mut deferred = std::mem::take(&mut self.deferred);
            let named = deferred.evaluate(batch, |batch| {
                self.named(&self.ids.evaluate_one(batch, run)?, batch.len, run)
            });
            self.deferred = deferred;
            let (batch, Named { mut rows, ids, .. }) = named?;
            let mut column = self.column(&ids);
            if self.checked && !column.is_empty() {
                let exist = self.existing(&column, run)?;
                if exist.count() < column.len() {
                    let places: Vec<u32> = exist.ones().map(|place| place as u32).collect();
                    column = column.take(&places);
                    rows = places.iter().map(|&place| rows[place as usize]).collect();
                }
            }
            if rows.is_empty() {
                continue;
            }
            let mut result = self.keep.take(&batch, &rows);
            if self.to {
                add(&mut result, column);
            }
            return Ok(Some(result));
        }
    }
}
