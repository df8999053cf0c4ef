//! `mergeV(map)`: the vertices that are as a map says, or one made so.

use millrace_model::{Result, Token};
use millrace_plan::{
    ElementKind, Expr, Function, Label, LookupMode, Op, Properties, ScanSource, Template,
    UnionPick, op,
};

use super::merge_found::{FoundMap, at_once_or_in_turn, unless_overridden};
use super::merging::{KnownMaps, MergeInput, Wanted, fail_overridden, in_turn, on_match_of_all};
use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step::new("mergeV", translate)
    .arguments(0, 1)
    .modulators(&["option"])
    .facts(&[Fact::NamesLabels, Fact::Writes, Fact::Merges]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let to = match MergeInput::read(traversal, call, &["onCreate", "onMatch"])? {
        MergeInput::Known(maps) => of_known_maps(traversal, call, *maps)?,
        MergeInput::Found { wanted, created, .. } => {
            of_found_maps(traversal, call, wanted, created)?
        }
    };
    traversal.moved(to.column, Kind::Vertex);
    Ok(())
}

/// By maps that are known before the run.
fn of_known_maps(traversal: &mut Traversal<'_>, call: &Call<'_>, maps: KnownMaps) -> Result<At> {
    let KnownMaps { wanted, created, is_overridden } = maps;
    let only_keys = created.label.is_none() && created.id.is_none() && !is_overridden;
    let to = At::new(traversal.plan.column("vertex"), Kind::Vertex);
    if let Some(label) = &wanted.label
        // By label and keys: all rows at once.
        && wanted.id.is_none() && only_keys && !wanted.properties.is_empty()
        && let Some(on_match) = on_match_of_all(traversal, call, to)?
    {
        let properties = Properties { keyed: wanted.properties, map: None };
        let template = Template::Vertex { labels: vec![label.clone().into()], properties };
        let on_create = Properties { keyed: created.properties, map: None };
        let to = to.column;
        traversal.plan.push(op::Merge { template, on_create, on_match, to, created: None });
    } else {
        let all = wanted.with_created(created);
        let find = |sub: &mut Traversal<'_>| find(sub, to, &wanted);
        in_turn(traversal, call, to, find, |sub| {
            if is_overridden {
                fail_overridden(sub, call, to);
                return Ok(());
            }
            let label = all.label.clone().map_or_else(default_label, Label::Known);
            let properties = Properties { keyed: all.properties.clone(), map: None };
            let template = Template::Vertex { labels: vec![label], properties };
            sub.plan.push(op::Create { template, id: all.id.clone(), to: to.column });
            Ok(())
        })?;
    }
    Ok(to)
}

fn default_label() -> Label {
    elements::DEFAULT_LABEL.into()
}

/// By maps that are known only at run time.
fn of_found_maps(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    wanted: FoundMap,
    created: FoundMap,
) -> Result<At> {
    let all = wanted.with_created(traversal, created);
    let to = At::new(traversal.plan.column("vertex"), Kind::Vertex);
    let on_match = on_match_of_all(traversal, call, to)?;
    let turns = |sub: &mut Traversal<'_>| {
        let find = |sub: &mut Traversal<'_>| find_found(sub, to, wanted);
        in_turn(sub, call, to, find, |sub| {
            unless_overridden(sub, call, to, wanted.is_overridden(created), |sub| {
                let label = Expr::Case {
                    branches: vec![(all.says(Token::Label), all.label())],
                    otherwise: Some(Box::new(Expr::literal(elements::DEFAULT_LABEL))),
                };
                let template =
                    Template::Vertex { labels: vec![Label::Of(label)], properties: all.written() };
                sub.plan.push(op::Create { template, id: Some(all.id()), to: to.column });
                Ok(())
            })
        })
    };
    let Some(on_match) = on_match else {
        turns(traversal)?;
        return Ok(to);
    };
    let labels = vec![Label::Of(wanted.label())];
    let template = Template::Vertex { labels, properties: wanted.written() };
    let on_create = created.written();
    let at_once =
        Op::Merge(op::Merge { template, on_create, on_match, to: to.column, created: None });
    let odd = vec![
        wanted.says(Token::Label).negate(),
        wanted.says(Token::Id),
        wanted.has_no_properties(),
        created.says(Token::Label),
        created.says(Token::Id),
        wanted.is_overridden(created),
    ];
    let state = traversal.state.clone();
    let turns = traversal.sub_from(state, turns)?;
    at_once_or_in_turn(traversal, odd, at_once, turns);
    Ok(to)
}

/// The vertices that match the map to look for.
pub(super) fn find(traversal: &mut Traversal<'_>, to: At, wanted: &Wanted) -> Result<()> {
    match &wanted.id {
        Some(id) => {
            by_id(traversal, to, id.clone());
            if let Some(label) = &wanted.label {
                traversal.plan.filter(elements::has_label(to, label));
            }
        }
        None => {
            let source = ScanSource::Vertices(wanted.label.clone());
            traversal.plan.push(op::Scan { source, to: to.column });
        }
    }
    wanted.keep(traversal, to);
    Ok(())
}

/// The same by a map that is known only at run time.
fn find_found(traversal: &mut Traversal<'_>, to: At, wanted: FoundMap) -> Result<()> {
    let state = traversal.state.clone();
    let with_id = traversal.sub_from(state.clone(), |sub| {
        by_id(sub, to, wanted.id());
        Ok(())
    })?;
    let all = traversal.sub_from(state, |sub| {
        let source = ScanSource::Vertices(None);
        sub.plan.push(op::Scan { source, to: to.column });
        Ok(())
    })?;
    let pick = UnionPick::First(vec![wanted.says(Token::Id), Expr::literal(true)]);
    traversal.plan.push(op::Union { branches: vec![with_id.pipeline, all.pipeline], pick });
    wanted.keep(traversal, to);
    Ok(())
}

fn by_id(traversal: &mut Traversal<'_>, to: At, id: Expr) {
    let ids = Expr::call(Function::Ids, vec![Expr::List(vec![id])]);
    let element = ElementKind::Vertex;
    traversal.plan.push(op::LookupById { element, ids, mode: LookupMode::Checked, to: to.column });
}
