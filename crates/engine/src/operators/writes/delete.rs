//! `Delete`: deletes elements, those in lists and paths included; idempotent.
//!
//! Edges go first. Whether an edge is left hanging is asked when the statement ends, not here.

use millrace_model::{Batch, EdgeId, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::run::Run;

pub(crate) struct Delete {
    element: Exprs,
    detach: bool,
    keep: Keep,
}

#[derive(Default)]
struct Doomed {
    vertices: Vec<VertexId>,
    edges: Vec<EdgeId>,
}

impl Doomed {
    fn add(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Null => {}
            Value::Vertex(vertex) => self.vertices.push(*vertex),
            Value::Edge(edge) => self.edges.push(*edge),
            Value::List(values) | Value::Set(values) => {
                values.iter().try_for_each(|value| self.add(value))?;
            }
            Value::Path(path) => path.objects().iter().try_for_each(|value| self.add(value))?,
            other => {
                let kind = other.type_name();
                let detail = format!("only vertices and edges are deleted, and this is a {kind}");
                return Err(Error::new(ErrorKind::BadQuery, detail));
            }
        }
        Ok(())
    }
}

impl WholeWrite for Delete {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let elements = self.element.evaluate_one(&batch, run)?;
        let mut doomed = Doomed::default();
        (0..batch.len).try_for_each(|row| doomed.add(&elements.value(row)))?;
        run.context.counting_deleted(|transaction| {
            if !doomed.edges.is_empty() {
                transaction.delete_edges(&doomed.edges)?;
            }
            if !doomed.vertices.is_empty() {
                transaction.delete_vertices(&doomed.vertices, self.detach)?;
            }
            Ok(())
        })?;
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Delete {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let element = compiler.exprs(place.layout, [&self.element])?;
        let delete = Delete { element, detach: self.detach, keep };
        Ok((Box::new(Completing::new(delete)), after))
    }
}
