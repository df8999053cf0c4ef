//! The text of a tree in a normal form: one way to write each thing, operators in parentheses. Read again, it gives the
//! same tree. Tests and fuzzing compare trees by it; it is not the text that a client sent.

mod clauses;
mod commands;
mod expressions;
mod names;
mod patterns;

use std::fmt::{Display, Formatter, Result};

use crate::tree::{Body, Mode, Statement};
use names::Dotted;

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
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
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
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
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.1 {
            Some(inner) => write!(f, "{}{inner}", self.0),
            None => Ok(()),
        }
    }
}
