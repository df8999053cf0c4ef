//! The likes graph, loaded once and cached, and the same as arrays.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::Database;
use millrace_db::ingest::generate::Likes;
use millrace_db::ingest::load::LoadOptions;
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::plan::{Expr, Parameter, PlanBuilder, Runner};
use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Result, Value, VertexId};

use crate::data;
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::Likers;

/// The graph's name in its folder.
pub(in crate::experiments) const GRAPH_NAME: &str = "likes";

/// People asked for in turn, so that no answer is a cached one.
const PEOPLE_ASKED: u32 = 16;

/// The likes graph at the scale asked for.
pub(in crate::experiments) fn size(conditions: &Conditions) -> Likes {
    let full = Likes::default();
    Likes { people: (f64::from(full.people) * conditions.scale) as u32, ..full }
}

/// People spread over all of them, the same in every run.
pub(in crate::experiments) fn people(likes: &Likes) -> impl Iterator<Item = u32> + Clone + use<> {
    let (all, step) = (likes.people, likes.people / PEOPLE_ASKED);
    (0..PEOPLE_ASKED).map(move |turn| (turn * step + 7) % all)
}

/// Person and item of every like.
pub(in crate::experiments) fn edges(likes: &Likes) -> Vec<(u32, u32)> {
    likes.edges().map(|like| (like.person, like.item)).collect()
}

/// Likes as arrays.
pub(in crate::experiments) fn arrays(likes: &Likes, edges: &[(u32, u32)]) -> Likers {
    Likers::from_edges(likes.people as usize, likes.items as usize, edges)
}

/// The folder of the graph, loaded if it is not there.
pub(in crate::experiments) fn cached(folder: &Path, likes: &Likes) -> Result<PathBuf> {
    let files = data::likes_files(folder, likes)?;
    let name = format!("database-likes-{}-{}", likes.people, likes.likes_a_person);
    data::once(folder, &name, |folder| {
        let database = Database::open(folder, settings())?;
        let input = input_of_files(&files.paths(), &Reading::default())?;
        let graph = database.create_graph(GRAPH_NAME)?;
        graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
        database.close();
        Ok::<(), millrace_model::Error>(())
    })
}

/// The vertices of all people, by number.
pub(super) fn person_vertices(runner: &mut dyn Runner, likes: &Likes) -> Result<Vec<VertexId>> {
    let names = (1..=likes.people).map(|number| format!("person{number}"));
    vertices(runner, ("Person", "username"), names)
}

/// The vertices of all items, by number.
pub(super) fn item_vertices(runner: &mut dyn Runner, likes: &Likes) -> Result<Vec<VertexId>> {
    let names = (1..=likes.items).map(|number| format!("item{number}"));
    vertices(runner, ("Item", "name"), names)
}

fn vertices(
    runner: &mut dyn Runner,
    (label, key): (&str, &str),
    names: impl Iterator<Item = String>,
) -> Result<Vec<VertexId>> {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let rows = plan.parameter("names");
    let [name] = plan.rows(rows, ["name"]);
    let vertex = plan.seek(label, key, Expr::Column(name), "vertex");
    let plan = runner.prepare(&plan.finish(vec![vertex]))?;
    let names = Column::from_values(names.map(|name| Value::string(&name)));
    let found = runner.run(plan, &[Parameter::Rows(Batch::of(vec![names]))])?;
    Ok(found.columns[0].as_vertices().unwrap_or_default().to_vec())
}
