//! Rounds that go each edge once.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{EdgeId, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::RecursiveExpand;

use super::Oracle;
use super::cell::{Cell, Content, Opaque, Row};
use super::elements::wrong_type;
use crate::limits;

/// The vertices of a list, each with the edges gone from it.
type List = BTreeMap<VertexId, Vec<Gone>>;

/// An edge that was gone.
struct Gone {
    step: usize,
    edge: Option<EdgeId>,
    to: VertexId,
    /// The list that the vertex is in.
    list: usize,
}

impl Oracle<'_> {
    pub(super) fn recurse(
        &mut self,
        recurse: &RecursiveExpand,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let mut start = Vec::new();
        for row in &rows {
            start.push(reached(&row.get(recurse.from)?)?);
        }
        let begun: List = start.iter().flatten().map(|vertex| (*vertex, Vec::new())).collect();
        let lists = self.lists(recurse, begun)?;
        let mut result = Vec::new();
        for (row, start) in rows.into_iter().zip(start) {
            let most = self.opaque_count + limits::ORACLE_ROWS_MAX as u64;
            let bag = self.reached_from(&lists, start.map(|vertex| (0, vertex)), most)?;
            result.push(row.with(recurse.to, bag));
        }
        Ok(result)
    }

    fn lists(&mut self, recurse: &RecursiveExpand, begun: List) -> Result<Vec<List>> {
        let (mut lists, mut open, mut gone) = (vec![begun], vec![0], BTreeSet::new());
        let mut rounds = 0;
        while !open.is_empty() && recurse.depth.is_none_or(|depth| rounds < depth) {
            rounds += 1;
            for list in std::mem::take(&mut open) {
                for (step, body) in recurse.steps.iter().enumerate() {
                    let new = lists.len();
                    lists.push(List::new());
                    let from: Vec<VertexId> = lists[list].keys().copied().collect();
                    for from in from {
                        let at = Row::default().with(recurse.at, Cell::Value(Value::Vertex(from)));
                        for row in self.run_apart(body, vec![at])? {
                            let to = reached(&row.get(recurse.next[step])?)?;
                            let edge = recurse.edges[step].map(|edge| row.get(edge)).transpose()?;
                            let edge = edge.map_or(Ok(None), |edge| gone_by(&edge))?;
                            let Some(to) = to else { continue };
                            if recurse.loops || gone.insert((step, from, to)) {
                                let by = Gone { step, edge, to, list: new };
                                lists[list].entry(from).or_default().push(by);
                                lists[new].entry(to).or_default();
                            }
                        }
                    }
                    open.extend((!lists[new].is_empty()).then_some(new));
                }
            }
        }
        Ok(lists)
    }

    /// The bag of the vertices reached: a list that several lead to is in it several times. More than `most`
    /// bags are an error.
    fn reached_from(
        &mut self,
        lists: &[List],
        start: Option<(usize, VertexId)>,
        most: u64,
    ) -> Result<Cell> {
        if most < self.opaque_count {
            let detail = "the oracle holds each bag by itself, and these are too many";
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        let mut bag = Vec::new();
        for gone in start.into_iter().flat_map(|(list, from)| &lists[list][&from]) {
            let inner = self.reached_from(lists, Some((gone.list, gone.to)), most)?;
            let step = Cell::Value(Value::I64(gone.step as i64));
            let edge = Cell::Value(gone.edge.map_or(Value::Null, Value::Edge));
            bag.push(vec![step, Cell::Value(Value::Vertex(gone.to)), edge, inner]);
        }
        self.opaque_count += 1;
        Ok(Cell::Opaque(Opaque { number: self.opaque_count, content: Content::Bag(bag.into()) }))
    }
}

fn reached(cell: &Cell) -> Result<Option<VertexId>> {
    match cell.present() {
        None => Ok(None),
        Some(Value::Vertex(vertex)) => Ok(Some(*vertex)),
        Some(other) => Err(wrong_type("a recursion", other)),
    }
}

fn gone_by(cell: &Cell) -> Result<Option<EdgeId>> {
    match cell.present() {
        None => Ok(None),
        Some(Value::Edge(edge)) => Ok(Some(*edge)),
        Some(other) => Err(wrong_type("a recursion's edge", other)),
    }
}
