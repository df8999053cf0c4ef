//! Whether a subplan reads what it writes, so that its rows must go in turn
//! (docs/design/algebra.md, section 2).
//!
//! Looked at by pairs of operators: what one reads against what another writes. What an operator
//! reads of its own writes is its own affair where all rows are its own: `Merge` groups equal keys.
//! A `Set` goes in rounds, which are not the turns of outer rows, so in a subplan it does count.

use std::collections::BTreeSet;

use millrace_plan::{
    ColumnId, ElementKind, Expr, LookupMode, Name, Op, OwnerName, PathPattern, Pipeline,
    Properties, ScanSource, SetName, SideFold, Template,
};

use super::dependencies::{Dependencies, dependencies, is_looked_at};
use crate::operators::MergeTurns;

/// Names of keys; `all` where only data knows them.
#[derive(Default)]
struct Keys {
    all: bool,
    names: BTreeSet<Name>,
}

impl Keys {
    fn overlap(&self, other: &Keys) -> bool {
        let some = |keys: &Keys| keys.all || !keys.names.is_empty();
        self.all && some(other) || other.all && some(self) || !self.names.is_disjoint(&other.names)
    }

    fn add(&mut self, properties: &Properties) {
        self.all |= properties.map.is_some();
        self.names.extend(properties.keyed.iter().map(|(name, _)| name.clone()));
    }
}

/// What an operator reads.
#[derive(Default)]
struct Reads {
    /// Which vertices there are; which edges.
    vertices: bool,
    edges: bool,
    /// What is known of an element at hand, if only that it is there.
    records: bool,
    keys: Keys,
    side_effects: BTreeSet<Name>,
}

/// What an operator writes.
#[derive(Default)]
struct Writes {
    vertices: bool,
    edges: bool,
    deletes: bool,
    /// Of elements that may have been there before.
    keys: Keys,
    side_effects: BTreeSet<Name>,
    catalog: bool,
}

/// How outer rows go through a subplan that writes.
#[derive(Debug, PartialEq)]
pub(super) enum Turns {
    /// All at once.
    AtOnce,
    /// In conflict-free batches: rows without a dependency run together.
    Batches(Dependencies),
    /// One by one.
    Single,
}

/// Whether some operator reads or overwrites what another one writes, subplans included, and which
/// rows see that.
pub(super) fn turns(sub: &Pipeline) -> Turns {
    if !reads_what_it_writes(sub, |_, _| false) {
        return Turns::AtOnce;
    }
    match reads_what_it_writes(sub, is_looked_at) {
        true => Turns::Single,
        false => dependencies(sub).map_or(Turns::Single, Turns::Batches),
    }
}

/// Whether some operator reads or overwrites what another one writes. A read that `is_excused`
/// accepts does not count.
fn reads_what_it_writes(sub: &Pipeline, is_excused: impl Fn(&Op, &Op) -> bool) -> bool {
    if !sub.has_effect() {
        return false;
    }
    let mut accesses = Vec::new();
    sub.visit_ops(&mut |op| accesses.push((op.clone(), reads(op), writes(op))));
    // A list shows in which order its rows came.
    let mut lists = BTreeSet::new();
    let mut twice = false;
    sub.visit_ops(&mut |op| {
        if let Op::SideEffect { name, fold: SideFold::List | SideFold::Bag, .. } = op {
            twice |= !lists.insert(name.clone());
        }
    });
    if twice {
        return true;
    }
    // The rounds of one outer row would lie between those of the others.
    let mut in_rounds = false;
    sub.visit_ops(&mut |op| in_rounds |= op.repeat().is_some() && op.has_effect());
    if in_rounds {
        return true;
    }
    let depends = |one: usize, other: usize| {
        let ((reader, reads, own), (writer, _, writes)) = (&accesses[one], &accesses[other]);
        let sees = !is_excused(reader, writer) && sees(reads, writes);
        one != other && (sees || conflict(reads, writes) || own.keys.overlap(&writes.keys))
    };
    let all = 0..accesses.len();
    all.clone().any(|one| all.clone().any(|other| depends(one, other))) || reads_own_writes(sub)
}

/// Whether a `Set`'s values read a key it writes; one that replaces writes them all.
pub(super) fn set_reads_what_it_writes(properties: &Properties, replace: bool) -> bool {
    let mut read = Reads::default();
    properties.exprs().for_each(|expr| read_expr(expr, &mut read));
    let mut written = Keys { all: replace, ..Keys::default() };
    written.add(properties);
    read.keys.overlap(&written)
}

