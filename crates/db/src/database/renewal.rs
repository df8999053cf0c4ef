//! Graphs that go: dropped, made anew, or emptied in a moment, whatever their size is.
//!
//! One that is emptied keeps its ids, and its schema where that stays. It is dropped, and made again with what it keeps. What
//! that is stands in a graph beside it meanwhile, its *twin*, which no client sees:
//!
//! ```text
//!   twin made, filled, marked complete ──> graph dropped, made, filled from the twin ──> twin dropped
//! ```
//!
//! Until the mark is there the graph is as it was. Behind it the rest is done whatever happens: by the call, by the next one that
//! makes the graph or empties it, or when the folder is opened again.

use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, PropertyDefinition};
use millrace_model::{
    Catalog, CatalogChange, EdgeTypeId, Error, ErrorKind, KeyId, LabelId, Owner, Result,
};
use millrace_store::{Isolation, NameKind, Store, Transaction, non_blocking};

use super::Database;
use super::handle::Known;
use crate::dql::{notes_without_schema, serves_predicate};
use crate::graph::Graph;
use crate::request::{TWIN, is_twin, twin_of};

/// What goes when a graph is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emptying {
    /// Nodes and edges.
    Data,
    /// The schema of DQL, too.
    DataAndSchema,
}

/// The note of a twin that has all that its graph keeps, and of a graph that has all of its twin. Its text is another one each
/// time.
const COMPLETE: &str = "emptied";

fn mark_of(store: &Arc<dyn Store>) -> Result<Option<Arc<str>>> {
    Ok(store.snapshot()?.catalog().notes.get(COMPLETE).cloned())
}

/// What a graph keeps.
struct Remains {
    /// Ids below this are never leased again.
    ids_from: u64,
    catalog: Arc<Catalog>,
    /// Whether the schema of DQL goes.
    goes: Emptying,
}

impl Database {
    /// Drops a graph, durably; `NotFound` if there is none. Requests already running on it go on.
    pub fn drop_graph(&self, name: &str) -> Result<()> {
        self.check_not_reserved(name)?;
        non_blocking::would_block()?;
        let mut graphs = self.graphs.write();
        self.backend.drop_graph(name)?;
        graphs.graphs.remove(name);
        Ok(())
    }

    /// Replaces a graph by an empty one of the same name. After a crash in between there is no graph of
    /// that name.
    pub fn empty_graph(&self, name: &str) -> Result<Arc<Graph>> {
        self.check_not_reserved(name)?;
        non_blocking::would_block()?;
        let mut graphs = self.graphs.write();
        graphs.check_open()?;
        self.backend.drop_graph(name)?;
        graphs.graphs.remove(name);
        let store = self.backend.create_graph(name)?;
        let graph = self.remember(&mut graphs, name, store);
        self.isolate(&graph)?;
        Ok(graph)
    }

    /// Empties a graph at once. What runs on it goes on, and cannot commit. No id of it is leased again.
    pub fn renew_graph(&self, name: &str, goes: Emptying) -> Result<()> {
        non_blocking::would_block()?;
        let settings = self.settings();
        let name = settings.graph_named(name).ok_or_else(|| settings.reserved(name))?;
        let mut graphs = self.graphs.write();
        graphs.check_open()?;
        self.end_renewal(&mut graphs, name)?;
        let store = self.backend.graph(name)?;
        let remains = Remains::of(&store, goes)?;
        let twin = self.backend.create_graph(&twin_of(name))?;
        let mark = Arc::from(remains.ids_from.to_string());
        let done =
            remains.fill(&twin, Some(&mark)).and_then(|()| self.end_renewal(&mut graphs, name));
        if done.is_err() && !store.is_dropped() {
            // The graph stays as it is, and takes commits again.
            self.backend.drop_graph(&twin_of(name))?;
        }
        done
    }

    /// Goes on with what was begun when the graph of a name was emptied, if something was.
    pub(super) fn end_renewal(&self, graphs: &mut Known, name: &str) -> Result<()> {
        let twin_name = twin_of(name);
        let twin = match self.backend.graph(&twin_name) {
            Ok(twin) => twin,
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        graphs.graphs.remove(&twin_name);
        let Some(mark) = mark_of(&twin)? else { return self.backend.drop_graph(&twin_name) };
        let store = match self.backend.graph(name) {
            // All but the end of the twin was done, and there may be commits since.
            Ok(store) if mark_of(&store)?.as_ref() == Some(&mark) => store,
            Err(error) if error.kind != ErrorKind::NotFound => return Err(error),
            found => {
                found.map_or(Ok(()), |_| self.backend.drop_graph(name))?;
                graphs.graphs.remove(name);
                let store = self.backend.create_graph(name)?;
                Remains::of(&twin, Emptying::Data)?.fill(&store, Some(&mark))?;
                store
            }
        };
        self.backend.drop_graph(&twin_name)?;
        let graph = graphs.get(name).unwrap_or_else(|| self.remember(graphs, name, store));
        self.isolate(&graph)
    }

    /// The same for all graphs, when a folder is opened. What fails then is tried again by the next that makes the graph.
    pub(super) fn end_renewals(&self) {
        let twins: Vec<String> =
            self.backend.graphs().into_iter().filter(|own| is_twin(own)).collect();
        for twin in twins {
            let Some(name) = twin.strip_prefix(TWIN) else { continue };
            if let Err(error) = self.end_renewal(&mut self.graphs.write(), name) {
                tracing::warn!(name: "graph-not-emptied", graph = name, %error);
            }
        }
    }
}

impl Remains {
    fn of(store: &Arc<dyn Store>, goes: Emptying) -> Result<Remains> {
        // An id behind all that were leased, or chosen.
        let next = store.lease_vertices(1)?;
        let ids_from = next.last().map_or(1, |range| range.end);
        Ok(Remains { ids_from, catalog: store.snapshot()?.catalog(), goes })
    }

