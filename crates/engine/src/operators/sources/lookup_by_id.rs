//! `LookupById`: each row, once for every element of its ids.
//!
//! An id is an element, an integer or a text, alone or in a list. With `checked`, a value of any type
//! that names no element is left out; without, an integer passes whether it names one or not, a text
//! that names none is left out, and anything else is an error. As a scan would list them, only a value
//! that equals an id names its element, each once, by places (`scanned`). An element value names itself; an
//! integer is the external id of an element.

mod scanned;

use std::sync::Arc;

use millrace_model::{
    Batch, Bits, Column, ColumnValues, EdgeId, Error, ErrorKind, Owner, Result, Value, VertexId,
};
use millrace_plan::{ElementKind, LookupMode, op};
use millrace_store::Elements;
use millrace_store::external_ids::number_of;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, Operand};
use crate::pipeline::{Deferred, Keep, Operator, Upstream, add};
use crate::run::{Charge, Run};

pub(crate) struct LookupById {
    element: ElementKind,
    ids: Exprs,
    mode: LookupMode,
    keep: Keep,
    to: bool,
    deferred: Deferred,
    /// All elements, where they are listed.
    charge: Charge,
}

/// The elements that ids name, before they are looked up.
#[derive(Default)]
struct Named {
    rows: Vec<u32>,
    ids: Vec<u64>,
    /// The places of those that are integers.
    integers: Vec<u32>,
    /// The places of those that are texts, with them; until they are found.
    texts: Vec<(u32, Arc<str>)>,
    /// The places of those that are elements named by a number below 0, which only one with a text has.
    numbered: Vec<u32>,
}

impl Named {
    /// Drops what stands at some places, ascending. Other places are not read any more.
    fn leave_out(&mut self, places: &[u32]) {
        let is_kept = |place: &usize| places.binary_search(&(*place as u32)).is_err();
        let kept: Vec<usize> = (0..self.ids.len()).filter(is_kept).collect();
        self.rows = kept.iter().map(|&place| self.rows[place]).collect();
        self.ids = kept.iter().map(|&place| self.ids[place]).collect();
    }

    /// Each element of a row once, by their places.
    fn once_by_places(&mut self) {
        let mut pairs: Vec<(u32, u64)> =
            self.rows.iter().copied().zip(self.ids.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        (self.rows, self.ids) = pairs.into_iter().unzip();
    }
}

impl LookupById {
    pub(crate) fn new(
        element: ElementKind,
        ids: Exprs,
        mode: LookupMode,
        keep: Keep,
        to: bool,
    ) -> LookupById {
        let (deferred, charge) = (Deferred::default(), Charge::default());
        LookupById { element, ids, mode, keep, to, deferred, charge }
    }

