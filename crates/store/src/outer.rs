//! Ids that clients chose and that cannot be slots: from vertices to what they are shown under,
//! and back.
//!
//! ```text
//!   shown:   5      7     10^12        asked for:   5     7    10^12    9
//!            │      │      │                        │     │      │      │
//!   slot:    5      8      7                        5     8      7    9 | NOBODY, if slot 9 is
//! ```
//!
//! Inside there are slots only: lists, runs, scans and seeks know nothing of this. What a reader
//! would get wrong: an id that is no outer id is a slot, *unless* the vertex in that slot is shown
//! under another id. Such an id names nobody, and must not become the vertex that happens to be there.

use millrace_model::outer::{decode_outer, encode_outer};
use millrace_model::schema::IndexDeclaration;
use millrace_model::{Bits, CatalogChange, Column, Error, ErrorKind, OUTER_KEY, Result, VertexId};

use crate::backend::Store;
use crate::changes::{Changes, WriteBatch};
use crate::constraint;
use crate::snapshot::{Elements, SeekMatches, Snapshot};

/// Set in the vertex of an id whose slot is somebody else's: no slot has it, so it is nobody. It
/// costs the 2^32 ids from here on one thing: while they name nobody, they are shown without it.
const NOBODY: u64 = 1 << 63;

/// Slots end before this, in every store that has any.
const SLOTS_MAX: u64 = 1 << 32;

/// What [`Snapshot::outer_ids`] answers, by means of its other calls.
pub fn outer_ids(
    snapshot: &(impl Snapshot + ?Sized),
    vertices: &[VertexId],
) -> Result<Option<Vec<u64>>> {
    if snapshot.catalog().outer_index().is_none() {
        return Ok(None);
    }
    let kept = snapshot.gather(Elements::Vertices(vertices), &[OUTER_KEY])?;
    Ok(Some(shown(vertices, &kept[0])))
}

/// What [`Snapshot::find_outer`] answers, by means of its other calls.
pub fn find_outer(
    snapshot: &(impl Snapshot + ?Sized),
    ids: &[u64],
) -> Result<Option<Vec<VertexId>>> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.outer_index() else { return Ok(None) };
    let seek = |keys: &Column, matches: &mut SeekMatches| snapshot.seek(index.id, &[keys], matches);
    let kept = |slots: &[VertexId]| snapshot.gather(Elements::Vertices(slots), &[OUTER_KEY]);
    find_with(ids, seek, kept).map(Some)
}

/// The ids that vertices are shown under, by what is kept of them.
pub(crate) fn shown(vertices: &[VertexId], kept: &Column) -> Vec<u64> {
    let own = |vertex: &VertexId| match vertex.0 & !NOBODY {
        slot if slot < SLOTS_MAX => slot,
        _ => vertex.0,
    };
    let rows = vertices.iter().enumerate();
    rows.map(|(row, vertex)| decode_outer(kept, row).unwrap_or_else(|| own(vertex))).collect()
}

/// The vertices of ids: those of the index, then slots that are shown as themselves.
pub(crate) fn find_with(
    ids: &[u64],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
    kept: impl FnOnce(&[VertexId]) -> Result<Vec<Column>>,
) -> Result<Vec<VertexId>> {
    let mut vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
    let mut matches = SeekMatches::default();
    seek(&keys_of(ids), &mut matches)?;
    let mut found = Bits::unset(ids.len());
    for (row, slot) in matches.rows.iter().zip(&matches.ids) {
        vertices[*row as usize] = VertexId(*slot);
        found.insert(*row as usize);
    }
    let rest: Vec<usize> = (0..ids.len()).filter(|row| !found.get(*row)).collect();
    let slots: Vec<VertexId> = rest.iter().map(|row| vertices[*row]).collect();
    let kept = kept(&slots)?;
    for (place, row) in rest.into_iter().enumerate() {
        if decode_outer(&kept[0], place).is_some() {
            vertices[row].0 |= NOBODY;
        }
    }
    Ok(vertices)
}

