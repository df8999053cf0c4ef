//! A graph of people and the items they like, from the article on bulk traversal. Each person has the
//! same number of likes, sampled independently, so the same item may be liked twice.

use super::output::write_file;
use super::random::Random;
use crate::error::LoadError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How large the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likes {
    /// `person1` to `personN`.
    pub people: u32,
    /// `item1` to `itemN`.
    pub items: u32,
    /// Likes of each person.
    pub likes_a_person: u32,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Likes {
    fn default() -> Self {
        Self { people: 100_000, items: 2_000, likes_a_person: 100, seed: 1 }
    }
}

/// One edge; person and item are counted from 0, so person 0 is called `person1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Like {
    /// The source.
    pub person: u32,
    /// The target.
    pub item: u32,
    /// In `[0, 10)`, with four decimals.
    pub weight: f64,
}

/// Where the three tables lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikesFiles {
    /// `username:ID(Person),:LABEL`.
    pub people: PathBuf,
    /// `name:ID(Item),:LABEL`.
    pub items: PathBuf,
    /// `:START_ID(Person),:END_ID(Item),:TYPE,weight:double`.
    pub likes: PathBuf,
}

const WEIGHT_STEPS: u32 = 100_000;

impl Likes {
    /// All edges, by person.
    pub fn edges(&self) -> impl Iterator<Item = Like> + Clone + use<> {
        let Self { people, items, likes_a_person, seed } = *self;
        let mut random = Random::new(seed, 1);
        (0..people).flat_map(move |person| (0..likes_a_person).map(move |_| person)).map(
            move |person| {
                let item = random.below(items);
                let weight = f64::from(random.below(WEIGHT_STEPS)) / 10_000.0;
                Like { person, item, weight }
            },
        )
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> u64 {
        u64::from(self.people) * u64::from(self.likes_a_person)
    }

    /// The table of people.
    pub fn write_people(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "username:ID(Person),:LABEL")?;
        (1..=self.people).try_for_each(|number| writeln!(out, "person{number},Person"))
    }

    /// The table of items.
    pub fn write_items(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "name:ID(Item),:LABEL")?;
        (1..=self.items).try_for_each(|number| writeln!(out, "item{number},Item"))
    }

    /// The table of likes.
    pub fn write_likes(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, ":START_ID(Person),:END_ID(Item),:TYPE,weight:double")?;
        for Like { person, item, weight } in self.edges() {
            writeln!(out, "person{},item{},LIKES,{weight}", person + 1, item + 1)?;
        }
        Ok(())
    }

    /// Writes the three tables into a folder that exists.
    pub fn write_files(&self, folder: &Path, gzip: bool) -> Result<LikesFiles, LoadError> {
        if self.items == 0 && 0 < self.edge_count() {
            return Err(LoadError::Input("likes need at least one item".into()));
        }
        let files = LikesFiles::within(folder, gzip);
        write_file(&files.people, |out| self.write_people(out))?;
        write_file(&files.items, |out| self.write_items(out))?;
        write_file(&files.likes, |out| self.write_likes(out))?;
        Ok(files)
    }
}

impl LikesFiles {
    /// Where the tables lie in a folder.
    pub fn within(folder: &Path, gzip: bool) -> Self {
        let end = if gzip { "csv.gz" } else { "csv" };
        let file = |name: &str| folder.join(format!("{name}.{end}"));
        Self { people: file("people"), items: file("items"), likes: file("likes") }
    }

    /// All three, nodes first.
    pub fn paths(&self) -> [&Path; 3] {
        [&self.people, &self.items, &self.likes]
    }
}
