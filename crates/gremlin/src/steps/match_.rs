//! `match(patterns)`: all ways to bind tags so that every pattern holds, as maps of tags.
//!
//! A pattern runs as soon as it can: one with a bound start goes on from it, and binds its end or must
//! come back to it; one without an end, or that compares, only keeps rows.

use std::collections::BTreeSet;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::Result;
use millrace_plan::{ApplyKind, Comparison, Expr, Name, op};

use super::wheres::at_tags;
use crate::steps::{self, Fact, Step};
use crate::translate::{At, Call, Kind, State, Tag, Traversal, connect, names};

pub(super) const STEP: Step = Step::new("match", translate).facts(&[Fact::AsksTraverser]);

/// A pattern: from a tag, along steps, to a tag.
struct Pattern {
    from: Name,
    steps: Bytecode,
    to: Option<Name>,
    /// Whether it goes on behind its last tag, which then is no part of the result.
    goes_on: bool,
    /// The tags that its steps compare with.
    reads: BTreeSet<Name>,
}

/// A pattern or a condition of a `match`.
enum Asked {
    /// A way from a tag.
    Way(Pattern),
    /// The rest of a way, behind its last tag.
    Behind(Pattern),
    /// A condition on tags, as a traversal, with all that it reads.
    Condition(Instruction, BTreeSet<Name>),
}

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let mut asked = Vec::new();
    for argument in call.arguments() {
        let Argument::Bytecode(inner) = argument else {
            return Err(call.wrong("takes traversals"));
        };
        read(call, inner, &mut asked)?;
    }
    let mut bound: BTreeSet<Name> = traversal.state.tags.keys().cloned().collect();
    let mut named = BTreeSet::new();
    if let Some(start) = start_of(&asked, &bound) {
        traversal.state.tags.insert(start.clone(), Tag { at, many: false, may_miss: false });
        bound.insert(start.clone());
        named.insert(start);
    }
    while !asked.is_empty() {
        let open: BTreeSet<Name> = asked.iter().filter_map(end_of).collect();
        let Some(place) = asked.iter().position(|one| can_be_taken(one, &bound, &open)) else {
            return Err(call.wrong("has patterns that no other pattern leads to"));
        };
        match asked.remove(place) {
            Asked::Condition(step, tags) => {
                named.extend(tags);
                hold(traversal, at, step)?;
            }
            Asked::Behind(pattern) => go(traversal, call, &pattern)?,
            Asked::Way(pattern) => {
                if !pattern.goes_on {
                    named.extend(pattern.to.clone());
                }
                named.insert(pattern.from.clone());
                bound.extend(pattern.to.clone());
                go(traversal, call, &pattern)?;
            }
        }
    }
    let pairs = named.into_iter().filter_map(|name| {
        let tag = traversal.state.tag_named(&name)?;
        Some((name, Expr::Column(tag.at.column)))
    });
    let map = Expr::Map(pairs.collect());
    traversal.moved_to("matched", map, Kind::Map);
    Ok(())
}

/// Reads the patterns and conditions of an inner traversal.
fn read(call: &Call<'_>, inner: &Bytecode, asked: &mut Vec<Asked>) -> Result<()> {
    let inner = &connect(&steps::LIST, inner).unwrap_or_else(|| inner.clone());
    let [first, rest @ ..] = inner.steps.as_slice() else { return Ok(()) };
    if steps::is(first, Fact::Conjunction) && rest.is_empty() {
        for part in &first.arguments {
            if let Argument::Bytecode(part) = part {
                read(call, part, asked)?;
            }
        }
        return Ok(());
    }
    if steps::is(first, Fact::ComparesTags) && rest.is_empty() {
        let mut tags = BTreeSet::new();
        read_tags(first, &mut tags);
        asked.push(Asked::Condition(first.clone(), tags));
        return Ok(());
    }
    if !steps::is(first, Fact::SetsTags) {
        return Err(call.refused(format!("has a pattern that begins with {}()", first.name)));
    }
    let from = one_name(call, first)?;
    let way = |steps: &[Instruction]| Bytecode { sources: Vec::new(), steps: steps.to_vec() };
    let Some(last) = rest.iter().rposition(|step| steps::is(step, Fact::SetsTags)) else {
        let reads = compared(rest);
        let (steps, to) = (way(rest), None);
        asked.push(Asked::Way(Pattern { from, steps, to, goes_on: false, reads }));
        return Ok(());
    };
    let (steps, to, behind) = (&rest[..last], one_name(call, &rest[last])?, &rest[last + 1..]);
    let (goes_on, reads) = (!behind.is_empty(), compared(steps));
    asked.push(Asked::Way(Pattern {
        from,
        steps: way(steps),
        to: Some(to.clone()),
        goes_on,
        reads,
    }));
    if goes_on {
        // The steps behind the last tag keep rows, once the tags that they compare with are bound.
        let reads = compared(behind);
        asked.push(Asked::Behind(Pattern {
            from: to,
            steps: way(behind),
            to: None,
            goes_on,
            reads,
        }));
    }
    Ok(())
}

