//! Tables into arrays: the least a load has to do. Names to numbers by a hash map, lists by
//! counting; nothing is stored, no value is kept, no row is judged.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::adjacency::Adjacency;

/// Numbers of names, in order of appearance.
type Numbers = HashMap<Box<[u8]>, u32>;

/// The graph of three tables: names of sources, names of targets, pairs of names. The first line of
/// each is its header, the first fields of a row its names.
pub fn load_tables(sources: &Path, targets: &Path, pairs: &Path) -> io::Result<Adjacency> {
    let (sources, targets) = (numbers(sources)?, numbers(targets)?);
    let text = fs::read(pairs)?;
    let mut edges = Vec::new();
    for row in rows(&text) {
        let mut fields = row.split(|&byte| byte == b',');
        let number = |names: &Numbers, field: Option<&[u8]>| names.get(field?).copied();
        let pair = (number(&sources, fields.next()), number(&targets, fields.next()));
        let (Some(source), Some(target)) = pair else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a row has no person"));
        };
        edges.push((source, target));
    }
    Ok(Adjacency::from_edges(sources.len(), targets.len(), &edges))
}

fn numbers(path: &Path) -> io::Result<Numbers> {
    let text = fs::read(path)?;
    let names = rows(&text).map(|row| row.split(|&byte| byte == b',').next().unwrap_or(row));
    Ok(names.zip(0..).map(|(name, number)| (name.into(), number)).collect())
}

fn rows(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').skip(1).filter(|row| !row.is_empty())
}