/// How a `Merge` goes. Its options may write a key that it matches on, or that one of its values
/// reads: a row may then find what an earlier one wrote, and all go in turn. If only options read
/// what they write, and of no element but the merged one, that element's rows go in rounds.
pub(super) fn merge_turns(
    template: &Template,
    options: [&Properties; 2],
    element: ColumnId,
) -> MergeTurns {
    let (mut matched, mut written) = (Reads::default(), Keys::default());
    let (mut elsewhere, mut own) = (Reads::default(), Reads::default());
    matched.keys.add(template.properties());
    template.exprs().for_each(|expr| read_expr(expr, &mut matched));
    for expr in options.into_iter().flat_map(Properties::exprs) {
        read_expr(expr, &mut own);
        read_of_others(expr, element, &mut elsewhere);
    }
    options.into_iter().for_each(|properties| written.add(properties));
    if matched.keys.overlap(&written) || elsewhere.keys.overlap(&written) {
        MergeTurns::SingleRows
    } else if own.keys.overlap(&written) {
        MergeTurns::Rounds
    } else {
        MergeTurns::AtOnce
    }
}

/// The keys read of anything but the column's element.
fn read_of_others(expr: &Expr, element: ColumnId, reads: &mut Reads) {
    expr.walk(&mut |expr| {
        if let Expr::Property { element: of, key } = expr
            && **of != Expr::Column(element)
        {
            reads.keys.names.insert(key.clone());
        }
    });
}

/// Whether the one reads what there is, and the other makes more.
fn sees(reads: &Reads, writes: &Writes) -> bool {
    reads.vertices && writes.vertices || reads.edges && writes.edges
}

fn conflict(reads: &Reads, writes: &Writes) -> bool {
    (reads.vertices || reads.edges || reads.records) && writes.deletes
        || reads.keys.overlap(&writes.keys)
        || !reads.side_effects.is_disjoint(&writes.side_effects)
        || writes.catalog && (reads.vertices || reads.edges)
}

fn reads_own_writes(sub: &Pipeline) -> bool {
    let mut own = false;
    sub.visit_ops(&mut |op| {
        own |= !reads(op).side_effects.is_disjoint(&writes(op).side_effects);
        if let Op::Set { properties, replace, .. } = op {
            own |= set_reads_what_it_writes(properties, *replace);
        }
    });
    own
}

fn read_expr(expr: &Expr, reads: &mut Reads) {
    expr.walk(&mut |expr| match expr {
        Expr::Property { key, .. } => {
            reads.keys.names.insert(key.clone());
            reads.records = true;
        }
        Expr::Properties { keys, .. } => {
            reads.records = true;
            reads.keys.all |= keys.is_none();
            reads.keys.names.extend(keys.iter().flatten().cloned());
        }
        Expr::Labels(_) | Expr::HasLabel { .. } | Expr::EdgeType(_) => reads.records = true,
        Expr::InSet { set: SetName::SideEffect(name), .. } => {
            reads.side_effects.insert(name.clone());
        }
        Expr::InSet { set: SetName::Let(_), .. }
        | Expr::Column(_)
        | Expr::Literal(_)
        | Expr::Parameter(_)
        | Expr::Let { .. }
        | Expr::Id(_)
        | Expr::Compare { .. }
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Not(_)
        | Expr::IsNull(_)
        | Expr::IsAbsent(_)
        | Expr::InList { .. }
        | Expr::Arithmetic { .. }
        | Expr::Call { .. }
        | Expr::AnyValue { .. }
        | Expr::SingleValue(_)
        | Expr::List(_)
        | Expr::Map(_)
        | Expr::Case { .. } => {}
    });
}

fn read_to_match(template: &Template, reads: &mut Reads) {
    match template {
        Template::Vertex { .. } => reads.vertices = true,
        Template::Edge { .. } => (reads.edges, reads.records) = (true, true),
    }
    reads.keys.add(template.properties());
}

fn read_by_ways(path: &PathPattern, reads: &mut Reads) {
    reads.edges = true;
    reads.keys.names.extend(path.weight.iter().map(|weight| weight.key.clone()));
}

