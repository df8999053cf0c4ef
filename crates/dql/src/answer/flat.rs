//! `@normalize`: a node and the nodes below it as objects without levels, one for each way to the last of them.
//!
//! A name that several levels have is one member, with a list of all that they have under it. Uids are an exception, as
//! in Dgraph: at each level, of the uids that come together the first, the third and so on are left out, unless what
//! stands first is a uid, or has a name behind `uid`.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::json::Text;
use super::layout::{Facets, Field, FieldKind, NodeLayout, RowLayout};
use super::node::{Above, LevelRows};
use crate::limits::FLAT_NODES_MAX;

/// The name of a uid, as it is written.
const UID: &str = "\"uid\"";

/// An object without levels: its members as they are written.
#[derive(Clone, Default)]
pub(super) struct FlatObject {
    members: Vec<Arc<str>>,
}

impl FlatObject {
    pub(super) fn write(&self, text: &mut Text<'_>) {
        let mut merged: Vec<(&str, Vec<&str>)> = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let (name, value) = member.split_at(end_of_name(member));
            let value = value.strip_prefix(':').unwrap_or(value);
            match merged.iter_mut().find(|(own, _)| *own == name) {
                Some((_, values)) => values.push(value),
                None => merged.push((name, vec![value])),
            }
        }
        text.json.push('{');
        for (number, (name, values)) in merged.iter().enumerate() {
            text.json.push_str(if number == 0 { "" } else { "," });
            text.json.push_str(name);
            text.json.push(':');
            match values.as_slice() {
                [only] => text.json.push_str(only),
                values => {
                    let inside = values.iter().map(|own| entries(own)).collect::<Vec<_>>();
                    text.json.push_str(&format!("[{}]", inside.join(",")));
                }
            }
        }
        text.json.push('}');
    }

    /// The members by their names, and without every second uid from the first on, unless the name that stood first is
    /// that of a uid or comes behind it.
    fn in_order_of_names(mut self) -> FlatObject {
        let name = |own: &Arc<str>| own[..end_of_name(own)].to_owned();
        let keeps_all = self.members.first().is_none_or(|own| UID <= &*name(own));
        self.members.sort_by_cached_key(name);
        let mut uids = 0;
        self.members.retain(|own| {
            let is_uid = name(own) == UID;
            uids += usize::from(is_uid);
            keeps_all || !is_uid || uids % 2 == 0
        });
        self
    }

    fn with(&self, other: &FlatObject) -> FlatObject {
        FlatObject { members: self.members.iter().chain(&other.members).cloned().collect() }
    }
}

/// What a value adds to a list: its own entries, if it is one.
fn entries(value: &str) -> &str {
    value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value)
}

/// Where the name of a member ends, behind its quotation mark.
fn end_of_name(member: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in member.char_indices().skip(1) {
        match character {
            '"' if !is_escaped => return at + 1,
            character => is_escaped = character == '\\' && !is_escaped,
        }
    }
    member.len()
}

/// The members of a text that has several; their values are no lists and no objects.
fn members_of(text: &str) -> Vec<Arc<str>> {
    let (mut members, mut from) = (Vec::new(), 0);
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' if !is_escaped => is_text = !is_text,
            ',' if !is_text => {
                members.push(Arc::from(&text[from..at]));
                from = at + 1;
            }
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    members.push(Arc::from(&text[from..]));
    members
}

