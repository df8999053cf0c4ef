//! Films, directors, actors, performances and genres, as N-Quads in the shape of Freebase's film
//! data. Degrees follow power laws: two directors of three made one film, the busiest hundreds.
//!
//! ```text
//!  person ──director.film──> film ──genre──> genre        (and film ──directed_by──> person)
//!    │                        │
//!    actor.film           starring      a performance joins one film, one actor, one character
//!    └─────> performance <────┘         and points back: performance.film, .actor, .character
//! ```

use super::output::write_file;
use super::random::Random;
use super::titles::{film_title, person_name};
use super::words::{FIRST_NAMES, GENRES, LANGUAGES};
use crate::error::LoadError;
use crate::nquads::escape_into;
use std::io::{self, Write};
use std::path::Path;

/// How large the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Films {
    /// Thousands of films; about 47,000 statements each.
    pub scale: u32,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Films {
    fn default() -> Self {
        Self { scale: 1, seed: 1 }
    }
}

const FILMS_A_SCALE: u32 = 1_000;
const ACTORS_A_SCALE: u32 = 1_500;
/// P(a director made at least x films) = x^-this: measured on the real data, 66 % made one.
const DIRECTOR_EXPONENT: f64 = 1.556;
const FILMS_A_DIRECTOR_MAX: u32 = 363;
/// Films of the first director, so that a question about one has an answer worth reading.
const FIRST_DIRECTOR_FILMS: u32 = 24;

impl Films {
    /// How many films there are.
    pub fn film_count(&self) -> u32 {
        self.scale * FILMS_A_SCALE
    }

    /// The name of a person with many films as a director, at every scale.
    pub fn busy_director(&self) -> String {
        person_name(self.actor_count())
    }

    /// The external name of [`Films::busy_director`].
    pub fn busy_director_xid(&self) -> String {
        format!("person.{}", self.actor_count())
    }

    /// The name of a person with very many films as an actor; the external name is `person.0`.
    pub fn busy_actor(&self) -> String {
        person_name(0)
    }

    fn actor_count(&self) -> u32 {
        self.scale * ACTORS_A_SCALE
    }

    /// All statements.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer { out, random: Random::new(self.seed, 2), performances: 0 };
        GENRES.iter().try_for_each(|(id, names)| writer.genre(id, names))?;
        (0..self.actor_count()).try_for_each(|actor| writer.person(actor))?;
        let (mut film, mut director) = (0, self.actor_count());
        while film < self.film_count() {
            let films = match director == self.actor_count() {
                true => FIRST_DIRECTOR_FILMS,
                false => writer.random.power_law(DIRECTOR_EXPONENT, FILMS_A_DIRECTOR_MAX),
            };
            let end = self.film_count().min(film + films);
            // One director in twenty acts too, and so has a vertex already.
            let acts = director != self.actor_count() && writer.random.percent(5);
            let person = match acts {
                true => writer.random.below(self.actor_count()),
                false => director,
            };
            if !acts {
                writer.person(director)?;
            }
            (film..end).try_for_each(|film| writer.film(film, person, self.actor_count()))?;
            (film, director) = (end, director + 1);
        }
        Ok(())
    }

    /// All statements in a file, gzipped if its name ends in `.gz`.
    pub fn write_file(&self, path: &Path) -> Result<(), LoadError> {
        write_file(path, |out| self.write(out))
    }
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    random: Random,
    performances: u32,
}

impl Writer<'_> {
    fn genre(&mut self, id: &str, names: &[&str; 4]) -> io::Result<()> {
        let subject = format!("genre.{id}");
        self.label(&subject, "Genre")?;
        LANGUAGES.iter().zip(names).try_for_each(|(tag, name)| self.name(&subject, name, tag))
    }

    fn person(&mut self, number: u32) -> io::Result<()> {
        let subject = format!("person.{number}");
        self.label(&subject, "Person")?;
        self.name(&subject, &person_name(number), LANGUAGES[0])
    }

    fn film(&mut self, number: u32, director: u32, actors: u32) -> io::Result<()> {
        let film = format!("film.{number}");
        self.label(&film, "Film")?;
        for (tag, title) in film_title(&mut self.random) {
            self.name(&film, &title, tag)?;
        }
        self.release(&film)?;
        self.edge(&film, "directed_by", &format!("person.{director}"))?;
        self.edge(&format!("person.{director}"), "director.film", &film)?;
        self.genres(&film)?;
        let cast = 1 + self.random.power_law(1.1, 30);
        let mut seen = Vec::new();
        for _ in 0..cast {
            let actor = self.random.skewed(actors);
            if !seen.contains(&actor) {
                seen.push(actor);
                self.performance(&film, actor)?;
            }
        }
        Ok(())
    }

    /// As in the real data, about half of the dates are only years.
    fn release(&mut self, film: &str) -> io::Result<()> {
        let year = 2025 - self.random.below(100).min(self.random.below(100));
        let (month, day) = (1 + self.random.below(12), 1 + self.random.below(28));
        let (text, kind) = match self.random.below(20) {
            0..10 => (format!("{year}-{month:02}-{day:02}"), "date"),
            10..19 => (format!("{year}"), "gYear"),
            _ => (format!("{year}-{month:02}"), "gYearMonth"),
        };
        let xsd = "http://www.w3.org/2001/XMLSchema#";
        writeln!(self.out, "<{film}>\t<initial_release_date>\t\"{text}\"^^<{xsd}{kind}>\t.")
    }

    fn genres(&mut self, film: &str) -> io::Result<()> {
        let first = self.random.skewed(GENRES.len() as u32) as usize;
        self.edge(film, "genre", &format!("genre.{}", GENRES[first].0))?;
        let second = self.random.skewed(GENRES.len() as u32) as usize;
        if second != first {
            self.edge(film, "genre", &format!("genre.{}", GENRES[second].0))?;
        }
        Ok(())
    }

    fn performance(&mut self, film: &str, actor: u32) -> io::Result<()> {
        let performance = format!("performance.{}", self.performances);
        let character = format!("character.{}", self.performances);
        let actor = format!("person.{actor}");
        self.performances += 1;
        self.label(&performance, "Performance")?;
        self.edge(film, "starring", &performance)?;
        self.edge(&actor, "actor.film", &performance)?;
        self.edge(&performance, "performance.film", film)?;
        self.edge(&performance, "performance.actor", &actor)?;
        self.edge(&performance, "performance.character", &character)?;
        self.label(&character, "Character")?;
        let name = *self.random.choose(&FIRST_NAMES);
        self.name(&character, name, LANGUAGES[0])
    }

    fn label(&mut self, subject: &str, label: &str) -> io::Result<()> {
        writeln!(self.out, "<{subject}>\t<dgraph.type>\t\"{label}\"\t.")
    }

    fn edge(&mut self, subject: &str, predicate: &str, object: &str) -> io::Result<()> {
        writeln!(self.out, "<{subject}>\t<{predicate}>\t<{object}>\t.")
    }

    fn name(&mut self, subject: &str, name: &str, tag: &str) -> io::Result<()> {
        let mut escaped = String::with_capacity(name.len());
        escape_into(name, &mut escaped);
        writeln!(self.out, "<{subject}>\t<name>\t\"{escaped}\"@{tag}\t.")
    }
}
