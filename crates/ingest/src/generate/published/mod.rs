//! Films with the counts of a published experiment on this data (480,000 actors, 240,000 films, 1.4 million
//! performances, 21 million statements), or a fraction of each. Fan-outs follow power laws with the means of the
//! real data. Names are in 55 languages.
//!
//! Beside the statements there is their schema in DQL, and lists of the ids of actors and directors, for drivers that
//! draw them at random: a line has the name of the node, and behind a uid its `xid`, if it has one. Statements go to disk as they are made; in memory there is a number for each performance.
//!
//! ```text
//!   fan_outs    how many performances an actor has, how many films a director
//!   languages   their tags; names in their letters
//!   predicates  names of predicates, and the schema
//!   writer      a statement as a line
//!   films       which statements there are, in which order
//! ```

mod fan_outs;
mod films;
mod languages;
mod predicates;
mod writer;

pub use predicates::PredicateNames;

use super::output::write_file;
use crate::error::LoadError;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// A graph of films with the published counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedFilms {
    /// The fraction of the published counts.
    pub scale: f64,
    /// The start of the random numbers.
    pub seed: u64,
    /// The names of predicates.
    pub names: PredicateNames,
    /// Whether nodes are named by uids (`<0x1f>`); else by texts (`<person.30>`).
    pub uids: bool,
    /// Whether each person has the text that would name it as the value of `xid`, with an index.
    pub xids: bool,
}

/// How many elements of each kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedCounts {
    /// Persons with performances.
    pub actors: u32,
    /// Persons with films that they directed; one in twenty is an actor, too.
    pub directors: u32,
    /// Films.
    pub films: u32,
    /// Performances; each has a character of its own.
    pub performances: u32,
    /// Edges from directors to films.
    pub directed: u32,
    /// Edges from films to genres.
    pub genre_edges: u32,
}

impl PublishedFilms {
    /// The counts at this scale.
    pub fn counts(&self) -> PublishedCounts {
        let of = |full: u32| ((f64::from(full) * self.scale).round() as u32).max(1);
        let (films, actors) = (of(240_000), of(480_000));
        PublishedCounts {
            actors,
            directors: of(100_000),
            films,
            performances: of(1_400_000).max(films).max(actors),
            directed: films + of(18_000),
            genre_edges: of(548_000).max(films),
        }
    }

    /// Writes `films.rdf.gz`, `films.schema`, `actors.txt` and `directors.txt`; says how many statements there are.
    pub fn write_files(&self, folder: &Path) -> Result<(Vec<PathBuf>, u64), LoadError> {
        let paths = ["films.rdf.gz", "films.schema", "actors.txt", "directors.txt"]
            .map(|name| folder.join(name));
        let statements = Cell::new(0);
        write_file(&paths[0], |out| {
            statements.set(films::write(self, out)?);
            Ok(())
        })?;
        write_file(&paths[1], |out| out.write_all(self.names.schema(self.xids).as_bytes()))?;
        write_file(&paths[2], |out| films::write_actors(self, out))?;
        write_file(&paths[3], |out| films::write_directors(self, out))?;
        Ok((paths.to_vec(), statements.get()))
    }
}
