//! Translates messages of `wire` to types of `db`: neither crate depends on the other.

use millrace_db::plan::{Comparison, Function};
use millrace_db::ragedb::Access;
use millrace_db::ragedb::elements::{
    Condition, ElementKind, NodeName, OwnerType, Page, PropertiesChange, Target, Way,
};
use millrace_wire::ragedb as wire;

pub(super) fn access(access: wire::ScriptAccess) -> Access {
    match access {
        wire::ScriptAccess::Admin => Access::Admin,
        wire::ScriptAccess::ReadWrite => Access::ReadWrite,
        wire::ScriptAccess::ReadOnly => Access::ReadOnly,
    }
}

pub(super) fn element(element: wire::Element) -> ElementKind {
    match element {
        wire::Element::Node => ElementKind::Vertex,
        wire::Element::Relationship => ElementKind::Edge,
    }
}

pub(super) fn owner(owner: wire::Owner) -> OwnerType {
    OwnerType { element: element(owner.element), name: owner.type_name }
}

pub(super) fn node(name: wire::NodeName) -> NodeName {
    match name {
        wire::NodeName::Id(id) => NodeName::Id(id),
        wire::NodeName::Key { type_name, key } => NodeName::Key { type_name, key },
    }
}

pub(super) fn target(target: wire::Target) -> Target {
    match target {
        wire::Target::Node(name) => Target::Node(node(name)),
        wire::Target::Relationship(id) => Target::Relationship(id),
    }
}

pub(super) fn way(way: wire::Way) -> Way {
    Way { direction: way.direction, types: way.types }
}

pub(super) fn page(page: wire::Page) -> Page {
    Page { skip: page.skip, limit: page.limit }
}

pub(super) fn properties(change: wire::PropertiesChange) -> PropertiesChange {
    match change {
        wire::PropertiesChange::Set(name, value) => PropertiesChange::Set(name, value),
        wire::PropertiesChange::Remove(name) => PropertiesChange::Remove(name),
        wire::PropertiesChange::Merge(pairs) => PropertiesChange::Merge(pairs),
        wire::PropertiesChange::Replace(pairs) => PropertiesChange::Replace(pairs),
        wire::PropertiesChange::Clear => PropertiesChange::Replace(Vec::new()),
    }
}

pub(super) fn condition(operation: wire::Operation) -> Condition {
    use wire::Operation as Asked;
    let text = |test, negated| Condition::Text { test, negated };
    match operation {
        Asked::Equal => Condition::Compare(Comparison::Equal),
        Asked::NotEqual => Condition::Compare(Comparison::NotEqual),
        Asked::Greater => Condition::Compare(Comparison::Greater),
        Asked::GreaterEqual => Condition::Compare(Comparison::GreaterEqual),
        Asked::Less => Condition::Compare(Comparison::Less),
        Asked::LessEqual => Condition::Compare(Comparison::LessEqual),
        Asked::IsNull => Condition::IsNull,
        Asked::NotIsNull => Condition::IsThere,
        Asked::StartsWith => text(Function::StartsWith, false),
        Asked::Contains => text(Function::Contains, false),
        Asked::EndsWith => text(Function::EndsWith, false),
        Asked::NotStartsWith => text(Function::StartsWith, true),
        Asked::NotContains => text(Function::Contains, true),
        Asked::NotEndsWith => text(Function::EndsWith, true),
    }
}
