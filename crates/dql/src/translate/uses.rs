//! Which variables a block defines, and which it uses: blocks run in the order that they need, and each variable is
//! defined once and used.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use millrace_model::{Error, Result};

use super::problems::wrong;
use crate::tree::{
    Aggregate, AggregateOf, Argument, Block, Child, Directives, ExpandOf, Facets, FacetsKind,
    Filter, Fragment, Function, Math, MathKind, Name, Offset, Order, OrderKey, PathEnd, Root,
    Selection, Subject,
};

/// The variables of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses<'t> {
    pub(super) defined: BTreeMap<&'t str, Offset>,
    pub(super) used: BTreeMap<&'t str, Offset>,
    /// Defined a second time.
    twice: Option<&'t Name>,
}

/// The fragments by their names.
pub(super) type Fragments<'t> = HashMap<&'t str, &'t Fragment>;

impl<'t> Uses<'t> {
    /// Those of a block.
    pub(super) fn of_block(block: &'t Block, fragments: &Fragments<'t>) -> Uses<'t> {
        let mut uses = Uses::default();
        uses.block(block, fragments);
        uses
    }

    /// Those of a child, and of what lies below it.
    pub(super) fn of_child(child: &'t Child, fragments: &Fragments<'t>) -> Uses<'t> {
        let mut uses = Uses::default();
        uses.children(std::slice::from_ref(child), fragments, &mut HashSet::new());
        uses
    }

    fn block(&mut self, block: &'t Block, fragments: &Fragments<'t>) {
        self.define(block.variable.as_ref());
        match &block.root {
            Root::Function(function) => self.function(function),
            Root::Shortest(path) => {
                for end in path.from.iter().chain(&path.to) {
                    if let PathEnd::Variable(name) = end {
                        self.use_(name);
                    }
                }
            }
            Root::Absent | Root::Id { .. } => {}
        }
        self.orders(&block.order);
        self.directives(&block.directives);
        self.children(&block.children, fragments, &mut HashSet::new());
    }

    fn define(&mut self, name: Option<&'t Name>) {
        if let Some(name) = name
            && self.defined.insert(&name.text, name.offset).is_some()
        {
            self.twice = Some(name);
        }
    }

    fn use_(&mut self, name: &'t Name) {
        self.used.entry(&name.text).or_insert(name.offset);
    }

    fn orders(&mut self, orders: &'t [Order]) {
        for order in orders {
            if let OrderKey::Variable(name) = &order.key {
                self.use_(name);
            }
        }
    }

    fn directives(&mut self, directives: &'t Directives) {
        if let Some(filter) = &directives.filter {
            self.filter(filter);
        }
        directives.facets.iter().for_each(|facets| self.facets(facets));
    }

    fn facets(&mut self, facets: &'t Facets) {
        match &facets.kind {
            FacetsKind::All => {}
            FacetsKind::Keys(keys) => {
                keys.iter().for_each(|key| self.define(key.variable.as_ref()));
            }
            FacetsKind::Filter(filter) => self.filter(filter),
        }
    }

    /// Those of a condition.
    pub(super) fn filter(&mut self, filter: &'t Filter) {
        match filter {
            Filter::Function(function) => self.function(function),
            Filter::Not { of, .. } => self.filter(of),
            Filter::And(all) | Filter::Or(all) => all.iter().for_each(|own| self.filter(own)),
        }
    }

    fn function(&mut self, function: &'t Function) {
        match &function.subject {
            Subject::Variable(name) | Subject::Length(name) => self.use_(name),
            Subject::Absent | Subject::Predicate(_) | Subject::Count(_) => {}
        }
        if function.name != "type" {
            self.arguments(&function.arguments);
        }
    }

    fn arguments(&mut self, arguments: &'t [Argument]) {
        for argument in arguments {
            match argument {
                Argument::Variable(name) | Argument::ValueOf(name) => self.use_(name),
                Argument::Uids { arguments, .. } => self.arguments(arguments),
                Argument::Value(_) | Argument::Named(_) => {}
            }
        }
    }

    fn children(
        &mut self,
        children: &'t [Child],
        fragments: &Fragments<'t>,
        open: &mut HashSet<&'t str>,
    ) {
        for child in children {
            self.define(child.variable.as_ref());
            match &child.selection {
                Selection::Predicate(traversal) | Selection::Count(traversal) => {
                    self.orders(&traversal.order);
                    self.directives(&traversal.directives);
                    self.children(&traversal.children, fragments, open);
                }
                Selection::Variable(name) => self.use_(name),
                Selection::Aggregate(
                    Aggregate::Min | Aggregate::Max | Aggregate::Sum | Aggregate::Avg,
                    of,
                ) => {
                    if let AggregateOf::Variable(name) = of {
                        self.use_(name);
                    }
                }
                Selection::Math(math) => self.math(math),
                Selection::Expand(expand) => {
                    if let ExpandOf::Variable(name) = &expand.of {
                        self.use_(name);
                    }
                    self.orders(&expand.order);
                    self.directives(&expand.directives);
                    self.children(&expand.children, fragments, open);
                }
                Selection::Fragment(name) => {
                    if let Some(fragment) = fragments.get(name.text.as_str())
                        && open.insert(&name.text)
                    {
                        self.children(&fragment.children, fragments, open);
                        open.remove(name.text.as_str());
                    }
                }
                Selection::Uid | Selection::CountUid | Selection::PasswordCheck(_) => {}
            }
        }
    }

    fn math(&mut self, math: &'t Math) {
        match &math.kind {
            MathKind::Variable(name) => {
                self.used.entry(name).or_insert(math.offset);
            }
            MathKind::Number(_) | MathKind::Parameter(_) => {}
            MathKind::Negative(inner) => self.math(inner),
            MathKind::Binary(_, left, right) => {
                self.math(left);
                self.math(right);
            }
            MathKind::Call(_, arguments) => arguments.iter().for_each(|own| self.math(own)),
        }
    }
}