    /// Gives it to an empty graph, in one commit.
    fn fill(&self, store: &Arc<dyn Store>, mark: Option<&Arc<str>>) -> Result<()> {
        store.lease_vertices(self.ids_from - 1)?;
        let mut changes = self.changes(&**store)?;
        let marked =
            |text: &Arc<str>| CatalogChange::SetNote(Arc::from(COMPLETE), Some(Arc::clone(text)));
        changes.extend(mark.map(marked));
        if changes.is_empty() {
            return Ok(());
        }
        let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot)?;
        transaction.change_schema(&changes)?;
        transaction.commit()?.wait().map(drop)
    }

    /// The definitions and notes, by the numbers that names have there.
    fn changes(&self, store: &dyn Store) -> Result<Vec<CatalogChange>> {
        let own = &*self.catalog;
        let names = Renamed { from: own, store };
        if self.goes == Emptying::Data {
            names.intern_all()?;
        }
        let mut changes = Vec::new();
        for owner in own.owners.iter() {
            changes.push(CatalogChange::CreateOwner(names.owner(*owner)?));
        }
        for property in own.properties.iter().chain(own.checking.iter()) {
            let (owner, key) = (names.owner(property.owner)?, names.key(property.key)?);
            let property = property.clone();
            changes.push(CatalogChange::CreateProperty(PropertyDefinition {
                owner,
                key,
                ..property
            }));
        }
        for edge_type in own.sets.iter() {
            changes.push(CatalogChange::CreateSet(names.edge_type(*edge_type)?));
        }
        let building = own.building.iter().map(|build| &build.index);
        for index in own.indexes.iter().chain(building) {
            let goes =
                self.goes == Emptying::DataAndSchema && serves_predicate(&self.catalog, index);
            if index.is_of_external_ids() || goes {
                continue;
            }
            let owner = names.owner(index.owner)?;
            let keys = index.keys.iter().map(|key| names.key(*key)).collect::<Result<_>>()?;
            let id = Default::default();
            changes.push(CatalogChange::CreateIndex(IndexDefinition {
                id,
                owner,
                keys,
                ..index.clone()
            }));
        }
        if own.serializable {
            changes.push(CatalogChange::DemandSerializable(true));
        }
        let set = |(name, text): (&Arc<str>, &Arc<str>)| {
            CatalogChange::SetNote(Arc::clone(name), Some(Arc::clone(text)))
        };
        match self.goes {
            Emptying::Data => changes.extend(own.notes.iter().map(set)),
            Emptying::DataAndSchema => changes.extend(notes_without_schema(own)),
        }
        let is_mark = |change: &CatalogChange| matches!(change, CatalogChange::SetNote(name, _) if **name == *COMPLETE);
        changes.retain(|change| !is_mark(change));
        Ok(changes)
    }
}

/// The numbers that names of a catalog have in another graph.
struct Renamed<'a> {
    from: &'a Catalog,
    store: &'a dyn Store,
}

