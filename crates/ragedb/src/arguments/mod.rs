//! The arguments of a call: RageDB's overloads, read by type from left to right.
//!
//! Reading changes nothing and runs no plan. What an argument is good for belongs to the functions, which never
//! enter here.

pub(crate) mod enumerations;
mod frontier;

use millrace_model::{Direction, Value, VertexId};
use mlua::{AnyUserData, MultiValue, Table};

use crate::columns::Link;
use crate::error::type_name;
use crate::memory::{self, Growth};
use crate::plans::{Condition, Order};
use crate::results::{List, ListMap, NodeOf, RelationshipOf, Roar, Written};
use crate::values;
pub(crate) use frontier::{Frontier, Start};

/// Arguments not yet read.
pub(crate) struct Arguments {
    function: &'static str,
    values: std::vec::IntoIter<mlua::Value>,
    read: usize,
    growth: Growth,
}

/// Entries of a table that room is made for before they are seen.
const ENTRIES_AT_FIRST_MAX: usize = 1 << 16;

/// Bytes of an entry of a table while its entries are put in order.
const ENTRY_BYTES: usize = size_of::<(i64, (u64, Option<u64>))>();

/// Bytes of a text beside its letters, in a list that grows.
const TEXT_BYTES: usize = 2 * size_of::<String>();

/// Bytes of an id.
const ID_BYTES: usize = size_of::<u64>();

/// Bytes of an id with its owner, in a list that grows: it may be copied meanwhile.
const PAIR_BYTES: usize = 2 * size_of::<(u64, u64)>();

impl Arguments {
    pub(crate) fn new(function: &'static str, values: MultiValue) -> Arguments {
        let values = Vec::from_iter(values).into_iter();
        Arguments { function, values, read: 0, growth: Growth::default() }
    }

    fn next(&mut self) -> Option<mlua::Value> {
        self.read += 1;
        self.values.next()
    }

    fn peek(&self) -> Option<&mlua::Value> {
        self.values.as_slice().first()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.as_slice().iter().all(mlua::Value::is_nil)
    }

