//! `@recurse`: the predicates of one level again and again, each edge once.
//!
//! ```text
//!   roots ──RecursiveExpand──> nested bags of nodes and edges
//!     └────all nodes that are reached──> their values, once each; edges with facets
//! ```

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{
    ColumnId, Loops, PathAlternative, PathLeg, PathMode, PathPattern, PathTest, Pipeline, op,
};

use super::children::Context;
use super::levels::{Level, Rows};
use super::pages::Comes;
use super::translator::Translator;
use crate::answer::{BlockKind, Facets as Shown, RecursionShape, RecursionStep};
use crate::tree::{Block, Child, FacetsKind, Name, Recursion, Selection, Traversal};

/// A predicate that is followed.
struct Step<'t> {
    traversal: Traversal,
    variable: Option<&'t Name>,
    name: Arc<str>,
    is_single: bool,
}

impl<'a> Translator<'a> {
    /// The nodes of a block with `@recurse`.
    pub(super) fn recursion(
        &mut self,
        block: &'a Block,
        recursion: &Recursion,
    ) -> Result<BlockKind> {
        let depth = match &recursion.depth {
            Some(value) => u64::try_from(self.operands.number(value)?).unwrap_or(0),
            None => 0,
        };
        let loops = match &recursion.is_loop {
            Some(value) => self.operands.literal(value)? == "true",
            None => false,
        };
        if loops && depth == 0 {
            let detail = "Depth must be > 0 when loop is true for recurse query";
            return Err(self.wrong(recursion.offset, detail));
        }
        let rounds = (depth != 0).then(|| depth - 1);
        self.builder.begin_pipeline();
        let rows = self.root_rows(block);
        let pipeline = self.builder.end_pipeline();
        let node = rows?;
        let number = self.levels.add(None);
        let roots = Level { number, rows: Rows::Own(pipeline), node, parent: None, edge: None };
        let roots = self.bound(&block.name.text, roots);
        if let Some(variable) = &block.variable {
            self.define_uids(variable, &roots)?;
        }
        let (steps, values) = self.recursion_parts(block)?;
        let reached = self.reached(&roots, &steps, rounds)?;
        self.builder.begin_pipeline();
        let own = self.open(copy(&reached));
        let built = self.node(&own, &values, Context::default());
        let sub = self.builder.end_pipeline();
        let (node_shape, columns) = built?;
        let values = self.bag(sub, columns);
        let mut shown = Vec::new();
        for step in &steps {
            if let Some(variable) = step.variable {
                self.define_step(variable, &reached, step)?;
            }
            shown.push(self.step_shape(&reached, step)?);
        }
        let bag = self.recursion_bag(&roots, &steps, (rounds, loops))?;
        Ok(BlockKind::Recursion(RecursionShape { bag, values, node: node_shape, steps: shown }))
    }

    /// The predicates that are followed, and the children that are read of each node.
    fn recursion_parts(&mut self, block: &'a Block) -> Result<(Vec<Step<'a>>, Vec<&'a Child>)> {
        let (mut steps, mut values) = (Vec::new(), Vec::new());
        for child in self.spread(&block.children)? {
            match &child.selection {
                Selection::Predicate(traversal) => {
                    if !traversal.children.is_empty() {
                        let detail = "recurse queries require that all predicates are specified in one level";
                        return Err(self.wrong(child.offset, detail));
                    }
                    let Some(named) = self.named(&traversal.predicate) else { continue };
                    if !named.known.is_edge() && !traversal.predicate.is_reverse {
                        values.push(child);
                        continue;
                    }
                    let alias = child.alias.as_ref().map(|alias| Arc::from(alias.text.as_str()));
                    let is_single = !named.known.is_list && !traversal.predicate.is_reverse;
                    let name = alias.unwrap_or_else(|| named.name());
                    let traversal = (**traversal).clone();
                    steps.push(Step {
                        traversal,
                        variable: child.variable.as_ref(),
                        name,
                        is_single,
                    });
                }
                Selection::Expand(expand) => {
                    for (name, is_reverse) in self.expanded(expand)?.into_keys() {
                        let Some(known) = self.predicate(&name) else { continue };
                        if !known.is_edge() && !is_reverse {
                            continue;
                        }
                        let traversal = Traversal {
                            predicate: crate::tree::Predicate {
                                offset: child.offset,
                                is_reverse,
                                name: name.to_string(),
                                languages: Vec::new(),
                            },
                            page: expand.page.clone(),
                            order: expand.order.clone(),
                            directives: expand.directives.clone(),
                            children: Vec::new(),
                        };
                        let reverse = if is_reverse { "~" } else { "" };
                        let shown = format!("{reverse}{name}").into();
                        let is_single = !known.is_list && !is_reverse;
                        steps.push(Step { traversal, variable: None, name: shown, is_single });
                    }
                    values.push(child);
                }
                _ => values.push(child),
            }
        }
        Ok((steps, values))
    }

