//! `mergeE(map)`: the edges that are as a map says, or one made so.

use millrace_bytecode::Argument;
use millrace_model::{Direction, Result, Token, Value};
use millrace_plan::functions::Wanted as Type;
use millrace_plan::{
    Comparison, ElementKind, End as PlanEnd, Expr, Fold, Function, Label, LookupMode, Loops, Op,
    Properties, ScanSource, Template, UnionPick, op,
};

use super::merge_found::{FoundMap, at_once_or_in_turn, unless_overridden};
use super::merging::{
    End, KnownMaps, MergeInput, Wanted, fail_overridden, in_turn, is_known, on_match_of_all,
    option, vertex,
};
use super::texts::require;
use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step::new("mergeE", translate)
    .arguments(0, 1)
    .modulators(&["option"])
    .facts(&[Fact::NamesTypes, Fact::Writes, Fact::Merges]);

/// The type of edges that are made without one.
const DEFAULT_TYPE: &str = "edge";

/// An end that a map or an option names.
#[derive(Clone)]
struct SaidEnd {
    /// The vertex; null where there is none.
    vertex: At,
    /// Whether the map of a row names it.
    said: Expr,
}

/// The ends of the edge to look for.
#[derive(Clone)]
struct Ends {
    source: Option<SaidEnd>,
    target: Option<SaidEnd>,
}

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let to = match MergeInput::read(traversal, call, &["onCreate", "onMatch", "outV", "inV"])? {
        MergeInput::Known(maps) => of_known_maps(traversal, call, *maps)?,
        MergeInput::Found { map, wanted, created } => {
            of_found_maps(traversal, call, map, wanted, created)?
        }
    };
    traversal.moved(to.column, Kind::Edge);
    Ok(())
}

/// By maps that are known before the run.
fn of_known_maps(traversal: &mut Traversal<'_>, call: &Call<'_>, maps: KnownMaps) -> Result<At> {
    let KnownMaps { wanted, created, is_overridden } = maps;
    let all = wanted.with_created(created.clone());
    let looked_for = Ends::of(traversal, call, &wanted)?;
    let to = At::new(traversal.plan.column("edge"), Kind::Edge);
    let only_keys = created.label.is_none()
        && created.id.is_none()
        && created.source.is_none()
        && created.target.is_none();
    if let (Some(label), Some(source), Some(target)) =
        (&wanted.label, &looked_for.source, &looked_for.target)
        && wanted.id.is_none()
        && only_keys
        && !is_overridden
        && let Some(on_match) = on_match_of_all(traversal, call, to)?
    {
        let properties = Properties { keyed: wanted.properties, map: None };
        let edge_type = Label::Known(label.clone());
        let (source, target) =
            (must_end(traversal, source, "Out"), must_end(traversal, target, "In"));
        let template =
            Template::Edge { edge_type, source, target, properties, must_have_ends: None };
        let on_create = Properties { keyed: created.properties, map: None };
        let to = to.column;
        traversal.plan.push(op::Merge { template, on_create, on_match, to, created: None });
        return Ok(At::new(to, Kind::Edge));
    }
    let made = Ends::of(traversal, call, &all)?;
    let find = |sub: &mut Traversal<'_>| {
        match &wanted.id {
            Some(id) => {
                find_by_id(sub, to, id.clone(), &looked_for);
                if let Some(label) = &wanted.label {
                    let own = elements::label(to);
                    let label = Expr::literal(&**label);
                    sub.plan.filter(Expr::compare(Comparison::Equal, own, label));
                }
            }
            None => find(sub, to, wanted.label.as_ref(), &looked_for)?,
        }
        wanted.keep(sub, to);
        Ok(())
    };
    in_turn(traversal, call, to, find, |sub| {
        if is_overridden {
            fail_overridden(sub, call, to);
            return Ok(());
        }
        let label = all.label.clone().map_or_else(|| DEFAULT_TYPE.into(), Label::Known);
        let properties = Properties { keyed: all.properties.clone(), map: None };
        create(sub, to, (label, all.id.clone()), properties, &made);
        Ok(())
    })?;
    Ok(to)
}

