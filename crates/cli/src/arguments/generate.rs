//! The arguments of `millrace generate`. What the graphs are like is `millrace-ingest`'s.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The graph.
    #[arg(value_enum)]
    pub(crate) kind: GraphKind,
    /// The folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The size, relative to the usual one; a fraction makes the graph smaller.
    #[arg(long, default_value_t = 1.0)]
    pub(crate) scale: f64,
    /// The seed of the random numbers: the same seed gives the same files.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Films with the counts of a published experiment, or a fraction of them: at 1, 480,000 actors, 240,000 films, 1.4
    /// million performances, names in 55 languages, 21 million statements. Beside them a schema in DQL, and the ids of
    /// actors and directors.
    #[arg(long, value_name = "FRACTION", conflicts_with = "scale")]
    pub(crate) as_published: Option<f64>,
    /// The names of predicates, with --as-published: short (name, starring), or freebase (type.object.name.en,
    /// film.film.starring), as the experiment had them.
    #[arg(long, value_enum, default_value_t = PredicateKind::Short, requires = "as_published")]
    pub(crate) predicates: PredicateKind,
    /// Name nodes by uids (<0x1f>), with --as-published; the default are texts (<person.30>).
    #[arg(long, requires = "as_published")]
    pub(crate) uids: bool,
    /// Give each person its text as the value of xid, with an index, with --as-published.
    #[arg(long, requires = "as_published")]
    pub(crate) xids: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PredicateKind {
    /// name, starring, genre.
    Short,
    /// type.object.name.en, film.film.starring, film.film.genre.
    Freebase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphKind {
    /// A graph of people and liked items, as CSV: 100,000 people, 2,000 items, 10 million likes.
    Likes,
    /// Films, people, performances, genres, as gzipped N-Quads: 1,000 films.
    Films,
    /// People with eight properties and acquaintances, as CSV, for scans and groups: 100,000 people, 1 million relationships.
    People,
    /// A social network with the schema, sizes and patterns of LDBC's subgraph benchmark (LSQB), as CSV; the scale is its
    /// scale factor: 4 million vertices, 22 million edges.
    Social,
}