fn reads(op: &Op) -> Reads {
    let mut reads = Reads::default();
    op.exprs().into_iter().for_each(|expr| read_expr(expr, &mut reads));
    match op {
        Op::Scan { source, .. } => match source {
            ScanSource::Vertices(_) => reads.vertices = true,
            ScanSource::Edges(_) => reads.edges = true,
        },
        Op::Seek { owner, keys, range, .. } => {
            match owner {
                OwnerName::Label(_) | OwnerName::AllVertices => reads.vertices = true,
                OwnerName::EdgeType(_) => reads.edges = true,
            }
            let ranged = range.iter().map(|range| &range.key);
            reads.keys.names.extend(keys.iter().chain(ranged).cloned());
        }
        // Which vertex an id names may depend on those that are made.
        Op::LookupById { element: ElementKind::Vertex, .. } => reads.vertices = true,
        Op::LookupById { element: ElementKind::Edge, mode, .. } => {
            reads.edges = *mode != LookupMode::Unchecked;
        }
        Op::PathExpand { path, .. } => read_by_ways(path, &mut reads),
        Op::Expand { .. } | Op::ExpandInto { .. } | Op::Intersect(_) => reads.edges = true,
        Op::Endpoints { .. } | Op::TrailEndpoints { .. } => reads.records = true,
        Op::Fields { keys, languages, .. } => {
            reads.records = true;
            // A bare key is read in all its languages, with what is said of the values.
            reads.keys.all = keys.is_none() || languages.is_some();
            reads.keys.names.extend(keys.iter().flatten().cloned());
        }
        Op::Lookup(lookup) => {
            reads.side_effects.insert(lookup.name.clone());
        }
        // What a procedure looks at is its own.
        Op::Call(_) => {
            (reads.vertices, reads.edges, reads.records) = (true, true, true);
            reads.keys.all = true;
        }
        Op::Merge { template, .. } => read_to_match(template, &mut reads),
        // What is written to, and what an edge is to join, must still be there.
        Op::Set { .. } | Op::Remove { .. } | Op::Create { template: Template::Edge { .. }, .. } => {
            reads.records = true;
        }
        Op::Rows { .. }
        | Op::LetRef { .. }
        | Op::PathStep { .. }
        | Op::Filter { .. }
        | Op::Project { .. }
        | Op::Unwind { .. }
        | Op::UnwindValues { .. }
        | Op::Aggregate { .. }
        | Op::Random(_)
        | Op::Fold { .. }
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Barrier { .. }
        | Op::Join { .. }
        | Op::Group { .. }
        | Op::Repeat(_)
        | Op::RecursiveExpand(_)
        | Op::Fail { .. }
        | Op::Union { .. }
        | Op::Apply { .. }
        | Op::SideEffect { .. }
        | Op::Create { template: Template::Vertex { .. }, .. }
        | Op::Delete { .. }
        | Op::Define { .. } => {}
    }
    reads
}

fn writes(op: &Op) -> Writes {
    let mut writes = Writes::default();
    match op {
        Op::Create { template, .. } => match template {
            Template::Vertex { .. } => writes.vertices = true,
            Template::Edge { .. } => writes.edges = true,
        },
        Op::Merge { template, on_match, .. } => {
            match template {
                Template::Vertex { .. } => writes.vertices = true,
                Template::Edge { .. } => writes.edges = true,
            }
            writes.keys.add(on_match);
        }
        Op::Set { properties, replace, .. } => {
            writes.keys.add(properties);
            writes.keys.all |= *replace;
        }
        Op::Remove { keys, .. } => match keys {
            Some(keys) => writes.keys.names.extend(keys.iter().cloned()),
            None => writes.keys.all = true,
        },
        Op::Delete { .. } => writes.deletes = true,
        Op::Define { .. } => writes.catalog = true,
        Op::SideEffect { name, .. } => {
            writes.side_effects.insert(name.clone());
        }
        Op::Scan { .. }
        | Op::Seek { .. }
        | Op::LookupById { .. }
        | Op::Rows { .. }
        | Op::LetRef { .. }
        | Op::Expand { .. }
        | Op::ExpandInto { .. }
        | Op::Intersect(_)
        | Op::PathExpand { .. }
        | Op::TrailEndpoints { .. }
        | Op::PathStep { .. }
        | Op::Endpoints { .. }
        | Op::Fields { .. }
        | Op::Lookup(_)
        | Op::Call(_)
        | Op::Filter { .. }
        | Op::Project { .. }
        | Op::Unwind { .. }
        | Op::UnwindValues { .. }
        | Op::Aggregate { .. }
        | Op::Random(_)
        | Op::Fold { .. }
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Barrier { .. }
        | Op::Join { .. }
        | Op::Group { .. }
        | Op::Repeat(_)
        | Op::RecursiveExpand(_)
        | Op::Fail { .. }
        | Op::Union { .. }
        | Op::Apply { .. } => {}
    }
    writes
}