    /// All nodes that are reached from the roots, these included, each once.
    fn reached(&mut self, roots: &Level, steps: &[Step<'_>], rounds: Option<u64>) -> Result<Level> {
        let kept = self.kept(roots.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let built = self.reached_in(from, steps, rounds);
        let pipeline = self.builder.end_pipeline();
        let node = built?;
        let number = self.levels.add(None);
        let level = Level { number, rows: Rows::Own(pipeline), node, parent: None, edge: None };
        Ok(self.bound("reached", level))
    }

    fn reached_in(
        &mut self,
        from: ColumnId,
        steps: &[Step<'_>],
        rounds: Option<u64>,
    ) -> Result<ColumnId> {
        let mut alternatives = Vec::new();
        for step in steps {
            alternatives.push(self.recursion_alternative(step)?);
        }
        if alternatives.is_empty() {
            return Ok(from);
        }
        let leg = PathLeg {
            alternatives,
            ..PathLeg::along(None, millrace_model::Direction::Out, Loops::Once)
        };
        let pattern = PathPattern::repeating(from, leg, (0, rounds), PathMode::AnyShortest);
        let to = self.builder.column("reached");
        self.builder.push(op::PathExpand { to: Some(to), ..op::PathExpand::unread(pattern) });
        self.builder.push(op::Dedup { columns: vec![to] });
        let keys = vec![self.uid_key(to)];
        self.builder.push(op::Sort { keys });
        Ok(to)
    }

    fn recursion_alternative(&mut self, step: &Step<'_>) -> Result<PathAlternative> {
        let predicate = &step.traversal.predicate;
        let direction = match predicate.is_reverse {
            true => millrace_model::Direction::In,
            false => millrace_model::Direction::Out,
        };
        let types = Some(vec![predicate.name.as_str().into()]);
        let mut alternative = PathAlternative::along(types, direction, Loops::Once);
        let directives = &step.traversal.directives;
        let filters_facets =
            directives.facets.iter().any(|own| matches!(own.kind, FacetsKind::Filter(_)));
        if directives.filter.is_some() || filters_facets {
            let test: PathTest = self.step_test(&step.traversal)?;
            alternative.test = Some(test);
        }
        Ok(alternative)
    }

    /// The nodes that a step leads to.
    fn define_step(&mut self, variable: &Name, reached: &Level, step: &Step<'_>) -> Result<()> {
        let kept = self.kept(reached.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let (node, _) = self.expand_edges(from, &step.traversal.predicate, false);
        let filtered = self.filter(node, step.traversal.directives.filter.as_deref());
        self.builder.push(op::Dedup { columns: vec![node] });
        let keys = vec![self.uid_key(node)];
        self.builder.push(op::Sort { keys });
        let pipeline = self.builder.end_pipeline();
        filtered?;
        let bound = self.builder.bind_pipeline(&variable.text, pipeline, vec![node]);
        self.define_node_set(&variable.text, (bound, node));
        Ok(())
    }

    /// What is shown of a step: its name, and the facets of its edges in a bag of their own.
    fn step_shape(&mut self, reached: &Level, step: &Step<'_>) -> Result<RecursionStep> {
        let facets = &step.traversal.directives.facets;
        let (name, is_single) = (Arc::clone(&step.name), step.is_single);
        if facets.is_empty() {
            return Ok(RecursionStep { name, is_single, edges: None });
        }
        let kept = self.kept(reached.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let (_, edge) = self.expand_edges(from, &step.traversal.predicate, true);
        let mut fields =
            super::children::Fields::new(edge.into_iter().collect(), Default::default());
        let shown = self.edge_facets(edge, (&step.name, facets), &mut fields);
        let sub = self.builder.end_pipeline();
        let is_none = matches!(shown, Shown::None);
        let bag = self.bag(sub, fields.columns);
        Ok(RecursionStep { name, is_single, edges: (!is_none).then_some((bag, shown)) })
    }

    fn recursion_bag(
        &mut self,
        roots: &Level,
        steps: &[Step<'_>],
        (rounds, loops): (Option<u64>, bool),
    ) -> Result<usize> {
        let kept = self.kept(roots.number)?;
        let at = self.builder.column("at");
        let (mut pipelines, mut next, mut edges): (Vec<Pipeline>, _, _) = Default::default();
        for step in steps {
            self.builder.begin_pipeline();
            let built = self.recursion_step(at, step);
            pipelines.push(self.builder.end_pipeline());
            let (node, edge) = built?;
            let ends: (&mut Vec<ColumnId>, &mut Vec<Option<ColumnId>>) = (&mut next, &mut edges);
            ends.0.push(node);
            ends.1.push(edge);
        }
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let to = self.builder.column("below");
        self.builder.push(op::RecursiveExpand {
            from,
            at,
            steps: pipelines,
            next,
            edges,
            depth: rounds,
            loops,
            to,
        });
        let sub = self.builder.end_pipeline();
        Ok(self.bag(sub, vec![from, to]))
    }

    fn recursion_step(
        &mut self,
        at: ColumnId,
        step: &Step<'_>,
    ) -> Result<(ColumnId, Option<ColumnId>)> {
        let traversal = &step.traversal;
        let facets = &traversal.directives.facets;
        let (to, edge) = self.expand_edges(at, &traversal.predicate, !facets.is_empty());
        if let Some(edge) = edge {
            self.filter_facets(edge, facets)?;
        }
        self.filter(to, traversal.directives.filter.as_deref())?;
        let keys = edge.map_or_else(Vec::new, |edge| self.facet_keys(edge, facets));
        self.order(to, (&traversal.order, keys), Comes::InAnyOrder)?;
        self.page(&traversal.page)?;
        Ok((to, edge))
    }
}

/// A level whose rows are kept, once more.
fn copy(level: &Level) -> Level {
    let rows = match level.rows {
        Rows::Bound(name) => Rows::Bound(name),
        Rows::Own(_) => Rows::Own(Pipeline::default()),
    };
    Level { number: level.number, rows, node: level.node, parent: level.parent, edge: level.edge }
}
