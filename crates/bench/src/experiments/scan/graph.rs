//! The graph of people, loaded once and cached, and the same as arrays; the likes graph as arrays with weights.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::ingest::generate::{Likes, People as Generated};
use millrace_db::ingest::load::LoadOptions;
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::settings::DeclaredIndex;
use millrace_db::{Database, RequestLimits};
use millrace_model::Result;

use crate::data;
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::scans::{People, WeightedLikes};

/// The graph's name in its folder.
pub(super) const GRAPH_NAME: &str = "people";

/// People at full size; each knows ten.
const PEOPLE: f64 = 1e6;

/// The graph at the scale asked for.
pub(super) fn size(conditions: &Conditions) -> Generated {
    sized(conditions.scale)
}

/// The graph at a scale.
pub(super) fn sized(scale: f64) -> Generated {
    Generated { people: ((PEOPLE * scale) as u32).max(100), ..Generated::default() }
}

/// The folder of the graph, loaded if it is not there.
pub(super) fn cached(folder: &Path, people: &Generated) -> Result<PathBuf> {
    let name = format!("people-{}-{}", people.people, people.acquaintances_a_person);
    let write = |folder: &Path| people.write_files(folder).map(drop);
    let files = data::once(folder, &name, write)?;
    let files = millrace_db::ingest::generate::PeopleFiles::within(&files);
    data::once(folder, &format!("database-{name}"), |folder| {
        let database = Database::open(folder, settings())?;
        let input = input_of_files(&files.paths(), &Reading::default())?;
        let graph = database.create_graph(GRAPH_NAME)?;
        graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
        let index: DeclaredIndex = "Person(age) range".parse()?;
        let limits = RequestLimits::within(u64::from(u32::MAX), database.settings());
        graph.make_indexes(&[index], &limits)?;
        // The checkpoint of the load must not fall into the time of a row.
        database.checkpoint()?;
        database.close();
        Ok::<(), millrace_model::Error>(())
    })
}

/// The graph as arrays.
pub(super) fn arrays(people: &Generated) -> People {
    let mut arrays = People::default();
    for person in people.people() {
        arrays.name.push(&person.name);
        arrays.age.push(i64::from(person.age));
        arrays.city.push(&person.city);
        arrays.score.push(person.score);
        arrays.email.push(&person.email);
        arrays.bio.push(&person.bio);
    }
    for own in people.acquaintances() {
        arrays.knows.source.push(own.source);
        arrays.knows.target.push(own.target);
        arrays.knows.since.push(i64::from(own.since));
        arrays.knows.w.push(own.w);
        arrays.knows.year.push(i64::from(own.year));
    }
    arrays
}

/// The likes graph as arrays.
pub(super) fn weighted_likes(likes: &Likes) -> WeightedLikes {
    let mut arrays = WeightedLikes::default();
    (1..=likes.items).for_each(|number| arrays.items.push(&format!("item{number}")));
    for like in likes.edges() {
        arrays.item.push(like.item);
        arrays.weight.push(like.weight);
    }
    arrays
}
