//! `Define`: changes the catalog, once if any row comes.

use std::str::FromStr;

use millrace_model::schema::{IndexDefinition, KeyMethod, Owner, PropertyDefinition};
use millrace_model::{
    Batch, Catalog, CatalogChange, EdgeTypeId, Error, ErrorKind, KeyId, LabelId, Result,
};
use millrace_plan::{Definition, Name, OwnerName, op};
use millrace_store::NameKind;
use millrace_terms::KeyExtractor;

use super::property_writes::intern;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::schema_counts;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::run::Run;

pub(crate) struct Define {
    definition: Definition,
    keep: Keep,
}

fn change(definition: &Definition, run: &Run<'_>) -> Result<CatalogChange> {
    Ok(match definition {
        Definition::CreateOwner(owner) => CatalogChange::CreateOwner(must_owner(owner, run)?),
        Definition::DropOwner(owner) => {
            let dropped = known_owner(owner, run)?;
            check_empty(owner, dropped, run)?;
            CatalogChange::DropOwner(dropped)
        }
        Definition::CreateProperty { owner, key, kind, required } => {
            let declared = PropertyDefinition {
                owner: must_owner(owner, run)?,
                key: must_key(key, run)?,
                kind: *kind,
                required: *required,
            };
            CatalogChange::CreateProperty(declared)
        }
        Definition::DropProperty { owner, key } => {
            CatalogChange::DropProperty(known_owner(owner, run)?, known_key(key, run)?)
        }
        Definition::CreateIndex { owner, keys, kind } => {
            let index = IndexDefinition::new(
                must_owner(owner, run)?,
                keys.iter().map(|key| must_key(key, run)).collect::<Result<_>>()?,
                *kind,
            );
            CatalogChange::CreateIndex(index)
        }
        Definition::CreateMadeIndex { owner, keys, method } => {
            let method = checked_method(method)?;
            let index = IndexDefinition::made(
                must_owner(owner, run)?,
                keys.iter().map(|key| must_key(key, run)).collect::<Result<_>>()?,
                method,
            );
            CatalogChange::CreateIndex(index)
        }
        Definition::DropMadeIndex { owner, keys, method } => {
            let method = Some(checked_method(method)?);
            drop_index((owner, keys), |index| index.method == method, run)?
        }
        Definition::DropIndex { owner, keys, kind } => {
            let is_meant = |index: &IndexDefinition| kind.is_none_or(|kind| index.kind == kind);
            drop_index((owner, keys), is_meant, run)?
        }
    })
}

/// A method in the form in which catalogs have it.
fn checked_method(method: &str) -> Result<KeyMethod> {
    match KeyExtractor::from_str(method)? {
        KeyExtractor::Value => {
            let detail = "an index whose keys are the values themselves is not made by a method";
            Err(Error::new(ErrorKind::BadInput, detail)
                .with_help("declare an index of the kind `range`"))
        }
        extractor => Ok(KeyMethod(extractor.to_string().into())),
    }
}

fn drop_index(
    (owner, keys): (&OwnerName, &[Name]),
    is_meant: impl Fn(&IndexDefinition) -> bool,
    run: &Run<'_>,
) -> Result<CatalogChange> {
    let known = known_owner(owner, run)?;
    let ids = keys.iter().map(|key| known_key(key, run)).collect::<Result<Vec<_>>>()?;
    let is_it = |index: &&IndexDefinition| index.keys == ids && is_meant(index);
    let find = |catalog: &Catalog| Some(catalog.indexes.of_owner(known).find(is_it)?.id);
    let index = run.context.look(find);
    let index = index.ok_or_else(|| {
        let keys = keys.join(", ");
        not_found(format!("there is no such index of {} over {keys}", describe(owner)))
    })?;
    Ok(CatalogChange::DropIndex(index))
}

fn describe(owner: &OwnerName) -> String {
    match owner {
        OwnerName::Label(name) => format!("label {name}"),
        OwnerName::EdgeType(name) => format!("edge type {name}"),
        OwnerName::AllVertices => "all vertices".to_owned(),
    }
}

fn not_found(detail: String) -> Error {
    Error::new(ErrorKind::NotFound, detail)
}

fn must_owner(owner: &OwnerName, run: &Run<'_>) -> Result<Owner> {
    Ok(match owner {
        OwnerName::Label(name) => Owner::Label(LabelId(intern(NameKind::Label, name, run)?)),
        OwnerName::EdgeType(name) => {
            Owner::EdgeType(EdgeTypeId(intern(NameKind::EdgeType, name, run)?))
        }
        OwnerName::AllVertices => Owner::AllVertices,
    })
}

fn known_owner(owner: &OwnerName, run: &Run<'_>) -> Result<Owner> {
    let known = match owner {
        OwnerName::Label(name) => run.context.look(|catalog| catalog.label(name)).map(Owner::Label),
        OwnerName::EdgeType(name) => {
            run.context.look(|catalog| catalog.edge_type(name)).map(Owner::EdgeType)
        }
        OwnerName::AllVertices => Some(Owner::AllVertices),
    };
    known.ok_or_else(|| not_found(format!("there is no {}", describe(owner))))
}

fn must_key(key: &Name, run: &Run<'_>) -> Result<KeyId> {
    intern(NameKind::Key, key, run).map(KeyId)
}

fn known_key(key: &Name, run: &Run<'_>) -> Result<KeyId> {
    let known = run.context.look(|catalog| catalog.key(key));
    known.ok_or_else(|| not_found(format!("there is no key {key}")))
}

/// A label or type is dropped only when nothing has it.
fn check_empty(name: &OwnerName, owner: Owner, run: &Run<'_>) -> Result<()> {
    let graph = run.context.graph();
    let count = match owner {
        Owner::Label(label) => graph.count_vertices(Some(label))?,
        Owner::EdgeType(edge_type) => graph.count_edges(Some(edge_type))?,
        Owner::AllVertices => graph.count_vertices(None)?,
        Owner::AllEdges => graph.count_edges(None)?,
    };
    if count == 0 {
        return Ok(());
    }
    let detail = format!("{} still has {count} elements", describe(name));
    Err(Error::new(ErrorKind::Constraint, detail).with_help("delete them first"))
}

impl WholeWrite for Define {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let transaction = run.context.transaction()?;
        let before = run.context.catalog();
        let change = change(&self.definition, run)?;
        transaction.change_schema(std::slice::from_ref(&change))?;
        let owner = before.owner_of(&change);
        run.context.count_writes(schema_counts([&before, &run.context.catalog()], owner));
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Define {
    fn compile(&self, _compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let define = Define { definition: self.definition.clone(), keep };
        Ok((Box::new(Completing::new(define)), after))
    }
}
