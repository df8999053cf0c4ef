//! People with properties of several types, and acquaintances with years and a weight: what scans, filters and groups read.
//! Ends are sampled independently, so a person may know another twice, or itself.

use super::output::write_file;
use super::random::Random;
use crate::error::LoadError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How large the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct People {
    /// Numbered from 0.
    pub people: u32,
    /// Relationships for each of them, on average.
    pub acquaintances_a_person: u32,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for People {
    fn default() -> Self {
        Self { people: 100_000, acquaintances_a_person: 10, seed: 1 }
    }
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Its number.
    pub uid: u32,
    /// Some letters and the number.
    pub name: String,
    /// 18 to 90.
    pub age: u32,
    /// One of 200.
    pub city: String,
    /// In `[0, 100)`, with all digits.
    pub score: f64,
    /// At one of 50 hosts.
    pub email: String,
    /// Six of [`WORDS`], with blanks between them.
    pub bio: String,
    /// A year, 1990 to 2024.
    pub joined: u32,
}

/// A relationship; its ends are numbers of people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acquaintance {
    /// The source.
    pub source: u32,
    /// The target.
    pub target: u32,
    /// A year, 2000 to 2025.
    pub since: u32,
    /// In `[0, 1)`, with all digits.
    pub w: f64,
    /// Another year, 2000 to 2025.
    pub year: u32,
}

/// Where the two tables lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFiles {
    /// `uid:ID(Person){id-type: long}`, the other properties, `:LABEL`.
    pub people: PathBuf,
    /// `:START_ID(Person),:END_ID(Person),:TYPE`, the properties.
    pub acquaintances: PathBuf,
}

/// The words of a [`Person::bio`].
pub const WORDS: [&str; 20] = [
    "river", "stone", "cloud", "amber", "winter", "silent", "garden", "copper", "meadow",
    "lantern", "harbor", "velvet", "ember", "willow", "summit", "thunder", "marble", "falcon",
    "ocean", "prairie",
];

/// Beginnings and ends of names of cities.
const CITY_HEADS: [&str; 10] =
    ["Ala", "Bar", "Cor", "Dan", "Eli", "Fra", "Gal", "Hal", "Ira", "Jan"];
const CITY_TAILS: [&str; 20] = [
    "ba", "den", "gar", "havn", "lia", "mar", "nau", "pol", "ra", "sund", "tal", "via", "wick",
    "ya", "zan", "ford", "ton", "stad", "berg", "by",
];

/// The first and second letters of names.
const INITIALS: [&str; 20] = [
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S",
    "T",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

const HOSTS: u32 = 50;
const WORDS_A_BIO: usize = 6;
const AGES: std::ops::RangeInclusive<u32> = 18..=90;
const JOINED: std::ops::RangeInclusive<u32> = 1990..=2024;
const YEARS: std::ops::RangeInclusive<u32> = 2000..=2025;

/// The purposes of random numbers.
const OF_PEOPLE: u64 = 1;
const OF_ACQUAINTANCES: u64 = 2;

impl People {
    /// All nodes, by number.
    pub fn people(&self) -> impl Iterator<Item = Person> + Clone + use<> {
        let mut random = Random::new(self.seed, OF_PEOPLE);
        (0..self.people).map(move |uid| {
            let letters = [*random.choose(&INITIALS), *random.choose(&VOWELS)].concat();
            let city = [*random.choose(&CITY_HEADS), *random.choose(&CITY_TAILS)].concat();
            let words = [(); WORDS_A_BIO].map(|()| *random.choose(&WORDS));
            Person {
                uid,
                name: format!("{letters}n{uid}"),
                age: within(&mut random, AGES),
                city,
                score: random.unit() * 100.0,
                email: format!("name{uid}@host{}.com", random.below(HOSTS)),
                bio: words.join(" "),
                joined: within(&mut random, JOINED),
            }
        })
    }

    /// All relationships.
    pub fn acquaintances(&self) -> impl Iterator<Item = Acquaintance> + Clone + use<> {
        let people = self.people;
        let mut random = Random::new(self.seed, OF_ACQUAINTANCES);
        (0..self.edge_count()).map(move |_| Acquaintance {
            source: random.below(people),
            target: random.below(people),
            since: within(&mut random, YEARS),
            w: random.unit(),
            year: within(&mut random, YEARS),
        })
    }

    /// How many relationships there are.
    pub fn edge_count(&self) -> u64 {
        u64::from(self.people) * u64::from(self.acquaintances_a_person)
    }

    /// The table of nodes.
    pub fn write_people(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "uid:ID(Person){{id-type: long}},name,age:int,city,score:double,email,bio,joined:int,:LABEL"
        )?;
        for person in self.people() {
            let Person { uid, name, age, city, score, email, bio, joined } = person;
            writeln!(out, "{uid},{name},{age},{city},{score},{email},{bio},{joined},Person")?;
        }
        Ok(())
    }

    /// The table of relationships.
    pub fn write_acquaintances(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, ":START_ID(Person),:END_ID(Person),:TYPE,since:int,w:double,year:int")?;
        for Acquaintance { source, target, since, w, year } in self.acquaintances() {
            writeln!(out, "{source},{target},KNOWS,{since},{w},{year}")?;
        }
        Ok(())
    }

    /// Writes both tables into a folder that exists.
    pub fn write_files(&self, folder: &Path) -> Result<PeopleFiles, LoadError> {
        let files = PeopleFiles::within(folder);
        write_file(&files.people, |out| self.write_people(out))?;
        write_file(&files.acquaintances, |out| self.write_acquaintances(out))?;
        Ok(files)
    }
}

impl PeopleFiles {
    /// Where the tables lie in a folder.
    pub fn within(folder: &Path) -> Self {
        Self { people: folder.join("people.csv"), acquaintances: folder.join("knows.csv") }
    }

    /// Both, nodes first.
    pub fn paths(&self) -> [&Path; 2] {
        [&self.people, &self.acquaintances]
    }
}

fn within(random: &mut Random, numbers: std::ops::RangeInclusive<u32>) -> u32 {
    let (first, last) = numbers.into_inner();
    first + random.below(last - first + 1)
}
