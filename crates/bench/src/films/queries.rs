//! The two queries, and the ways to name the node that one begins at.

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Query {
    /// The names of an actor's films.
    Actor,
    /// The films of a director, and their genres.
    Director,
}

/// How the node is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum By {
    /// `func: uid(0x1f)`.
    Uid,
    /// `func: eq(xid, "person.30")`.
    Eq,
    /// `_xid_ : person.30`, the form of 2016, which Dgraph has no more.
    #[value(name = "_xid_")]
    Xid,
}

impl Query {
    pub(super) const ALL: [Query; 2] = [Query::Actor, Query::Director];

    /// As it is called in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Query::Actor => "actor",
            Query::Director => "director",
        }
    }
}

impl By {
    pub(super) const ALL: [By; 3] = [By::Uid, By::Eq, By::Xid];

    /// As it is called in reports and on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            By::Uid => "uid",
            By::Eq => "eq",
            By::Xid => "_xid_",
        }
    }
}

/// The predicates of a graph of films.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Names {
    /// The name in English, as a query asks for it and an answer has it.
    pub(super) name: &'static str,
    /// The predicate of that in quads, and the language of its values there.
    pub(super) name_predicate: &'static str,
    pub(super) name_language: Option<&'static str>,
    /// From an actor to performances, and from those to films.
    pub(super) performances: &'static str,
    pub(super) performed: &'static str,
    /// From a director to films, and from those to genres.
    pub(super) directed: &'static str,
    pub(super) genres: &'static str,
}

/// Today's names.
pub(super) const SHORT: Names = Names {
    name: "name@en",
    name_predicate: "name",
    name_language: Some("en"),
    performances: "actor.film",
    performed: "performance.film",
    directed: "director.film",
    genres: "genre",
};

/// The names that the data had when the article was written.
pub(super) const FREEBASE: Names = Names {
    name: "type.object.name.en",
    name_predicate: "type.object.name.en",
    name_language: None,
    performances: "film.actor.film",
    performed: "film.performance.film",
    directed: "film.director.film",
    genres: "film.film.genre",
};

/// The text of a query, around the id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    before: &'static str,
    after: String,
}

impl Text {
    pub(super) fn new(query: Query, by: By, names: &Names) -> Text {
        let Names { name, performances, performed, directed, genres, .. } = names;
        let children = match query {
            Query::Actor => format!("{name} {performances} {{ {performed} {{ {name} }} }}"),
            Query::Director => format!("{name} {directed} {{ {name} {genres} {{ {name} }} }}"),
        };
        let (before, between) = match by {
            By::Uid => ("{ me(func: uid(", "))"),
            By::Eq => ("{ me(func: eq(xid, \"", "\"))"),
            By::Xid => ("{ me ( _xid_ : ", " )"),
        };
        Text { before, after: format!("{between} {{ {children} }} }}") }
    }

    /// The parts of the query of an id.
    pub(super) fn parts<'a>(&'a self, id: &'a str) -> [&'a str; 3] {
        [self.before, id, &self.after]
    }

    /// The query of an id.
    pub(super) fn of(&self, id: &str) -> String {
        self.parts(id).concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_those_of_the_article() {
        let text = |query, by, names, id| Text::new(query, by, names).of(id);
        assert_eq!(
            text(Query::Actor, By::Xid, &FREEBASE, "m.0f4"),
            "{ me ( _xid_ : m.0f4 ) { type.object.name.en film.actor.film { film.performance.film { type.object.name.en } } } }"
        );
        assert_eq!(
            text(Query::Director, By::Uid, &FREEBASE, "0x1f"),
            "{ me(func: uid(0x1f)) { type.object.name.en film.director.film { type.object.name.en film.film.genre { type.object.name.en } } } }"
        );
        assert_eq!(
            text(Query::Actor, By::Eq, &SHORT, "person.3"),
            "{ me(func: eq(xid, \"person.3\")) { name@en actor.film { performance.film { name@en } } } }"
        );
    }
}
