//! The quads of a request as rows of typed values, by what is done with them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::names::{Members, all_facets, facets_map, stored_facets, stored_name, stored_names};
use super::values::Literal;
use crate::changes::{Mutation, NodeNumber, NodeRef, ObjectRef, QuadRow, Quads};
use crate::schema::{GraphSchema, HIDDEN_LABEL, Kind, Predicate, RESERVED, TYPE_PREDICATE};

/// A predicate with its tree's facts, while a batch is made.
type Known = HashMap<Arc<str>, Arc<Predicate>>;

/// The number of a node of the request.
pub(super) type Node = u32;

/// The new properties of a node: names as they are stored, null where one goes.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeValues {
    pub(super) labels: Vec<Value>,
    pub(super) properties: Members,
}

/// A value of a list, with its facets as a map.
pub(super) type ListRow = (Node, Value, Value);

/// Where the values of a variable go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VariableOf {
    pub(super) predicate: Arc<str>,
    pub(super) language: Option<Arc<str>>,
    pub(super) variable: Arc<str>,
    /// The type of the predicate.
    pub(super) kind: &'static str,
    /// Whether the value is one of several.
    pub(super) is_list: bool,
    /// Whether no two transactions may write a value at once.
    pub(super) is_claimed: bool,
}

/// An edge, with its facets as a map.
pub(super) type EdgeRow = (Node, Node, Value);

/// Edges of a predicate.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    pub(super) is_single: bool,
    pub(super) rows: Vec<EdgeRow>,
}

/// What a mutation sets.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    pub(super) nodes: BTreeMap<Node, NodeValues>,
    pub(super) lists: BTreeMap<Arc<str>, Vec<ListRow>>,
    pub(super) edges: BTreeMap<Arc<str>, Edges>,
    /// Values of variables, with the facets that they get.
    pub(super) variables: BTreeMap<VariableOf, Vec<(Node, Value)>>,
    /// Values that no two transactions may write at once, by predicate.
    pub(super) claims: BTreeMap<Arc<str>, Vec<Value>>,
}

/// What a mutation removes.
#[derive(Clone, Debug, Default)]
pub(super) struct Removals {
    /// All values of the stored names.
    pub(super) properties: BTreeMap<Node, Vec<Arc<str>>>,
    /// A value, if it is the one that is there.
    pub(super) values: BTreeMap<Arc<str>, Vec<(Node, Value)>>,
    /// The values of variables, if they are there.
    pub(super) variables: BTreeMap<VariableOf, Vec<Node>>,
    /// A value of a list.
    pub(super) list_values: BTreeMap<Arc<str>, Vec<(Node, Value)>>,
    /// Edges to one node.
    pub(super) edges: BTreeMap<Arc<str>, Vec<(Node, Node)>>,
    /// All edges of a predicate.
    pub(super) all_edges: BTreeMap<Arc<str>, Vec<Node>>,
    /// Labels.
    pub(super) labels: BTreeMap<Node, Vec<Value>>,
    /// All labels.
    pub(super) all_labels: Vec<Node>,
    /// The predicates of a node's types.
    pub(super) everything: Vec<Node>,
}

/// A mutation as rows.
#[derive(Clone, Debug, Default)]
pub(super) struct MutationRows {
    pub(super) sets: Sets,
    pub(super) removals: Removals,
}

/// A request as rows.
pub(super) struct Batch {
    /// The nodes, each with the mutations that set something of it or lead an edge to it.
    pub(super) nodes: Vec<(NodeRef, Vec<usize>)>,
    pub(super) mutations: Vec<MutationRows>,
    /// Predicates that are new, with their statements.
    pub(super) new: BTreeMap<Arc<str>, Predicate>,
    /// Predicates with indexes, and languages in which these are missing.
    pub(super) new_languages: BTreeSet<(Arc<str>, Arc<str>)>,
}

/// The type of a variable's values, if it is known.
pub(super) type KindOf<'k> = dyn Fn(&str) -> Option<Kind> + 'k;

struct Builder<'a> {
    schema: &'a GraphSchema,
    kind_of: &'a KindOf<'a>,
    known: Known,
    new: BTreeMap<Arc<str>, Predicate>,
    new_languages: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Whether new predicates are lists; those of edges that are not there are, and those of values are not.
    new_lists: HashMap<Arc<str>, bool>,
    nodes: Vec<(NodeRef, Vec<usize>)>,
    numbers: HashMap<NodeRef, Node>,
}

