//! The right answers for some persons, read from the statements that were generated. Each look goes over the whole file and
//! keeps what the persons lead to, so that films of any size take little memory.

use std::fs::File;
use std::io::BufRead;
use std::path::PathBuf;

use hashbrown::{HashMap, HashSet};
use memchr::memmem::Finder;
use millrace_db::ingest::nquads::{Object, Quad, parse_line};
use millrace_db::ingest::source::plain;
use millrace_model::{Error, ErrorKind, Result};

use super::queries::{Names, Query};
use crate::data::io_error;

/// The right answer for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fact {
    /// The person's name.
    pub(super) name: Option<String>,
    /// Films, each with the genres that are asked for; all in the order of their names.
    pub(super) films: Vec<(String, Vec<String>)>,
}

/// The statements.
pub(super) struct Statements {
    file: PathBuf,
    names: &'static Names,
}

/// What a node leads to.
type Edges = HashMap<String, Vec<String>>;

impl Statements {
    pub(super) fn new(file: PathBuf, names: &'static Names) -> Statements {
        Statements { file, names }
    }

    /// The answers of a query for these persons, in their order.
    pub(super) fn facts(&self, query: Query, persons: &[&str]) -> Result<Vec<Fact>> {
        let own: HashSet<String> = persons.iter().map(|person| (*person).to_owned()).collect();
        let Names { performances, performed, directed, genres, .. } = self.names;
        let first =
            self.edges(if query == Query::Actor { performances } else { directed }, &own)?;
        let second =
            self.edges(if query == Query::Actor { performed } else { genres }, &ends(&first))?;
        let mut named = own;
        [&first, &second].into_iter().for_each(|edges| named.extend(ends(edges)));
        let texts = self.texts(&named)?;
        let text = |node: &String| texts.get(node).cloned();
        let fact = |person: &&str| {
            let begins = first.get(*person).into_iter().flatten();
            let follow = |node: &String| second.get(node).cloned().unwrap_or_default();
            let mut films: Vec<(String, Vec<String>)> = match query {
                Query::Actor => begins
                    .flat_map(follow)
                    .filter_map(|film| Some((text(&film)?, Vec::new())))
                    .collect(),
                Query::Director => begins
                    .filter_map(|film| {
                        let mut genres: Vec<String> =
                            follow(film).iter().filter_map(text).collect();
                        genres.sort_unstable();
                        Some((text(film)?, genres))
                    })
                    .collect(),
            };
            films.sort_unstable();
            Fact { name: texts.get(*person).cloned(), films }
        };
        Ok(persons.iter().map(fact).collect())
    }

    /// The edges of a predicate from some nodes.
    fn edges(&self, predicate: &str, from: &HashSet<String>) -> Result<Edges> {
        let mut edges = Edges::new();
        self.look(predicate, |quad| {
            if let (Object::Node(to), true) = (&quad.object, from.contains(&*quad.subject.name)) {
                let own = edges.entry(quad.subject.name.to_string()).or_default();
                own.push(to.name.to_string());
            }
        })?;
        Ok(edges)
    }

    /// The names of some nodes.
    fn texts(&self, of: &HashSet<String>) -> Result<HashMap<String, String>> {
        let Names { name_predicate, name_language, .. } = *self.names;
        let mut texts = HashMap::new();
        self.look(name_predicate, |quad| {
            if let Object::Literal(literal) = &quad.object
                && literal.language == name_language
                && of.contains(&*quad.subject.name)
            {
                texts.insert(quad.subject.name.to_string(), literal.text.to_string());
            }
        })?;
        Ok(texts)
    }

    /// Calls `see` with each statement of a predicate.
    fn look(&self, predicate: &str, mut see: impl FnMut(&Quad<'_>)) -> Result<()> {
        let file = File::open(&self.file).and_then(plain);
        let mut lines = file.map_err(|error| io_error(&self.file, &error))?;
        let finder = format!("<{predicate}>");
        let finder = Finder::new(&finder);
        let (mut line, mut number) = (String::new(), 0_u64);
        loop {
            line.clear();
            let read = lines.read_line(&mut line).map_err(|error| io_error(&self.file, &error))?;
            if read == 0 {
                return Ok(());
            }
            number += 1;
            if finder.find(line.as_bytes()).is_none() {
                continue;
            }
            let quad = parse_line(line.trim_end()).map_err(|fault| {
                let detail = format!("{}: line {number}: {fault}", self.file.display());
                Error::new(ErrorKind::BadInput, detail)
            })?;
            if let Some(quad) = quad.filter(|quad| quad.predicate == predicate) {
                see(&quad);
            }
        }
    }
}

fn ends(edges: &Edges) -> HashSet<String> {
    edges.values().flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::films::queries::{FREEBASE, SHORT};

    fn statements(text: &str, names: &'static Names) -> (tempfile::TempDir, Statements) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("films.rdf");
        std::fs::write(&file, text).unwrap();
        (folder, Statements::new(file, names))
    }

    #[test]
    fn an_actor_has_a_film_for_each_performance() {
        let (_folder, statements) = statements(
            "<a>\t<type.object.name.en>\t\"Ada \\\"A\\\"\"\t.\n\
             <a>\t<type.object.name.de>\t\"Ada\"\t.\n\
             <f>\t<type.object.name.en>\t\"Film\"\t.\n\
             <a>\t<film.actor.film>\t<p1>\t.\n<b>\t<film.actor.film>\t<p2>\t.\n\
             <a>\t<film.actor.film>\t<p3>\t.\n<p1>\t<film.performance.film>\t<f>\t.\n\
             <p2>\t<film.performance.film>\t<f>\t.\n<p3>\t<film.performance.film>\t<f>\t.\n",
            &FREEBASE,
        );
        let facts = statements.facts(Query::Actor, &["a", "b", "c"]).unwrap();
        let films = |count| vec![("Film".to_owned(), vec![]); count];
        assert_eq!(facts[0], Fact { name: Some("Ada \"A\"".to_owned()), films: films(2) });
        assert_eq!(facts[1], Fact { name: None, films: films(1) });
        assert_eq!(facts[2], Fact::default());
    }

    #[test]
    fn a_director_has_films_with_their_genres_in_the_language_asked_for() {
        let (_folder, statements) = statements(
            "<d>\t<director.film>\t<f>\t.\n<f>\t<genre>\t<g2>\t.\n<f>\t<genre>\t<g1>\t.\n\
             <f>\t<name>\t\"Film\"@en\t.\n<g1>\t<name>\t\"Art\"@en\t.\n\
             <g1>\t<name>\t\"Kunst\"@de\t.\n<g2>\t<name>\t\"War\"@en\t.\n",
            &SHORT,
        );
        let facts = statements.facts(Query::Director, &["d"]).unwrap();
        let genres = vec!["Art".to_owned(), "War".to_owned()];
        assert_eq!(facts, [Fact { name: None, films: vec![("Film".to_owned(), genres)] }]);
    }

    #[test]
    fn a_statement_that_cannot_be_read_is_named_by_its_line() {
        let (_folder, statements) =
            statements("<d>\t<director.film>\t<f>\t.\n<d>\t<director.film>\tf\t.\n", &SHORT);
        let refused = statements.facts(Query::Director, &["d"]).unwrap_err();
        assert!(refused.detail.contains("films.rdf: line 2"), "{refused}");
    }
}
