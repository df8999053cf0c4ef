//! Questions over the films of a published experiment: what a server needs for them, pages in the order of an index, and
//! films grouped by their genres.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufRead;
use std::path::Path;

use millrace_db::ingest::nquads::{Object, parse_line};
use millrace_db::ingest::source::plain;
use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result};

use super::published::{FILE, Folders, Indexes, LoadFilms, Published};
use super::{answer, query, sound, wrong};
use crate::clients::http::Connection;
use crate::data::io_error;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::jobs::have_done;
use crate::measure;
use crate::process::{anonymous_bytes_of, peak_bytes_of};
use crate::report::{Row, Unit};

/// Persons of each kind that are asked for.
const PERSONS: usize = 2_000;

/// The size that pages of all films are compared with.
const SMALL: f64 = 0.05;

/// Pages of one run, one behind the other.
const PAGES: usize = 16;

const SEED: u64 = 44;

/// Films with `exact` and `year`.
fn films(conditions: &Conditions, scale: f64) -> Result<(Folders, Served)> {
    let films = Published::of(scale * conditions.scale, Indexes::ExactAndYear);
    let job = LoadFilms { data: conditions.data.clone(), films };
    let folders: Folders = have_done(&conditions.program, &job)?;
    let served = Served::start(conditions, folders.database.clone())?;
    Ok((folders, served))
}

/// The most memory of a server that has answered the two questions of the experiment.
pub(super) fn memory(conditions: &Conditions) -> Result<Row> {
    let (folders, served) = films(conditions, 1.0)?;
    let mut connection = Connection::open(served.dql())?;
    let mut random = SplitMix64::new(SEED);
    for (list, fields) in [
        ("actors.txt", "name@en actor.film { performance.film { name@en } }"),
        ("directors.txt", "name@en director.film { name@en genre { name@en } }"),
    ] {
        let path = folders.files.join(list);
        let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
        let ids: Vec<&str> = text.lines().collect();
        for _ in 0..PERSONS {
            let id = ids[random.index(ids.len())];
            let text = format!("{{ q(func: eq(xid, \"{id}\")) {{ {fields} }} }}");
            connection.send(&query(&text))?;
            connection.receive(|answer| match sound(answer)? {
                answer if answer.contains(r#""q":[]"#) => Err(wrong(format!("{id}: {answer}"))),
                _ => Ok(()),
            })?;
        }
    }
    let none = || Error::new(ErrorKind::Unsupported, "this system does not report memory");
    let peak = peak_bytes_of(served.process_id()).ok_or_else(none)?;
    let anonymous = anonymous_bytes_of(served.process_id()).ok_or_else(none)?;
    Ok(Row::new(peak, Unit::Bytes).with("anonymous", anonymous, Unit::Bytes))
}

/// The next ten names behind one; the reference is the same among a twentieth of the films.
pub(super) fn cursor(conditions: &Conditions) -> Result<Row> {
    let ((_, all), (_, few)) = (films(conditions, 1.0)?, films(conditions, SMALL)?);
    let (mut large, mut small) = (Pages::of(all)?, Pages::of(few)?);
    let medians = measure::side_by_side(conditions.seconds, || large.ask(), || small.ask())?;
    let each = |seconds: f64| seconds * 1e6 / PAGES as f64;
    Ok(Row::new(each(medians.value), Unit::Microseconds).beside(each(medians.reference)))
}

/// Pages of names in order, each behind a letter.
struct Pages {
    requests: Vec<Vec<u8>>,
    served: Served,
}

impl Pages {
    fn of(served: Served) -> Result<Pages> {
        let text = |letter: u8| {
            let from = char::from(letter);
            format!(
                "{{ q(func: ge(name@en, \"{from}\"), orderasc: name@en, first: 10) {{ n: name@en }} }}"
            )
        };
        let letters = b'A'..b'A' + PAGES as u8;
        for letter in letters.clone() {
            let data = answer(&served, &text(letter))?;
            let names: Vec<&str> = data["q"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|row| row["n"].as_str())
                .collect();
            let is_page = names.len() == 10 && names.is_sorted();
            if !is_page || names[0] < char::from(letter).to_string().as_str() {
                return Err(wrong(format!("{}: not a page: {names:?}", text(letter))));
            }
        }
        let requests = letters.map(|letter| query(&text(letter))).collect();
        Ok(Pages { requests, served })
    }

    fn ask(&mut self) -> Result<()> {
        // A connection that waits for its turn is ended by the server.
        let mut connection = Connection::open(self.served.dql())?;
        for request in &self.requests {
            connection.send(request)?;
            connection.receive(|answer| sound(answer).map(drop))?;
        }
        Ok(())
    }
}

/// All films by their genres, counted; the reference is plain array code.
pub(super) fn genres(conditions: &Conditions) -> Result<Row> {
    let (folders, served) = films(conditions, 1.0)?;
    let lists = GenreLists::read(&folders.files.join(FILE))?;
    let text = "{ q(func: has(genre)) @groupby(genre) { n: count(uid) } }";
    let data = answer(&served, text)?;
    let groups = data["q"][0]["@groupby"].as_array();
    let mut found: Vec<u64> =
        groups.into_iter().flatten().filter_map(|group| group["n"].as_u64()).collect();
    let mut expected: Vec<u64> = lists.counts().into_iter().map(u64::from).collect();
    found.sort_unstable();
    expected.sort_unstable();
    if found != expected {
        return Err(wrong(format!("{text}: {found:?}, and not {expected:?}")));
    }
    let mut connection = Connection::open(served.dql())?;
    let request = query(text);
    let medians = measure::side_by_side(
        conditions.seconds,
        || {
            connection.send(&request)?;
            connection.receive(|answer| sound(answer).map(drop))
        },
        || {
            std::hint::black_box(lists.counts());
            Ok(())
        },
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// The genres of each film, one list behind the other.
struct GenreLists {
    /// Where the list of a film begins, and where the last one ends.
    begins: Vec<u32>,
    genres: Vec<u32>,
    genre_count: usize,
}

impl GenreLists {
    fn read(path: &Path) -> Result<GenreLists> {
        let failed = |error: std::io::Error| io_error(path, &error);
        let lines = File::open(path).and_then(plain).map_err(failed)?;
        let mut of_films: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        for line in lines.lines() {
            let line = line.map_err(failed)?;
            if !line.contains("<genre>") {
                continue;
            }
            let quad = parse_line(&line).map_err(|fault| wrong(format!("{line}: {fault}")))?;
            if let Some(quad) = quad
                && let Object::Node(genre) = &quad.object
            {
                let next = numbers.len() as u32;
                let number = *numbers.entry(genre.name.to_string()).or_insert(next);
                of_films.entry(quad.subject.name.to_string()).or_default().push(number);
            }
        }
        let mut lists =
            GenreLists { begins: vec![0], genres: Vec::new(), genre_count: numbers.len() };
        for genres in of_films.into_values() {
            lists.genres.extend(genres);
            lists.begins.push(lists.genres.len() as u32);
        }
        Ok(lists)
    }

    /// How many films each genre has.
    fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.genre_count];
        for film in self.begins.windows(2) {
            for genre in &self.genres[film[0] as usize..film[1] as usize] {
                counts[*genre as usize] += 1;
            }
        }
        counts
    }
}