impl Batch {
    pub(super) fn of(
        mutations: &[Mutation],
        schema: &GraphSchema,
        kind_of: &KindOf<'_>,
    ) -> Result<Batch> {
        let mut builder = Builder {
            schema,
            kind_of,
            known: Known::new(),
            new: BTreeMap::new(),
            new_languages: BTreeSet::new(),
            new_lists: new_lists(mutations, schema),
            nodes: Vec::new(),
            numbers: HashMap::new(),
        };
        let mut rows = Vec::new();
        for (number, mutation) in mutations.iter().enumerate() {
            let mut own = MutationRows::default();
            builder.remove(&mutation.delete, &mut own.removals)?;
            builder.set(&mutation.set, number, &mut own.sets)?;
            rows.push(own);
        }
        let Builder { nodes, new, new_languages, .. } = builder;
        Ok(Batch { nodes, mutations: rows, new, new_languages })
    }
}

impl Builder<'_> {
    fn node(&mut self, quads: &Quads, number: NodeNumber) -> Node {
        let node = &quads.nodes[number.0 as usize];
        if let Some(known) = self.numbers.get(node) {
            return *known;
        }
        let made = Node::try_from(self.nodes.len()).unwrap_or(Node::MAX);
        self.nodes.push((node.clone(), Vec::new()));
        self.numbers.insert(node.clone(), made);
        made
    }

    /// A node that a mutation needs to be there.
    fn needed(&mut self, quads: &Quads, number: NodeNumber, mutation: usize) -> Node {
        let node = self.node(quads, number);
        let needs = &mut self.nodes[node as usize].1;
        if needs.last() != Some(&mutation) {
            needs.push(mutation);
        }
        node
    }

    /// The predicate of a quad; one that is new is declared by it.
    fn predicate(
        &mut self,
        name: &Arc<str>,
        of_edges: bool,
        of: impl FnOnce() -> Predicate,
    ) -> Result<Arc<Predicate>> {
        if let Some(known) = self.known.get(name) {
            return Ok(Arc::clone(known));
        }
        if name.is_empty() || name.len() > crate::limits::NAME_BYTES_MAX {
            return Err(bad(format!("the name of a predicate has {} bytes", name.len())));
        }
        if **name != *TYPE_PREDICATE && name.starts_with(RESERVED) {
            let detail = format!(
                "Can't store predicate `{name}` as it is prefixed with `dgraph.` which is reserved as the namespace for \
                 dgraph's internal types/predicates."
            );
            return Err(bad(detail));
        }
        if **name == *"uid" {
            let detail = "Cannot create user-defined predicate with internal name uid";
            return Err(bad(detail));
        }
        if name.contains('~') {
            return Err(bad(format!("predicate \"{name}\": Has invalid characters")));
        }
        let known = match self.schema.shown_predicate(name) {
            // A key of another language says nothing of edges that come to have its name.
            Some(known) if known.is_declared || known.is_edge() => known,
            Some(known) if !of_edges => known,
            _ => {
                let made = of();
                if made.is_list && matches!(made.kind, Kind::Bool | Kind::Password) {
                    let detail = format!("got unsupported type for list: {name}");
                    let help = "set one value, not a list";
                    return Err(bad(detail).with_help(help));
                }
                self.new.insert(Arc::clone(name), made.clone());
                made
            }
        };
        let known = Arc::new(known);
        self.known.insert(Arc::clone(name), Arc::clone(&known));
        Ok(known)
    }

    fn is_new_list(&self, name: &Arc<str>) -> bool {
        self.new_lists.get(name).copied().unwrap_or(false)
    }

    fn set(&mut self, quads: &Quads, mutation: usize, sets: &mut Sets) -> Result<()> {
        let mut one = |row: &QuadRow| self.set_one(row, (quads, mutation), sets);
        quads.rows.iter().try_for_each(|row| one(row).map_err(|error| row.placed(error)))
    }

    fn set_one(
        &mut self,
        row: &QuadRow,
        (quads, mutation): (&Quads, usize),
        sets: &mut Sets,
    ) -> Result<()> {
        let Some(name) = &row.predicate else { return Err(star_in_set()) };
        match &row.object {
            ObjectRef::Node(object) => {
                let is_list = self.new_lists.get(name).copied().unwrap_or(true);
                let known = self.predicate(name, true, || declared(Kind::Uid, is_list))?;
                if !known.is_edge() {
                    return Err(bad(format!(
                        "Input for predicate \"{name}\" of type scalar is uid."
                    )));
                }
                let source = self.needed(quads, row.subject, mutation);
                let target = self.needed(quads, *object, mutation);
                let edges = sets.edges.entry(Arc::clone(name)).or_default();
                edges.is_single = !known.is_list;
                edges.rows.push((source, target, facets_map(&row.facets)));
            }
            ObjectRef::Literal { text, datatype, is_typed, other_type, language } => {
                let (datatype, is_typed, other_type) = (*datatype, *is_typed, other_type.as_ref());
                let literal = Literal { text, datatype, is_typed, other_type };
                let subject = self.needed(quads, row.subject, mutation);
                if **name == *TYPE_PREDICATE {
                    if **text != *HIDDEN_LABEL {
                        sets.nodes.entry(subject).or_default().labels.push(Value::from(&**text));
                    }
                    return Ok(());
                }
                let is_list = self.is_new_list(name);
                let known = self.predicate(name, false, || {
                    let mut made = declared(literal.kind().unwrap_or(Kind::Default), is_list);
                    made.has_languages = language.is_some();
                    made
                })?;
                self.set_value(row, (name, &known), (subject, &literal, language), sets)?;
            }
            ObjectRef::Variable { name: variable, language } => {
                let kind = (self.kind_of)(variable).unwrap_or(Kind::Default);
                let is_list = self.is_new_list(name);
                let known = self.predicate(name, false, || {
                    let mut made = declared(kind, is_list);
                    made.has_languages = language.is_some();
                    made
                })?;
                check_value(name, &known, language.as_deref())?;
                let subject = self.needed(quads, row.subject, mutation);
                let own = VariableOf::of((name, &known), variable, language);
                let facets = match own.is_list {
                    true => facets_map(&row.facets),
                    false => all_facets(name, &known, language.as_deref(), &row.facets),
                };
                sets.variables.entry(own).or_default().push((subject, facets));
            }
            ObjectRef::All { .. } => return Err(star_in_set()),
        }
        Ok(())
    }

    fn set_value(
        &mut self,
        row: &QuadRow,
        (name, known): (&Arc<str>, &Predicate),
        (subject, literal, language): (Node, &Literal<'_>, &Option<Arc<str>>),
        sets: &mut Sets,
    ) -> Result<()> {
        check_value(name, known, language.as_deref())?;
        let value = literal.value(name, known)?;
        if known.is_upsert || known.is_unique {
            sets.claims.entry(Arc::clone(name)).or_default().push(value.clone());
        }
        if known.is_list && language.is_none() {
            let row = (subject, value, facets_map(&row.facets));
            sets.lists.entry(Arc::clone(name)).or_default().push(row);
            return Ok(());
        }
        if let Some(language) = language
            && !known.indexes.is_empty()
            && known.languages_indexed.binary_search(language).is_err()
        {
            self.new_languages.insert((Arc::clone(name), Arc::clone(language)));
        }
        let stored = stored_name(name, language.as_deref(), None);
        let own = sets.nodes.entry(subject).or_default();
        own.properties.put(&stored, value);
        for (key, value) in stored_facets(name, known, language.as_deref(), &row.facets) {
            own.properties.put(&key, value);
        }
        Ok(())
    }

    fn remove(&mut self, quads: &Quads, removals: &mut Removals) -> Result<()> {
        let mut one = |row: &QuadRow| self.remove_one(row, quads, removals);
        quads.rows.iter().try_for_each(|row| one(row).map_err(|error| row.placed(error)))
    }

    fn remove_one(&mut self, row: &QuadRow, quads: &Quads, removals: &mut Removals) -> Result<()> {
        let subject = self.node(quads, row.subject);
        let Some(name) = &row.predicate else {
            removals.everything.push(subject);
            return Ok(());
        };
        // What the graph does not have cannot be removed.
        let Some(known) = self.schema.predicate(name) else { return Ok(()) };
        match &row.object {
            ObjectRef::Node(object) => {
                if !known.is_edge() {
                    return Err(bad(format!(
                        "Input for predicate \"{name}\" of type scalar is uid."
                    )));
                }
                let target = self.node(quads, *object);
                removals.edges.entry(Arc::clone(name)).or_default().push((subject, target));
            }
            ObjectRef::All { .. } if **name == *TYPE_PREDICATE => {
                removals.all_labels.push(subject);
            }
            ObjectRef::All { language: None } if known.is_edge() => {
                removals.all_edges.entry(Arc::clone(name)).or_default().push(subject);
            }
            ObjectRef::All { language } => {
                let own = removals.properties.entry(subject).or_default();
                own.extend(stored_names(name, &known, language.as_deref()));
            }
            ObjectRef::Literal { text, .. } if **name == *TYPE_PREDICATE => {
                removals.labels.entry(subject).or_default().push(Value::from(&**text));
            }
            ObjectRef::Literal { text, datatype, is_typed, other_type, language } => {
                let (datatype, is_typed, other_type) = (*datatype, *is_typed, other_type.as_ref());
                let literal = Literal { text, datatype, is_typed, other_type };
                let value = literal.value(name, &known)?;
                let stored = stored_name(name, language.as_deref(), None);
                let by_name = match known.is_list && language.is_none() {
                    true => &mut removals.list_values,
                    false => &mut removals.values,
                };
                by_name.entry(stored).or_default().push((subject, value));
            }
            ObjectRef::Variable { name: variable, language } => {
                if known.is_edge() {
                    return Err(is_scalar(name));
                }
                let own = VariableOf::of((name, &known), variable, language);
                removals.variables.entry(own).or_default().push(subject);
            }
        }
        Ok(())
    }
}