impl LevelRows<'_> {
    /// The objects of a node; none if it has no field with a name of its own, and no uid.
    pub(super) fn flat(
        &self,
        node: &NodeLayout,
        row: usize,
        facets: &Facets,
        above: &mut Above,
    ) -> Result<Vec<FlatObject>> {
        let vertex = self.level.vertices(node.column)?[row];
        if node.ignores_reflex {
            if above.contains(&vertex) {
                return Ok(Vec::new());
            }
            above.push(vertex);
        }
        let mut own = FlatObject::default();
        let mut below = self.below.iter();
        let mut lists: Vec<Vec<FlatObject>> = Vec::new();
        for field in &node.fields {
            if let FieldKind::Level { facets, .. } = &field.kind {
                let Some(level) = below.next() else { continue };
                let RowLayout::Nodes(layout) = &level.layout.rows else { continue };
                let mut list = Vec::new();
                for row in level.level.of_parent(vertex) {
                    list.extend(level.flat(layout, row, facets, above)?);
                    check(list.len())?;
                }
                lists.push(list);
                continue;
            }
            self.flat_field(node, field, row, &mut own)?;
        }
        if node.ignores_reflex {
            above.pop();
        }
        let mut text = Text::unbounded();
        self.write_facets(facets, row, &mut text)?;
        combined(own, lists, &text.json)
    }

    /// Adds a field of a node that has a name of its own, or is its uid.
    pub(super) fn flat_field(
        &self,
        node: &NodeLayout,
        field: &Field,
        row: usize,
        own: &mut FlatObject,
    ) -> Result<()> {
        if !field.is_alias && !matches!(field.kind, FieldKind::Uid(_)) {
            return Ok(());
        }
        let mut text = Text::unbounded();
        if self.write_field(node, (field, None), row, &mut Above::new(), &mut text)? {
            own.members.push(text.json.into());
        }
        Ok(())
    }
}

/// A node's own members, with the facets of the edge that leads to it, and one object of each list below it.
pub(super) fn combined(
    mut own: FlatObject,
    mut lists: Vec<Vec<FlatObject>>,
    facets: &str,
) -> Result<Vec<FlatObject>> {
    lists.retain(|list| !list.is_empty());
    let has_own = !own.members.is_empty() || !lists.is_empty();
    if has_own && let Some(members) = facets.strip_prefix(',') {
        own.members.extend(members_of(members));
    }
    let has_levels = !lists.is_empty();
    let mut objects = if has_own { vec![own] } else { Vec::new() };
    for list in lists {
        check_members(&objects, &list)?;
        objects = objects.iter().flat_map(|own| list.iter().map(|other| own.with(other))).collect();
    }
    if has_levels {
        objects = objects.into_iter().map(FlatObject::in_order_of_names).collect();
    }
    Ok(objects)
}

/// Refuses more members than the objects of one node may have.
fn check_members(objects: &[FlatObject], list: &[FlatObject]) -> Result<()> {
    let count = |all: &[FlatObject]| all.iter().map(|own| own.members.len()).sum::<usize>();
    let of_objects = count(objects).saturating_mul(list.len());
    check(of_objects.saturating_add(count(list).saturating_mul(objects.len())))
}

/// Refuses more of them than one node may have.
pub(super) fn check(count: usize) -> Result<()> {
    if count <= FLAT_NODES_MAX {
        return Ok(());
    }
    let detail = format!(
        "Couldn't evaluate @normalize directive - too many results: more than {FLAT_NODES_MAX} for one node"
    );
    Err(Error::new(ErrorKind::LimitReached, detail).with_help("ask for fewer nodes (`first`)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(members: &[&str]) -> String {
        let members = members.iter().map(|own| Arc::from(*own)).collect();
        let mut text = Text::unbounded();
        FlatObject { members }.write(&mut text);
        text.json
    }

    #[test]
    fn members_of_one_name_become_a_list() {
        assert_eq!(written(&[r#""n":1"#, r#""m":2"#]), r#"{"n":1,"m":2}"#);
        assert_eq!(written(&[r#""n":1"#, r#""m":2"#, r#""n":"a,b""#]), r#"{"n":[1,"a,b"],"m":2}"#);
        assert_eq!(written(&[r#""n":[1,2]"#, r#""n":3"#]), r#"{"n":[1,2,3]}"#);
        assert_eq!(written(&[r#""a\":":1"#]), r#"{"a\":":1}"#);
    }

    #[test]
    fn facets_are_members_of_their_own() {
        let found = members_of(r#""f|a":"x,\"y","f|b":2"#);
        assert_eq!(found, [r#""f|a":"x,\"y""#, r#""f|b":2"#].map(Arc::<str>::from));
    }
}
