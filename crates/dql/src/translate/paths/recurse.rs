//! `@recurse`: the predicates of one level again and again, each edge once.
//!
//! ```text
//!   roots ──RecursiveExpand──> nested bags of nodes and edges
//!     └────all nodes that are reached──> their values, once each; edges with facets
//! ```

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{
    ColumnId, Expr, Loops, PathAlternative, PathLeg, PathMode, PathPattern, PathTest, Pipeline, op,
};

use crate::answer::{BlockKind, Facets as Shown, RecursionLayout, RecursionStep};
use crate::form::AnswerForm;
use crate::translate::levels::Comes;
use crate::translate::levels::Context;
use crate::translate::levels::all_facets;
use crate::translate::levels::{Level, Rows};
use crate::translate::translator::Translator;
use crate::tree::{
    Block, Cascade, Child, Expand, FacetsKind, Name, Predicate, Recursion, Selection, Traversal,
};
use crate::values::read_bool;

/// A predicate that is followed.
struct Step<'t> {
    traversal: Traversal,
    variable: Option<&'t Name>,
    name: Arc<str>,
    is_single: bool,
}

/// The steps of a recursion, what is read of each node, and what `@cascade` asks of it.
struct Parts<'t> {
    steps: Vec<Step<'t>>,
    values: Vec<&'t Child>,
    whole: Whole,
}

/// What a node must have.
#[derive(Default)]
struct Whole {
    /// The predicates of which it has values to be read.
    values: Vec<Predicate>,
    /// Whether no node has all: nodes at the end of a recursion lead nowhere.
    is_never: bool,
}

impl<'a> Translator<'a> {
    /// The nodes of a block with `@recurse`.
    pub(in crate::translate) fn recursion(
        &mut self,
        block: &'a Block,
        recursion: &Recursion,
    ) -> Result<BlockKind> {
        let depth = match &recursion.depth {
            Some(value) => u64::try_from(self.operands.number(value)?).map_err(|_| {
                self.wrong(value.offset, "the depth of a recursion is not negative")
            })?,
            None => 0,
        };
        let loops = match &recursion.is_loop {
            Some(value) => {
                let text = self.operands.literal(value)?;
                let detail = "Value inside loop should be type of boolean";
                read_bool(&text).map_err(|_| self.wrong(value.offset, detail))?
            }
            None => false,
        };
        if loops && depth == 0 {
            let detail = "Depth must be > 0 when loop is true for recurse query";
            return Err(self.wrong(recursion.offset, detail));
        }
        self.check_form(&block.directives)?;
        let rounds = (depth != 0).then(|| depth - 1);
        let Parts { steps, values, whole } = self.recursion_parts(block)?;
        self.builder.begin_pipeline();
        let rows = self.recursion_roots(block, &whole);
        let pipeline = self.builder.end_pipeline();
        let node = rows?;
        let number = self.levels.add(None);
        let roots = Level { number, rows: Rows::Own(pipeline), node, parent: None, edge: None };
        let roots = self.bound(&block.name.text, roots);
        if let Some(variable) = &block.variable {
            self.define_uids(variable, &roots)?;
        }
        let reached = self.reached(&roots, (&steps, &whole), rounds)?;
        self.builder.begin_pipeline();
        let own = self.open(copy(&reached));
        let is_flat = block.directives.normalize.is_some();
        let built = self.node(&own, &values, Context { is_flat, ..Context::default() });
        let sub = self.builder.end_pipeline();
        let (node_layout, columns) = built?;
        let values = self.bag(sub, columns);
        let mut shown = Vec::new();
        for step in &steps {
            if let Some(variable) = step.variable {
                self.define_step(variable, &reached, (step, &whole))?;
            }
            shown.push(self.step_layout(&reached, step)?);
        }
        let bag = self.recursion_bag(&roots, (&steps, &whole), (rounds, loops))?;
        let (node, steps) = (node_layout, shown);
        Ok(BlockKind::Recursion(RecursionLayout { bag, values, node, steps, rounds }))
    }

    /// The nodes that it begins with.
    fn recursion_roots(&mut self, block: &'a Block, whole: &Whole) -> Result<ColumnId> {
        let node = self.root_rows(block)?;
        if block.directives.cascade.is_some() {
            self.keep_reached(node, whole);
            self.page(&block.page)?;
        }
        Ok(node)
    }

