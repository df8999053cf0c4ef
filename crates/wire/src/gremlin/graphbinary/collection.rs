//! Lists, sets, maps, bulk sets and trees.

use millrace_model::{Error, ErrorKind, Result, parts};

use super::super::datum::{Datum, Tree};
use super::reader::{DATUM_BYTES_MIN, Reader};
use super::writer::Writer;

/// Things that room is made for before they are read: a length is not believed further.
const ROOM_MAX: usize = 256;

/// Bytes of a bulk.
const BULK_BYTES: usize = size_of::<i64>();

impl Reader<'_> {
    pub(super) fn list(&mut self) -> Result<Vec<Datum>> {
        let count = self.count(DATUM_BYTES_MIN, "the length of a collection")?;
        let mut data = Vec::with_capacity(count.min(ROOM_MAX));
        for _ in 0..count {
            data.push(self.datum()?);
        }
        Ok(data)
    }

    pub(super) fn map(&mut self) -> Result<Vec<(Datum, Datum)>> {
        let count = self.count(2 * DATUM_BYTES_MIN, "the length of a Map")?;
        let mut pairs = Vec::with_capacity(count.min(ROOM_MAX));
        for _ in 0..count {
            pairs.push((self.datum()?, self.datum()?));
        }
        Ok(pairs)
    }

    pub(super) fn bulk(&mut self) -> Result<u64> {
        let bulk = self.i64("a bulk")?;
        let bulk = u64::try_from(bulk).ok().filter(|bulk| *bulk != 0);
        bulk.ok_or_else(|| self.bad("a bulk is above 0"))
    }

    pub(super) fn bulk_set(&mut self) -> Result<Datum> {
        let count = self.count(DATUM_BYTES_MIN + BULK_BYTES, "the length of a BulkSet")?;
        let items = (0..count).map(|_| Ok((self.datum()?, self.bulk()?)));
        items.collect::<Result<_>>().map(Datum::BulkSet)
    }

    pub(super) fn tree(&mut self) -> Result<Tree> {
        let count = self.count(DATUM_BYTES_MIN + size_of::<i32>(), "the length of a Tree")?;
        let branches = (0..count).map(|_| Ok((self.datum()?, self.nested(Reader::tree)?)));
        Ok(Tree { branches: branches.collect::<Result<_>>()? })
    }
}

impl Writer {
    pub(super) fn bulk(&mut self, bulk: u64) -> Result<()> {
        let Ok(fits) = i64::try_from(bulk) else {
            let detail = format!("a bulk of {bulk} is more than the format can count");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        };
        self.put(&fits.to_be_bytes());
        Ok(())
    }

    pub(super) fn bulk_set(&mut self, items: &[(Datum, u64)]) -> Result<()> {
        self.count(items.len())?;
        items.iter().try_for_each(|(datum, bulk)| {
            self.datum(datum)?;
            self.bulk(*bulk)
        })
    }

    pub(super) fn tree(&mut self, tree: &Tree) -> Result<()> {
        self.count(tree.branches.len())?;
        tree.branches.iter().try_for_each(|(key, below)| {
            self.datum(key)?;
            self.nested(|writer| writer.tree(below))
        })
    }

    pub(super) fn value_tree(&mut self, tree: &parts::Tree) -> Result<()> {
        self.count(tree.branches.len())?;
        tree.branches.iter().try_for_each(|(key, below)| {
            self.value(key)?;
            self.nested(|writer| writer.value_tree(below))
        })
    }
}
