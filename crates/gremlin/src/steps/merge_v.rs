//! `mergeV(map)`: the vertices that are as a map says, or one made so.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Value};
use millrace_plan::{ElementKind, Expr, Function, Name, Op, Properties, ScanSource, Template};

use super::merging::{Wanted, check_options, in_turn, on_match, option};
use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step { name: "mergeV", modulators: &["option"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    check_options(call, &["onCreate", "onMatch"])?;
    let nothing = Argument::Value(Value::Null);
    let wanted = match call.arguments() {
        [] => return Err(call.refused("with a map that only the run knows is not supported")),
        [map] => Wanted::read(traversal, call, map)?,
        _ => return Err(call.wrong("takes one map")),
    };
    let created = option(call, "onCreate")?.unwrap_or(&nothing);
    let created = Wanted::read(traversal, call, created)?;
    let only_keys = created.label.is_none() && created.id.is_none();
    let all = wanted.with_created(call, created.clone())?;
    let to = At::new(traversal.plan.column("vertex"), Kind::Vertex);
    match &wanted.label {
        // By label and keys: all rows at once.
        Some(label) if wanted.id.is_none() && only_keys && !wanted.properties.is_empty() => {
            let on_match = in_bulk(traversal, call, to)?;
            let properties = Properties { keyed: wanted.properties.clone(), map: None };
            let template = Template::Vertex { labels: vec![label.clone()], properties };
            let on_create = Properties { keyed: created.properties, map: None };
            let to = to.column;
            traversal.plan.push(Op::Merge { template, on_create, on_match, to, created: None });
        }
        _ => {
            let find = |sub: &mut Traversal<'_>| find(sub, to, &wanted);
            in_turn(traversal, call, to, find, |sub| {
                create(sub, to, &all);
                Ok(())
            })?;
        }
    }
    traversal.moved(to.column, Kind::Vertex);
    Ok(())
}

/// What is set where something is found, for all rows at once: no traversal may ask what is found.
fn in_bulk(traversal: &mut Traversal<'_>, call: &Call<'_>, found: At) -> Result<Properties> {
    if let Some(Argument::Bytecode(_)) = option(call, "onMatch")?
        && traversal.state.at.is_none()
    {
        return Err(call.refused("with a traversal onMatch is not supported as the first step"));
    }
    let at = traversal.state.at.unwrap_or(found);
    on_match(traversal, call, (at, found))
}

fn create(traversal: &mut Traversal<'_>, to: At, all: &Wanted) {
    let default: Name = elements::DEFAULT_LABEL.into();
    let labels = vec![all.label.clone().unwrap_or(default)];
    let properties = Properties { keyed: all.properties.clone(), map: None };
    let template = Template::Vertex { labels, properties };
    traversal.plan.push(Op::Create { template, id: all.id.clone(), to: to.column });
}

/// The vertices that are as wanted.
pub(super) fn find(traversal: &mut Traversal<'_>, to: At, wanted: &Wanted) {
    match &wanted.id {
        Some(id) => {
            let ids = Expr::call(Function::Ids, vec![Expr::List(vec![id.clone()])]);
            let element = ElementKind::Vertex;
            traversal.plan.push(Op::Ids { element, ids, checked: true, to: to.column });
            if let Some(label) = &wanted.label {
                traversal.plan.filter(elements::has_label(to, label));
            }
        }
        None => {
            let source = ScanSource::Vertices(wanted.label.clone());
            traversal.plan.push(Op::Scan { source, to: to.column });
        }
    }
    wanted.keep(traversal, to);
}