    /// The predicates that are followed, and the children that are read of each node.
    fn recursion_parts(&mut self, block: &'a Block) -> Result<Parts<'a>> {
        let cascade = block.directives.cascade.as_deref();
        let mut parts = Parts { steps: Vec::new(), values: Vec::new(), whole: Whole::default() };
        for child in self.spread(&block.children)? {
            match &child.selection {
                Selection::Predicate(traversal) => {
                    if !traversal.children.is_empty() {
                        let detail = "recurse queries require that all predicates are specified in one level";
                        return Err(self.wrong(child.offset, detail));
                    }
                    self.check_form(&traversal.directives)?;
                    let predicate = &traversal.predicate;
                    let Some(named) = self.named(predicate) else {
                        parts.whole.is_never |= is_wanted(cascade, &predicate.name);
                        continue;
                    };
                    if !named.known.is_edge() && !predicate.is_reverse {
                        parts.values.push(child);
                        parts.whole.ask(cascade, predicate.clone());
                        continue;
                    }
                    parts.whole.is_never |= is_wanted(cascade, &predicate.name);
                    let alias = child.alias.as_ref().map(|alias| Arc::from(alias.text.as_str()));
                    let is_single = !named.known.is_list && !predicate.is_reverse;
                    let name = alias.unwrap_or_else(|| named.name());
                    let traversal = (**traversal).clone();
                    let variable = child.variable.as_ref();
                    parts.steps.push(Step { traversal, variable, name, is_single });
                }
                Selection::Expand(expand) => {
                    self.expanded_parts(expand, cascade, &mut parts)?;
                    parts.values.push(child);
                }
                _ => parts.values.push(child),
            }
        }
        Ok(parts)
    }

    /// The predicates that an `expand` stands for: the edges as steps.
    fn expanded_parts(
        &mut self,
        expand: &Expand,
        cascade: Option<&Cascade>,
        parts: &mut Parts<'_>,
    ) -> Result<()> {
        for (name, is_reverse) in self.expanded(expand)?.into_keys() {
            let Some(known) = self.predicate(&name) else { continue };
            let offset = Default::default();
            let mut predicate =
                Predicate { offset, is_reverse, name: name.to_string(), languages: Vec::new() };
            if !known.is_edge() && !is_reverse {
                // A value of any language will do.
                predicate.languages.push(".".to_owned());
                parts.whole.ask(cascade, predicate);
                continue;
            }
            parts.whole.is_never |= is_wanted(cascade, &name);
            let mut directives = expand.directives.clone();
            if self.form != AnswerForm::Rdf && directives.facets.is_empty() {
                directives.facets = all_facets();
            }
            let traversal = Traversal {
                predicate,
                page: expand.page.clone(),
                order: expand.order.clone(),
                directives,
                children: Vec::new(),
            };
            let reverse = if is_reverse { "~" } else { "" };
            let shown = format!("{reverse}{name}").into();
            let is_single = !known.is_list && !is_reverse;
            parts.steps.push(Step { traversal, variable: None, name: shown, is_single });
        }
        Ok(())
    }

    /// Keeps the nodes of the open pipeline that have all that `@cascade` asks.
    fn keep_reached(&mut self, node: ColumnId, whole: &Whole) {
        let tests = self.wholeness(node, whole);
        if !tests.is_empty() {
            self.builder.filter(Expr::And(tests));
        }
    }

    fn wholeness(&mut self, node: ColumnId, whole: &Whole) -> Vec<Expr> {
        if whole.is_never {
            return vec![Expr::literal(false)];
        }
        let has = |predicate| {
            let named = self.named(predicate);
            named.map_or(Expr::literal(false), |named| self.has_value(node, &named))
        };
        whole.values.iter().map(has).collect()
    }

    /// All nodes that are reached from the roots, these included, each once.
    fn reached(
        &mut self,
        roots: &Level,
        parts: (&[Step<'_>], &Whole),
        rounds: Option<u64>,
    ) -> Result<Level> {
        let kept = self.bound_level(roots.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let built = self.reached_in(from, parts, rounds);
        let pipeline = self.builder.end_pipeline();
        let node = built?;
        let number = self.levels.add(None);
        let level = Level { number, rows: Rows::Own(pipeline), node, parent: None, edge: None };
        Ok(self.bound("reached", level))
    }

    fn reached_in(
        &mut self,
        from: ColumnId,
        (steps, whole): (&[Step<'_>], &Whole),
        rounds: Option<u64>,
    ) -> Result<ColumnId> {
        let mut alternatives = Vec::new();
        let has_variables = steps.iter().any(|step| step.variable.is_some());
        for step in steps {
            alternatives.push(self.recursion_alternative(step, whole, has_variables)?);
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

    fn recursion_alternative(
        &mut self,
        step: &Step<'_>,
        whole: &Whole,
        has_variables: bool,
    ) -> Result<PathAlternative> {
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
        let is_asked = whole.is_never || !whole.values.is_empty();
        if directives.filter.is_some() || filters_facets || is_asked {
            // A test that cannot be made leaves more nodes here, and their values are not shown.
            let test = match has_variables {
                true => Some(self.must_step_test(&step.traversal)?),
                false => self.step_test(&step.traversal)?,
            };
            let Some(PathTest { edge, vertex, holds }) = test else { return Ok(alternative) };
            let mut all = self.wholeness(vertex, whole);
            all.push(holds);
            alternative.test = Some(PathTest { edge, vertex, holds: Expr::And(all) });
        }
        Ok(alternative)
    }

    /// The nodes that a step leads to.
    fn define_step(
        &mut self,
        variable: &Name,
        reached: &Level,
        (step, whole): (&Step<'_>, &Whole),
    ) -> Result<()> {
        let kept = self.bound_level(reached.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let (node, _) = self.expand_edges(from, &step.traversal.predicate, false);
        let behind = self.after(node, &step.traversal.page);
        let filtered = self.filter(node, step.traversal.directives.filter.as_deref());
        self.keep_reached(node, whole);
        self.builder.push(op::Dedup { columns: vec![node] });
        let keys = vec![self.uid_key(node)];
        self.builder.push(op::Sort { keys });
        let pipeline = self.builder.end_pipeline();
        behind.and(filtered)?;
        let bound = self.builder.bind_pipeline(&variable.text, pipeline, vec![node]);
        self.define_node_set(&variable.text, (bound, node));
        Ok(())
    }

    /// What is shown of a step: its name, and the facets of its edges in a bag of their own.
    fn step_layout(&mut self, reached: &Level, step: &Step<'_>) -> Result<RecursionStep> {
        let facets = &step.traversal.directives.facets;
        let (name, is_single) = (Arc::clone(&step.name), step.is_single);
        if facets.is_empty() {
            return Ok(RecursionStep { name, is_single, edges: None });
        }
        let kept = self.bound_level(reached.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        let (_, edge) = self.expand_edges(from, &step.traversal.predicate, true);
        let mut fields =
            crate::translate::levels::Fields::new(edge.into_iter().collect(), Default::default());
        let shown = self.edge_facets(edge, (&step.name, facets), &mut fields);
        let sub = self.builder.end_pipeline();
        let is_none = matches!(shown, Shown::None);
        let bag = self.bag(sub, fields.columns);
        Ok(RecursionStep { name, is_single, edges: (!is_none).then_some((bag, shown)) })
    }

    fn recursion_bag(
        &mut self,
        roots: &Level,
        (steps, whole): (&[Step<'_>], &Whole),
        (rounds, loops): (Option<u64>, bool),
    ) -> Result<usize> {
        let kept = self.bound_level(roots.number)?;
        let at = self.builder.column("at");
        let (mut pipelines, mut next, mut edges): (Vec<Pipeline>, _, _) = Default::default();
        for step in steps {
            self.builder.begin_pipeline();
            let built = self.recursion_step(at, (step, whole));
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
        (step, whole): (&Step<'_>, &Whole),
    ) -> Result<(ColumnId, Option<ColumnId>)> {
        let traversal = &step.traversal;
        let facets = &traversal.directives.facets;
        let (to, edge) = self.expand_edges(at, &traversal.predicate, !facets.is_empty());
        if let Some(edge) = edge {
            self.filter_facets(edge, facets)?;
        }
        self.after(to, &traversal.page)?;
        self.filter(to, traversal.directives.filter.as_deref())?;
        self.keep_reached(to, whole);
        let keys = edge.map_or_else(Vec::new, |edge| self.facet_keys(edge, facets));
        self.order(to, (&traversal.order, keys), Comes::InAnyOrder)?;
        self.page(&traversal.page)?;
        Ok((to, edge))
    }
}

impl Whole {
    /// Asks for values of a predicate, if the cascade does.
    fn ask(&mut self, cascade: Option<&Cascade>, predicate: Predicate) {
        if is_wanted(cascade, &predicate.name) {
            self.values.push(predicate);
        }
    }
}

/// Whether a cascade asks for a predicate.
fn is_wanted(cascade: Option<&Cascade>, name: &str) -> bool {
    let asks = |own: &Cascade| {
        own.predicates.is_empty() || own.predicates.iter().any(|own| own.name == name)
    };
    cascade.is_some_and(asks)
}

/// A level whose rows are kept, once more.
fn copy(level: &Level) -> Level {
    let rows = match level.rows {
        Rows::Bound(name) => Rows::Bound(name),
        Rows::Own(_) => Rows::Own(Pipeline::default()),
    };
    Level { number: level.number, rows, node: level.node, parent: level.parent, edge: level.edge }
}
