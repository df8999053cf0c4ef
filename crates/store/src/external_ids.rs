//! Ids that clients chose and that cannot be where their elements lie: from elements to their
//! external ids, and back.
//!
//! ```text
//!   known:   5      7     10^12   'ada'       asked for:   5     7    10^12    9    'ada'
//!            │      │      │       │                        │     │      │      │      │
//!   internal id:    5      8      7       9                        5     8      7  9|NOBODY   9
//! ```
//!
//! Inside there are internal ids only: lists, runs, scans and seeks know nothing of this. An
//! internal id of an edge is its partition and its place there, as one number. An id that is no
//! external id is an internal id, *unless* the element with that internal id has another external
//! id. Such an id names no element, and must not become the element with that internal id.
//!
//! Functions of ids and columns enter. A snapshot or a store is never named: who has one gives a look-up as a closure.

use std::sync::Arc;

use millrace_model::external_id::{decode_external, encode_external, encode_ids};
use millrace_model::{
    Bits, Column, EdgeId, Error, ErrorKind, ExternalId, Owner, Result, Value, VertexId,
};

use crate::reads::{Elements, SeekMatches};

/// Set in the element of an id if another element has its internal id: no internal id has this bit,
/// so the id names no element. An id from here on that is an internal id without the bit leaves the
/// store without it while it names no element.
const NOBODY: u64 = 1 << 63;

/// Set in the number of an element with a text as id, beside its internal id: where only a number
/// has room, the element is known by this, and found by it. No client may choose such a number.
const TEXTUAL: u64 = 0b11 << 62;

/// Internal ids of vertices end before this, in every store that has any.
const VERTEX_SLOTS_MAX: u64 = 1 << 32;

/// Internal ids of edges end before this: 32 bits in each of 2^16 partitions, and overflow
/// partitions above them.
const EDGE_SLOTS_MAX: u64 = 1 << 56;

fn internal_ids_max(owner: Owner) -> u64 {
    match owner {
        Owner::AllVertices | Owner::Label(_) => VERTEX_SLOTS_MAX,
        Owner::AllEdges | Owner::EdgeType(_) => EDGE_SLOTS_MAX,
    }
}

/// The internal id of a number that stands for a text.
pub(crate) fn internal_of_text(owner: Owner, number: u64) -> Option<u64> {
    let internal_id = number & !TEXTUAL;
    (number & TEXTUAL == TEXTUAL && internal_id < internal_ids_max(owner)).then_some(internal_id)
}

/// The number that an integer of a query says: none if it is negative, but for those that stand for
/// texts.
pub fn number_of(int: i64) -> Option<u64> {
    let number = int as u64;
    (0 <= int || number & TEXTUAL == TEXTUAL).then_some(number)
}

/// Whether a number stands for a text.
pub fn is_textual(number: u64) -> bool {
    number & TEXTUAL == TEXTUAL
}

/// Whether an id may be chosen by a client; the error says why not.
pub fn check_choice(owner: Owner, id: &ExternalId) -> Result<()> {
    let kind = kind_of(owner);
    match id {
        ExternalId::Number(0) => {
            let detail = format!("{kind} id 0 cannot be chosen: it stands for no {kind}");
            Err(Error::new(ErrorKind::BadInput, detail))
        }
        ExternalId::Number(number) if internal_of_text(owner, *number).is_some() => {
            let detail = format!("{kind} id {number} cannot be chosen: it stands for a text");
            Err(Error::new(ErrorKind::BadInput, detail).with_help("choose one below 2^63"))
        }
        ExternalId::Number(_) | ExternalId::Text(_) => Ok(()),
    }
}

/// The word for an owner's elements, in messages.
pub(crate) fn kind_of(owner: Owner) -> &'static str {
    match owner {
        Owner::AllVertices | Owner::Label(_) => "vertex",
        Owner::AllEdges | Owner::EdgeType(_) => "edge",
    }
}

