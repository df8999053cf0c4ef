//! The text of a tree in a normal form, one way to write each thing: read again, it gives an equal tree. Goldens and
//! tests compare trees by it; it is not the text that a client sent.
//!
//! Each node has its `Display`. Nothing here knows what a tree means.

mod blocks;
mod children;
mod documents;
mod filters;
mod math;
mod names;
mod schemas;
mod values;

use std::fmt::{self, Display, Formatter};

/// Some things with a separator between them.
struct Joined<'a, T>(&'a [T], &'static str);

impl<T: Display> Display for Joined<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { self.1 })?;
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

/// Some things in parentheses; nothing if there are none.
struct Parenthesized<'a, T>(&'a [T]);

impl<T: Display> Display for Parenthesized<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "({})", Joined(self.0, ", ")) }
    }
}

/// The beginning of a line, so many levels deep.
struct Line(usize);

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\n{:width$}", "", width = 2 * self.0)
    }
}
