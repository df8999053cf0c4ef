//! Types, their declared properties, and indexes.
//!
//! Names are never forgotten, so a type exists if it is declared or has an element, not if its name is
//! known.

use millrace_model::schema::IndexKind;
use millrace_model::{Catalog, Error, ErrorKind, Owner, PropertyType, Result, Value};
use millrace_plan::{Definition, ElementKind, Name, OwnerName, Runner};

use super::run::run;
use super::show::{count, is_key_name};
use crate::plans::{self, OWN_KEY};

/// A type of nodes or relationships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerType {
    /// Nodes or relationships.
    pub element: ElementKind,
    /// The type's name.
    pub name: String,
}

impl OwnerType {
    /// A type of nodes.
    pub fn node(name: &str) -> OwnerType {
        OwnerType { element: ElementKind::Vertex, name: name.to_owned() }
    }

    fn owner_name(&self) -> OwnerName {
        match self.element {
            ElementKind::Vertex => OwnerName::Label(self.name.as_str().into()),
            ElementKind::Edge => OwnerName::EdgeType(self.name.as_str().into()),
        }
    }

    fn owner(&self, catalog: &Catalog) -> Option<Owner> {
        match self.element {
            ElementKind::Vertex => catalog.label(&self.name).map(Owner::Label),
            ElementKind::Edge => catalog.edge_type(&self.name).map(Owner::EdgeType),
        }
    }

    /// The owner's number if the type is there; an error that says so if it is not.
    fn must_exist(&self, runner: &mut dyn Runner) -> Result<Owner> {
        if let Some(owner) = self.owner(&runner.catalog())
            && is_there(runner, owner, self)?
        {
            return Ok(owner);
        }
        Err(Error::new(ErrorKind::NotFound, format!("there is no type {}", self.name)))
    }
}

fn is_there(runner: &mut dyn Runner, owner: Owner, of: &OwnerType) -> Result<bool> {
    Ok(runner.catalog().owners.contains(&owner) || 0 < count(runner, of.element, Some(&of.name))?)
}

fn define(runner: &mut dyn Runner, definition: Definition) -> Result<()> {
    run(runner, &plans::define(definition), &[]).map(|_| ())
}

fn names(catalog: &Catalog, element: ElementKind) -> Vec<Name> {
    match element {
        ElementKind::Vertex => catalog.labels.iter().cloned().collect(),
        ElementKind::Edge => catalog.edge_types.iter().cloned().collect(),
    }
}

/// The names of all types, ascending.
pub fn types(runner: &mut dyn Runner, element: ElementKind) -> Result<Value> {
    let catalog = runner.catalog();
    let mut found = Vec::new();
    for name in names(&catalog, element) {
        let of = OwnerType { element, name: name.to_string() };
        if let Some(owner) = of.owner(&catalog)
            && is_there(runner, owner, &of)?
        {
            found.push(Value::String(name));
        }
    }
    found.sort();
    Ok(Value::list(found))
}

/// The declared properties of a type: name to data type.
pub fn type_properties(runner: &mut dyn Runner, of: &OwnerType) -> Result<Value> {
    let owner = of.must_exist(runner)?;
    let catalog = runner.catalog();
    let declared = catalog.properties.of_owner(owner);
    let mut pairs: Vec<_> = declared
        .filter_map(|property| {
            let name = catalog.keys.name(property.key.0)?;
            Some((Value::String(name.clone()), Value::from(property.kind.to_string().as_str())))
        })
        .collect();
    pairs.sort();
    Ok(Value::map(pairs))
}

/// Declares a type; a node type gets a unique key. Whether it is new.
pub fn declare_type(runner: &mut dyn Runner, of: &OwnerType) -> Result<bool> {
    let catalog = runner.catalog();
    let declared = of.owner(&catalog).is_some_and(|owner| catalog.owners.contains(&owner));
    if declared {
        return Ok(false);
    }
    define(runner, Definition::CreateOwner(of.owner_name()))?;
    let is_node = of.element == ElementKind::Vertex;
    if is_node && plans::key_sources(&runner.catalog(), &of.name).is_empty() {
        let (owner, keys) = (of.owner_name(), vec![OWN_KEY.into()]);
        define(runner, Definition::CreateIndex { owner, keys, kind: IndexKind::Unique })?;
    }
    Ok(true)
}

/// Declares a type no more; its elements must be gone. Whether it was there.
pub fn drop_type(runner: &mut dyn Runner, of: &OwnerType) -> Result<bool> {
    let catalog = runner.catalog();
    if of.owner(&catalog).is_none_or(|owner| !catalog.owners.contains(&owner)) {
        return Ok(false);
    }
    let left = count(runner, of.element, Some(&of.name))?;
    if 0 < left {
        let detail = format!("{} has {left} elements", of.name);
        return Err(Error::new(ErrorKind::Constraint, detail).with_help("remove them first"));
    }
    define(runner, Definition::DropOwner(of.owner_name()))?;
    Ok(true)
}

/// A node's key is found by an index of its type, which a client may neither declare nor drop.
fn check_not_key(of: &OwnerType, property: &str) -> Result<()> {
    if of.element == ElementKind::Edge || !is_key_name(&Value::from(property)) {
        return Ok(());
    }
    let detail = format!("{property} is the key of a node of {}, not a property", of.name);
    Err(Error::new(ErrorKind::BadInput, detail).with_help("take another name for the property"))
}

