//! A social network with the schema of LDBC's social network benchmark, as its subgraph benchmark (LSQB) uses
//! it: no properties but ids, all in the degrees.
//!
//! ```text
//!   Country <── City <── Person ──knows── Person        Tag ──> TagClass
//!                          ▲  ▲ └──interest──> Tag
//!             Forum ──member  └──creator── Post, Comment ──> Tag
//!               └────────container──> Post <──reply── Comment <──reply── Comment
//! ```
//!
//! It follows the rules of that benchmark's generator as far as degrees and patterns depend on them, so that the counts
//! of its queries come out near its own. A reader would expect edges to be drawn at random: friends are near in
//! one of two orders of people, and all that happens in a forum happens between its members.

mod forums;
mod friends;
mod messages;
mod people;
mod shares;
mod static_tables;
mod tables;
mod threads;

use std::io::Write;
use std::path::{Path, PathBuf};

use super::output::write_file;
use super::random::Random;
use crate::error::LoadError;
use forums::Forum;
use friends::Friends;
use messages::Messages;
use people::People;
use static_tables::StaticTables;
use tables::{Table, Tables};

/// How large the graph is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Social {
    /// The benchmark's scale factor: 1 has 4 million vertices and 22 million edges.
    pub scale: f64,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Social {
    fn default() -> Self {
        Self { scale: 1.0, seed: 1 }
    }
}

impl Social {
    /// Writes all tables into a folder that exists: nodes first.
    pub fn write_files(&self, folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
        let graph = Graph::new(self);
        let write = |table: &Table<'_>| {
            let path = folder.join(format!("{}.csv", table.name));
            write_file(&path, |out| table.write(out))?;
            Ok(path)
        };
        graph.tables().iter().map(write).collect()
    }

    /// All tables as one text, each behind its name.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        Graph::new(self).tables().iter().try_for_each(|table| {
            writeln!(out, "{}", table.name)?;
            table.write(out)
        })
    }
}

/// The whole graph in numbers.
struct Graph {
    fixed: StaticTables,
    people: People,
    friends: Friends,
    forums: Vec<Forum>,
    messages: Messages,
}

impl Graph {
    fn new(social: &Social) -> Graph {
        // A stream for each part: one that takes more numbers changes no other.
        let random = |purpose| Random::new(social.seed, purpose);
        let fixed = StaticTables::new(&mut random(10));
        let people = People::new(social.scale, &fixed, &mut random(11));
        let friends = Friends::new(&people, &mut random(12));
        let forums = forums::forums(&people, &friends, &mut random(13));
        let messages = Messages::new(&fixed, &people, &forums, &mut random(14));
        Graph { fixed, people, friends, forums, messages }
    }

    fn tables(&self) -> Tables<'_> {
        let mut tables = Tables::default();
        self.fixed.add(&mut tables);
        tables.nodes("Person", "Person", 0..self.people.count());
        tables.nodes("Forum", "Forum", 0..self.forums.len() as u32);
        self.messages.add_nodes(&mut tables);
        self.fixed.add_edges(&mut tables);
        self.people.add_edges(&mut tables);
        self.friends.add_edges(&mut tables);
        forums::add_edges(&self.forums, &mut tables);
        self.messages.add_edges(&mut tables);
        tables
    }
}
