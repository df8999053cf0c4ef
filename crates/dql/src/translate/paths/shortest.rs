//! `shortest`: the cheapest paths between two nodes, along predicates, each with a filter and a facet as weight.

use std::sync::Arc;

use millrace_model::{Direction, Result, Value};
use millrace_plan::{
    ColumnId, ElementKind, Expr, Fold, LookupMode, Loops, Makes, ParallelEdges, PathAlternative,
    PathLeg, PathMode, PathPattern, PathTest, op,
};

use crate::answer::{BlockKind, PathsLayout};
use crate::schema::Kind;
use crate::translate::problems::refused_where;
use crate::translate::translator::Translator;
use crate::tree::{Block, Child, FacetsKind, PathEnd, Selection, ShortestPath, Traversal};

/// The name of paths in an answer.
pub(in crate::translate) const PATHS: &str = "_path_";

/// The facet of a step, by its key and the name that an answer shows.
type StepFacet = Option<(Arc<str>, Arc<str>)>;

impl<'a> Translator<'a> {
    /// The paths of a block.
    pub(in crate::translate) fn shortest(
        &mut self,
        block: &'a Block,
        path: &ShortestPath,
    ) -> Result<BlockKind> {
        self.builder.begin_pipeline();
        let searched = self.searched(block, path);
        let pipeline = self.builder.end_pipeline();
        let Searched { steps, facets, columns, vertices } = searched?;
        let mut kept = columns.clone();
        kept.push(vertices);
        let bound = self.builder.bind_pipeline("paths", pipeline, kept);
        if let Some(variable) = &block.variable {
            // The variable has the nodes of the best path.
            self.builder.begin_pipeline();
            let list = self.builder.column("vertices");
            self.builder.push(op::LetRef { name: bound, columns: vec![(vertices, list)] });
            self.builder.push(op::Range::of(0, Some(1)));
            let node = self.builder.column(&variable.text);
            let list = Expr::Column(list);
            self.builder.push(op::Unwind { list, to: node, position: None });
            let pipeline = self.builder.end_pipeline();
            let name = self.builder.bind_pipeline(&variable.text, pipeline, vec![node]);
            self.define_path(&variable.text, (name, node));
        }
        self.builder.begin_pipeline();
        let made = self.let_ref(bound, &columns);
        let pipeline = self.builder.end_pipeline();
        let bag = self.bag(pipeline, made);
        let shown = |(name, facet): (Arc<str>, StepFacet)| {
            let place =
                |key: &Arc<str>| facets.iter().position(|own| own == key).map(|own| own + 3);
            let facet = facet.and_then(|(key, shown)| Some((shown, place(&key)?)));
            (name, facet)
        };
        Ok(BlockKind::Paths(PathsLayout { bag, steps: steps.into_iter().map(shown).collect() }))
    }

