//! Answers beside the facts that they have to tell.

use millrace_model::{Error, ErrorKind, Result};
use serde_json::Value;

use super::clients::Clients;
use super::facts::Fact;
use super::queries::{By, Names, Query, Text};

/// A person to ask about.
pub(super) struct Checked<'a> {
    /// As the query names the person.
    pub(super) id: &'a str,
    pub(super) fact: &'a Fact,
}

/// Asks about each, and fails at the first answer that is wrong.
pub(super) fn check(
    clients: &mut Clients,
    (query, by): (Query, By),
    names: &Names,
    persons: &[Checked<'_>],
) -> Result<()> {
    let text = Text::new(query, by, names);
    for Checked { id, fact } in persons {
        let answer = clients.ask(&text.of(id))?;
        let found = fact_of(query, names, &answer);
        if found.as_ref() != Some(fact) {
            let found = found.map_or_else(|| shown(&answer), |found| format!("{found:?}"));
            let (server, query, by) = (clients.name(), query.name(), by.name());
            let detail = format!(
                "{server}: {query} {id}, by {by}: the answer is {found}, and should be {fact:?}"
            );
            return Err(Error::new(ErrorKind::Failed, detail));
        }
    }
    Ok(())
}

/// What an answer tells about its only node; none if it has another form.
fn fact_of(query: Query, names: &Names, answer: &Value) -> Option<Fact> {
    let [node] = answer["me"].as_array()?.as_slice() else { return None };
    let text = |node: &Value| Some(node.get(names.name)?.as_str()?.to_owned());
    let below = |node: &Value, predicate: &str| match node.get(predicate) {
        None => Some(Vec::new()),
        Some(nodes) => nodes.as_array().cloned(),
    };
    let mut films = Vec::new();
    match query {
        Query::Actor => {
            for performance in below(node, names.performances)? {
                for film in below(&performance, names.performed)? {
                    films.push((text(&film)?, Vec::new()));
                }
            }
        }
        Query::Director => {
            for film in below(node, names.directed)? {
                let genres = below(&film, names.genres)?;
                let mut genres: Vec<String> = genres.iter().map(text).collect::<Option<_>>()?;
                genres.sort_unstable();
                films.push((text(&film)?, genres));
            }
        }
    }
    films.sort_unstable();
    Some(Fact { name: text(node), films })
}

/// The beginning of an answer.
fn shown(answer: &Value) -> String {
    answer.to_string().chars().take(super::limits::SHOWN_BYTES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::films::queries::{FREEBASE, SHORT};
    use serde_json::json;

    #[test]
    fn an_answer_has_films_with_their_genres_in_any_order() {
        let answer = json!({ "me": [{ "name@en": "Ada", "director.film": [
            { "name@en": "Two", "genre": [{ "name@en": "War" }, { "name@en": "Art" }] },
            { "name@en": "One" },
        ] }] });
        let films = vec![
            ("One".to_owned(), vec![]),
            ("Two".to_owned(), vec!["Art".to_owned(), "War".to_owned()]),
        ];
        let fact = Fact { name: Some("Ada".to_owned()), films };
        assert_eq!(fact_of(Query::Director, &SHORT, &answer), Some(fact));
        let answer = json!({ "me": [{ "type.object.name.en": "Bo", "film.actor.film": [
            { "film.performance.film": [{ "type.object.name.en": "One" }] },
            { "film.performance.film": [{ "type.object.name.en": "One" }] },
        ] }] });
        let fact = fact_of(Query::Actor, &FREEBASE, &answer).unwrap();
        assert_eq!(fact.films, vec![("One".to_owned(), vec![]); 2]);
    }

    #[test]
    fn an_answer_of_another_form_has_none() {
        for answer in [
            json!({ "me": [] }),
            json!({ "me": [{}, {}] }),
            json!({ "q": [] }),
            json!({ "me": [{ "name@en": "Ada", "director.film": [{ "genre": [] }] }] }),
            json!({ "me": [{ "name@en": "Ada", "director.film": 7 }] }),
        ] {
            assert_eq!(fact_of(Query::Director, &SHORT, &answer), None, "{answer}");
        }
    }
}
