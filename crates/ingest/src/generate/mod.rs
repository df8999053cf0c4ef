//! Invented graphs, the same for the same numbers: `likes` for bulk traversals, `films` for
//! questions that a person understands.

mod films;
mod likes;
mod output;
mod random;
mod titles;
mod words;

pub use films::Films;
pub use likes::{Like, Likes, LikesFiles};