/// The index of external ids that holds some elements is over these.
pub(crate) fn owner_of(elements: Elements<'_>) -> Owner {
    match elements {
        Elements::Vertices(_) => Owner::AllVertices,
        Elements::Edges(_) => Owner::AllEdges,
    }
}

fn internal_at(elements: Elements<'_>, row: usize) -> u64 {
    match elements {
        Elements::Vertices(vertices) => vertices[row].0,
        Elements::Edges(edges) => edges[row].0,
    }
}

/// Calls `ask` with the elements of some internal ids.
pub fn with_elements<T>(
    owner: Owner,
    internal_ids: &[u64],
    ask: impl FnOnce(Elements<'_>) -> T,
) -> T {
    match owner {
        Owner::AllVertices | Owner::Label(_) => {
            let vertices: Vec<VertexId> = internal_ids.iter().copied().map(VertexId).collect();
            ask(Elements::Vertices(&vertices))
        }
        Owner::AllEdges | Owner::EdgeType(_) => {
            let edges: Vec<EdgeId> = internal_ids.iter().copied().map(EdgeId).collect();
            ask(Elements::Edges(&edges))
        }
    }
}

/// The internal ids of texts, found by a seek in the index.
pub(crate) fn find_texts_with(
    texts: &[Arc<str>],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
) -> Result<Vec<Option<u64>>> {
    let (mut internal_ids, mut matches) = (vec![None; texts.len()], SeekMatches::default());
    seek(&text_keys(texts), &mut matches)?;
    for (row, internal_id) in matches.rows.iter().zip(&matches.ids) {
        internal_ids[*row as usize] = Some(*internal_id);
    }
    Ok(internal_ids)
}

/// The number of an element without an external id.
fn own_number(owner: Owner, internal_id: u64) -> u64 {
    match internal_id & !NOBODY {
        own if own < internal_ids_max(owner) => own,
        _ => internal_id,
    }
}

/// The external numbers of elements, by their stored ids.
pub(crate) fn numbers(elements: Elements<'_>, kept: &Column) -> Vec<u64> {
    let owner = owner_of(elements);
    let number = |row: usize| match (decode_external(kept, row), internal_at(elements, row)) {
        (Some(ExternalId::Number(number)), _) => number,
        (Some(ExternalId::Text(_)), internal_id) => TEXTUAL | internal_id,
        (None, internal_id) => own_number(owner, internal_id),
    };
    (0..elements.len()).map(number).collect()
}

/// The external ids of elements, by their stored ids.
pub(crate) fn id_values(elements: Elements<'_>, kept: &Column) -> Column {
    let owner = owner_of(elements);
    let own = |row: usize| ExternalId::Number(own_number(owner, internal_at(elements, row)));
    let ids = (0..elements.len()).map(|row| decode_external(kept, row).unwrap_or_else(|| own(row)));
    encode_ids(ids.map(Some))
}

/// The internal ids of numbers: those of the index, those that stand for a text, then internal ids
/// that stand for themselves.
pub(crate) fn find_with(
    owner: Owner,
    ids: &[u64],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
    kept: impl FnOnce(Elements<'_>) -> Result<Vec<Column>>,
) -> Result<Vec<u64>> {
    let mut internal_ids = ids.to_vec();
    let mut matches = SeekMatches::default();
    seek(&keys_of(ids), &mut matches)?;
    let mut found = Bits::unset(ids.len());
    for (row, internal_id) in matches.rows.iter().zip(&matches.ids) {
        internal_ids[*row as usize] = *internal_id;
        found.insert(*row as usize);
    }
    let rest: Vec<usize> = (0..ids.len()).filter(|row| !found.get(*row)).collect();
    let internal_of = |row: &usize| internal_of_text(owner, ids[*row]).unwrap_or(ids[*row]);
    let looked_at: Vec<u64> = rest.iter().map(internal_of).collect();
    let kept = with_elements(owner, &looked_at, kept)?;
    for (place, row) in rest.into_iter().enumerate() {
        let stands_for_text = internal_of_text(owner, ids[row]).is_some();
        match decode_external(&kept[0], place) {
            Some(ExternalId::Text(_)) if stands_for_text => internal_ids[row] = looked_at[place],
            Some(_) if !stands_for_text => internal_ids[row] |= NOBODY,
            Some(_) | None => {}
        }
    }
    Ok(internal_ids)
}

/// Which of the internal ids have a number that is an external id.
pub(crate) fn are_external(
    internal_ids: &[u64],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
) -> Result<Bits> {
    let (mut external, mut matches) = (Bits::unset(internal_ids.len()), SeekMatches::default());
    seek(&keys_of(internal_ids), &mut matches)?;
    matches.rows.iter().for_each(|row| external.set(*row as usize, true));
    Ok(external)
}

/// Those of the internal ids with numbers that are no element's external id.
pub(crate) fn not_external(
    internal_ids: &[u64],
    seek: impl FnOnce(&Column, &mut SeekMatches) -> Result<()>,
) -> Result<Vec<u64>> {
    let external = are_external(internal_ids, seek)?;
    Ok((0..internal_ids.len())
        .filter(|row| !external.get(*row))
        .map(|row| internal_ids[row])
        .collect())
}

/// Fresh ids of edges from some sources, none of them an external id: where one is, another is
/// leased.
pub fn lease_not_external(
    sources: &[VertexId],
    mut lease: impl FnMut(&[VertexId]) -> Result<Vec<EdgeId>>,
    are_external: impl Fn(&[u64]) -> Result<Bits>,
) -> Result<Vec<EdgeId>> {
    let mut leased = lease(sources)?;
    let mut rows: Vec<usize> = (0..leased.len()).collect();
    while !rows.is_empty() {
        let numbers: Vec<u64> = rows.iter().map(|row| leased[*row].0).collect();
        let external = are_external(&numbers)?;
        rows = external.ones().map(|place| rows[place]).collect();
        let again: Vec<VertexId> = rows.iter().map(|row| sources[*row]).collect();
        let fresh = if again.is_empty() { Vec::new() } else { lease(&again)? };
        rows.iter().zip(fresh).for_each(|(row, edge)| leased[*row] = edge);
    }
    Ok(leased)
}

/// Numbers as keys of the index.
pub(crate) fn keys_of(ids: &[u64]) -> Column {
    encode_external(ids.iter().copied().map(Some))
}

/// Texts as keys of the index.
pub(crate) fn text_keys(texts: &[Arc<str>]) -> Column {
    Column::from_values(texts.iter().cloned().map(Value::String))
}

/// The internal ids of chosen ids: themselves, but for the external ids among them, which lie in
/// `others`.
pub fn internal_ids_of(
    ids: &[u64],
    external: &Bits,
    others: impl IntoIterator<Item = u64>,
) -> Result<Vec<VertexId>> {
    let mut others = others.into_iter();
    let missing = || Error::new(ErrorKind::Bug, "a lease gave fewer ids than were asked for");
    let internal_id = |(row, id): (usize, &u64)| match external.get(row) {
        true => others.next().map(VertexId).ok_or_else(missing),
        false => Ok(VertexId(*id)),
    };
    ids.iter().enumerate().map(internal_id).collect()
}

/// The external ids to store for vertices that were made for ids: absent where the internal id is
/// the id, `None` if that is so of all.
pub fn kept_of(ids: &[u64], internal_ids: &[VertexId]) -> Option<Column> {
    let external = |(id, internal_id): (&u64, &VertexId)| (*id != internal_id.0).then_some(*id);
    let mut pairs = ids.iter().zip(internal_ids);
    let some = pairs.any(|pair| external(pair).is_some());
    some.then(|| encode_external(ids.iter().zip(internal_ids).map(external)))
}
