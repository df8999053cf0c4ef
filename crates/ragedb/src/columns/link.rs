//! `Link`: a neighbour and the edge to it, as a number where it fits one.
//!
//! A script reads a list of links entry by entry, and an object for each would be most of the cost. So
//! a link is a *light userdata*: Lua's own value of 64 bits, which no script can make and the garbage
//! collector ignores. Node and edge go into it in one of a few layouts; a link that fits none is an
//! object ([`LargeLink`]). A link that fits is never an object, so equal links are equal values, and
//! keys of a table.

use std::fmt::Write;
use std::sync::Arc;

use mlua::{AnyUserData, IntoLua, LightUserData, Lua, MetaMethod, UserData, UserDataMethods};

use crate::error::type_name;

/// A neighbour and the edge to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) node: u64,
    pub(crate) edge: u64,
}

/// A link that is too large for a light userdata.
pub(crate) struct LargeLink(Link);

/// How a link is laid out in 62 bits: the bits of the node, and of each half of the edge.
///
/// Stores number edges by a part of the graph (the high half) and a place in it. The sum is 62.
struct Layout {
    node: u32,
    high: u32,
    low: u32,
}

/// The first that fits is taken. Parts of a graph are of 65,536 vertices or more, so the high half
/// needs 16 bits fewer than a node; the other bits are for a part's edges: many in a graph of 17
/// million vertices, fewer in one of a thousand million.
const LAYOUTS: [Layout; 3] = [
    Layout { node: 24, high: 8, low: 30 },
    Layout { node: 27, high: 11, low: 24 },
    Layout { node: 30, high: 14, low: 18 },
];

/// Where the number of the layout stands.
const LAYOUT_SHIFT: u32 = 62;

#[inline]
fn fits(number: u64, bits: u32) -> bool {
    number >> bits == 0
}

#[inline]
fn lowest(number: u64, bits: u32) -> u64 {
    number & ((1 << bits) - 1)
}

impl Link {
    /// The link that a Lua value is.
    pub(crate) fn of(value: &mlua::Value) -> Option<Link> {
        match value {
            mlua::Value::LightUserData(light) => Link::unpacked(light.0 as usize as u64),
            mlua::Value::UserData(data) => Link::of_object(data),
            _ => None,
        }
    }

    /// The link that an object is.
    pub(crate) fn of_object(data: &AnyUserData) -> Option<Link> {
        data.borrow::<LargeLink>().ok().map(|link| link.0)
    }

    /// The light userdata of a link that fits one.
    #[inline]
    pub(crate) fn light(self) -> Option<LightUserData> {
        // Where pointers are narrower, fewer fit.
        let bits = usize::try_from(self.packed()?).ok()?;
        Some(LightUserData(bits as *mut _))
    }

    /// As `tostring` and JSON write it.
    pub(crate) fn to_text(self) -> String {
        let mut text = String::new();
        write_link(&mut text, &self);
        text
    }

    #[inline]
    fn packed(self) -> Option<u64> {
        let (high, low) = (self.edge >> 32, lowest(self.edge, 32));
        for (number, layout) in LAYOUTS.iter().enumerate() {
            if fits(self.node, layout.node) && fits(high, layout.high) && fits(low, layout.low) {
                let parts = (self.node << layout.high | high) << layout.low | low;
                return Some((number as u64) << LAYOUT_SHIFT | parts);
            }
        }
        None
    }

    fn unpacked(bits: u64) -> Option<Link> {
        let layout = LAYOUTS.get((bits >> LAYOUT_SHIFT) as usize)?;
        let parts = lowest(bits, LAYOUT_SHIFT);
        let high = lowest(parts >> layout.low, layout.high);
        let edge = high << 32 | lowest(parts, layout.low);
        Some(Link { node: parts >> (layout.high + layout.low), edge })
    }
}

/// A link as JSON.
pub(crate) fn write_link(text: &mut String, link: &Link) {
    write!(text, "{{ \"node_id\": {}, \"rel_id\": {} }}", link.node, link.edge)
        .expect("a string takes any text");
}

