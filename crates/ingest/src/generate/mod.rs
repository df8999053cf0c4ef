//! Invented graphs, the same for the same numbers: `likes` for bulk traversals, `films` for
//! questions that a person understands, `people` for scans of properties, `social` for LDBC's subgraph queries. They are
//! files, to be loaded like any other; nothing here sees a store.

mod films;
mod likes;
mod output;
mod people;
mod published;
mod random;
mod social;
mod titles;
mod words;

pub use films::Films;
pub use likes::{Like, Likes, LikesFiles};
pub use people::{Acquaintance, People, PeopleFiles, Person, WORDS};
pub use published::{PredicateNames, PublishedCounts, PublishedFilms};
pub use social::Social;
