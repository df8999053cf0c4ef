//! Names, definitions and their changes as bytes.
//!
//! ```text
//!   owner        1 label u32 │ 2 edge type u32 │ 3 all vertices
//!   property     owner, key u32, type u8 (its place in PropertyType::ALL), required u8
//!   index        id u32, owner, kind u8 (0 unique, 1 exact, 2 range, 3 of made keys), how they are
//!                made (text; of kind 3 alone), keys u32 × u32
//!   change       1 define owner │ 2 drop owner │ 3 define property │ 4 drop property: owner, key
//!                │ 5 define index │ 6 drop index: id │ 7 set note: name, text │ 8 drop note: name
//!                │ 9 build index │ 10 enforce index: id │ 11 finish index: id │ 12 check property
//!                │ 13 abandon property: owner, key │ 20 define set: edge type u32
//!                │ 21 drop set: edge type u32 │ 22 demand serializable: u8
//!   catalog      version u64, names ×3 (u32 × text), owners, properties, indexes, indexes being
//!                built (index, enforced u8), properties being checked, notes (u32 × each),
//!                sets (u32 × edge type u32), serializable u8
//! ```

use std::sync::Arc;

use millrace_model::schema::{
    Definition, Definitions, IndexBuild, IndexDefinition, IndexKind, KeyMethod, Names,
    PropertyDefinition,
};
use millrace_model::{
    Catalog, CatalogChange, EdgeTypeId, IndexId, KeyId, LabelId, Owner, PropertyType,
};

use millrace_store::ordered_keys::check_method;

use super::{Malformed, Reader, put_text, put_u32, put_u64};

type Decoded<T> = Result<T, Malformed>;

/// Appends a change.
pub(crate) fn encode_change(bytes: &mut Vec<u8>, change: &CatalogChange) {
    match change {
        CatalogChange::CreateOwner(owner) => {
            bytes.push(1);
            encode_owner(bytes, *owner);
        }
        CatalogChange::DropOwner(owner) => {
            bytes.push(2);
            encode_owner(bytes, *owner);
        }
        CatalogChange::CreateProperty(property) => {
            bytes.push(3);
            encode_property(bytes, property);
        }
        CatalogChange::DropProperty(owner, key) => {
            bytes.push(4);
            encode_owner(bytes, *owner);
            put_u32(bytes, key.0);
        }
        CatalogChange::CreateIndex(index) => {
            bytes.push(5);
            encode_index(bytes, index);
        }
        CatalogChange::DropIndex(id) => {
            bytes.push(6);
            put_u32(bytes, id.0);
        }
        CatalogChange::CreateSet(edge_type) => {
            bytes.push(20);
            put_u32(bytes, edge_type.0);
        }
        CatalogChange::DropSet(edge_type) => {
            bytes.push(21);
            put_u32(bytes, edge_type.0);
        }
        CatalogChange::DemandSerializable(demanded) => {
            bytes.extend([22, u8::from(*demanded)]);
        }
        CatalogChange::SetNote(name, text) => {
            bytes.push(if text.is_some() { 7 } else { 8 });
            put_text(bytes, name);
            text.iter().for_each(|text| put_text(bytes, text));
        }
        CatalogChange::BuildIndex(index) => {
            bytes.push(9);
            encode_index(bytes, index);
        }
        CatalogChange::EnforceIndex(id) => {
            bytes.push(10);
            put_u32(bytes, id.0);
        }
        CatalogChange::FinishIndex(id) => {
            bytes.push(11);
            put_u32(bytes, id.0);
        }
        CatalogChange::CheckProperty(property) => {
            bytes.push(12);
            encode_property(bytes, property);
        }
        CatalogChange::AbandonProperty(owner, key) => {
            bytes.push(13);
            encode_owner(bytes, *owner);
            put_u32(bytes, key.0);
        }
    }
}

