//! `@normalize`: a node and the nodes below it as objects without levels, one for each way to the last of them.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::json::Text;
use super::node::{Above, LevelRows};
use super::shape::{Facets, FieldKind, NodeShape, RowShape};
use crate::limits::FLAT_NODES_MAX;

/// An object without levels: its members as they are written.
#[derive(Clone, Default)]
pub(super) struct FlatObject {
    members: Vec<Arc<str>>,
}

impl FlatObject {
    pub(super) fn write(&self, text: &mut Text) {
        text.json.push('{');
        for (number, member) in self.members.iter().enumerate() {
            text.json.push_str(if number == 0 { "" } else { "," });
            text.json.push_str(member);
        }
        text.json.push('}');
    }

    fn with(&self, other: &FlatObject) -> FlatObject {
        FlatObject { members: self.members.iter().chain(&other.members).cloned().collect() }
    }
}

impl LevelRows<'_> {
    /// The objects of a node; none if it has no field with a name of its own.
    pub(super) fn flat(
        &self,
        node: &NodeShape,
        row: usize,
        facets: &Facets,
        above: &mut Above,
    ) -> Result<Vec<FlatObject>> {
        let mut own = FlatObject::default();
        let mut below = self.below.iter();
        let mut lists: Vec<Vec<FlatObject>> = Vec::new();
        for field in &node.fields {
            if let FieldKind::Level { facets, .. } = &field.kind {
                let Some(level) = below.next() else { continue };
                let RowShape::Nodes(shape) = &level.shape.rows else { continue };
                let parent = self.level.vertices(node.column)?[row];
                let mut list = Vec::new();
                for row in level.level.of_parent(parent) {
                    list.extend(level.flat(shape, row, facets, above)?);
                    check(list.len())?;
                }
                if !list.is_empty() {
                    lists.push(list);
                }
                continue;
            }
            if !field.is_alias {
                continue;
            }
            let mut text = Text::unbounded();
            if self.write_field(node, (field, None), row, above, &mut text)? {
                own.members.push(text.json.into());
            }
        }
        let mut text = Text::unbounded();
        self.write_facets(facets, row, &mut text)?;
        let has_own = !own.members.is_empty() || !lists.is_empty();
        if has_own && let Some(members) = text.json.strip_prefix(',') {
            own.members.push(members.into());
        }
        let mut objects = if has_own { vec![own] } else { Vec::new() };
        for list in lists {
            check(objects.len().saturating_mul(list.len()))?;
            objects =
                objects.iter().flat_map(|own| list.iter().map(|other| own.with(other))).collect();
        }
        Ok(objects)
    }
}

fn check(count: usize) -> Result<()> {
    if count <= FLAT_NODES_MAX {
        return Ok(());
    }
    let detail = format!(
        "Couldn't evaluate @normalize directive - too many results: more than {FLAT_NODES_MAX} for one node"
    );
    Err(Error::new(ErrorKind::LimitReached, detail).with_help("ask for fewer nodes (`first`)"))
}