/// By maps that are known only at run time.
fn of_found_maps(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    map: Option<&Argument>,
    wanted: FoundMap,
    created: FoundMap,
) -> Result<At> {
    let all = wanted.with_created(traversal, created);
    let looked_for = Ends::of_found(traversal, call, map, wanted)?;
    let made = Ends::of_found(traversal, call, map, all)?;
    let to = At::new(traversal.plan.column("edge"), Kind::Edge);
    let on_match = on_match_of_all(traversal, call, to)?;
    let turns = |sub: &mut Traversal<'_>| {
        let find = |sub: &mut Traversal<'_>| {
            find_found(sub, to, wanted, &looked_for)?;
            wanted.keep(sub, to);
            Ok(())
        };
        in_turn(sub, call, to, find, |sub| {
            unless_overridden(sub, call, to, wanted.is_overridden(created), |sub| {
                let label = Expr::Case {
                    branches: vec![(all.says(Token::Label), all.label())],
                    otherwise: Some(Box::new(Expr::literal(DEFAULT_TYPE))),
                };
                let template = (Label::Of(label), Some(all.id()));
                create(sub, to, template, all.written(), &made);
                Ok(())
            })
        })
    };
    let (Some(on_match), Some(source), Some(target)) =
        (on_match, &looked_for.source, &looked_for.target)
    else {
        turns(traversal)?;
        return Ok(to);
    };
    let odd = vec![
        wanted.says(Token::Label).negate(),
        source.said.clone().negate(),
        target.said.clone().negate(),
        all.says(Token::Id),
        created.says(Token::Label),
        created.says(Token::End(Direction::Out)),
        created.says(Token::End(Direction::In)),
        wanted.is_overridden(created),
        // A missing end is an error only where an edge is created.
        Expr::IsNull(Box::new(Expr::Column(source.vertex.column))),
        Expr::IsNull(Box::new(Expr::Column(target.vertex.column))),
    ];
    let template = Template::Edge {
        edge_type: Label::Of(wanted.label()),
        source: source.vertex.column,
        target: target.vertex.column,
        properties: wanted.written(),
        must_have_ends: None,
    };
    let on_create = created.written();
    let at_once =
        Op::Merge(op::Merge { template, on_create, on_match, to: to.column, created: None });
    let state = traversal.state.clone();
    let turns = traversal.sub_from(state, turns)?;
    at_once_or_in_turn(traversal, odd, at_once, turns);
    Ok(to)
}

impl Ends {
    fn of(traversal: &mut Traversal<'_>, call: &Call<'_>, wanted: &Wanted) -> Result<Ends> {
        let source = end(traversal, call, wanted.source.as_ref(), "outV")?;
        let target = end(traversal, call, wanted.target.as_ref(), "inV")?;
        let said = |vertex| SaidEnd { vertex, said: Expr::literal(true) };
        Ok(Ends { source: source.map(said), target: target.map(said) })
    }

    /// The same by a map that is known only at run time; `known` is the map as it was written, if it was.
    fn of_found(
        traversal: &mut Traversal<'_>,
        call: &Call<'_>,
        known: Option<&Argument>,
        wanted: FoundMap,
    ) -> Result<Ends> {
        let known = match known.filter(|known| is_known(traversal, known)) {
            Some(known) => Wanted::read(traversal, call, known)?,
            None => Wanted::default(),
        };
        let mut found = |said: Option<&End>, direction, name| -> Result<Option<SaidEnd>> {
            if matches!(said, Some(End::Option)) || option(call, name)?.is_some() {
                let vertex = end(traversal, call, said, name)?;
                return Ok(vertex.map(|vertex| SaidEnd { vertex, said: Expr::literal(true) }));
            }
            let token = Token::End(direction);
            let vertex = vertex(traversal, wanted.token(token))?;
            Ok(Some(SaidEnd { vertex, said: wanted.says(token) }))
        };
        let source = found(known.source.as_ref(), Direction::Out, "outV")?;
        let target = found(known.target.as_ref(), Direction::In, "inV")?;
        Ok(Ends { source, target })
    }
}

fn end(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    end: Option<&End>,
    name: &str,
) -> Result<Option<At>> {
    match (end, option(call, name)?) {
        (Some(End::Vertex(id)), _) => vertex(traversal, id.clone()).map(Some),
        (Some(End::Option), None) => {
            let detail = format!("does not specify option({name}) for the end it names");
            Err(call.wrong(detail))
        }
        (None, None) => Ok(None),
        (_, Some(Argument::Bytecode(inner))) => match traversal.state.at {
            Some(at) => traversal.first_of(at, inner).map(Some),
            None => traversal.first_from_nowhere(inner).map(Some),
        },
        (_, Some(map)) => {
            let wanted = Wanted::read(traversal, call, map)?;
            let found = At::new(traversal.plan.column(name), Kind::Vertex);
            let state = traversal.state.clone();
            let sub = traversal.sub_from(state, |sub| super::merge_v::find(sub, found, &wanted))?;
            let to = traversal.plan.column("end");
            let fold = Fold::First(Expr::Column(found.column));
            let kind = millrace_plan::ApplyKind::Value { fold, to };
            traversal.plan.push(op::Apply { sub: sub.pipeline, kind });
            Ok(Some(At::new(to, Kind::Vertex)))
        }
    }
}