    /// Rows and elements, unchecked.
    fn named(
        &self,
        operand: &Operand,
        len: usize,
        (charge, run): (&mut Charge, &Run<'_>),
    ) -> Result<Named> {
        let mut found = self.numbered(operand, len, (charge, run))?;
        if !found.integers.is_empty() {
            let asked: Vec<u64> =
                found.integers.iter().map(|&place| found.ids[place as usize]).collect();
            if let Some(slots) = self.find_numbers(&asked, run)? {
                for (place, slot) in found.integers.iter().zip(slots) {
                    found.ids[*place as usize] = slot;
                }
            }
        }
        if !found.numbered.is_empty() {
            self.keep_texts(&mut found, run)?;
        }
        if !found.texts.is_empty() {
            self.find_texts(&mut found, run)?;
        }
        if self.is_scanned() {
            found.once_by_places();
        }
        Ok(found)
    }

    fn find_numbers(&self, asked: &[u64], run: &Run<'_>) -> Result<Option<Vec<u64>>> {
        let graph = run.context.graph();
        Ok(match self.element {
            ElementKind::Vertex => graph
                .find_external(asked)?
                .map(|vertices| vertices.into_iter().map(|vertex| vertex.0).collect()),
            ElementKind::Edge => graph
                .find_external_edges(asked)?
                .map(|edges| edges.into_iter().map(|edge| edge.0).collect()),
        })
    }

    /// Finds texts, and leaves out those that name no element.
    fn find_texts(&self, found: &mut Named, run: &Run<'_>) -> Result<()> {
        let (places, texts): (Vec<u32>, Vec<Arc<str>>) =
            std::mem::take(&mut found.texts).into_iter().unzip();
        let owner = match self.element {
            ElementKind::Vertex => Owner::AllVertices,
            ElementKind::Edge => Owner::AllEdges,
        };
        let slots = run.context.graph().find_texts(owner, &texts)?;
        let mut missing = Vec::new();
        for (place, slot) in places.into_iter().zip(slots) {
            missing.extend(slot.is_none().then_some(place));
            found.ids[place as usize] = slot.unwrap_or_default();
        }
        found.leave_out(&missing);
        Ok(())
    }

    /// Leaves out elements that were named by a number below 0 and have no text.
    fn keep_texts(&self, found: &mut Named, run: &Run<'_>) -> Result<()> {
        let places = std::mem::take(&mut found.numbered);
        let ids: Vec<u64> = places.iter().map(|&place| found.ids[place as usize]).collect();
        let texts = scanned::have_texts(&self.column(&ids), run)?;
        let missing = places.into_iter().zip(texts).filter(|(_, has_text)| !has_text);
        let missing: Vec<u32> = missing.map(|(place, _)| place).collect();
        found.leave_out(&missing);
        Ok(())
    }

    /// Rows and ids as they are emitted.
    fn numbered(
        &self,
        operand: &Operand,
        len: usize,
        (charge, run): (&mut Charge, &Run<'_>),
    ) -> Result<Named> {
        let mut found = Named::default();
        if let (true, Operand::Column(column)) = (operand.is_complete(), operand) {
            let plain = match (&column.values, self.element) {
                _ if self.is_scanned() => false,
                (ColumnValues::Vertex(ids), ElementKind::Vertex) => {
                    found.ids.extend(ids.iter().map(|id| id.0));
                    true
                }
                (ColumnValues::Edge(ids), ElementKind::Edge) => {
                    found.ids.extend(ids.iter().map(|id| id.0));
                    true
                }
                (ColumnValues::I64(ids), _) if ids.iter().all(|&id| 0 <= id) => {
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
                id if self.wants_list() && id != Value::Null => {
                    let all = scanned::all(self.element, charge, run)?;
                    found.rows.resize(found.rows.len() + all.len(), row as u32);
                    found.ids.extend(all);
                }
                id => self.push(&id, row, &mut found)?,
            }
        }
        Ok(found)
    }

    fn is_scanned(&self) -> bool {
        matches!(self.mode, LookupMode::Scanned { .. })
    }

    fn wants_list(&self) -> bool {
        matches!(self.mode, LookupMode::Scanned { in_list: true, .. })
    }

    fn push(&self, id: &Value, row: usize, found: &mut Named) -> Result<()> {
        match self.mode {
            LookupMode::Unchecked | LookupMode::Checked => self.push_id(id, row, found),
            LookupMode::Scanned { form, .. } => scanned::ids_equal_to(id, form, self.element)
                .iter()
                .try_for_each(|id| self.push_id(id, row, found)),
        }
    }

    fn push_id(&self, id: &Value, row: usize, found: &mut Named) -> Result<()> {
        let number = match (id, self.element) {
            (Value::Null, _) => return Ok(()),
            (Value::Vertex(VertexId(id)), ElementKind::Vertex)
            | (Value::Edge(EdgeId(id)), ElementKind::Edge) => {
                if self.is_scanned() {
                    found.numbered.push(found.ids.len() as u32);
                }
                Some(*id)
            }
            (Value::String(text), _) => {
                found.texts.push((found.ids.len() as u32, Arc::clone(text)));
                Some(0)
            }
            (other, _) => {
                found.integers.push(found.ids.len() as u32);
                other.as_int().and_then(number_of)
            }
        };
        match number {
            Some(number) => {
                found.rows.push(row as u32);
                found.ids.push(number);
                Ok(())
            }
            None if self.mode != LookupMode::Unchecked => {
                found.integers.pop();
                Ok(())
            }
            None => {
                let kind = id.type_name();
                let detail =
                    format!("an id is an element, an integer from 0 or a text, not this {kind}");
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
        let elements = match &column.values {
            ColumnValues::Edge(edges) => Elements::Edges(edges),
            _ => Elements::Vertices(column.as_vertices().unwrap_or(&[])),
        };
        run.context.graph().exist(elements)
    }
}

impl Operator for LookupById {
    fn begin(&mut self, run: &Run<'_>) {
        self.deferred.begin();
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let mut deferred = std::mem::take(&mut self.deferred);
            let mut charge = std::mem::take(&mut self.charge);
            charge.release(run);
            let named = deferred.evaluate(batch, |batch| {
                self.named(&self.ids.evaluate_one(batch, run)?, batch.len, (&mut charge, run))
            });
            (self.deferred, self.charge) = (deferred, charge);
            let (batch, Named { mut rows, ids, .. }) = named?;
            let mut column = self.column(&ids);
            if self.mode != LookupMode::Unchecked && !column.is_empty() {
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

impl Compile for op::LookupById {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let ids = compiler.exprs(place.layout, [&self.ids])?;
        Ok((Box::new(LookupById::new(self.element, ids, self.mode, keep, to)), after))
    }
}