/// Takes a change.
pub(crate) fn decode_change(reader: &mut Reader<'_>) -> Decoded<CatalogChange> {
    Ok(match reader.u8()? {
        1 => CatalogChange::CreateOwner(decode_owner(reader)?),
        2 => CatalogChange::DropOwner(decode_owner(reader)?),
        3 => CatalogChange::CreateProperty(decode_property(reader)?),
        4 => CatalogChange::DropProperty(decode_owner(reader)?, KeyId(reader.u32()?)),
        5 => CatalogChange::CreateIndex(decode_index(reader)?),
        6 => CatalogChange::DropIndex(IndexId(reader.u32()?)),
        20 => CatalogChange::CreateSet(EdgeTypeId(reader.u32()?)),
        21 => CatalogChange::DropSet(EdgeTypeId(reader.u32()?)),
        22 => CatalogChange::DemandSerializable(reader.u8()? != 0),
        7 => CatalogChange::SetNote(reader.text()?.into(), Some(reader.text()?.into())),
        8 => CatalogChange::SetNote(reader.text()?.into(), None),
        9 => CatalogChange::BuildIndex(decode_index(reader)?),
        10 => CatalogChange::EnforceIndex(IndexId(reader.u32()?)),
        11 => CatalogChange::FinishIndex(IndexId(reader.u32()?)),
        12 => CatalogChange::CheckProperty(decode_property(reader)?),
        13 => CatalogChange::AbandonProperty(decode_owner(reader)?, KeyId(reader.u32()?)),
        _ => return Err(reader.malformed("an unknown change of the catalog")),
    })
}

/// Appends a whole catalog.
pub(crate) fn encode_catalog(bytes: &mut Vec<u8>, catalog: &Catalog) {
    put_u64(bytes, catalog.version);
    for names in [&catalog.labels, &catalog.edge_types, &catalog.keys] {
        put_u32(bytes, names.len() as u32);
        names.iter().for_each(|name| put_text(bytes, name));
    }
    put_u32(bytes, catalog.owners.len() as u32);
    catalog.owners.iter().for_each(|owner| encode_owner(bytes, *owner));
    put_u32(bytes, catalog.properties.len() as u32);
    catalog.properties.iter().for_each(|property| encode_property(bytes, property));
    put_u32(bytes, catalog.indexes.len() as u32);
    catalog.indexes.iter().for_each(|index| encode_index(bytes, index));
    put_u32(bytes, catalog.building.len() as u32);
    for build in &catalog.building {
        encode_index(bytes, &build.index);
        bytes.push(u8::from(build.enforced));
    }
    put_u32(bytes, catalog.checking.len() as u32);
    catalog.checking.iter().for_each(|property| encode_property(bytes, property));
    put_u32(bytes, catalog.notes.len() as u32);
    for (name, text) in catalog.notes.iter() {
        put_text(bytes, name);
        put_text(bytes, text);
    }
    put_u32(bytes, catalog.sets.len() as u32);
    catalog.sets.iter().for_each(|edge_type| put_u32(bytes, edge_type.0));
    bytes.push(u8::from(catalog.serializable));
}

/// Takes a whole catalog.
pub(crate) fn decode_catalog(reader: &mut Reader<'_>) -> Decoded<Catalog> {
    let version = reader.u64()?;
    let [labels, edge_types, keys] =
        [decode_names(reader)?, decode_names(reader)?, decode_names(reader)?];
    let owners = decode_definitions(reader, decode_owner)?;
    let properties = decode_definitions(reader, decode_property)?;
    let indexes = decode_definitions(reader, decode_index)?;
    let building = decode_definitions(reader, |reader| {
        Ok(IndexBuild { index: decode_index(reader)?, enforced: reader.u8()? != 0 })
    })?;
    let checking = decode_definitions(reader, decode_property)?;
    let note = |reader: &mut Reader<'_>| Ok((Arc::from(reader.text()?), Arc::from(reader.text()?)));
    let notes = decode_each(reader, note)?.into_iter().collect();
    let sets = decode_definitions(reader, |reader| Ok(EdgeTypeId(reader.u32()?)))?;
    let serializable = reader.u8()? != 0;
    let defined =
        Catalog { version, labels, edge_types, keys, sets, serializable, ..Catalog::default() };
    Ok(Catalog { owners, properties, indexes, building, checking, notes, ..defined })
}