/// The edges of a type with the given ends.
fn find(
    traversal: &mut Traversal<'_>,
    to: At,
    label: Option<&millrace_plan::Name>,
    ends: &Ends,
) -> Result<()> {
    let types = label.map(|label| vec![label.clone()]);
    let mut branches = Vec::new();
    let mut picks = Vec::new();
    let ways =
        [(&ends.source, Direction::Out, &ends.target), (&ends.target, Direction::In, &ends.source)];
    for (from, direction, other) in ways {
        let Some(from) = from else { continue };
        let state = traversal.state.clone();
        let sub = traversal.sub_from(state, |sub| {
            let reached = sub.plan.column("reached");
            let (edge, loops) = (Some(to.column), Loops::Twice);
            let (column, types) = (from.vertex.column, types.clone());
            let from = column;
            sub.plan.push(op::Expand { from, types, direction, edge, to: Some(reached), loops });
            if let Some(other) = other {
                let both = [reached, other.vertex.column].map(Expr::Column);
                let [reached, vertex] = both;
                let same = Expr::compare(Comparison::Equal, reached, vertex);
                sub.plan.filter(Expr::Or(vec![other.said.clone().negate(), same]));
            }
            Ok(())
        })?;
        branches.push(sub.pipeline);
        picks.push(from.said.clone());
    }
    let state = traversal.state.clone();
    let all = traversal.sub_from(state, |sub| {
        sub.plan.push(op::Scan { source: ScanSource::Edges(types), to: to.column });
        Ok(())
    })?;
    branches.push(all.pipeline);
    picks.push(Expr::literal(true));
    traversal.plan.push(op::Union { branches, pick: UnionPick::First(picks) });
    Ok(())
}

/// The edge of an id, if it has the given ends.
fn find_by_id(traversal: &mut Traversal<'_>, to: At, id: Expr, ends: &Ends) {
    let ids = Expr::call(Function::Ids, vec![Expr::List(vec![id])]);
    let element = ElementKind::Edge;
    traversal.plan.push(op::LookupById { element, ids, mode: LookupMode::Checked, to: to.column });
    for (wanted, end) in [(&ends.source, PlanEnd::Source), (&ends.target, PlanEnd::Target)] {
        let Some(wanted) = wanted else { continue };
        let own = traversal.plan.column("end");
        traversal.plan.push(op::Endpoints { edge: to.column, end, to: own });
        let both = [own, wanted.vertex.column].map(Expr::Column);
        let [own, vertex] = both;
        let same = Expr::compare(Comparison::Equal, own, vertex);
        traversal.plan.filter(Expr::Or(vec![wanted.said.clone().negate(), same]));
    }
}

/// The edges of a map that is known only at run time: by its id where it has one, else by its ends.
fn find_found(traversal: &mut Traversal<'_>, to: At, wanted: FoundMap, ends: &Ends) -> Result<()> {
    let state = traversal.state.clone();
    let with_id = traversal.sub_from(state.clone(), |sub| {
        find_by_id(sub, to, wanted.id(), ends);
        Ok(())
    })?;
    let all = traversal.sub_from(state, |sub| find(sub, to, None, ends))?;
    let pick = UnionPick::First(vec![wanted.says(Token::Id), Expr::literal(true)]);
    traversal.plan.push(op::Union { branches: vec![with_id.pipeline, all.pipeline], pick });
    Ok(())
}

/// The vertex at an end; an error where there is none.
fn must_end(traversal: &mut Traversal<'_>, end: &SaidEnd, which: &str) -> millrace_plan::ColumnId {
    let unsaid = format!("{which} Vertex not specified in mergeE");
    let unknown = format!("{which} Vertex id could not be resolved from mergeE");
    let said = Expr::Case {
        branches: vec![(end.said.clone(), Expr::literal(true))],
        otherwise: Some(Box::new(Expr::Literal(Value::Null))),
    };
    traversal.plan.filter(require(Type::Anything, said, Some(&unsaid), &unsaid));
    let vertex = Expr::Column(end.vertex.column);
    let vertex = require(Type::Vertex, vertex, Some(&unknown), &unknown);
    traversal.plan.project("end", vertex)
}

/// Creates an edge, with an external id if one was given; an error where an end is not known.
fn create(
    traversal: &mut Traversal<'_>,
    to: At,
    (edge_type, id): (Label, Option<Expr>),
    properties: Properties,
    ends: &Ends,
) {
    let mut must = |end: &Option<SaidEnd>, which| match end {
        Some(end) => must_end(traversal, end, which),
        None => {
            let vertex = traversal.plan.project("nowhere", Expr::Literal(Value::Null));
            let vertex = At::new(vertex, Kind::Vertex);
            must_end(traversal, &SaidEnd { vertex, said: Expr::literal(false) }, which)
        }
    };
    let (source, target) = (must(&ends.source, "Out"), must(&ends.target, "In"));
    let template = Template::Edge { edge_type, source, target, properties, must_have_ends: None };
    traversal.plan.push(op::Create { template, id, to: to.column });
}
