//! The text of a tree in a normal form: one way to write each thing, operators in parentheses. Read again, it gives the
//! same tree. Tests and fuzzing compare trees by it; it is not the text that a client sent.
//!
//! Whether two expressions are written the same is asked here, too. Nothing here knows what a tree means.

mod clauses;
mod commands;
mod expressions;
mod names;
mod patterns;
mod same;

use std::fmt::{self, Display, Formatter};

use millrace_model::Error;

use crate::text::parse;
use crate::tree::{Body, Mode, Statement};
use names::Dotted;

/// The statements of a text in a normal form: operators in parentheses, one way to write each thing. Read again, it
/// stays the same.
///
/// # Errors
/// All that is wrong with the syntax.
pub fn normal_text(text: &str) -> Result<Vec<String>, Vec<Error>> {
    Ok(parse(text)?.iter().map(ToString::to_string).collect())
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Run => "",
            Mode::Explain => "EXPLAIN ",
            Mode::Profile => "PROFILE ",
        })?;
        if let Some((_, graph)) = &self.graph {
            write!(f, "USE {} ", Dotted(graph))?;
        }
        match &self.body {
            Body::Query(query) => write!(f, "{query}"),
            Body::Command(command) => write!(f, "{command}"),
        }
    }
}

/// Some things with a separator between them.
struct Joined<'a, T>(&'a [T], &'static str);

impl<T: Display> Display for Joined<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, item) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { self.1 })?;
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

/// A word before something that may be missing.
struct Behind<'a, T>(&'static str, &'a Option<T>);

impl<T: Display> Display for Behind<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(inner) => write!(f, "{}{inner}", self.0),
            None => Ok(()),
        }
    }
}
