//! `Lookup`: the value of a name for a row: in its map, else as a collection, else as a tag.

use millrace_model::{Batch, Column, Result, Value};
use millrace_plan::{Name, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{AddColumn, MakeColumn};
use crate::run::Run;

pub(crate) struct Lookup {
    name: Name,
    counted: bool,
    map: Option<usize>,
    /// The collection, if one of that name may be there.
    collected: Option<Name>,
    tag: Option<usize>,
}

impl MakeColumn for Lookup {
    fn column(&self, batch: &Batch, run: &Run<'_>) -> Result<Column> {
        let collected = match &self.collected {
            Some(name) => run.collected(name, self.counted)?,
            None => None,
        };
        if let (None, None, Some(tag)) = (self.map, &collected, self.tag) {
            return Ok(Column::clone(&batch.columns[tag]));
        }
        let mut column = Column::default();
        for row in 0..batch.len {
            let own = self.map.and_then(|map| self.entry(&batch.columns[map], row));
            let found = own.or_else(|| collected.clone());
            let tag = || self.tag.and_then(|tag| batch.columns[tag].get(row));
            column.push_entry(found.or_else(tag));
        }
        Ok(column)
    }
}

impl Lookup {
    fn entry(&self, maps: &Column, row: usize) -> Option<Value> {
        let Some(Value::Map(pairs)) = maps.get(row) else { return None };
        let pair = pairs.iter().find(|(key, _)| key.as_str() == Some(&*self.name));
        pair.map(|(_, value)| value.clone())
    }
}

impl Compile for op::Lookup {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        // Where the plan says that there is no map or no collection, none is asked.
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let slot = |column| compiler.slot(place.layout, column);
        let map = self.map.filter(|map| !compiler.elements.contains_key(map));
        let collects = compiler.plan.collects(&self.name);
        let collected = collects.then(|| self.name.clone());
        let (map, tag) = (map.map(slot).transpose()?, self.tag.map(slot).transpose()?);
        let (name, counted) = (self.name.clone(), self.counted);
        let operator = Lookup { name, counted, map, collected, tag };
        Ok((Box::new(AddColumn { operator, keep, to }), after))
    }
}
