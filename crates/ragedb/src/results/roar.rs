//! `Roar`: a set of 64-bit ids, as a map of small bitmaps. RageDB's is a Roaring bitmap; its methods
//! for compression do nothing here.

use std::collections::BTreeMap;

use mlua::{AnyUserData, Lua, MetaMethod, Table, UserData, UserDataMethods};

use super::list::{Items, List};
use super::reservation::Reservation;
use crate::limits::ENTRIES_BETWEEN_CHECKS;
use crate::lua::arguments::Arguments;
use crate::lua::growth::Growth;
use crate::lua::json;
use crate::lua::session::Session;

/// Ids of a block.
const BLOCK_IDS: u64 = 256;

/// About how many bytes a block takes in the map.
const BLOCK_BYTES: usize = 64;

/// Blocks that are reserved beyond those of the set.
const BLOCKS_RESERVED: usize = 64;

/// Ids flipped between two deadline checks.
const FLIPS_BETWEEN_CHECKS: u64 = 1 << 16;

type Block = [u64; 4];

/// A set of ids.
#[derive(Debug, Default)]
pub(crate) struct Roar {
    blocks: BTreeMap<u64, Block>,
    reservation: Option<Reservation>,
}

fn place(id: u64) -> (u64, usize, u64) {
    let within = id % BLOCK_IDS;
    (id / BLOCK_IDS, (within / 64) as usize, 1 << (within % 64))
}