    /// The object that a method is called on; it is not counted among the arguments.
    pub(crate) fn receiver<T: 'static>(
        &mut self,
        expected: &str,
    ) -> mlua::Result<mlua::UserDataRef<T>> {
        match self.values.next() {
            Some(mlua::Value::UserData(data)) if data.is::<T>() => data.borrow(),
            other => {
                let found = other.as_ref().map_or("nothing", type_name);
                let function = self.function;
                let text = format!("{function} is called on {expected}, not on {found}");
                Err(mlua::Error::runtime(text))
            }
        }
    }

    /// The name of the function that was called.
    pub(crate) fn function(&self) -> &'static str {
        self.function
    }

    /// What was made of the arguments, for what is made of that.
    pub(crate) fn growth(&self) -> &Growth {
        &self.growth
    }

    /// A function.
    pub(crate) fn callback(&mut self, expected: &str) -> mlua::Result<mlua::Function> {
        match self.next() {
            Some(mlua::Value::Function(function)) => Ok(function),
            other => Err(self.wrong(expected, other.as_ref())),
        }
    }

    /// An object of ours, if the next argument is one.
    pub(crate) fn next_object<T: 'static>(&mut self) -> Option<mlua::UserDataRef<T>> {
        let Some(mlua::Value::UserData(data)) = self.peek() else { return None };
        let object = data.borrow().ok()?;
        self.next();
        Some(object)
    }

    /// The error for the argument read last.
    pub(crate) fn wrong(&self, expected: &str, found: Option<&mlua::Value>) -> mlua::Error {
        let found = found.map_or("nothing", type_name);
        let (function, place) = (self.function, self.read);
        mlua::Error::runtime(format!("{function}: argument {place} is {expected}, not {found}"))
    }

    /// A text; numbers are taken as text, as RageDB's keys may be.
    pub(crate) fn text(&mut self, expected: &str) -> mlua::Result<String> {
        match self.next() {
            Some(mlua::Value::String(text)) => Ok(text.to_str()?.to_owned()),
            Some(mlua::Value::Integer(int)) => Ok(int.to_string()),
            other => Err(self.wrong(expected, other.as_ref())),
        }
    }

    /// An id; negative numbers name nothing and become 0.
    pub(crate) fn id(&mut self, expected: &str) -> mlua::Result<u64> {
        match self.next() {
            Some(mlua::Value::Integer(id)) => Ok(u64::try_from(id).unwrap_or(0)),
            Some(mlua::Value::Number(id)) if id.fract() == 0.0 => Ok(id.max(0.0) as u64),
            Some(mlua::Value::Nil) | None => Ok(0),
            other => Err(self.wrong(expected, other.as_ref())),
        }
    }

    /// A whole number, or the default if it is left out.
    pub(crate) fn number_or(&mut self, expected: &str, default: u64) -> mlua::Result<u64> {
        match self.peek() {
            None | Some(mlua::Value::Nil) => {
                self.next();
                Ok(default)
            }
            Some(_) => self.id(expected),
        }
    }

    /// A whole number that must be there.
    pub(crate) fn number(&mut self, expected: &str) -> mlua::Result<u64> {
        match self.next() {
            Some(mlua::Value::Integer(number)) if 0 <= number => Ok(number as u64),
            Some(mlua::Value::Number(number)) if number.fract() == 0.0 && 0.0 <= number => {
                Ok(number as u64)
            }
            other => Err(self.wrong(expected, other.as_ref())),
        }
    }

    /// A member of `Operation`.
    pub(crate) fn operation(&mut self) -> mlua::Result<Condition> {
        let value = self.next();
        let number = value.as_ref().and_then(mlua::Value::as_integer);
        number
            .and_then(enumerations::condition)
            .ok_or_else(|| self.wrong("Operation.EQ or another of Operation", value.as_ref()))
    }

    /// A member of `Sort`, or none.
    pub(crate) fn order(&mut self) -> mlua::Result<Order> {
        let value = self.next();
        let number = match &value {
            None | Some(mlua::Value::Nil) => return Ok(Order::Unordered),
            Some(value) => value.as_integer(),
        };
        number
            .and_then(enumerations::order)
            .ok_or_else(|| self.wrong("Sort.NONE, ASC or DESC", value.as_ref()))
    }

    /// Seconds since 1970, from a number, a text, or a table that can say so (`tosecs`).
    pub(crate) fn timestamp(&mut self) -> mlua::Result<f64> {
        const EXPECTED: &str = "seconds since 1970 or a date";
        match self.next() {
            Some(mlua::Value::Integer(seconds)) => Ok(seconds as f64),
            Some(mlua::Value::Number(seconds)) => Ok(seconds),
            Some(mlua::Value::String(text)) => {
                let value = mlua::Value::String(text.clone());
                values::seconds_of_iso(&text.to_str()?)
                    .ok_or_else(|| self.wrong(EXPECTED, Some(&value)))
            }
            Some(mlua::Value::Table(date)) => match date.get("tosecs") {
                Ok(mlua::Value::Function(seconds)) => seconds.call(date),
                _ => Err(self.wrong(EXPECTED, Some(&mlua::Value::Table(date)))),
            },
            other => Err(self.wrong(EXPECTED, other.as_ref())),
        }
    }

    /// Any value.
    pub(crate) fn value(&mut self) -> mlua::Value {
        self.next().unwrap_or(mlua::Value::Nil)
    }

    /// A value that a property may have; nil is null.
    pub(crate) fn property_value(&mut self) -> mlua::Result<Value> {
        let value = self.value();
        values::from_lua(&value).map_err(|error| match error {
            // A limit that was reached.
            error @ mlua::Error::ExternalError(_) => error,
            _ => self.wrong("a property value", Some(&value)),
        })
    }

    /// A text, or nothing: left out or nil.
    pub(crate) fn text_or_nothing(&mut self, expected: &str) -> mlua::Result<Option<String>> {
        match self.peek() {
            None | Some(mlua::Value::Nil) => {
                self.next();
                Ok(None)
            }
            Some(_) => self.text(expected).map(Some),
        }
    }

    /// Whether the next argument is a text.
    pub(crate) fn next_is_text(&self) -> bool {
        matches!(self.peek(), Some(mlua::Value::String(_)))
    }

    /// Whether the next argument is a table or a list result.
    pub(crate) fn next_is_list(&self) -> bool {
        match self.peek() {
            Some(mlua::Value::Table(_)) => true,
            Some(mlua::Value::UserData(data)) => data.is::<List>(),
            _ => false,
        }
    }

    /// Whether the next argument is a `Roar`.
    pub(crate) fn next_is_set(&self) -> bool {
        matches!(self.peek(), Some(mlua::Value::UserData(data)) if data.is::<Roar>())
    }

    /// A vertex: `node | id | type, key`.
    pub(crate) fn start(&mut self) -> mlua::Result<Start> {
        if self.next_is_text() {
            let label = self.text("a type")?;
            return Ok(Start::Key { label, key: self.text("a key")? });
        }
        if let Some(mlua::Value::UserData(data)) = self.peek()
            && let Some(id) = id_of(data)
        {
            self.next();
            return Ok(Start::Id(VertexId(id)));
        }
        Ok(Start::Id(VertexId(self.id("a node, an id, or a type and a key")?)))
    }

    /// Texts in a table, or one text.
    pub(crate) fn texts(&mut self, expected: &str) -> mlua::Result<Vec<String>> {
        match self.next() {
            Some(mlua::Value::String(text)) => Ok(vec![text.to_str()?.to_owned()]),
            Some(mlua::Value::Table(table)) => {
                let texts = table.sequence_values::<mlua::Value>().map(|value| match value? {
                    mlua::Value::String(text) => {
                        self.growth.add(1, TEXT_BYTES + text.as_bytes().len())?;
                        Ok(text.to_str()?.to_owned())
                    }
                    mlua::Value::Integer(int) => {
                        self.growth.add(1, 2 * TEXT_BYTES)?;
                        Ok(int.to_string())
                    }
                    other => Err(self.wrong(expected, Some(&other))),
                });
                texts.collect()
            }
            other => Err(self.wrong(expected, other.as_ref())),
        }
    }

    /// `[, dir] [, types]`: an optional direction, then an optional type or list of types.
    pub(crate) fn way(&mut self) -> mlua::Result<(Direction, Option<Vec<String>>)> {
        let direction = match self.peek() {
            Some(mlua::Value::Integer(number)) => {
                let direction = match number {
                    0 => Direction::Both,
                    1 => Direction::In,
                    2 => Direction::Out,
                    _ => return Err(self.wrong("Direction.BOTH, IN or OUT", self.peek())),
                };
                self.next();
                direction
            }
            _ => Direction::Both,
        };
        Ok((direction, self.types()?))
    }

    /// `[types]`, the last of the arguments: nothing, a relationship type or a list of them.
    pub(crate) fn types(&mut self) -> mlua::Result<Option<Vec<String>>> {
        let types = match self.peek() {
            None | Some(mlua::Value::Nil) => None,
            Some(_) => Some(self.texts("a relationship type or a list of them")?),
        };
        self.end()?;
        Ok(types)
    }

    /// Refuses arguments beyond those the function reads.
    pub(crate) fn end(&mut self) -> mlua::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let (function, read) = (self.function, self.read);
        Err(mlua::Error::runtime(format!("{function}: more than {read} arguments for this form")))
    }

    /// Ids, links, nodes or relationships: a table, a list result, or one of them.
    pub(crate) fn frontier(&mut self) -> mlua::Result<Frontier> {
        match self.next() {
            Some(value) => self.frontier_of(value),
            None => Err(self.wrong("a list of ids, links or elements", None)),
        }
    }

    fn frontier_of(&self, value: mlua::Value) -> mlua::Result<Frontier> {
        match value {
            mlua::Value::UserData(data) if data.is::<List>() => match Written::of(&data) {
                Some(written) => self.frontier_of_table(&written.table),
                None => {
                    let list = data.borrow::<List>()?;
                    self.growth.add(list.len(), 2 * ID_BYTES)?;
                    let edges = list.link_edges()?.map(<[u64]>::to_vec);
                    let nodes = list.ids()?;
                    let nodes = nodes.ok_or_else(|| self.wrong("a list of ids or links", None))?;
                    Ok(Frontier { nodes, edges })
                }
            },
            mlua::Value::UserData(data) if data.is::<Roar>() => {
                let nodes = data.borrow::<Roar>()?.ids(&self.growth)?;
                Ok(Frontier { nodes, edges: None })
            }
            mlua::Value::Table(table) => self.frontier_of_table(&table),
            other => Err(self.wrong("a list of ids, links or elements", Some(&other))),
        }
    }

    /// Lists of ids in a table, one after the other; what comes of the later ones is no more than what comes of
    /// the first.
    pub(crate) fn each_frontier(
        &mut self,
        mut take: impl FnMut(Frontier) -> mlua::Result<()>,
    ) -> mlua::Result<()> {
        let lists = match self.next() {
            Some(mlua::Value::Table(lists)) => lists,
            other => return Err(self.wrong("a list of lists of ids", other.as_ref())),
        };
        let mut counted = None;
        for list in lists.sequence_values::<mlua::Value>() {
            take(self.frontier_of(list?)?)?;
            self.growth.shrink_to(*counted.get_or_insert(self.growth.bytes()));
        }
        Ok(())
    }

    /// The entries of a map from ids to lists of ids: each id of a list with its owner.
    pub(crate) fn pairs_of_map(&mut self) -> mlua::Result<Vec<(u64, u64)>> {
        const EXPECTED: &str = "a map from ids to lists of ids";
        match self.next() {
            Some(mlua::Value::UserData(data)) if data.is::<ListMap>() => {
                let pairs = data.borrow::<ListMap>()?.pairs_of_ids(&self.growth)?;
                pairs.ok_or_else(|| self.wrong(EXPECTED, None))
            }
            Some(mlua::Value::Table(table)) => {
                let mut pairs = Vec::new();
                for entry in table.pairs::<i64, mlua::Value>() {
                    let ((owner, list), before) = (entry?, pairs.len());
                    let owner = u64::try_from(owner).unwrap_or(0);
                    let counted = self.growth.bytes();
                    let nodes = self.frontier_of(list)?.nodes;
                    self.growth.add(nodes.len(), PAIR_BYTES)?;
                    pairs.extend(nodes.into_iter().map(|id| (id, owner)));
                    self.growth.shrink_to(counted + PAIR_BYTES * (pairs.len() - before));
                }
                Ok(pairs)
            }
            other => Err(self.wrong(EXPECTED, other.as_ref())),
        }
    }

    /// The ids in the lists of a map, or in one list.
    pub(crate) fn ids_of_values(&mut self) -> mlua::Result<Vec<u64>> {
        match self.next() {
            Some(mlua::Value::UserData(data)) if data.is::<ListMap>() => {
                let pairs = data.borrow::<ListMap>()?.pairs_of_ids(&self.growth)?;
                let pairs = pairs.ok_or_else(|| self.wrong("a map to lists of ids", None))?;
                Ok(pairs.into_iter().map(|(id, _)| id).collect())
            }
            Some(mlua::Value::Table(table)) => {
                let first = table.pairs::<mlua::Value, mlua::Value>().next().transpose()?;
                if first.is_none_or(|(_, value)| !is_list(&value)) {
                    return Ok(self.frontier_of_table(&table)?.nodes);
                }
                let mut ids = Vec::new();
                table.for_each(|_: mlua::Value, list: mlua::Value| {
                    let counted = self.growth.bytes();
                    let nodes = self.frontier_of(list)?.nodes;
                    self.growth.add(nodes.len(), 2 * ID_BYTES)?;
                    self.growth.shrink_to(counted + 2 * ID_BYTES * nodes.len());
                    ids.extend(nodes);
                    Ok(())
                })?;
                Ok(ids)
            }
            Some(other) => Ok(self.frontier_of(other)?.nodes),
            None => Err(self.wrong("a map to lists of ids", None)),
        }
    }

    /// Whether the last argument is a list of ids beside the types it may follow.
    pub(crate) fn take_last_ids(&mut self) -> mlua::Result<Option<Frontier>> {
        let last = self.values.as_slice().last();
        let is_ids = match last {
            Some(mlua::Value::UserData(data)) => data.is::<List>(),
            Some(mlua::Value::Table(table)) => !table.raw_get::<mlua::Value>(1)?.is_string(),
            _ => false,
        };
        if !is_ids {
            return Ok(None);
        }
        let mut values: Vec<mlua::Value> = self.values.by_ref().collect();
        let last = values.pop().unwrap_or(mlua::Value::Nil);
        self.values = values.into_iter();
        self.frontier_of(last).map(Some)
    }

    /// The entries of a table in the order of their keys: of a list, and of a table keyed by id.
    fn frontier_of_table(&self, table: &Table) -> mlua::Result<Frontier> {
        let counted = self.growth.bytes();
        self.growth.add(1, 0)?;
        // A table with holes may say any length.
        let likely = table.raw_len().min(ENTRIES_AT_FIRST_MAX);
        let mut entries: Vec<(i64, (u64, Option<u64>))> = Vec::with_capacity(likely);
        table.for_each(|key: mlua::Value, value: mlua::Value| {
            self.growth.add(1, ENTRY_BYTES + 2 * ID_BYTES)?;
            if let mlua::Value::Integer(key) = key {
                entries.push((key, self.entry(&value)?));
            }
            Ok(())
        })?;
        if !entries.is_sorted_by_key(|(key, _)| *key) {
            memory::sort(&mut entries)?;
        }
        let mut frontier = Frontier { nodes: Vec::with_capacity(entries.len()), edges: None };
        for (_, (node, edge)) in entries {
            frontier.nodes.push(node);
            if let Some(edge) = edge {
                frontier.edges.get_or_insert_default().push(edge);
            }
        }
        let mixed =
            frontier.edges.as_ref().is_some_and(|edges| edges.len() != frontier.nodes.len());
        if mixed {
            let (function, place) = (self.function, self.read);
            let text = format!("{function}: argument {place} mixes ids and links");
            return Err(mlua::Error::runtime(text));
        }
        self.growth.shrink_to(counted + 2 * ID_BYTES * frontier.nodes.len());
        Ok(frontier)
    }

    /// The id in a list, and the edge of a link.
    fn entry(&self, value: &mlua::Value) -> mlua::Result<(u64, Option<u64>)> {
        match value {
            mlua::Value::Integer(id) => Ok((u64::try_from(*id).unwrap_or(0), None)),
            mlua::Value::Number(id) if id.fract() == 0.0 => Ok((id.max(0.0) as u64, None)),
            mlua::Value::UserData(data) if Link::of_object(data).is_none() => {
                let id = id_of(data).ok_or_else(|| self.wrong("a list of ids or links", None))?;
                Ok((id, None))
            }
            other => {
                let link = Link::of(other);
                let wrong = || self.wrong("a list of ids or links", Some(other));
                link.ok_or_else(wrong).map(|link| (link.node, Some(link.edge)))
            }
        }
    }
}

/// Whether a value is a list of a map.
fn is_list(value: &mlua::Value) -> bool {
    match value {
        mlua::Value::Table(_) => true,
        mlua::Value::UserData(data) => data.is::<List>(),
        _ => false,
    }
}

fn id_of(data: &AnyUserData) -> Option<u64> {
    if let Ok(node) = data.borrow::<NodeOf>() {
        return Some(node.node().id);
    }
    data.borrow::<RelationshipOf>().ok().map(|edge| edge.relationship().id)
}
