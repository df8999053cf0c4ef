//! Which statements there are: genres, countries, persons, then each film with its performances.

use super::super::random::Random;
use super::super::titles::{film_title, person_name};
use super::super::words::{ADJECTIVES, CITIES, FIRST_NAMES, GENRES, THINGS};
use super::fan_outs::{
    FILMS_A_DIRECTOR, GENRES_A_FILM_MAX, PERFORMANCES_A_FILM_MAX, PERFORMANCES_AN_ACTOR_MAX,
    PowerLaw, fan_outs, of_law, repeated,
};
use super::languages::LANGUAGES;
use super::predicates::Predicate::{
    ActorFilm, Country, DirectedBy, DirectorFilm, Genre, PerformanceActor, PerformanceCharacter,
    PerformanceFilm, ReleaseDate, Runtime, Starring, Tagline,
};
use super::writer::{COUNTRY_COUNT, GENRE_COUNT, Node, NodeNames, Writer};
use super::{PublishedCounts, PublishedFilms};
use std::io::{self, Write};

/// P(a name is there in at least x languages) = x^-this.
const LANGUAGE_EXPONENT: f64 = 0.7;

/// One in so many directors is an actor, too.
const DIRECTORS_FOR_AN_ACTOR: u32 = 20;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Writes all statements; says how many.
pub(super) fn write(films: &PublishedFilms, out: &mut dyn Write) -> io::Result<u64> {
    let counts = films.counts();
    let mut content = Content { counts, random: Random::new(films.seed, 3) };
    let mut writer = Writer::new(films, out);
    (0..GENRE_COUNT).try_for_each(|genre| content.genre(&mut writer, genre))?;
    (0..COUNTRY_COUNT).try_for_each(|country| content.country(&mut writer, country))?;
    let persons =
        (0..counts.actors).chain(directors(counts).filter(|person| counts.actors <= *person));
    for person in persons {
        writer.label(Node::Person(person))?;
        if films.xids {
            writer.xid(person)?;
        }
        content.names(&mut writer, Node::Person(person), &person_name(person), &[])?;
    }
    content.films(&mut writer)?;
    Ok(writer.statements)
}

/// Writes the ids of all actors.
pub(super) fn write_actors(films: &PublishedFilms, out: &mut dyn Write) -> io::Result<()> {
    (0..films.counts().actors).try_for_each(|actor| write_id(films, actor, out))
}

/// Writes the ids of all directors.
pub(super) fn write_directors(films: &PublishedFilms, out: &mut dyn Write) -> io::Result<()> {
    directors(films.counts()).try_for_each(|person| write_id(films, person, out))
}

/// Writes the name of a person's node; a uid is not the person's `xid`, which then stands behind it.
fn write_id(films: &PublishedFilms, person: u32, out: &mut dyn Write) -> io::Result<()> {
    let name = NodeNames::of(films).of_node(Node::Person(person));
    match films.uids && films.xids {
        true => writeln!(out, "{name} {}", NodeNames::text_of(Node::Person(person))),
        false => writeln!(out, "{name}"),
    }
}

/// The directors as persons, in the order of directors.
fn directors(counts: PublishedCounts) -> impl Iterator<Item = u32> {
    (0..counts.directors).map(move |director| person_of(director, counts))
}

/// The person of a director: some are actors, the others follow the actors.
fn person_of(director: u32, counts: PublishedCounts) -> u32 {
    let acts = counts.directors / DIRECTORS_FOR_AN_ACTOR;
    let actor = u64::from(director / DIRECTORS_FOR_AN_ACTOR) * u64::from(counts.actors)
        / u64::from(acts.max(1));
    match director % DIRECTORS_FOR_AN_ACTOR == DIRECTORS_FOR_AN_ACTOR - 1 && acts <= counts.actors {
        true => actor as u32,
        false => counts.actors + director,
    }
}

/// What there is, and the random numbers that decide it.
struct Content {
    counts: PublishedCounts,
    random: Random,
}

