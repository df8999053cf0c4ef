//! `Roar` as a script has it: its constructor and its methods. Those for compression do nothing here.

use mlua::{AnyUserData, Lua, MetaMethod, Table, UserData, UserDataMethods};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::memory::Growth;
use crate::results::{Combine, List, Roar};
use crate::session::Session;

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
            roar.combination(lua, &*other.borrow::<Roar>()?, combine)
        });
        methods.add_function(inplace, move |lua, (data, other): (AnyUserData, AnyUserData)| {
            Roar::combine_into_first(lua, (&data, &other), combine)?;
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
        methods.add_method("isEmpty", |_, roar, ()| Ok(roar.is_empty()));
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
            Ok(other.borrow::<Roar>().is_ok_and(|other| other.is_same(roar)))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, roar, ()| {
            Ok(format!("[{}]", roar.text(", ")?))
        });
    }
}