fn one_name(call: &Call<'_>, tags: &Instruction) -> Result<Name> {
    match names(tags)?.as_slice() {
        [name] => Ok(name.clone()),
        _ => Err(call.wrong("has a pattern that begins or ends at several tags")),
    }
}

/// The tags that a condition begins or ends at, or compares.
fn read_tags(step: &Instruction, tags: &mut BTreeSet<Name>) {
    for argument in &step.arguments {
        match argument {
            Argument::Bytecode(inner) => {
                let ends = inner.steps.iter().filter(|step| steps::is(step, Fact::SetsTags));
                tags.extend(ends.flat_map(|step| names(step).unwrap_or_default()));
                inner.steps.iter().for_each(|step| {
                    if steps::is(step, Fact::ComparesTags) {
                        read_tags(step, tags);
                    }
                });
            }
            Argument::Value(millrace_model::Value::String(name)) => {
                tags.insert(name.clone());
            }
            Argument::Predicate(predicate) => {
                let named = predicate.arguments.iter().filter_map(|argument| match argument {
                    Argument::Value(millrace_model::Value::String(name)) => Some(name.clone()),
                    _ => None,
                });
                tags.extend(named);
            }
            _ => {}
        }
    }
}

/// The tags that some steps compare with.
fn compared(way: &[Instruction]) -> BTreeSet<Name> {
    let mut tags = BTreeSet::new();
    let compare = way.iter().filter(|step| steps::is(step, Fact::ComparesTags));
    compare.for_each(|step| read_tags(step, &mut tags));
    tags
}

/// The tag that the incoming object gets: where a pattern begins and none ends, and nothing is bound.
fn start_of(asked: &[Asked], bound: &BTreeSet<Name>) -> Option<Name> {
    let ways: Vec<&Pattern> = asked
        .iter()
        .filter_map(|one| if let Asked::Way(way) = one { Some(way) } else { None })
        .collect();
    if ways.iter().any(|way| bound.contains(&way.from)) {
        return None;
    }
    let is_end = |name: &Name| ways.iter().any(|way| way.to.as_ref() == Some(name));
    let first = ways.iter().find(|way| !is_end(&way.from)).or(ways.first());
    first.map(|way| way.from.clone())
}

/// The tag that a pattern binds.
fn end_of(asked: &Asked) -> Option<Name> {
    if let Asked::Way(pattern) = asked { pattern.to.clone() } else { None }
}

/// Whether all tags that it reads are bound. Tags that it compares with count only if a pattern still binds them.
fn can_be_taken(asked: &Asked, bound: &BTreeSet<Name>, open: &BTreeSet<Name>) -> bool {
    match asked {
        Asked::Way(pattern) | Asked::Behind(pattern) => {
            let waits = |name: &Name| {
                open.contains(name) && !bound.contains(name) && pattern.to.as_ref() != Some(name)
            };
            bound.contains(&pattern.from) && !pattern.reads.iter().any(waits)
        }
        Asked::Condition(_, tags) => tags.is_subset(bound),
    }
}

/// Keeps rows by a condition on tags.
fn hold(traversal: &mut Traversal<'_>, at: At, step: Instruction) -> Result<()> {
    let condition = Bytecode { sources: Vec::new(), steps: vec![step] };
    super::filter::keep_where(traversal, at, &at_tags(&condition))
}

/// Goes along a pattern.
fn go(traversal: &mut Traversal<'_>, call: &Call<'_>, pattern: &Pattern) -> Result<()> {
    let from = super::select::tag(traversal, call, &pattern.from)?;
    let state = State { at: Some(from), ..traversal.state.clone() };
    let Some(to) = &pattern.to else {
        let sub = traversal.sub_from(state, |sub| sub.run(&pattern.steps))?;
        traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Exists });
        return Ok(());
    };
    let known = traversal.state.tag_named(to);
    let sub = traversal.sub_from(state, |sub| sub.run(&pattern.steps))?;
    let end = sub.state.at.unwrap_or(from);
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Flat });
    match known {
        Some(known) => {
            let [known, end] = [known.at, end].map(|at| Expr::Column(at.column));
            traversal.plan.filter(Expr::compare(Comparison::Equal, known, end));
        }
        None => {
            traversal.state.tags.insert(to.clone(), Tag { at: end, many: false, may_miss: false });
        }
    }
    Ok(())
}