    fn searched(&mut self, block: &'a Block, path: &ShortestPath) -> Result<Searched> {
        let count = match &path.path_count {
            Some(value) => u64::try_from(self.operands.number(value)?).unwrap_or(0),
            None => 1,
        };
        let from = self.path_end(path.from.as_ref(), "from", block)?;
        let into = self.path_end(path.to.as_ref(), "to", block)?;
        let mut alternatives = Vec::new();
        let mut steps = Vec::new();
        let mut facets: Vec<Arc<str>> = Vec::new();
        // Of several edges between two nodes that of the last predicate counts.
        let children = self.spread(&block.children)?;
        for child in children.into_iter().rev() {
            let Some((alternative, facet)) = self.step(child)? else { continue };
            if let Some((key, _)) = &facet
                && !facets.contains(key)
            {
                facets.push(Arc::clone(key));
            }
            let name = match &child.selection {
                Selection::Predicate(traversal) => traversal.predicate.to_string().into(),
                _ => Arc::from(""),
            };
            steps.push((name, facet));
            alternatives.push(alternative);
        }
        if alternatives.is_empty() {
            self.builder.filter(Expr::literal(false));
            let types = Some(Vec::new());
            alternatives.push(PathAlternative::along(types, Direction::Out, Loops::Once));
        }
        let leg = PathLeg { alternatives, parallel: ParallelEdges::First };
        let ways = PathMode::CheapestAcyclic(count.max(1));
        let mut pattern = PathPattern::repeating(from, leg, (0, None), ways);
        pattern.into = Some(into);
        if let Some(depth) = &path.depth {
            match u64::try_from(self.operands.number(depth)?) {
                Ok(0) | Err(_) => {
                    self.builder.filter(Expr::literal(false));
                }
                Ok(depth) => pattern.radius = Some(depth),
            }
        }
        if let Some(most) = &path.frontier_size_max {
            pattern.frontier = Some(u64::try_from(self.operands.number(most)?).unwrap_or(0));
        }
        if 1 < count {
            pattern.least = path.weight_min.as_ref().map(|own| self.weight(own)).transpose()?;
            pattern.most = path.weight_max.as_ref().map(|own| self.weight(own)).transpose()?;
        }
        let [edges, vertices, taken, cost] =
            ["edges", "vertices", "taken", "cost"].map(|name| self.builder.column(name));
        self.builder.push(op::PathExpand {
            edges: Some(edges),
            vertices: Some(vertices),
            alternatives: Some(taken),
            cost: Some(cost),
            ..op::PathExpand::unread(pattern)
        });
        let uids = self.over(vertices, |item| Expr::Id(Box::new(Expr::Column(item))));
        let mut columns = vec![self.builder.project("uids", uids), taken, cost];
        for key in &facets {
            let values = self.over(edges, |item| {
                Expr::coalesce(vec![Expr::property(item, key), Expr::Literal(Value::Null)])
            });
            columns.push(self.builder.project(key, values));
        }
        Ok(Searched { steps, facets, columns, vertices })
    }

    fn over(&mut self, list: ColumnId, value: impl FnOnce(ColumnId) -> Expr) -> Expr {
        let item = self.builder.column("item");
        let makes = Makes::List { keep: None, value: Some(value(item)) };
        Expr::over(Expr::Column(list), item, makes)
    }

    fn weight(&mut self, value: &crate::tree::Value) -> Result<f64> {
        let text = self.operands.literal(value)?;
        match crate::values::read(&text, Kind::Float) {
            Ok(Value::F64(weight)) => Ok(weight),
            _ => Err(self.wrong(value.offset, format!("expected a number, found `{text}`"))),
        }
    }

    /// A node at which paths begin or end.
    fn path_end(&mut self, end: Option<&PathEnd>, word: &str, block: &Block) -> Result<ColumnId> {
        let Some(end) = end else {
            let detail = format!("from/to can't be nil for shortest path: `{word}` is missing");
            return Err(self.wrong(block.offset, detail));
        };
        let to = self.builder.column(word);
        match end {
            PathEnd::Uid(value) => {
                let ids = self.operands.operand(value, Kind::Uid)?;
                let (element, mode) = (ElementKind::Vertex, LookupMode::Unchecked);
                self.builder.push(op::LookupById { element, ids, mode, to });
            }
            PathEnd::Variable(name) => {
                let (rows, kept) = self.uid_variable(&name.text)?;
                self.builder.push(op::LetRef { name: rows, columns: vec![(kept, to)] });
                self.refuse_several(word, &name.text, (rows, kept));
            }
        }
        Ok(to)
    }

    /// An error where a variable has more than one node.
    fn refuse_several(
        &mut self,
        word: &str,
        name: &str,
        (rows, kept): (millrace_plan::LetId, ColumnId),
    ) {
        use millrace_plan::{ApplyKind, Comparison};
        let count = self.builder.column("count");
        self.builder.begin_pipeline();
        let node = self.builder.column("node");
        self.builder.push(op::LetRef { name: rows, columns: vec![(kept, node)] });
        let sub = self.builder.end_pipeline();
        let kind = ApplyKind::Value { fold: Fold::Count, to: count };
        self.builder.push(op::Apply { sub, kind });
        let is_wrong =
            Expr::compare(Comparison::Greater, Expr::Column(count), Expr::literal(1_i64));
        let message = format!("{word} variable({name}) should only expand to 1 uid");
        self.builder.filter(refused_where(is_wrong, &message));
    }