impl Content {
    fn genre(&mut self, writer: &mut Writer<'_>, genre: u32) -> io::Result<()> {
        let node = Node::Genre(genre);
        writer.label(node)?;
        let (_, names) = &GENRES[genre as usize % GENRES.len()];
        match genre as usize / GENRES.len() {
            0 => (0..names.len()).try_for_each(|at| writer.name(node, at, names[at])),
            round => {
                let adjective = ADJECTIVES[round % ADJECTIVES.len()];
                writer.name(node, 0, &format!("{adjective} {}", names[0]))
            }
        }
    }

    fn country(&mut self, writer: &mut Writer<'_>, country: u32) -> io::Result<()> {
        let (node, count) = (Node::Country(country), CITIES.len());
        writer.label(node)?;
        let kind = ["Republic", "Kingdom", "Union"][country as usize / count % 3];
        writer.name(node, 0, &format!("{kind} of {}", CITIES[country as usize % count][0]))
    }

    /// A name in English, and in some other languages: few have many.
    fn names(
        &mut self,
        writer: &mut Writer<'_>,
        node: Node,
        english: &str,
        translated: &[(&'static str, String)],
    ) -> io::Result<()> {
        writer.name(node, 0, english)?;
        let others = LANGUAGES.len() as u32 - 1;
        let count = self.random.power_law(LANGUAGE_EXPONENT, others + 1) - 1;
        let first = self.random.skewed(others);
        for at in 0..count {
            let language = 1 + ((first + at) % others) as usize;
            let known = translated.iter().find(|(tag, _)| *tag == LANGUAGES[language].tag);
            match known {
                Some((_, text)) => writer.name(node, language, text)?,
                None => writer.spelled(node, language, english)?,
            }
        }
        Ok(())
    }

    fn films(&mut self, writer: &mut Writer<'_>) -> io::Result<()> {
        let counts = self.counts;
        let law =
            |sum: u32, count: u32, most| PowerLaw::of_mean(f64::from(sum) / f64::from(count), most);
        let actors = law(counts.performances, counts.actors, PERFORMANCES_AN_ACTOR_MAX);
        let of_actors = fan_outs(
            counts.actors,
            counts.performances,
            |share| actors.of_share(share),
            &mut self.random,
        );
        let mut cast = repeated(&of_actors, &mut self.random);
        drop(of_actors);
        let films = law(counts.performances, counts.films, PERFORMANCES_A_FILM_MAX);
        let casts = fan_outs(
            counts.films,
            counts.performances,
            |share| films.of_share(share),
            &mut self.random,
        );
        let genres = law(counts.genre_edges, counts.films, GENRES_A_FILM_MAX);
        let genres = fan_outs(
            counts.films,
            counts.genre_edges,
            |share| genres.of_share(share),
            &mut self.random,
        );
        let directed = self.directed();
        let (mut first, mut directed) = (0, directed.as_slice());
        for film in 0..counts.films {
            self.film(writer, film)?;
            let own = directed.partition_point(|(other, _)| *other <= film);
            for (_, director) in &directed[..own] {
                let person = Node::Person(person_of(*director, counts));
                writer.edge(Node::Film(film), DirectedBy, person)?;
                writer.edge(person, DirectorFilm, Node::Film(film))?;
            }
            directed = &directed[own..];
            self.genres(writer, film, genres[film as usize])?;
            let end = first + casts[film as usize] as usize;
            self.make_distinct(&mut cast, first..end);
            for (performance, actor) in (first..end).zip(&cast[first..end]) {
                self.performance(writer, film, performance as u32, *actor)?;
            }
            first = end;
        }
        Ok(())
    }

    /// Pairs of film and director, by film: each film has a director, and some have two.
    fn directed(&mut self) -> Vec<(u32, u32)> {
        let counts = self.counts;
        // With fewer directors than films each has one; the sum decides where there are more.
        let sum = counts.directed.max(counts.directors);
        let of_share = |share| of_law(&FILMS_A_DIRECTOR, share);
        let of_directors = fan_outs(counts.directors, sum, of_share, &mut self.random);
        let shuffled = repeated(&of_directors, &mut self.random);
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(shuffled.len());
        for (index, director) in (0..).zip(shuffled) {
            let film = match index < counts.films {
                true => index,
                false => self.random.below(counts.films),
            };
            pairs.push((film, director));
        }
        // A pair that comes twice goes to the next film: a few times over, as a small graph may have no other.
        for _ in 0..8 {
            pairs.sort_unstable();
            for at in 1..pairs.len() {
                if pairs[at] == pairs[at - 1] {
                    pairs[at].0 = (pairs[at].0 + 1) % counts.films;
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn film(&mut self, writer: &mut Writer<'_>, film: u32) -> io::Result<()> {
        let node = Node::Film(film);
        writer.label(node)?;
        let titles = film_title(&mut self.random);
        self.names(writer, node, &titles[0].1, &titles[1..])?;
        self.release(writer, node)?;
        let minutes = 60 + self.random.below(60) + self.random.below(60);
        writer.value(node, Runtime, format_args!("{minutes}"), &format!("^^<{XSD}int>"))?;
        let (thing, name) = (self.random.choose(&THINGS), self.random.choose(&FIRST_NAMES));
        let adjective = self.random.choose(&ADJECTIVES);
        let tagline = format_args!("{name} never saw the {adjective} {thing} again.");
        writer.value(node, Tagline, tagline, "@en")?;
        writer.edge(node, Country, Node::Country(self.random.skewed(COUNTRY_COUNT)))
    }

    /// As in the real data, about half of the dates are only years.
    fn release(&mut self, writer: &mut Writer<'_>, node: Node) -> io::Result<()> {
        let year = 2025 - self.random.below(100).min(self.random.below(100));
        let (month, day) = (1 + self.random.below(12), 1 + self.random.below(28));
        let kind = |name: &str| format!("^^<{XSD}{name}>");
        match self.random.below(20) {
            0..10 => {
                let date = format_args!("{year}-{month:02}-{day:02}");
                writer.value(node, ReleaseDate, date, &kind("date"))
            }
            10..19 => writer.value(node, ReleaseDate, format_args!("{year}"), &kind("gYear")),
            _ => {
                let date = format_args!("{year}-{month:02}");
                writer.value(node, ReleaseDate, date, &kind("gYearMonth"))
            }
        }
    }

    fn genres(&mut self, writer: &mut Writer<'_>, film: u32, count: u32) -> io::Result<()> {
        let mut own: Vec<u32> = Vec::with_capacity(count as usize);
        while own.len() < count as usize {
            let genre = self.random.skewed(GENRE_COUNT);
            if !own.contains(&genre) {
                own.push(genre);
                writer.edge(Node::Film(film), Genre, Node::Genre(genre))?;
            }
        }
        Ok(())
    }

    /// Moves the second performance of an actor in one film to a later film, where there is one.
    fn make_distinct(&mut self, cast: &mut [u32], own: std::ops::Range<usize>) {
        for at in own.clone() {
            let is_double = cast[own.start..at].contains(&cast[at]);
            let remaining = cast.len() - own.end;
            if is_double && remaining != 0 {
                cast.swap(at, own.end + self.random.below(remaining as u32) as usize);
            }
        }
    }

    fn performance(
        &mut self,
        writer: &mut Writer<'_>,
        film: u32,
        number: u32,
        actor: u32,
    ) -> io::Result<()> {
        let (film, actor) = (Node::Film(film), Node::Person(actor));
        let (performance, character) = (Node::Performance(number), Node::Character(number));
        writer.label(performance)?;
        writer.edge(film, Starring, performance)?;
        writer.edge(actor, ActorFilm, performance)?;
        writer.edge(performance, PerformanceFilm, film)?;
        writer.edge(performance, PerformanceActor, actor)?;
        writer.edge(performance, PerformanceCharacter, character)?;
        writer.label(character)?;
        let name = *self.random.choose(&FIRST_NAMES);
        writer.name(character, 0, name)
    }
}
