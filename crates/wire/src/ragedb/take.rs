//! The arguments of a route in its path, query and body.

use std::ops::Deref;

use millrace_model::schema::IndexKind;
use millrace_model::value::ValueMap;
use millrace_model::{Direction, PropertyType, Result, Value};

use super::message::{
    Element, GraphChange, IndexChange, NodeName, Operation, Owner, Page, PropertiesChange, Request,
    SchemaRequest, ScriptAccess, Target, Way,
};
use crate::http;
use crate::http::pattern::OPTIONS;
use crate::http::target::bad;
use crate::json;
use crate::limits::{LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX};

/// The arguments of a route, and the kind of element that it is about.
pub(super) struct Captured<'a> {
    /// The kind of element that the path's `{id}` names.
    pub(super) element: Element,
    pub(super) path: http::Captured<'a>,
}

impl<'a> Deref for Captured<'a> {
    type Target = http::Captured<'a>;

    fn deref(&self) -> &http::Captured<'a> {
        &self.path
    }
}

impl Captured<'_> {
    pub(super) fn property(&self) -> String {
        self.text("property")
    }

    pub(super) fn owner(&self, element: Element) -> Owner {
        Owner { element, type_name: self.text("type") }
    }

    pub(super) fn node(&self) -> Result<NodeName> {
        if self.find_value("id").is_some() {
            return Ok(NodeName::Id(self.id("id")?));
        }
        Ok(NodeName::Key { type_name: self.text("type"), key: self.text("key") })
    }

    pub(super) fn second_key(&self) -> NodeName {
        NodeName::Key { type_name: self.text("type2"), key: self.text("key2") }
    }

    fn target(&self) -> Result<Target> {
        Ok(match self.element {
            Element::Relationship => Target::Relationship(self.id("id")?),
            Element::Node => Target::Node(self.node()?),
        })
    }

    pub(super) fn value(&self) -> Result<Value> {
        json::parse(self.body)
    }

    pub(super) fn object(&self) -> Result<ValueMap> {
        json::parse_object(self.body)
    }

    /// The same where no body would remove all that there is.
    pub(super) fn given_object(&self) -> Result<ValueMap> {
        if self.body.iter().all(u8::is_ascii_whitespace) {
            let help =
                "send an object: {\"name\": value}; {} removes all properties, as DELETE does";
            return Err(bad("the request has no body".to_owned()).with_help(help));
        }
        self.object()
    }

    pub(super) fn way(&self) -> Result<Way> {
        let mut options = self.values.iter().filter(|(name, _)| *name == OPTIONS);
        let direction = match options.next() {
            None => Direction::Both,
            Some((_, word)) => direction(word)?,
        };
        let types = options.next().map(|(_, types)| types.split('&').map(str::to_owned).collect());
        Ok(Way { direction, types })
    }

    fn page(&self) -> Result<Page> {
        self.only_queries(&["skip", "limit"])?;
        let limit = self.number("limit")?.unwrap_or(LIST_LIMIT_DEFAULT);
        if LIST_LIMIT_MAX < limit {
            return Err(bad(format!("limit is {limit}, and at most {LIST_LIMIT_MAX}"))
                .with_help("use skip to read on"));
        }
        Ok(Page { skip: self.number("skip")?.unwrap_or(0), limit })
    }

    pub(super) fn change_graph(&self, change: GraphChange) -> Result<Request> {
        Ok(Request::ChangeGraph { graph: self.graph(), change })
    }

    pub(super) fn script(&self, access: ScriptAccess) -> Result<Request> {
        Ok(Request::Script { graph: self.graph(), access })
    }

    pub(super) fn schema(&self, request: SchemaRequest) -> Result<Request> {
        Ok(Request::Schema { graph: self.graph(), request })
    }

    pub(super) fn create_index(&self, element: Element) -> Result<Request> {
        let kind = self.index_kind()?.unwrap_or(IndexKind::Exact);
        self.change_index(element, IndexChange::Create(kind))
    }

    pub(super) fn drop_index(&self, element: Element) -> Result<Request> {
        self.change_index(element, IndexChange::Drop(self.index_kind()?))
    }

    /// `kind=range`: one that finds ranges too.
    fn index_kind(&self) -> Result<Option<IndexKind>> {
        self.only_queries(&["kind"])?;
        match self.parameter("kind")?.as_deref() {
            None => Ok(None),
            Some("exact") => Ok(Some(IndexKind::Exact)),
            Some("range") => Ok(Some(IndexKind::Range)),
            Some(other) => Err(bad(format!("there is no kind of index `{other}`"))
                .with_help("known: exact (equal values), range (equal values and ranges)")),
        }
    }

    fn change_index(&self, element: Element, change: IndexChange) -> Result<Request> {
        let owner = self.owner(element);
        self.schema(SchemaRequest::ChangeIndex(owner, self.property(), change))
    }

    pub(super) fn declare_property(&self, element: Element) -> Result<Request> {
        let word = self.text("data_type");
        let kind = PropertyType::parse(&word).ok_or_else(|| {
            let words: Vec<_> = PropertyType::ALL.iter().map(|(_, word)| *word).collect();
            bad(format!("there is no data type `{word}`"))
                .with_help(format!("allowed: {}", words.join(", ")))
        })?;
        self.schema(SchemaRequest::DeclareProperty(self.owner(element), self.property(), kind))
    }

    pub(super) fn list(&self, element: Element) -> Result<Request> {
        let type_name = self.find_value("type").map(str::to_owned);
        Ok(Request::List { graph: self.graph(), element, type_name, page: self.page()? })
    }

    pub(super) fn find(&self, element: Element) -> Result<Request> {
        let word = self.text("operation");
        let operation = Operation::parse(&word).ok_or_else(|| {
            let words: Vec<_> = Operation::ALL.iter().map(|(word, _)| *word).collect();
            bad(format!("Invalid operation parameter `{word}`"))
                .with_help(format!("known: {}", words.join(", ")))
        })?;
        let value = if operation.takes_value() { self.value()? } else { Value::Null };
        if operation.takes_value() && value.is_null() {
            return Err(bad(format!("{word} compares with a value, and the body is null")));
        }
        Ok(Request::Find {
            graph: self.graph(),
            element,
            type_name: self.text("type"),
            property: self.property(),
            operation,
            value,
            page: self.page()?,
        })
    }

    pub(super) fn show(&self) -> Result<Request> {
        Ok(Request::Show { graph: self.graph(), target: self.target()? })
    }

    pub(super) fn remove(&self) -> Result<Request> {
        Ok(Request::Remove { graph: self.graph(), target: self.target()? })
    }

    pub(super) fn show_property(&self) -> Result<Request> {
        let (graph, target) = (self.graph(), self.target()?);
        Ok(Request::ShowProperty { graph, target, property: self.property() })
    }

    pub(super) fn show_properties(&self) -> Result<Request> {
        Ok(Request::ShowProperties { graph: self.graph(), target: self.target()? })
    }

    pub(super) fn change_properties(&self, change: PropertiesChange) -> Result<Request> {
        Ok(Request::ChangeProperties { graph: self.graph(), target: self.target()?, change })
    }

    pub(super) fn add_node(&self) -> Result<Request> {
        let (type_name, key) = (self.text("type"), self.text("key"));
        Ok(Request::AddNode { graph: self.graph(), type_name, key, properties: self.object()? })
    }

    pub(super) fn add_relationship(&self, target: NodeName) -> Result<Request> {
        Ok(Request::AddRelationship {
            graph: self.graph(),
            type_name: self.text("rel_type"),
            source: self.node()?,
            target,
            properties: self.object()?,
        })
    }

    pub(super) fn connected(&self, other: NodeName) -> Result<Request> {
        let (graph, node) = (self.graph(), self.node()?);
        Ok(Request::Connected { graph, node, other, way: self.way()? })
    }
}

fn direction(word: &str) -> Result<Direction> {
    match word.to_ascii_lowercase().as_str() {
        "all" | "both" => Ok(Direction::Both),
        "in" => Ok(Direction::In),
        "out" => Ok(Direction::Out),
        _ => Err(bad(format!("`{word}` is not a direction")).with_help("use all, in or out")),
    }
}