fn bits(block: &Block) -> u64 {
    block.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// How two sets are combined, bit by bit; nothing comes from two zeros.
type Combine = fn(u64, u64) -> u64;

impl Roar {
    /// Adds an id; whether it is new.
    fn add(&mut self, id: u64) -> bool {
        let (block, word, bit) = place(id);
        let word = &mut self.blocks.entry(block).or_default()[word];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes an id; whether it was there.
    fn remove(&mut self, id: u64) -> bool {
        let (number, word, bit) = place(id);
        let Some(block) = self.blocks.get_mut(&number) else { return false };
        let was_there = block[word] & bit != 0;
        block[word] &= !bit;
        if bits(block) == 0 {
            self.blocks.remove(&number);
        }
        was_there
    }

    fn contains(&self, id: u64) -> bool {
        let (block, word, bit) = place(id);
        self.blocks.get(&block).is_some_and(|block| block[word] & bit != 0)
    }

    fn cardinality(&self) -> u64 {
        self.blocks.values().map(bits).sum()
    }

    /// The ids, ascending.
    fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.blocks.iter().flat_map(|(number, block)| {
            (0..BLOCK_IDS)
                .filter(|within| block[(within / 64) as usize] >> (within % 64) & 1 == 1)
                .map(move |within| number * BLOCK_IDS + within)
        })
    }

    /// The ids, ascending, counted before they are listed.
    pub(crate) fn ids(&self, growth: &Growth) -> mlua::Result<Vec<u64>> {
        growth.add(usize::try_from(self.cardinality()).unwrap_or(usize::MAX), size_of::<u64>())?;
        Ok(self.iter().collect())
    }

    /// The ids as text.
    fn text(&self, separator: &str) -> mlua::Result<String> {
        let (growth, mut text) = (Growth::default(), String::new());
        for (place, id) in self.iter().enumerate() {
            let before = text.len();
            if place > 0 {
                text.push_str(separator);
            }
            json::write_display(&mut text, id);
            // Growing, it is copied; then Lua copies it.
            growth.add(1, 3 * (text.len() - before))?;
        }
        Ok(text)
    }

    /// How many ids are at most this one.
    fn rank(&self, id: u64) -> u64 {
        let (number, ..) = place(id);
        let before: u64 = self.blocks.range(..number).map(|(_, block)| bits(block)).sum();
        let Some(block) = self.blocks.get(&number) else { return before };
        let at_most = |within: &u64| block[(within / 64) as usize] >> (within % 64) & 1 == 1;
        before + (0..=id % BLOCK_IDS).filter(at_most).count() as u64
    }

    fn combined(&self, other: &Roar, combine: Combine) -> BTreeMap<u64, Block> {
        let mut blocks = self.blocks.clone();
        for number in other.blocks.keys() {
            blocks.entry(*number).or_default();
        }
        const NONE: Block = [0; 4];
        for (number, block) in &mut blocks {
            let theirs = other.blocks.get(number).unwrap_or(&NONE);
            block.iter_mut().zip(theirs).for_each(|(word, other)| *word = combine(*word, *other));
        }
        blocks.retain(|_, block| bits(block) != 0);
        blocks
    }

    fn is_subset(&self, other: &Roar) -> bool {
        self.combined(other, difference).is_empty()
    }

    /// Reserves the memory of the set, before it grows by so many blocks.
    fn reserve(&mut self, lua: &Lua, more: usize) -> mlua::Result<()> {
        if BLOCKS_RESERVED < more {
            Session::of(lua)?.check()?;
        }
        let wanted = self.blocks.len().saturating_add(more).saturating_mul(BLOCK_BYTES);
        let counted = self.reservation.as_ref().map_or(0, Reservation::bytes);
        if wanted <= counted {
            return Ok(());
        }
        let reserved = wanted.saturating_add(BLOCKS_RESERVED * BLOCK_BYTES);
        let more = Session::of(lua)?.reserve(reserved - counted)?;
        match &mut self.reservation {
            Some(reservation) => reservation.add(more),
            None => self.reservation = Some(more),
        }
        Ok(())
    }

    fn extend(&mut self, lua: &Lua, ids: &[u64]) -> mlua::Result<()> {
        for chunk in ids.chunks(BLOCKS_RESERVED) {
            self.reserve(lua, chunk.len())?;
            for id in chunk {
                self.add(*id);
            }
        }
        Ok(())
    }

    /// Turns the ids from `start` up to `end`, exclusive, round.
    fn flip(&mut self, lua: &Lua, start: u64, end: u64) -> mlua::Result<()> {
        let blocks = end.saturating_sub(start) / BLOCK_IDS;
        self.reserve(lua, usize::try_from(blocks).unwrap_or(usize::MAX).saturating_add(2))?;
        for id in start..end {
            if id % FLIPS_BETWEEN_CHECKS == 0 {
                Session::of(lua)?.check()?;
            }
            if !self.remove(id) {
                self.add(id);
            }
        }
        Ok(())
    }

    pub(crate) fn write_json(
        &self,
        encoder: &mut json::Encoder<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        text.push('[');
        for (index, id) in self.iter().enumerate() {
            if index % ENTRIES_BETWEEN_CHECKS == 0 {
                encoder.check_room(text)?;
            }
            json::separate(text, index > 0);
            json::write_display(text, id);
        }
        text.push(']');
        encoder.check_room(text)
    }
}

fn intersection(left: u64, right: u64) -> u64 {
    left & right
}

fn difference(left: u64, right: u64) -> u64 {
    left & !right
}

fn union(left: u64, right: u64) -> u64 {
    left | right
}

fn symmetric_difference(left: u64, right: u64) -> u64 {
    left ^ right
}

/// An id a script gives: negative numbers are none.
fn id(lua_id: i64) -> mlua::Result<u64> {
    u64::try_from(lua_id).map_err(|_| mlua::Error::runtime(format!("{lua_id} is no id")))
}

fn list(lua: &Lua, items: Items) -> mlua::Result<List> {
    Ok(List::all(Session::of(lua)?.share(items)?))
}

/// `Roar`, as a sandbox has it: the type with its constructor.
pub(super) fn constructor(lua: &Lua) -> mlua::Result<Table> {
    let new = lua.create_function(|_, ()| Ok(Roar::default()))?;
    lua.create_table_from([("new", new)])
}

/// Operations that give a new set, and those that change the first.
const COMBINATIONS: [(&str, &str, Combine); 4] = [
    ("intersection", "inplace_intersection", intersection),
    ("difference", "inplace_difference", difference),
    ("union", "inplace_union", union),
    ("xor", "inplace_xor", symmetric_difference),
];

fn add_combinations<M: UserDataMethods<Roar>>(methods: &mut M) {
    for (name, inplace, combine) in COMBINATIONS {
        methods.add_method(name, move |lua, roar, other: AnyUserData| {
            let other = other.borrow::<Roar>()?;
            let mut made = Roar::default();
            made.reserve(lua, roar.blocks.len() + other.blocks.len())?;
            made.blocks = roar.combined(&other, combine);
            Ok(made)
        });
        methods.add_function(inplace, move |lua, (data, other): (AnyUserData, AnyUserData)| {
            let blocks = {
                let (roar, other) = (data.borrow::<Roar>()?, other.borrow::<Roar>()?);
                let _reservation = Session::of(lua)?
                    .reserve((roar.blocks.len() + other.blocks.len()) * BLOCK_BYTES)?;
                roar.combined(&other, combine)
            };
            let mut roar = data.borrow_mut::<Roar>()?;
            roar.blocks = blocks;
            roar.reserve(lua, 0)?;
            drop(roar);
            Ok(data)
        });
    }
}

fn add_changes<M: UserDataMethods<Roar>>(methods: &mut M) {
    methods.add_method_mut("add", |lua, roar, one: i64| {
        roar.reserve(lua, 1)?;
        roar.add(id(one)?);
        Ok(())
    });
    methods.add_method_mut("addChecked", |lua, roar, one: i64| {
        roar.reserve(lua, 1)?;
        Ok(roar.add(id(one)?))
    });
    methods.add_method_mut("remove", |_, roar, one: i64| {
        roar.remove(id(one)?);
        Ok(())
    });
    methods.add_method_mut("removeChecked", |_, roar, one: i64| Ok(roar.remove(id(one)?)));
    methods.add_method_mut("clear", |_, roar, ()| {
        *roar = Roar::default();
        Ok(())
    });
    methods.add_method_mut("flip", |lua, roar, (start, end): (i64, i64)| {
        roar.flip(lua, id(start)?, id(end)?)
    });
    methods.add_function("swap", |_, (data, other): (AnyUserData, AnyUserData)| {
        if data != other {
            std::mem::swap(&mut *data.borrow_mut::<Roar>()?, &mut *other.borrow_mut::<Roar>()?);
        }
        Ok(data)
    });
    methods.add_function("addValues", |lua, (data, map): (AnyUserData, mlua::Value)| {
        let map = mlua::MultiValue::from_iter([map]);
        let ids = Arguments::new("addValues", map).ids_of_values()?;
        data.borrow_mut::<Roar>()?.extend(lua, &ids)
    });
    for name in ["addIds", "addNodeIds", "addRelationshipIds"] {
        methods.add_function(name, move |lua, (data, ids): (AnyUserData, mlua::Value)| {
            let ids = mlua::MultiValue::from_iter([ids]);
            let frontier = Arguments::new(name, ids).frontier()?;
            let ids = match frontier.edges {
                Some(edges) if name == "addRelationshipIds" => edges,
                Some(_) | None => frontier.nodes,
            };
            data.borrow_mut::<Roar>()?.extend(lua, &ids)
        });
    }
}

impl UserData for Roar {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_changes(methods);
        add_combinations(methods);
        methods.add_method("contains", |_, roar, one: i64| {
            Ok(u64::try_from(one).is_ok_and(|one| roar.contains(one)))
        });
        methods.add_method("cardinality", |lua, roar, ()| {
            Session::of(lua)?.check()?;
            Ok(roar.cardinality())
        });
        methods.add_method("isEmpty", |_, roar, ()| Ok(roar.blocks.is_empty()));
        methods.add_method("isFull", |_, _, ()| Ok(false));
        methods.add_method("maximum", |_, roar, ()| Ok(roar.iter().next_back()));
        methods.add_method("minimum", |_, roar, ()| Ok(roar.iter().next()));
        methods.add_method("rank", |lua, roar, one: i64| {
            Session::of(lua)?.check()?;
            Ok(roar.rank(id(one)?))
        });
        methods.add_method("isSubset", |lua, roar, other: AnyUserData| {
            Session::of(lua)?.check()?;
            Ok(roar.is_subset(&*other.borrow::<Roar>()?))
        });
        methods.add_method("isStrictSubset", |lua, roar, other: AnyUserData| {
            Session::of(lua)?.check()?;
            let other = other.borrow::<Roar>()?;
            Ok(roar.is_subset(&other) && roar.cardinality() < other.cardinality())
        });
        methods.add_method("removeRunCompression", |_, _, ()| Ok(false));
        methods.add_method("runOptimize", |_, _, ()| Ok(false));
        methods.add_method("shrinkToFit", |_, _, ()| Ok(0));
        methods.add_method("getIds", |lua, roar, ()| {
            list(lua, Items::Ids(roar.ids(&Growth::default())?))
        });
        methods.add_method("getNodeHalfLinks", |lua, roar, ()| {
            let growth = Growth::default();
            let nodes = roar.ids(&growth)?;
            growth.add(nodes.len(), size_of::<u64>())?;
            let edges = vec![0; nodes.len()];
            list(lua, Items::Links { nodes, edges })
        });
        methods.add_method("getRelationshipHalfLinks", |lua, roar, ()| {
            let growth = Growth::default();
            let edges = roar.ids(&growth)?;
            growth.add(edges.len(), size_of::<u64>())?;
            let nodes = vec![0; edges.len()];
            list(lua, Items::Links { nodes, edges })
        });
        methods.add_method("toString", |lua, roar, ()| {
            Session::of(lua)?.check()?;
            Ok(format!("{{{}}}", roar.text(",")?))
        });
        methods.add_meta_method(MetaMethod::Len, |_, roar, ()| Ok(roar.cardinality()));
        methods.add_meta_method(MetaMethod::Eq, |_, roar, other: AnyUserData| {
            Ok(other.borrow::<Roar>().is_ok_and(|other| other.blocks == roar.blocks))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, roar, ()| {
            Ok(format!("[{}]", roar.text(", ")?))
        });
    }
}