/// The order in which blocks run: each behind those whose variables it uses. `outside` are variables that mutations use.
pub(super) fn in_order<'t>(
    text: &str,
    uses: &[Uses<'t>],
    outside: &BTreeSet<&'t str>,
) -> Result<Vec<usize>> {
    check(text, uses, outside)?;
    let mut waiting = Waiting::of(uses);
    // The first of the text that can run is next.
    let mut ready: BTreeSet<usize> = (0..uses.len()).filter(|own| waiting.is_ready(*own)).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first() {
        order.push(next);
        ready.extend(waiting.ready_behind(next));
    }
    let Some(stuck) = (0..uses.len()).find(|own| !waiting.is_ready(*own)) else { return Ok(order) };
    let at = uses[stuck].used.values().next().copied().unwrap_or_default();
    let detail = "Query couldn't be executed: blocks use variables of one another in a circle";
    Err(wrong(text, at, detail))
}

/// Which blocks or children wait for others, as they use variables that these define.
pub(super) struct Waiting {
    /// Those that wait for each, once for each variable.
    behind: Vec<Vec<usize>>,
    /// The variables that each waits for.
    missing: Vec<usize>,
}

impl Waiting {
    pub(super) fn of(uses: &[Uses<'_>]) -> Waiting {
        let mut makers: HashMap<&str, usize> = HashMap::new();
        for (number, own) in uses.iter().enumerate() {
            makers.extend(own.defined.keys().map(|name| (*name, number)));
        }
        let mut waiting =
            Waiting { behind: vec![Vec::new(); uses.len()], missing: vec![0; uses.len()] };
        for (number, own) in uses.iter().enumerate() {
            let makers = own.used.keys().filter_map(|name| makers.get(name));
            for maker in makers.filter(|maker| **maker != number) {
                waiting.behind[*maker].push(number);
                waiting.missing[number] += 1;
            }
        }
        waiting
    }

    /// Whether one waits for none.
    pub(super) fn is_ready(&self, number: usize) -> bool {
        self.missing[number] == 0
    }

    /// Those that wait for none any more once this one is done.
    pub(super) fn ready_behind(&mut self, number: usize) -> Vec<usize> {
        let mut ready = Vec::new();
        for own in std::mem::take(&mut self.behind[number]) {
            self.missing[own] -= 1;
            if self.missing[own] == 0 {
                ready.push(own);
            }
        }
        ready
    }
}

fn check(text: &str, uses: &[Uses<'_>], outside: &BTreeSet<&str>) -> Result<()> {
    let mut defined: BTreeMap<&str, Offset> = BTreeMap::new();
    for own in uses {
        if let Some(twice) = own.twice {
            return Err(defined_twice(text, &twice.text, twice.offset));
        }
        for (name, at) in &own.defined {
            if defined.insert(name, *at).is_some() {
                return Err(defined_twice(text, name, *at));
            }
        }
    }
    for own in uses {
        if let Some((name, at)) = own.used.iter().find(|(name, _)| !defined.contains_key(**name)) {
            let detail = format!("Some variables are used but not defined: {name}");
            return Err(wrong(text, *at, detail));
        }
    }
    if let Some(name) = outside.iter().find(|name| !defined.contains_key(**name)) {
        let detail = format!("Some variables are used but not defined: {name}");
        return Err(wrong(text, Offset(0), detail));
    }
    let mut used: HashSet<&str> = uses.iter().flat_map(|own| own.used.keys().copied()).collect();
    used.extend(outside);
    if let Some((name, at)) = defined.iter().find(|(name, _)| !used.contains(**name)) {
        let detail = format!("Some variables are defined but not used: {name}");
        return Err(wrong(text, *at, detail));
    }
    Ok(())
}

fn defined_twice(text: &str, name: &str, at: Offset) -> Error {
    wrong(text, at, format!("Variable {name} is defined multiple times"))
}
