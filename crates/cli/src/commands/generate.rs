//! `millrace generate`: synthetic graphs as files, the same for the same seed and scale.

use std::fs;

use millrace_db::ingest::generate::{Films, Likes, People, PredicateNames, PublishedFilms, Social};
use millrace_model::{Error, ErrorKind};

use crate::arguments::{Generate, GraphKind, PredicateKind};
use crate::exit::Failure;
use crate::say;

/// The largest scale: beyond it counts leave 32 bits.
const SCALE_MAX: f64 = 100.0;

/// The largest fraction of the published counts: beyond it the numbers of statements of a kind leave 32 bits.
const PUBLISHED_MAX: f64 = 100.0;

pub(crate) fn run(arguments: &Generate) -> Result<(), Failure> {
    if !(0.0 < arguments.scale && arguments.scale <= SCALE_MAX) {
        let detail =
            format!("--scale is {}, and must be above 0 and at most {SCALE_MAX}", arguments.scale);
        return Err(Error::new(ErrorKind::BadInput, detail).into());
    }
    let published = published(arguments)?;
    let out = &arguments.out;
    fs::create_dir_all(out)
        .map_err(|error| Error::new(ErrorKind::Io, format!("{}: {error}", out.display())))?;
    if let Some(films) = published {
        let (written, statements) = films.write_files(out).map_err(Error::from)?;
        written.iter().for_each(|path| say!("{}", path.display()));
        say!("{statements} statements");
        return Ok(());
    }
    let written = match arguments.kind {
        GraphKind::Likes => {
            let likes = Likes { seed: arguments.seed, ..scaled_likes(arguments.scale) };
            let files = likes.write_files(out, false).map_err(Error::from)?;
            files.paths().map(|path| path.to_owned()).to_vec()
        }
        GraphKind::Films => {
            let films = Films { scale: scaled(1, arguments.scale), seed: arguments.seed };
            let path = out.join("films.rdf.gz");
            films.write_file(&path).map_err(Error::from)?;
            vec![path]
        }
        GraphKind::People => {
            let full = People::default();
            let people = scaled(full.people, arguments.scale);
            let people = People { people, seed: arguments.seed, ..full };
            let files = people.write_files(out).map_err(Error::from)?;
            files.paths().map(|path| path.to_owned()).to_vec()
        }
        GraphKind::Social => {
            let social = Social { scale: arguments.scale, seed: arguments.seed };
            social.write_files(out).map_err(Error::from)?
        }
    };
    written.iter().for_each(|path| say!("{}", path.display()));
    Ok(())
}

/// The films with published counts, if they are asked for.
fn published(arguments: &Generate) -> Result<Option<PublishedFilms>, Error> {
    let refuse = |detail: String| Err(Error::new(ErrorKind::BadInput, detail));
    let Some(scale) = arguments.as_published else { return Ok(None) };
    if arguments.kind != GraphKind::Films {
        return refuse("--as-published is for films: millrace generate films".into());
    }
    if !(0.0 < scale && scale <= PUBLISHED_MAX) {
        let bounds = format!("must be above 0 and at most {PUBLISHED_MAX}");
        return refuse(format!("--as-published is {scale}, and {bounds}"));
    }
    let names = match arguments.predicates {
        PredicateKind::Short => PredicateNames::Short,
        PredicateKind::Freebase => PredicateNames::Freebase,
    };
    let (seed, uids, xids) = (arguments.seed, arguments.uids, arguments.xids);
    Ok(Some(PublishedFilms { scale, seed, names, uids, xids }))
}

/// The likes graph at a scale of its usual size.
pub(crate) fn scaled_likes(scale: f64) -> Likes {
    let full = Likes::default();
    Likes { people: scaled(full.people, scale), items: scaled(full.items, scale.sqrt()), ..full }
}

fn scaled(count: u32, scale: f64) -> u32 {
    ((f64::from(count) * scale).round() as u32).max(1)
}