impl Renamed<'_> {
    fn intern_all(&self) -> Result<()> {
        let Catalog { labels, edge_types, keys, .. } = self.from;
        let all = labels.iter().map(|name| (NameKind::Label, &**name));
        let all = all.chain(edge_types.iter().map(|name| (NameKind::EdgeType, &**name)));
        let all: Vec<_> = all.chain(keys.iter().map(|name| (NameKind::Key, &**name))).collect();
        self.store.intern(&all).map(drop)
    }

    fn number(&self, kind: NameKind, name: Option<&Arc<str>>) -> Result<u32> {
        let missing = || Error::new(ErrorKind::Bug, "a definition without a name");
        let numbers = self.store.intern(&[(kind, name.ok_or_else(missing)?)])?;
        numbers.first().copied().ok_or_else(missing)
    }

    fn key(&self, key: KeyId) -> Result<KeyId> {
        self.number(NameKind::Key, self.from.keys.name(key.0)).map(KeyId)
    }

    fn edge_type(&self, edge_type: EdgeTypeId) -> Result<EdgeTypeId> {
        let name = self.from.edge_types.name(edge_type.0);
        self.number(NameKind::EdgeType, name).map(EdgeTypeId)
    }

    fn owner(&self, owner: Owner) -> Result<Owner> {
        Ok(match owner {
            Owner::Label(label) => {
                let name = self.from.labels.name(label.0);
                Owner::Label(self.number(NameKind::Label, name).map(LabelId)?)
            }
            Owner::EdgeType(edge_type) => Owner::EdgeType(self.edge_type(edge_type)?),
            Owner::AllVertices | Owner::AllEdges => owner,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    const SCHEMA_NOTE: &str = "definition.dql.predicate.name";

    /// A database with a graph that has a note, and ids up to 1000.
    fn database() -> Database {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.create_graph("dql").unwrap();
        graph.store().lease_vertices(1_000).unwrap();
        let transaction =
            Transaction::begin(Arc::clone(graph.store()), Isolation::Snapshot).unwrap();
        let note = CatalogChange::SetNote(Arc::from(SCHEMA_NOTE), Some(Arc::from("string")));
        transaction.change_schema(&[note]).unwrap();
        transaction.commit().unwrap().wait().unwrap();
        database
    }

    fn notes(database: &Database) -> Vec<Arc<str>> {
        let catalog = database.graph("dql").unwrap().store().snapshot().unwrap().catalog();
        catalog.notes.keys().filter(|name| ***name != *COMPLETE).cloned().collect()
    }

    fn next_id(database: &Database) -> u64 {
        database.graph("dql").unwrap().store().lease_vertices(1).unwrap()[0].start
    }

    /// The steps of [`Database::renew_graph`] up to one, and what a restart makes of them.
    fn stopped(database: &Database, goes: Emptying, is_marked: bool, is_dropped: bool) {
        let remains = Remains::of(database.graph("dql").unwrap().store(), goes).unwrap();
        let twin = database.backend.create_graph(&twin_of("dql")).unwrap();
        let mark = Arc::from(remains.ids_from.to_string());
        remains.fill(&twin, is_marked.then_some(&mark)).unwrap();
        if is_dropped {
            database.drop_graph("dql").unwrap();
        }
        assert!(database.find_graph(&twin_of("dql")).unwrap().is_none(), "no client sees it");
        assert!(!database.graphs().contains(&twin_of("dql")));
    }

    #[test]
    fn in_front_of_the_mark_a_graph_is_as_it_was_and_behind_it_is_emptied() {
        let before = database();
        stopped(&before, Emptying::DataAndSchema, false, false);
        before.end_renewals();
        assert_eq!(notes(&before), [Arc::from(SCHEMA_NOTE)]);
        for is_dropped in [false, true] {
            let behind = database();
            stopped(&behind, Emptying::DataAndSchema, true, is_dropped);
            behind.end_renewals();
            assert_eq!(notes(&behind), [Arc::from("definition.dql.own")]);
            assert!(1_000 < next_id(&behind));
            let behind = database();
            stopped(&behind, Emptying::Data, true, is_dropped);
            behind.end_renewals();
            assert_eq!(notes(&behind), [Arc::from(SCHEMA_NOTE)]);
            assert!(1_000 < next_id(&behind));
            assert_eq!(behind.backend.graphs(), ["dql"]);
        }
    }

    /// The graph was there again, and had acknowledged commits, when the twin could not be dropped.
    #[test]
    fn what_was_written_since_is_not_dropped_with_the_rest() {
        let database = database();
        let remains = Remains::of(database.graph("dql").unwrap().store(), Emptying::Data).unwrap();
        database.renew_graph("dql", Emptying::Data).unwrap();
        let own = database.graph("dql").unwrap();
        let mark = mark_of(own.store()).unwrap();
        let twin = database.backend.create_graph(&twin_of("dql")).unwrap();
        remains.fill(&twin, mark.as_ref()).unwrap();
        own.demand_serializable(true, &database.request_limits()).unwrap();
        database.end_renewals();
        assert!(database.graph("dql").unwrap().demands_serializable().unwrap());
        assert_eq!(database.backend.graphs(), ["dql"]);
    }

    #[test]
    fn whatever_makes_the_graph_again_goes_on() {
        let database = database();
        stopped(&database, Emptying::Data, true, true);
        assert!(database.find_graph("dql").unwrap().is_none());
        database.ensure_graph("dql").unwrap();
        assert_eq!(notes(&database), [Arc::from(SCHEMA_NOTE)]);
        stopped(&database, Emptying::Data, true, false);
        database.renew_graph("dql", Emptying::DataAndSchema).unwrap();
        assert_eq!(notes(&database), [Arc::from("definition.dql.own")]);
        assert!(1_000 < next_id(&database));
        assert_eq!(database.backend.graphs(), ["dql"]);
    }
}
