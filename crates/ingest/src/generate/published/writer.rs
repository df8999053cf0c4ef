//! A statement as a line of N-Quads. Subjects are a kind and a number, which become a text or a uid.

use super::languages::{LANGUAGES, Spelling};
use super::predicates::{Predicate, PredicateNames, XID};
use super::{PublishedCounts, PublishedFilms};
use crate::nquads::escape_into;
use std::fmt;
use std::io::{self, Write};

/// Genres at every scale.
pub(super) const GENRE_COUNT: u32 = 400;

/// Countries at every scale.
pub(super) const COUNTRY_COUNT: u32 = 60;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Genre(u32),
    Country(u32),
    /// Actors come first, then those of the directors that are no actors.
    Person(u32),
    Film(u32),
    Performance(u32),
    Character(u32),
}

impl Node {
    fn label(self) -> &'static str {
        match self {
            Self::Genre(_) => "Genre",
            Self::Country(_) => "Country",
            Self::Person(_) => "Person",
            Self::Film(_) => "Film",
            Self::Performance(_) => "Performance",
            Self::Character(_) => "Character",
        }
    }
}

/// How nodes are named in the file.
#[derive(Clone, Copy)]
pub(super) struct NodeNames {
    uids: bool,
    counts: PublishedCounts,
}

impl NodeNames {
    pub(super) fn of(films: &PublishedFilms) -> Self {
        Self { uids: films.uids, counts: films.counts() }
    }

    pub(super) fn of_node(self, node: Node) -> NamedNode {
        NamedNode { uid: self.uids.then(|| self.uid(node)), node }
    }

    /// The text that names a node, whether the file has it or not.
    pub(super) fn text_of(node: Node) -> NamedNode {
        NamedNode { uid: None, node }
    }

    /// Uids of each kind follow those of the kind before it, from 1.
    fn uid(self, node: Node) -> u64 {
        let people = u64::from(self.counts.actors) + u64::from(self.counts.directors);
        let first_film = 1 + u64::from(GENRE_COUNT + COUNTRY_COUNT) + people;
        let first_performance = first_film + u64::from(self.counts.films);
        match node {
            Node::Genre(number) => 1 + u64::from(number),
            Node::Country(number) => 1 + u64::from(GENRE_COUNT + number),
            Node::Person(number) => 1 + u64::from(GENRE_COUNT + COUNTRY_COUNT) + u64::from(number),
            Node::Film(number) => first_film + u64::from(number),
            Node::Performance(number) => first_performance + u64::from(number),
            Node::Character(number) => {
                first_performance + u64::from(self.counts.performances) + u64::from(number)
            }
        }
    }
}

/// A node that shows its name.
#[derive(Clone, Copy)]
pub(super) struct NamedNode {
    uid: Option<u64>,
    node: Node,
}

impl fmt::Display for NamedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(uid) = self.uid {
            return write!(f, "{uid:#x}");
        }
        match self.node {
            Node::Genre(number) => write!(f, "genre.{number}"),
            Node::Country(number) => write!(f, "country.{number}"),
            Node::Person(number) => write!(f, "person.{number}"),
            Node::Film(number) => write!(f, "film.{number}"),
            Node::Performance(number) => write!(f, "performance.{number}"),
            Node::Character(number) => write!(f, "character.{number}"),
        }
    }
}

/// Writes statements and counts them.
pub(super) struct Writer<'a> {
    out: &'a mut dyn Write,
    names: NodeNames,
    predicates: PredicateNames,
    spelling: Spelling,
    text: String,
    pub(super) statements: u64,
}

impl<'a> Writer<'a> {
    pub(super) fn new(films: &PublishedFilms, out: &'a mut dyn Write) -> Self {
        Self {
            out,
            names: NodeNames::of(films),
            predicates: films.names,
            spelling: Spelling::new(),
            text: String::new(),
            statements: 0,
        }
    }

    pub(super) fn label(&mut self, node: Node) -> io::Result<()> {
        self.statements += 1;
        let (subject, label) = (self.names.of_node(node), node.label());
        writeln!(self.out, "<{subject}>\t<dgraph.type>\t\"{label}\"\t.")
    }

    /// The text that would name a person, as a value.
    pub(super) fn xid(&mut self, person: u32) -> io::Result<()> {
        self.statements += 1;
        let node = Node::Person(person);
        let (subject, text) = (self.names.of_node(node), NodeNames::text_of(node));
        writeln!(self.out, "<{subject}>\t<{XID}>\t\"{text}\"\t.")
    }

    pub(super) fn edge(&mut self, from: Node, predicate: Predicate, to: Node) -> io::Result<()> {
        self.statements += 1;
        let (from, to) = (self.names.of_node(from), self.names.of_node(to));
        writeln!(self.out, "<{from}>\t<{}>\t<{to}>\t.", self.predicates.of(predicate))
    }

    /// A name that is the same in all languages but for its letters.
    pub(super) fn spelled(&mut self, node: Node, language: usize, name: &str) -> io::Result<()> {
        self.text.clear();
        self.spelling.push(language, name, &mut self.text);
        self.push_name(node, language)
    }

    /// A name as it is.
    pub(super) fn name(&mut self, node: Node, language: usize, name: &str) -> io::Result<()> {
        self.text.clear();
        escape_into(name, &mut self.text);
        self.push_name(node, language)
    }

    fn push_name(&mut self, node: Node, language: usize) -> io::Result<()> {
        self.statements += 1;
        let (subject, tag, text) = (self.names.of_node(node), LANGUAGES[language].tag, &self.text);
        match self.predicates {
            PredicateNames::Short => writeln!(self.out, "<{subject}>\t<name>\t\"{text}\"@{tag}\t."),
            PredicateNames::Freebase => {
                writeln!(self.out, "<{subject}>\t<type.object.name.{tag}>\t\"{text}\"\t.")
            }
        }
    }

    /// A value with what stands behind its text: a language, a datatype, or nothing.
    pub(super) fn value(
        &mut self,
        node: Node,
        predicate: Predicate,
        text: fmt::Arguments<'_>,
        behind: &str,
    ) -> io::Result<()> {
        self.statements += 1;
        let (subject, predicate) = (self.names.of_node(node), self.predicates.of(predicate));
        writeln!(self.out, "<{subject}>\t<{predicate}>\t\"{text}\"{behind}\t.")
    }
}