/// The data type of a declared property, as an object of one.
pub fn property_type(runner: &mut dyn Runner, of: &OwnerType, property: &str) -> Result<Value> {
    let owner = of.must_exist(runner)?;
    let catalog = runner.catalog();
    let declared = catalog.key(property).and_then(|key| catalog.property(owner, key));
    let declared = declared.ok_or_else(|| {
        let detail = format!("{} has no declared property {property}", of.name);
        Error::new(ErrorKind::NotFound, detail)
    })?;
    let kind = Value::from(declared.kind.to_string().as_str());
    Ok(Value::map(vec![(Value::from(property), kind)]))
}

/// Declares a property, and its type if that is new. Stored values must obey the declaration. True if
/// the schema changed.
pub fn declare_property(
    runner: &mut dyn Runner,
    of: &OwnerType,
    property: &str,
    kind: PropertyType,
) -> Result<bool> {
    check_not_key(of, property)?;
    let is_known = match of.owner(&runner.catalog()) {
        Some(owner) => is_there(runner, owner, of)?,
        None => false,
    };
    if !is_known {
        declare_type(runner, of)?;
    }
    let catalog = runner.catalog();
    let known = of.owner(&catalog).zip(catalog.key(property));
    let known = known.and_then(|(owner, key)| catalog.property(owner, key));
    if known.is_some_and(|known| known.kind == kind) {
        return Ok(false);
    }
    let (owner, key) = (of.owner_name(), property.into());
    define(runner, Definition::CreateProperty { owner, key, kind, required: false })?;
    Ok(true)
}

/// Declares a property no more. Whether it was declared.
pub fn drop_property(runner: &mut dyn Runner, of: &OwnerType, property: &str) -> Result<bool> {
    check_not_key(of, property)?;
    let catalog = runner.catalog();
    let declared = of.owner(&catalog).zip(catalog.key(property));
    if declared.is_none_or(|(owner, key)| catalog.property(owner, key).is_none()) {
        return Ok(false);
    }
    define(runner, Definition::DropProperty { owner: of.owner_name(), key: property.into() })?;
    Ok(true)
}

/// The indexed properties of each type, or of one as a list; a node's own key aside.
pub fn indexes(
    runner: &mut dyn Runner,
    element: ElementKind,
    type_name: Option<&str>,
) -> Result<Value> {
    let catalog = runner.catalog();
    if let Some(name) = type_name {
        let of = OwnerType { element, name: name.to_owned() };
        return Ok(Value::list(indexed(&catalog, of.must_exist(runner)?)));
    }
    let mut pairs = Vec::new();
    for name in names(&catalog, element) {
        let of = OwnerType { element, name: name.to_string() };
        let found = of.owner(&catalog).map(|owner| indexed(&catalog, owner)).unwrap_or_default();
        if !found.is_empty() {
            pairs.push((Value::String(name), Value::list(found)));
        }
    }
    pairs.sort();
    Ok(Value::map(pairs))
}

fn indexed(catalog: &Catalog, owner: Owner) -> Vec<Value> {
    let indexes = catalog.indexes.of_owner(owner);
    let names = indexes.filter_map(|index| match index.keys.as_slice() {
        [key] => catalog.keys.name(key.0).filter(|name| &***name != OWN_KEY),
        _ => None,
    });
    let mut names: Vec<Value> = names.cloned().map(Value::String).collect();
    names.sort();
    names.dedup();
    names
}

/// The kind of an index over one property: of that kind if one is asked for, else of whichever there
/// is, a unique one last.
fn known_index(
    catalog: &Catalog,
    owner: Owner,
    property: &str,
    kind: Option<IndexKind>,
) -> Option<IndexKind> {
    let key = catalog.key(property)?;
    let indexes = catalog.indexes.iter();
    let of_property = indexes.filter(|index| index.owner == owner && index.keys == [key]);
    let of_property = of_property.filter(|index| index.kind != IndexKind::Made);
    let kinds = of_property.map(|index| index.kind);
    let meant = kinds.filter(|known| kind.is_none_or(|kind| *known == kind));
    meant.min_by_key(|kind| *kind == IndexKind::Unique)
}

/// Makes an index over one property. True if the schema changed: an exact index is not made beside any
/// other, since every index finds equal values.
pub fn declare_index(
    runner: &mut dyn Runner,
    of: &OwnerType,
    property: &str,
    kind: IndexKind,
) -> Result<bool> {
    check_not_key(of, property)?;
    let owner = of.must_exist(runner)?;
    let serves = (kind != IndexKind::Exact).then_some(kind);
    if known_index(&runner.catalog(), owner, property, serves).is_some() {
        return Ok(false);
    }
    let (owner, keys) = (of.owner_name(), vec![property.into()]);
    define(runner, Definition::CreateIndex { owner, keys, kind })?;
    Ok(true)
}

/// Ends an index over one property, of that kind or of whichever there is. Whether there was one.
pub fn drop_index(
    runner: &mut dyn Runner,
    of: &OwnerType,
    property: &str,
    kind: Option<IndexKind>,
) -> Result<bool> {
    check_not_key(of, property)?;
    let owner = of.must_exist(runner)?;
    let Some(kind) = known_index(&runner.catalog(), owner, property, kind) else {
        return Ok(false);
    };
    let (owner, keys, kind) = (of.owner_name(), vec![property.into()], Some(kind));
    define(runner, Definition::DropIndex { owner, keys, kind })?;
    Ok(true)
}
