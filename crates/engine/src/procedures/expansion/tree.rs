//! `apoc.path.spanningTree` and `apoc.path.subgraphNodes`: the vertices of a search, with the paths to them or without.

use std::collections::VecDeque;
use std::sync::Arc;

use millrace_model::path_arena::STEP_BYTES;
use millrace_model::{
    Column, ColumnValues, Error, ErrorKind, PathArena, Paths as PathColumn, Result, Value,
};
use millrace_plan::{Signature, ValueType};

use super::search::Search;
use super::settings::{Settings, vertices};
use crate::context::{Arguments, Context, Procedure, RowStream, Yielded};

/// `apoc.path.subgraphNodes`.
pub(super) struct Nodes;

/// `apoc.path.spanningTree`.
pub(super) struct Paths;

/// A search of which rows are read.
struct Rows {
    search: Search,
    /// Those that are wanted and not yet read, by number.
    wanted: VecDeque<u32>,
    /// The paths that were made, and for each vertex that was found the last step of its own.
    paths: Option<(Arc<PathArena>, Vec<u32>)>,
    has_begun: bool,
}

/// Begins the search of one row of arguments.
pub(super) fn begin(
    arguments: Arguments<'_>,
    context: &Context,
) -> Result<(Search, VecDeque<u32>)> {
    let start = arguments.value(0);
    let starts = vertices(&start).ok_or_else(|| {
        let detail = format!(
            "a search starts at a node or at a list of nodes, and not at a {}",
            start.type_name()
        );
        let error = Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue");
        error.with_help("MATCH the node first")
    })?;
    let settings = Settings::of(&arguments.value(1))?;
    if 1 < settings.level_min {
        let detail = "the setting `minLevel` is 0 or 1 where each node is found once";
        return Err(Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue"));
    }
    let (search, wanted) = Search::begin(&starts, settings, context)?;
    Ok((search, wanted.into()))
}

impl Procedure for Nodes {
    fn signature(&self) -> Signature {
        let description = "The nodes that a node reaches, each once: breadth first, by filters of types and labels.";
        Signature::reading("apoc.path.subgraphNodes", description)
            .argument("startNode", ValueType::Any)
            .argument("config", ValueType::Map)
            .yields("node", ValueType::Vertex)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        Yielded::of_streams(self, columns, len, context)
    }

    fn streams(&self) -> bool {
        true
    }

    fn open(&self, arguments: Arguments<'_>, context: &Context) -> Result<Box<dyn RowStream>> {
        let (search, wanted) = begin(arguments, context)?;
        Ok(Box::new(Rows { search, wanted, paths: None, has_begun: false }))
    }
}

impl Procedure for Paths {
    fn signature(&self) -> Signature {
        let description = "The path to each node that a node reaches: breadth first, by filters of types and labels.";
        Signature::reading("apoc.path.spanningTree", description)
            .argument("startNode", ValueType::Any)
            .argument("config", ValueType::Map)
            .yields("path", ValueType::Path)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        Yielded::of_streams(self, columns, len, context)
    }

    fn streams(&self) -> bool {
        true
    }

    fn open(&self, arguments: Arguments<'_>, context: &Context) -> Result<Box<dyn RowStream>> {
        let (search, wanted) = begin(arguments, context)?;
        let paths = Some((Arc::default(), Vec::new()));
        Ok(Box::new(Rows { search, wanted, paths, has_begun: false }))
    }
}

impl RowStream for Rows {
    fn next(&mut self, rows_max: usize, context: &Context) -> Result<Option<Vec<Column>>> {
        while self.wanted.is_empty() {
            match self.search.next_level(context)? {
                Some(wanted) => self.wanted.extend(wanted),
                None => {
                    let is_null = !self.has_begun && self.search.settings().is_optional;
                    self.has_begun = true;
                    self.search.end(context)?;
                    return Ok(is_null.then(|| vec![Column::from_values([Value::Null])]));
                }
            }
        }
        self.has_begun = true;
        let count = rows_max.min(self.wanted.len());
        let numbers: Vec<u32> = self.wanted.drain(..count).collect();
        let column = match &mut self.paths {
            None => {
                let found = &self.search.found;
                let vertex = |number: u32| found[number as usize].vertex;
                Column::vertices(numbers.into_iter().map(vertex).collect())
            }
            Some((trail, steps)) => {
                add_steps(&self.search, trail, steps, context)?;
                let last = numbers.into_iter().map(|number| steps[number as usize]).collect();
                let paths = PathColumn { trail: Arc::clone(trail), last };
                Column { values: ColumnValues::Path(paths), ..Column::default() }
            }
        };
        Ok(Some(vec![column]))
    }
}

/// Adds the paths of what was found since: each is the one before it with an edge and a vertex more.
fn add_steps(
    search: &Search,
    trail: &PathArena,
    steps: &mut Vec<u32>,
    context: &Context,
) -> Result<()> {
    while steps.len() < search.found.len() {
        // Those of one level stand behind all that they continue.
        let known = steps.len();
        let is_known =
            |before: &Option<(u32, _)>| before.is_none_or(|(own, _)| (own as usize) < known);
        let new = search.found[known..].iter().take_while(|found| is_known(&found.before));
        let new: Vec<_> = new.copied().collect();
        context.charge((2 * new.len() * STEP_BYTES) as i64)?;
        let edges = new.iter().filter_map(|found| found.before);
        let edges = edges.map(|(before, edge)| (Some(steps[before as usize]), Value::Edge(edge)));
        let mut edges = trail.extend(edges.collect::<Vec<_>>(), None)?.into_iter();
        let vertices = new.iter().map(|found| {
            let before = found.before.and_then(|_| edges.next());
            (before, Value::Vertex(found.vertex))
        });
        steps.extend(trail.extend(vertices.collect::<Vec<_>>(), None)?);
    }
    Ok(())
}