impl VariableOf {
    fn of(
        (name, known): (&Arc<str>, &Predicate),
        variable: &Arc<str>,
        language: &Option<Arc<str>>,
    ) -> VariableOf {
        VariableOf {
            predicate: Arc::clone(name),
            language: language.clone(),
            variable: Arc::clone(variable),
            kind: match known.kind {
                Kind::Default if known.is_declared => Kind::String.word(),
                kind => kind.word(),
            },
            is_list: known.is_list && language.is_none(),
            is_claimed: known.is_upsert || known.is_unique,
        }
    }

    /// The name under which the values are stored.
    pub(super) fn stored(&self) -> Arc<str> {
        stored_name(&self.predicate, self.language.as_deref(), None)
    }
}

/// Refuses a value where there are edges, and a language where there is none.
fn check_value(name: &Arc<str>, known: &Predicate, language: Option<&str>) -> Result<()> {
    if known.is_edge() {
        return Err(is_scalar(name));
    }
    if language.is_some() && !known.has_languages {
        let detail = format!("Attr: [{name}] should have @lang directive in schema to mutate edge");
        return Err(bad(detail).with_help(format!("alter the schema: `{name}: {known} @lang .`")));
    }
    Ok(())
}

fn is_scalar(name: &str) -> Error {
    bad(format!("Input for predicate \"{name}\" of type uid is scalar."))
}

/// Whether the predicates that the schema does not have are lists: as JSON has them, or else those of which some node has
/// several values.
fn new_lists(mutations: &[Mutation], schema: &GraphSchema) -> HashMap<Arc<str>, bool> {
    let mut lists: HashMap<Arc<str>, bool> = HashMap::new();
    for mutation in mutations {
        for (name, is_list) in &mutation.set.lists {
            *lists.entry(Arc::clone(name)).or_default() |= is_list;
        }
    }
    for mutation in mutations {
        let mut seen = HashSet::new();
        for row in &mutation.set.rows {
            let (Some(name), ObjectRef::Literal { language: None, .. }) =
                (&row.predicate, &row.object)
            else {
                continue;
            };
            let is_open =
                schema.shown_predicate(name).is_none() && !mutation.set.lists.contains_key(name);
            if is_open && !seen.insert((row.subject, Arc::clone(name))) {
                lists.insert(Arc::clone(name), true);
            }
        }
    }
    lists
}

fn declared(kind: Kind, is_list: bool) -> Predicate {
    Predicate { is_declared: true, ..Predicate::of_kind(kind, is_list) }
}

fn star_in_set() -> Error {
    bad("Cannot use `*` in set mutation.").with_help("name a value, or delete")
}

fn bad(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}
