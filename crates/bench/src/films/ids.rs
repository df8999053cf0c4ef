//! The films in a folder of `millrace generate films --as-published`, as far as queries need them: the ids of actors and
//! directors, and the names of predicates.

use std::fs;
use std::path::{Path, PathBuf};

use millrace_model::{Error, ErrorKind, Result};

use super::limits::LIST_BYTES_MAX;
use super::queries::{By, FREEBASE, Names, Query, SHORT};
use crate::data::io_error;

/// The files of the folder.
const LISTS: [&str; 2] = ["actors.txt", "directors.txt"];
const SCHEMA: &str = "films.schema";
const QUADS: &str = "films.rdf.gz";

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Id {
    /// The name of the node in the quads.
    pub(super) node: Box<str>,
    /// The value of `xid`, where it is not that name.
    xid: Option<Box<str>>,
}

/// The lists.
#[derive(Debug)]
pub(super) struct Films {
    folder: PathBuf,
    pub(super) names: &'static Names,
    /// Whether persons have their ids as the value of `xid`.
    has_xids: bool,
    actors: Vec<Id>,
    directors: Vec<Id>,
}

impl Films {
    pub(super) fn read(folder: &Path) -> Result<Films> {
        let schema = text_of(&folder.join(SCHEMA))?;
        let has = |predicate: &str| schema.contains(&format!("<{predicate}>:"));
        let names = [&FREEBASE, &SHORT].into_iter().find(|names| has(names.performances));
        let names = names.ok_or_else(|| {
            let detail = format!("{}: this is no schema of films", folder.join(SCHEMA).display());
            Error::new(ErrorKind::BadInput, detail).with_help(HELP)
        })?;
        let [actors, directors] = LISTS.map(|name| list(&folder.join(name)));
        let (folder, has_xids) = (folder.to_owned(), has("xid"));
        Ok(Films { folder, names, has_xids, actors: actors?, directors: directors? })
    }

    /// The file with the statements.
    pub(super) fn quads(&self) -> PathBuf {
        self.folder.join(QUADS)
    }

    /// The persons that a query may begin at.
    pub(super) fn of(&self, query: Query) -> &[Id] {
        match query {
            Query::Actor => &self.actors,
            Query::Director => &self.directors,
        }
    }

    /// Whether nodes are named by uids.
    pub(super) fn has_uids(&self) -> bool {
        self.actors.first().is_some_and(|id| is_uid(&id.node))
    }

    /// The value of `xid`.
    pub(super) fn xid<'a>(&self, id: &'a Id) -> &'a str {
        id.xid.as_deref().unwrap_or(&id.node)
    }

    /// The ways to name nodes that were asked for, or all that there are.
    pub(super) fn ways(&self, asked: &[By]) -> Result<Vec<By>> {
        if asked.is_empty() {
            return Ok(By::ALL.into_iter().filter(|by| self.refusal(*by).is_none()).collect());
        }
        match asked.iter().find_map(|by| Some((*by, self.refusal(*by)?))) {
            None => Ok(asked.to_vec()),
            Some((by, why)) => {
                let folder = self.folder.display();
                let detail = format!("--by {}: {why} of {folder}", by.name());
                Err(Error::new(ErrorKind::BadInput, detail).with_help(HELP))
            }
        }
    }

    fn refusal(&self, by: By) -> Option<&'static str> {
        match by {
            By::Uid if self.has_uids() || self.has_xids => None,
            By::Uid => {
                Some("there are no uids, and no values of xid to ask for them, in the films")
            }
            By::Eq if self.has_xids => None,
            By::Eq => Some("there are no values of xid in the films"),
            By::Xid if self.has_uids() => Some("nodes are named by uids in the films"),
            By::Xid => None,
        }
    }
}

/// What makes a folder that has all.
const HELP: &str = "millrace generate films --as-published 0.05 --xids --out DIR";

fn is_uid(text: &str) -> bool {
    text.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok())
}

/// A line is the name of a node, and perhaps a value of `xid` behind it.
fn list(path: &Path) -> Result<Vec<Id>> {
    let mut ids = Vec::new();
    for (number, line) in (1..).zip(text_of(path)?.lines()) {
        let mut words = line.split(' ').map(Box::from);
        let (node, xid, more) = (words.next(), words.next(), words.next());
        // An id stands in the text of a query as it is.
        let is_plain = |word: &str| {
            !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        };
        match (node, more) {
            (Some(node), None)
                if [Some(&node), xid.as_ref()].into_iter().flatten().all(|id| is_plain(id)) =>
            {
                ids.push(Id { node, xid });
            }
            _ => {
                let detail = format!("{}: line {number} is no id", path.display());
                return Err(Error::new(ErrorKind::BadInput, detail).with_help(HELP));
            }
        }
    }
    match ids.is_empty() {
        true => Err(Error::new(ErrorKind::BadInput, format!("{}: it is empty", path.display()))),
        false => Ok(ids),
    }
}

fn text_of(path: &Path) -> Result<String> {
    let bytes = fs::metadata(path).map_err(|error| io_error(path, &error).with_help(HELP))?.len();
    if LIST_BYTES_MAX < bytes {
        let detail = format!("{}: {bytes} bytes, at most {LIST_BYTES_MAX}", path.display());
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    fs::read_to_string(path).map_err(|error| io_error(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn films(schema: &str, actors: &str) -> Result<Films> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [(SCHEMA, schema), (LISTS[0], actors), (LISTS[1], "person.9\n")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Films::read(folder.path())
    }

    const FILMS: &str = "<actor.film>: [uid] .\n";
    const WITH_XIDS: &str = "<film.actor.film>: [uid] .\n<xid>: string @index(hash) .\n";

    #[test]
    fn a_folder_says_by_what_its_nodes_can_be_named() {
        let texts = films(WITH_XIDS, "person.1\nperson.2\n").unwrap();
        assert_eq!((texts.names, texts.of(Query::Actor).len()), (&FREEBASE, 2));
        assert_eq!(texts.ways(&[]).unwrap(), By::ALL);
        assert_eq!(texts.xid(&texts.of(Query::Actor)[1]), "person.2");
        let uids = films(WITH_XIDS, "0x1f person.1\n").unwrap();
        assert_eq!(uids.ways(&[]).unwrap(), [By::Uid, By::Eq]);
        assert_eq!(uids.xid(&uids.of(Query::Actor)[0]), "person.1");
        assert!(uids.ways(&[By::Xid]).unwrap_err().detail.contains("--by _xid_"));
        let plain = films(FILMS, "person.1\n").unwrap();
        assert_eq!((plain.names, plain.ways(&[]).unwrap()), (&SHORT, vec![By::Xid]));
    }

    #[test]
    fn what_is_no_list_of_ids_is_refused_with_its_line() {
        for list in ["person.1\nperson \"2\"\n", "person.1\n\n", "a b c\n"] {
            let refused = films(FILMS, list).unwrap_err();
            assert!(refused.detail.contains("actors.txt: line"), "{refused}");
        }
        assert!(films(FILMS, "").unwrap_err().detail.contains("empty"));
        assert!(
            films("<name>: string .", "a\n").unwrap_err().detail.contains("no schema of films")
        );
        let none = Films::read(Path::new("nowhere")).unwrap_err().to_string();
        assert!(none.contains("films.schema") && none.contains("generate films"), "{none}");
    }
}
