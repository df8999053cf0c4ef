//! Names of predicates: today's, or those that the data had when the experiment was published, with the language of a
//! name as the end of its predicate. And the schema of either in DQL.

use super::languages::LANGUAGES;

/// Which names predicates have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PredicateNames {
    /// `name` with languages, `director.film`, `starring`, `genre`.
    #[default]
    Short,
    /// `type.object.name.en`, `film.director.film`, `film.film.starring`, `film.film.genre`.
    Freebase,
}

/// A predicate of films.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    ActorFilm,
    DirectorFilm,
    DirectedBy,
    Starring,
    Genre,
    Country,
    PerformanceFilm,
    PerformanceActor,
    PerformanceCharacter,
    ReleaseDate,
    Runtime,
    Tagline,
}

use Predicate::{
    ActorFilm, Country, DirectedBy, DirectorFilm, Genre, PerformanceActor, PerformanceCharacter,
    PerformanceFilm, ReleaseDate, Runtime, Starring, Tagline,
};

/// Predicates with both names and the schema of their values.
const PREDICATES: [(Predicate, &str, &str, &str); 12] = [
    (ActorFilm, "actor.film", "film.actor.film", "[uid] @count"),
    (DirectorFilm, "director.film", "film.director.film", "[uid] @reverse @count"),
    (DirectedBy, "directed_by", "film.film.directed_by", "[uid]"),
    (Starring, "starring", "film.film.starring", "[uid] @count"),
    (Genre, "genre", "film.film.genre", "[uid] @reverse @count"),
    (Country, "country", "film.film.country", "[uid] @reverse"),
    (PerformanceFilm, "performance.film", "film.performance.film", "[uid] @reverse"),
    (PerformanceActor, "performance.actor", "film.performance.actor", "[uid] @reverse"),
    (PerformanceCharacter, "performance.character", "film.performance.character", "[uid]"),
    (
        ReleaseDate,
        "initial_release_date",
        "film.film.initial_release_date",
        "datetime @index(year)",
    ),
    (Runtime, "runtime", "film.film.runtime", "int @index(int)"),
    (Tagline, "tagline", "film.film.tagline", "string @index(fulltext) @lang"),
];

/// The predicate of ids as values, by either names.
pub(super) const XID: &str = "xid";

/// The types, and what each has besides a name.
const TYPES: [(&str, &[Predicate]); 6] = [
    ("Person", &[ActorFilm, DirectorFilm]),
    ("Film", &[DirectedBy, Starring, Genre, Country, ReleaseDate, Runtime, Tagline]),
    ("Performance", &[PerformanceFilm, PerformanceActor, PerformanceCharacter]),
    ("Character", &[]),
    ("Genre", &[]),
    ("Country", &[]),
];

impl PredicateNames {
    /// The name of a predicate.
    pub(super) fn of(self, predicate: Predicate) -> &'static str {
        let (_, short, freebase, _) = PREDICATES[predicate as usize];
        match self {
            Self::Short => short,
            Self::Freebase => freebase,
        }
    }

    /// The predicates of names.
    fn name_predicates(self) -> Vec<String> {
        match self {
            Self::Short => vec!["name".to_owned()],
            Self::Freebase => {
                let of = |tag: &str| format!("type.object.name.{tag}");
                LANGUAGES.iter().map(|language| of(language.tag)).collect()
            }
        }
    }

    /// The schema in DQL, with ids as values or without.
    pub(super) fn schema(self, xids: bool) -> String {
        let (names, mut schema) = (self.name_predicates(), String::new());
        let of_names = match self {
            Self::Short => "string @index(hash, term, trigram, fulltext) @lang",
            Self::Freebase => "string @index(hash, term)",
        };
        names.iter().for_each(|name| schema.push_str(&format!("<{name}>: {of_names} .\n")));
        for (predicate, .., value) in PREDICATES {
            schema.push_str(&format!("<{}>: {value} .\n", self.of(predicate)));
        }
        if xids {
            schema.push_str(&format!("<{XID}>: string @index(hash) .\n"));
        }
        for (name, fields) in TYPES {
            schema.push_str(&format!("type {name} {{\n"));
            names.iter().for_each(|name| schema.push_str(&format!("  <{name}>\n")));
            fields.iter().for_each(|field| schema.push_str(&format!("  <{}>\n", self.of(*field))));
            schema.push_str("}\n");
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_has_its_own_row() {
        for (index, (predicate, ..)) in PREDICATES.iter().enumerate() {
            assert_eq!(*predicate as usize, index);
        }
        assert_eq!(PredicateNames::Freebase.of(Genre), "film.film.genre");
        assert_eq!(PredicateNames::Short.of(Tagline), "tagline");
    }
}
