//! What a route takes from its path, query and body.

use millrace_model::schema::IndexKind;
use millrace_model::value::ValueMap;
use millrace_model::{Direction, PropertyType, Result, Value};

use super::message::{
    BodyFile, CsvWords, Element, GraphChange, IndexChange, LoadBatches, NodeName, Operation, Owner,
    Page, PropertiesChange, Request, SchemaRequest, ScriptAccess, Target, Way,
};
use super::pattern::OPTIONS;
use crate::http::target::{bad, query_names, query_value, query_values};
use crate::json;
use crate::limits::{LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX};

/// The options of a load.
const LOAD_PARAMETERS: [&str; 18] = [
    "format",
    "files",
    "nodes",
    "relationships",
    "delimiter",
    "array-delimiter",
    "multiline-fields",
    "create-ends",
    "quote",
    "comment",
    "null",
    "ignore-empty-strings",
    "unknown-types",
    "max-bad",
    "batch-rows",
    "journal",
    "resume",
    "rejects",
];

/// A path's values by name, in order, and the rest of the request.
pub(super) struct Captured<'a> {
    /// What the path's `{id}` names.
    pub(super) element: Element,
    pub(super) values: Vec<(&'static str, &'a str)>,
    pub(super) query: Option<&'a str>,
    pub(super) body: &'a [u8],
}

impl Captured<'_> {
    fn find_value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The value of a name that stands in the route's pattern.
    pub(super) fn text(&self, name: &str) -> String {
        self.find_value(name).expect("a route takes only what its pattern names").to_owned()
    }

    pub(super) fn graph(&self) -> String {
        self.text("graph")
    }

    pub(super) fn property(&self) -> String {
        self.text("property")
    }

    pub(super) fn id(&self, name: &str) -> Result<u64> {
        let text = self.text(name);
        text.parse().map_err(|_| bad(format!("Invalid {name}: `{text}` is not a 64-bit number")))
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

    fn number(&self, name: &str) -> Result<Option<u64>> {
        let Some(text) = query_value(self.query, name)? else { return Ok(None) };
        let number = text.parse();
        number.map(Some).map_err(|_| bad(format!("{name} is `{text}`, and must be a whole number")))
    }

    /// Refuses unknown parameters.
    fn only_queries(&self, known: &[&str]) -> Result<()> {
        match query_names(self.query)?.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let help = match known {
                    [] => "there are none".to_owned(),
                    known => format!("known: {}", known.join(", ")),
                };
                Err(bad(format!("there is no parameter `{name}` here")).with_help(help))
            }
        }
    }

    pub(super) fn change_graph(&self, change: GraphChange) -> Result<Request> {
        Ok(Request::ChangeGraph { graph: self.graph(), change })
    }

    pub(super) fn script(&self, access: ScriptAccess) -> Result<Request> {
        Ok(Request::Script { graph: self.graph(), access })
    }

    pub(super) fn backup(&self) -> Result<Request> {
        self.only_queries(&[])?;
        Ok(Request::Backup)
    }

    pub(super) fn start_load(&self) -> Result<Request> {
        self.only_queries(&LOAD_PARAMETERS)?;
        Ok(Request::StartLoad {
            graph: self.graph(),
            format: query_value(self.query, "format")?,
            files: self.files()?,
            csv: self.csv_words()?,
            bad_rows_max: self.number("max-bad")?.unwrap_or(0),
            batches: self.batches()?,
            unknown_types_as_text: self.is_asked("unknown-types", "text")?,
            lists_rejects: self.is_asked("rejects", "all")?,
        })
    }

    fn csv_words(&self) -> Result<CsvWords> {
        Ok(CsvWords {
            delimiter: query_value(self.query, "delimiter")?,
            array_delimiter: query_value(self.query, "array-delimiter")?,
            multiline_fields: self.is_asked("multiline-fields", "true")?,
            create_ends: self.is_asked("create-ends", "true")?,
            quote: query_value(self.query, "quote")?,
            comment: query_value(self.query, "comment")?,
            null: query_value(self.query, "null")?,
            ignore_empty_strings: self.is_asked("ignore-empty-strings", "true")?,
            nodes: query_values(self.query, "nodes")?,
            relationships: query_values(self.query, "relationships")?,
        })
    }

    /// `batch-rows=10000&journal=films`, and `resume=true` for one that was cut off.
    fn batches(&self) -> Result<Option<LoadBatches>> {
        let (rows, journal) = (self.number("batch-rows")?, query_value(self.query, "journal")?);
        let resume = self.is_asked("resume", "true")?;
        match (rows, journal) {
            (None, None) if !resume => Ok(None),
            (Some(rows), Some(journal)) => Ok(Some(LoadBatches { rows, journal, resume })),
            _ => Err(bad("a load in batches needs `batch-rows` and `journal`".into())
                .with_help("the journal is any name for these files, to go on with by `resume`")),
        }
    }

    /// Whether a parameter has the one value it may have.
    fn is_asked(&self, name: &str, value: &str) -> Result<bool> {
        match query_value(self.query, name)? {
            None => Ok(false),
            Some(found) if found == value => Ok(true),
            Some(found) => Err(bad(format!("{name} is `{found}`, and can only be `{value}`"))),
        }
    }

    /// `files=people.csv:120,likes.csv:4500`, or one name without a size.
    fn files(&self) -> Result<Vec<BodyFile>> {
        let Some(list) = query_value(self.query, "files")? else { return Ok(Vec::new()) };
        let named = list.split(',').map(|file| match file.rsplit_once(':') {
            None => Ok(BodyFile { name: file.to_owned(), bytes: None }),
            Some((name, bytes)) => match bytes.parse() {
                Ok(bytes) => Ok(BodyFile { name: name.to_owned(), bytes: Some(bytes) }),
                Err(_) => Err(bad(format!("files: `{file}` is not NAME:BYTES"))),
            },
        });
        let files: Vec<BodyFile> = named.collect::<Result<_>>()?;
        if 1 < files.len() && files.iter().any(|file| file.bytes.is_none()) {
            return Err(bad("files: several files need their sizes: NAME:BYTES,NAME:BYTES".into()));
        }
        Ok(files)
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
        match query_value(self.query, "kind")?.as_deref() {
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