    /// A predicate as an alternative of the steps of paths; none: it leads nowhere.
    fn step(&mut self, child: &Child) -> Result<Option<(PathAlternative, StepFacet)>> {
        let Selection::Predicate(traversal) = &child.selection else {
            let detail = "only predicates stand in `shortest`";
            return Err(self.wrong(child.offset, detail));
        };
        let page = &traversal.page;
        let is_paged = page.first.is_some() || page.offset.is_some() || page.after.is_some();
        if is_paged || !traversal.order.is_empty() {
            let what = "a page or an order of the steps of `shortest` is not supported";
            let help = "leave `first`, `offset`, `after` and the order out, or filter the steps";
            return Err(self.unsupported(traversal.predicate.offset, what, help));
        }
        let Some(named) = self.named(&traversal.predicate) else { return Ok(None) };
        if !named.known.is_edge() && !traversal.predicate.is_reverse {
            return Ok(None);
        }
        let facet = self.step_facet(traversal)?;
        let predicate = &traversal.predicate;
        let direction = if predicate.is_reverse { Direction::In } else { Direction::Out };
        let types = Some(vec![predicate.name.as_str().into()]);
        let mut alternative = PathAlternative::along(types, direction, Loops::Once);
        alternative.weight = facet.as_ref().map(|(key, _)| Arc::clone(key));
        let filters =
            traversal.directives.facets.iter().any(|own| matches!(own.kind, FacetsKind::Filter(_)));
        if traversal.directives.filter.is_some() || filters {
            alternative.test = Some(self.must_step_test(traversal)?);
        }
        Ok(Some((alternative, facet)))
    }

    /// The facet that is the weight of a step.
    fn step_facet(&self, traversal: &Traversal) -> Result<StepFacet> {
        let keys = traversal.directives.facets.iter().flat_map(|own| match &own.kind {
            FacetsKind::Keys(keys) => keys.as_slice(),
            FacetsKind::All | FacetsKind::Filter(_) => &[],
        });
        let keys: Vec<_> = keys.collect();
        match keys.as_slice() {
            [] => Ok(None),
            [only] => {
                let key: Arc<str> = only.key.text.as_str().into();
                let shown = match &only.alias {
                    Some(alias) => Arc::from(alias.text.as_str()),
                    None => format!("{}|{key}", traversal.predicate).into(),
                };
                Ok(Some((key, shown)))
            }
            several => {
                let detail = format!("Expected 1 but got {} facets", several.len());
                Err(self.wrong(traversal.predicate.offset, detail))
            }
        }
    }

    /// The conditions of a step, or what to do instead.
    pub(in crate::translate) fn must_step_test(
        &mut self,
        traversal: &Traversal,
    ) -> Result<PathTest> {
        let test = self.step_test(traversal)?;
        test.ok_or_else(|| {
            let what = "a filter of a path that asks about edges or variables is not supported";
            let help = "filter by values of the node";
            self.unsupported(traversal.predicate.offset, what, help)
        })
    }

    /// The conditions of a step, which read its edge and its node alone; none: they read more.
    pub(in crate::translate) fn step_test(
        &mut self,
        traversal: &Traversal,
    ) -> Result<Option<PathTest>> {
        let [edge, vertex] = ["edge", "vertex"].map(|name| self.builder.column(name));
        self.builder.begin_pipeline();
        let mut holds = Vec::new();
        let built = self.step_conditions(traversal, (edge, vertex), &mut holds);
        let pipeline = self.builder.end_pipeline();
        built?;
        let is_whole = pipeline.ops.is_empty();
        Ok(is_whole.then(|| PathTest { edge, vertex, holds: Expr::And(holds) }))
    }

    fn step_conditions(
        &mut self,
        traversal: &Traversal,
        (edge, vertex): (ColumnId, ColumnId),
        holds: &mut Vec<Expr>,
    ) -> Result<()> {
        if let Some(filter) = &traversal.directives.filter {
            holds.push(self.condition(vertex, filter)?);
        }
        for own in &traversal.directives.facets {
            if let FacetsKind::Filter(filter) = &own.kind {
                holds.push(self.facet_condition(filter, &|key| Expr::property(edge, key))?);
            }
        }
        Ok(())
    }
}

/// What a search gives.
struct Searched {
    /// The predicates, as the numbers of alternatives have them.
    steps: Vec<(Arc<str>, StepFacet)>,
    /// The facets that have a column, in order.
    facets: Vec<Arc<str>>,
    /// Uids, alternatives, cost, then facets.
    columns: Vec<ColumnId>,
    vertices: ColumnId,
}