/// Those of the slots whose numbers are outer ids of nobody.
pub(crate) fn not_outer(
    slots: &[u64],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
) -> Result<Vec<u64>> {
    let mut matches = SeekMatches::default();
    seek(&keys_of(slots), &mut matches)?;
    let mut outer = matches.rows.into_iter().peekable();
    let mut is_outer = |row: usize| outer.next_if(|found| *found as usize == row).is_some();
    Ok((0..slots.len()).filter(|row| !is_outer(*row)).map(|row| slots[row]).collect())
}

/// Those of the slots whose numbers are outer ids of nobody in the snapshot.
pub fn without_outer(snapshot: &dyn Snapshot, slots: Vec<u64>) -> Result<Vec<u64>> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.outer_index() else { return Ok(slots) };
    not_outer(&slots, |keys, matches| snapshot.seek(index.id, &[keys], matches))
}

/// Ids as keys of the index.
pub(crate) fn keys_of(ids: &[u64]) -> Column {
    encode_outer(ids.iter().copied().map(Some))
}

/// Refuses ids that nobody may choose, or that are shown in the snapshot; else the rows whose slot
/// is taken by a vertex that is shown under another id.
pub fn check_claim(snapshot: &dyn Snapshot, ids: &[u64]) -> Result<Bits> {
    if ids.contains(&0) {
        let detail = "vertex id 0 cannot be chosen: it stands for no vertex";
        return Err(Error::new(ErrorKind::BadInput, detail));
    }
    let found = snapshot.find_outer(ids)?;
    let places = found.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect());
    match snapshot.exist(Elements::Vertices(&places))?.ones().next() {
        Some(row) => Err(constraint::vertex_exists(VertexId(ids[row]))),
        None => Ok(ids.iter().zip(&places).map(|(id, place)| place.0 != *id).collect()),
    }
}

/// The slots of chosen ids: themselves, but for the outer ids among them, which lie in `others`.
pub fn slots_of(
    ids: &[u64],
    outer: &Bits,
    others: impl IntoIterator<Item = u64>,
) -> Result<Vec<VertexId>> {
    let mut others = others.into_iter();
    let missing = || Error::new(ErrorKind::Bug, "a lease gave fewer slots than were asked for");
    let slot = |(row, id): (usize, &u64)| match outer.get(row) {
        true => others.next().map(VertexId).ok_or_else(missing),
        false => Ok(VertexId(*id)),
    };
    ids.iter().enumerate().map(slot).collect()
}

/// What is kept of vertices that were made for ids: nothing, where the slot is the id. `None`: that
/// is so of all.
pub fn kept_of(ids: &[u64], slots: &[VertexId]) -> Option<Column> {
    let outer = |(id, slot): (&u64, &VertexId)| (*id != slot.0).then_some(*id);
    let mut pairs = ids.iter().zip(slots);
    let some = pairs.any(|pair| outer(pair).is_some());
    some.then(|| encode_outer(ids.iter().zip(slots).map(outer)))
}

/// The index of outer ids, made if this is the first of them. Whoever begins at the same time finds
/// it there; a declaration of somebody else comes first, and then this one.
pub fn make_index(store: &dyn Store) -> Result<IndexDeclaration> {
    loop {
        let snapshot = store.snapshot()?;
        let catalog = snapshot.catalog();
        if let Some(index) = catalog.outer_index() {
            return Ok(index.clone());
        }
        let declare = CatalogChange::DeclareIndex(IndexDeclaration::of_outer_ids());
        let batch = WriteBatch {
            snapshot: snapshot.position(),
            catalog_version: catalog.version,
            changes: Changes { catalog: vec![declare], ..Changes::default() },
            ..WriteBatch::default()
        };
        drop(snapshot);
        match store.commit(batch).and_then(|ticket| ticket.wait()) {
            Ok(_) => {}
            Err(error) if error.kind == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
        }
    }
}
