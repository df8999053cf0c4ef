//! The questions over Bolt, each beside plain array code on one thread.

use millrace_model::Result;

use super::graph::{GRAPH_NAME, arrays, cached, size, weighted_likes};
use super::question::Question;
use crate::experiments::asked::AskedGraph;
use crate::experiments::likes;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::scans::{self, People, WeightedLikes};
use crate::report::Row;

/// Of the graph of people.
pub(super) fn of_people(conditions: &Conditions, question: &Question<People>) -> Result<Row> {
    let people = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &people)?)?;
    let mut graph = AskedGraph::of(served, GRAPH_NAME, None)?;
    question.measure(conditions, &mut graph, &arrays(&people))
}

/// Of the likes graph, with weights on its relationships.
pub(super) fn of_likes(conditions: &Conditions, question: &Question<WeightedLikes>) -> Result<Row> {
    let size = likes::size(conditions);
    let served = Served::start(conditions, likes::cached(&conditions.data, &size)?)?;
    let mut graph = AskedGraph::of(served, likes::GRAPH_NAME, None)?;
    question.measure(conditions, &mut graph, &weighted_likes(&size))
}

pub(super) const FOLD: Question<People> = Question::new(
    "MATCH (p:Person) RETURN avg(p.age), min(p.age), max(p.age), sum(p.age)",
    scans::fold_of_ages,
);
pub(super) const GROUP: Question<People> =
    Question::new("MATCH (p:Person) RETURN p.city, avg(p.age)", scans::mean_age_by_city);
pub(super) const DISTINCT: Question<People> =
    Question::new("MATCH (p:Person) RETURN count(DISTINCT p.city)", scans::count_of_cities);
pub(super) const RANGE: Question<People> = Question::new(
    "MATCH (p:Person) WHERE p.score >= 20.0 AND p.score < 30.0 RETURN count(*)",
    scans::count_of_scores,
);
pub(super) const CONTAINS: Question<People> = Question::new(
    "MATCH (p:Person) WHERE p.bio CONTAINS 'amber' RETURN count(*)",
    scans::count_containing,
);
pub(super) const IN: Question<People> = Question::new(
    "MATCH (p:Person) WHERE p.age IN [20, 30, 40] RETURN count(*)",
    scans::count_of_ages,
);
pub(super) const TOP: Question<People> = Question {
    is_ordered: true,
    ..Question::new(
        "MATCH (p:Person) RETURN p.uid ORDER BY p.score DESC LIMIT 10",
        scans::best_scores,
    )
};
pub(super) const COLLECT: Question<People> =
    Question::new("MATCH (p:Person) RETURN p.city, collect(p.uid)", scans::cities);
pub(super) const COLLECT_SIZE: Question<People> = Question::new(
    "MATCH (p:Person) WITH p.city AS city, collect(p.uid) AS uids RETURN city, size(uids)",
    scans::cities_with_sizes,
);
pub(super) const DECADE: Question<People> = Question::new(
    "MATCH (p:Person) RETURN p.age / 10 AS decade, count(*)",
    scans::people_by_decade,
);
pub(super) const CASE: Question<People> = Question::new(
    "MATCH (p:Person) RETURN CASE WHEN p.age < 30 THEN 'young' WHEN p.age < 60 THEN 'mid' \
     ELSE 'old' END AS group, count(*)",
    scans::people_by_age_group,
);

pub(super) const SPLIT: Question<People> = Question::new(
    "MATCH (p:Person) RETURN split(p.email, '@')[1] AS host, count(*)",
    scans::people_by_host,
);
pub(super) const UPPER: Question<People> = Question::new(
    "MATCH (p:Person) RETURN toUpper(substring(p.name, 0, 2)) AS initials, count(*)",
    scans::people_by_initials,
);
pub(super) const REPLACE: Question<People> = Question::new(
    "MATCH (p:Person) RETURN replace(p.city, 'a', 'b') AS city, count(*)",
    scans::people_by_replaced_city,
);
pub(super) const JOINED: Question<People> = Question::new(
    "MATCH (p:Person) RETURN count(DISTINCT p.city + '-' + p.name)",
    scans::count_of_joined_texts,
);
pub(super) const WORDS: Question<People> =
    Question::new("MATCH (p:Person) RETURN sum(size(split(p.bio, ' ')))", scans::words_of_bios);
pub(super) const ANY: Question<People> = Question::new(
    "MATCH (p:Person) WHERE any(x IN split(p.bio, ' ') WHERE x = 'amber') RETURN count(*)",
    scans::count_with_word,
);

pub(super) const SINCE: Question<People> = Question::new(
    "MATCH ()-[r:KNOWS]->() WHERE r.since >= 2020 RETURN count(r)",
    scans::count_since,
);
pub(super) const YEARS: Question<People> =
    Question::new("MATCH ()-[r:KNOWS]->() RETURN r.year, avg(r.w)", scans::mean_weight_by_year);
pub(super) const KNOWN: Question<People> = Question {
    is_ordered: true,
    ..Question::new(
        "MATCH (p:Person)<-[:KNOWS]-() RETURN p.uid, count(*) AS d ORDER BY d DESC, p.uid LIMIT 10",
        scans::most_known,
    )
};

pub(super) const WEIGHT: Question<WeightedLikes> =
    Question::new("MATCH ()-[r:LIKES]->() RETURN avg(r.weight)", scans::mean_of_weights);
pub(super) const HEAVY: Question<WeightedLikes> = Question::new(
    "MATCH ()-[r:LIKES]->() WHERE r.weight > 9.9 RETURN count(r)",
    scans::count_heavy,
);
pub(super) const ITEMS: Question<WeightedLikes> = Question::new(
    "MATCH ()-[r:LIKES]->(i:Item) RETURN i.name, avg(r.weight)",
    scans::mean_weight_by_item,
);