impl IntoLua for Link {
    #[inline]
    fn into_lua(self, lua: &Lua) -> mlua::Result<mlua::Value> {
        match self.light() {
            Some(light) => Ok(mlua::Value::LightUserData(light)),
            None => LargeLink(self).into_lua(lua),
        }
    }
}

/// The methods, with their names.
type Method = (&'static str, fn(Link) -> u64);

const METHODS: [Method; 2] =
    [("getNodeId", |link| link.node), ("getRelationshipId", |link| link.edge)];

impl UserData for LargeLink {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        for (name, get) in METHODS {
            methods.add_method(name, move |_, link, ()| Ok(get(link.0)));
        }
        methods.add_meta_method(MetaMethod::Eq, |_, link, other: AnyUserData| {
            Ok(Link::of_object(&other) == Some(link.0))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, link, ()| Ok(link.0.to_text()));
    }
}

/// The link that a method is called on.
#[expect(clippy::arc_with_non_send_sync, reason = "mlua's error holds its cause so")]
fn receiver(name: &str, value: &mlua::Value) -> mlua::Result<Link> {
    Link::of(value).ok_or_else(|| {
        let (from, to) = (type_name(value), "userdata".to_owned());
        let cause = mlua::Error::FromLuaConversionError { from, to, message: None };
        mlua::Error::BadArgument {
            to: Some(format!("Link.{name}")),
            pos: 1,
            name: Some("self".to_owned()),
            cause: Arc::new(cause),
        }
    })
}

/// Gives light userdata, which are links and nothing else, their methods.
pub(crate) fn register(lua: &Lua) -> mlua::Result<()> {
    let methods = lua.create_table()?;
    for (name, get) in METHODS {
        let method =
            lua.create_function(move |_, link: mlua::Value| receiver(name, &link).map(get))?;
        methods.raw_set(name, method)?;
    }
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", methods)?;
    let tostring = lua
        .create_function(|_, link: mlua::Value| receiver("__tostring", &link).map(Link::to_text))?;
    metatable.raw_set("__tostring", tostring)?;
    // As of every object of ours: no script may get at its metatable.
    metatable.raw_set("__metatable", false)?;
    lua.set_type_metatable::<LightUserData>(Some(metatable));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_fits_a_layout_is_read_back_from_it() {
        let edges = |high: u64, low: u64| high << 32 | low;
        let fitting = [
            (0, 0),
            (1, 1),
            ((1 << 24) - 1, edges((1 << 8) - 1, (1 << 30) - 1)),
            (1 << 24, edges(1 << 8, 1)),
            ((1 << 27) - 1, edges((1 << 11) - 1, (1 << 24) - 1)),
            ((1 << 30) - 1, edges((1 << 14) - 1, (1 << 18) - 1)),
        ];
        for (node, edge) in fitting {
            let link = Link { node, edge };
            assert_eq!(link.packed().and_then(Link::unpacked), Some(link));
        }
        let large = [
            (1 << 30, 0),
            (0, edges(1 << 14, 0)),
            (0, edges(0, 1 << 30)),
            (1 << 27, edges(0, 1 << 18)),
        ];
        for (node, edge) in large {
            assert_eq!(Link { node, edge }.packed(), None);
        }
    }

    #[test]
    fn links_are_equal_as_lua_values_if_and_only_if_they_are() {
        let lua = Lua::new();
        register(&lua).expect("a state takes the type");
        let numbers =
            [0, 1, 7, 1 << 18, 1 << 24, 1 << 27, 1 << 30, 1 << 33, 1 << 40, u64::MAX >> 1];
        let links: Vec<Link> =
            numbers.iter().flat_map(|&node| numbers.map(|edge| Link { node, edge })).collect();
        let equal: mlua::Function =
            lua.load("return function(a, b) return a == b end").eval().expect("compiles");
        for &left in &links {
            assert_eq!(Link::of(&left.into_lua(&lua).expect("is a value")), Some(left));
            for &right in &links {
                let found: bool = equal.call((left, right)).expect("compares");
                assert_eq!(found, left == right, "{left:?} {right:?}");
            }
        }
    }
}