fn decode_names(reader: &mut Reader<'_>) -> Decoded<Names> {
    let mut names = Names::default();
    for number in 0..reader.u32()? {
        if names.intern(reader.text()?) != number {
            return Err(reader.malformed("a name is there twice"));
        }
    }
    Ok(names)
}

fn decode_definitions<T: Definition>(
    reader: &mut Reader<'_>,
    decode: impl Fn(&mut Reader<'_>) -> Decoded<T>,
) -> Decoded<Definitions<T>> {
    Ok(decode_each(reader, decode)?.into_iter().collect())
}

fn decode_each<T>(
    reader: &mut Reader<'_>,
    decode: impl Fn(&mut Reader<'_>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    (0..reader.u32()?).map(|_| decode(reader)).collect()
}

fn encode_owner(bytes: &mut Vec<u8>, owner: Owner) {
    match owner {
        Owner::Label(label) => {
            bytes.push(1);
            put_u32(bytes, label.0);
        }
        Owner::EdgeType(edge_type) => {
            bytes.push(2);
            put_u32(bytes, edge_type.0);
        }
        Owner::AllVertices => bytes.push(3),
        Owner::AllEdges => bytes.push(4),
    }
}

fn decode_owner(reader: &mut Reader<'_>) -> Decoded<Owner> {
    Ok(match reader.u8()? {
        1 => Owner::Label(LabelId(reader.u32()?)),
        2 => Owner::EdgeType(EdgeTypeId(reader.u32()?)),
        3 => Owner::AllVertices,
        4 => Owner::AllEdges,
        _ => return Err(reader.malformed("an unknown owner of a definition")),
    })
}

fn encode_property(bytes: &mut Vec<u8>, property: &PropertyDefinition) {
    encode_owner(bytes, property.owner);
    put_u32(bytes, property.key.0);
    let place = PropertyType::ALL.iter().position(|(kind, _)| *kind == property.kind);
    bytes.push(place.expect("every type is in the list of all") as u8);
    bytes.push(u8::from(property.required));
}

fn decode_property(reader: &mut Reader<'_>) -> Decoded<PropertyDefinition> {
    let (owner, key) = (decode_owner(reader)?, KeyId(reader.u32()?));
    let (place, required) = (reader.u8()?, reader.u8()? != 0);
    let Some((kind, _)) = PropertyType::ALL.get(usize::from(place)) else {
        return Err(reader.malformed("an unknown type of property"));
    };
    Ok(PropertyDefinition { owner, key, kind: *kind, required })
}

fn encode_index(bytes: &mut Vec<u8>, index: &IndexDefinition) {
    put_u32(bytes, index.id.0);
    encode_owner(bytes, index.owner);
    bytes.push(match index.kind {
        IndexKind::Unique => 0,
        IndexKind::Exact => 1,
        IndexKind::Range => 2,
        IndexKind::Made => 3,
    });
    if let Some(KeyMethod(method)) = &index.method {
        put_text(bytes, method);
    }
    put_u32(bytes, index.keys.len() as u32);
    index.keys.iter().for_each(|key| put_u32(bytes, key.0));
}

fn decode_index(reader: &mut Reader<'_>) -> Decoded<IndexDefinition> {
    let (id, owner) = (IndexId(reader.u32()?), decode_owner(reader)?);
    let kind = match reader.u8()? {
        0 => IndexKind::Unique,
        1 => IndexKind::Exact,
        2 => IndexKind::Range,
        3 => IndexKind::Made,
        _ => return Err(reader.malformed("an unknown kind of index")),
    };
    let method = match kind {
        IndexKind::Made => Some(decode_method(reader)?),
        IndexKind::Unique | IndexKind::Exact | IndexKind::Range => None,
    };
    let keys = decode_each(reader, |reader| Ok(KeyId(reader.u32()?)))?;
    Ok(IndexDefinition { id, owner, keys, kind, method })
}

fn decode_method(reader: &mut Reader<'_>) -> Decoded<KeyMethod> {
    let method = KeyMethod(reader.text()?.into());
    let known = check_method(&method).is_ok();
    known.then_some(method).ok_or_else(|| reader.malformed("an unknown way to make keys"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes() -> Vec<CatalogChange> {
        let owners = [
            Owner::Label(LabelId(3)),
            Owner::EdgeType(EdgeTypeId(4)),
            Owner::AllVertices,
            Owner::AllEdges,
        ];
        let property = |(kind, _): &(PropertyType, &str)| {
            let (owner, key) = (owners[0], KeyId(9));
            let defined = PropertyDefinition { owner, key, kind: *kind, required: true };
            CatalogChange::CreateProperty(defined)
        };
        let index = |kind| {
            let keys = vec![KeyId(1), KeyId(2)];
            IndexDefinition { id: IndexId(5), ..IndexDefinition::new(owners[1], keys, kind) }
        };
        let (owner, key, kind) = (owners[0], KeyId(8), PropertyType::Any);
        let checked = PropertyDefinition { owner, key, kind, required: true };
        let mut changes: Vec<CatalogChange> = PropertyType::ALL.iter().map(property).collect();
        changes.extend(owners.map(CatalogChange::CreateOwner));
        changes.extend([
            CatalogChange::CreateIndex(index(IndexKind::Unique)),
            CatalogChange::CreateIndex(index(IndexKind::Exact)),
            CatalogChange::BuildIndex(index(IndexKind::Range)),
            CatalogChange::CreateIndex(IndexDefinition {
                id: IndexId(6),
                ..IndexDefinition::made(owners[0], vec![KeyId(2)], KeyMethod("trigrams".into()))
            }),
            CatalogChange::EnforceIndex(IndexId(5)),
            CatalogChange::FinishIndex(IndexId(5)),
            CatalogChange::BuildIndex(index(IndexKind::Unique)),
            CatalogChange::CheckProperty(checked.clone()),
            CatalogChange::AbandonProperty(owners[0], KeyId(8)),
            CatalogChange::CheckProperty(checked),
            CatalogChange::DropIndex(IndexId(5)),
            CatalogChange::SetNote(Arc::from("load"), Some(Arc::from("line 7"))),
            CatalogChange::SetNote(Arc::from("load"), None),
            CatalogChange::DropProperty(owners[2], KeyId(1)),
            CatalogChange::DropOwner(owners[0]),
            CatalogChange::CreateSet(EdgeTypeId(1)),
            CatalogChange::CreateSet(EdgeTypeId(4)),
            CatalogChange::DropSet(EdgeTypeId(1)),
            CatalogChange::DemandSerializable(true),
        ]);
        changes
    }

    #[test]
    fn every_change_and_the_catalog_they_make_read_back() {
        let mut catalog = Catalog { version: 7, ..Catalog::default() };
        catalog.labels.intern("Person");
        catalog.edge_types.intern("LIKES");
        catalog.keys.intern("name@en");
        for change in changes() {
            let mut bytes = Vec::new();
            encode_change(&mut bytes, &change);
            let mut reader = Reader::new(&bytes);
            assert_eq!(decode_change(&mut reader), Ok(change.clone()));
            reader.finish().unwrap();
            catalog.apply(&change);
            bytes.clear();
            encode_catalog(&mut bytes, &catalog);
            assert_eq!(decode_catalog(&mut Reader::new(&bytes)), Ok(catalog.clone()));
        }
    }
}
