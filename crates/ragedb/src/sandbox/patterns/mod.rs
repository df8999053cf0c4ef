//! `string.find`, `match`, `gmatch` and `gsub`, in place of Lua's own: these check the deadline and
//! reserve memory for the texts they make.

mod matcher;

use mlua::{Function, IntoLua, Lua, LuaString, MultiValue, Table};

use crate::error::type_name;
use crate::memory::Reservation;
use crate::session::Session;
use matcher::{Capture, Matcher};

/// Bytes that are reserved beyond a growing text.
const BYTES_RESERVED: usize = 1 << 20;

/// Puts them into the state's `string`.
pub(crate) fn register(lua: &Lua) -> mlua::Result<()> {
    let string: Table = lua.globals().get("string")?;
    string.raw_set("find", lua.create_function(find)?)?;
    string.raw_set("match", lua.create_function(first_match)?)?;
    string.raw_set("gmatch", lua.create_function(all_matches)?)?;
    string.raw_set("gsub", lua.create_function(substitute)?)
}

fn check(lua: &Lua) -> mlua::Result<()> {
    match lua.try_app_data_mut::<Session>() {
        Ok(Some(mut session)) => session.check(),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// A place that a script counts from 1, or from the end; `None` behind the text.
fn start_of(init: Option<i64>, length: usize) -> Option<usize> {
    let start = match init.unwrap_or(1) {
        0 => 0,
        init if 0 < init => usize::try_from(init - 1).ok()?,
        init => length.saturating_sub(usize::try_from(init.unsigned_abs()).ok()?),
    };
    (start <= length).then_some(start)
}

/// Where the bytes are in the text, from a place on.
fn position(
    text: &[u8],
    part: &[u8],
    start: usize,
    check: &dyn Fn() -> mlua::Result<()>,
) -> mlua::Result<Option<usize>> {
    let Some(&first) = part.first() else { return Ok(Some(start)) };
    let mut compared = 0;
    for place in start..text.len() {
        if text.len() - place < part.len() {
            break;
        }
        compared += 1;
        if text[place] == first {
            let same = part.iter().zip(&text[place..]).take_while(|(one, other)| one == other);
            let same = same.count();
            if same == part.len() {
                return Ok(Some(place));
            }
            compared += same;
        }
        if BYTES_RESERVED < compared {
            compared = 0;
            check()?;
        }
    }
    Ok(None)
}

fn captured(lua: &Lua, text: &[u8], capture: Capture) -> mlua::Result<mlua::Value> {
    match capture {
        Capture::Open(_) => Err(mlua::Error::runtime("unfinished capture")),
        Capture::Place(place) => Ok(mlua::Value::Integer(place as i64 + 1)),
        Capture::Part(start, end) => lua.create_string(&text[start..end])?.into_lua(lua),
    }
}

/// All captures, or with `whole` the match itself if there are none.
fn all_captured(
    lua: &Lua,
    text: &[u8],
    captures: &[Capture],
    whole: Option<(usize, usize)>,
) -> mlua::Result<MultiValue> {
    if let (true, Some((start, end))) = (captures.is_empty(), whole) {
        return Ok(MultiValue::from_iter([captured(lua, text, Capture::Part(start, end))?]));
    }
    captures.iter().map(|capture| captured(lua, text, *capture)).collect()
}

type FindArguments = (LuaString, LuaString, Option<i64>, Option<mlua::Value>);

fn find(lua: &Lua, (text, pattern, init, plain): FindArguments) -> mlua::Result<MultiValue> {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let none = || Ok(MultiValue::from_iter([mlua::Value::Nil]));
    let Some(start) = start_of(init, text.len()) else { return none() };
    let plain = plain.is_some_and(|plain| !plain.is_nil() && plain.as_boolean() != Some(false));
    let found = |start: usize, end: usize| {
        [mlua::Value::Integer(start as i64 + 1), mlua::Value::Integer(end as i64)]
    };
    let check = || check(lua);
    if plain || !pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte)) {
        return match position(text, pattern, start, &check)? {
            Some(place) => Ok(MultiValue::from_iter(found(place, place + pattern.len()))),
            None => none(),
        };
    }
    match search(text, pattern, start, &check)? {
        Some((start, end, captures)) => {
            let captures = all_captured(lua, text, &captures, None)?;
            Ok(found(start, end).into_iter().chain(captures).collect())
        }
        None => none(),
    }
}

/// The first match from a place on: where it begins and ends, and its captures.
fn search(
    text: &[u8],
    pattern: &[u8],
    start: usize,
    check: &dyn Fn() -> mlua::Result<()>,
) -> mlua::Result<Option<(usize, usize, Vec<Capture>)>> {
    let (pattern, anchored) = match pattern.strip_prefix(b"^") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut matcher = Matcher::new(text, pattern, check);
    let last = if anchored { start } else { text.len() };
    for place in start..=last {
        if let Some(end) = matcher.at(place)? {
            return Ok(Some((place, end, matcher.captures().to_vec())));
        }
    }
    Ok(None)
}

fn first_match(
    lua: &Lua,
    (text, pattern, init): (LuaString, LuaString, Option<i64>),
) -> mlua::Result<MultiValue> {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let none = || Ok(MultiValue::from_iter([mlua::Value::Nil]));
    let Some(start) = start_of(init, text.len()) else { return none() };
    match search(text, pattern, start, &|| check(lua))? {
        Some((start, end, captures)) => all_captured(lua, text, &captures, Some((start, end))),
        None => none(),
    }
}

fn all_matches(
    lua: &Lua,
    (text, pattern, init): (LuaString, LuaString, Option<i64>),
) -> mlua::Result<Function> {
    let length = text.as_bytes().len();
    let mut place = start_of(init, length).unwrap_or(length + 1);
    let mut last_end = None;
    lua.create_function_mut(move |lua, _: MultiValue| {
        let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
        let check = || check(lua);
        let mut matcher = Matcher::new(text, pattern, &check);
        while place <= length {
            let end = matcher.at(place)?.filter(|end| last_end != Some(*end));
            if let Some(end) = end {
                let start = std::mem::replace(&mut place, end);
                last_end = Some(end);
                return all_captured(lua, text, matcher.captures(), Some((start, end)));
            }
            place += 1;
        }
        Ok(MultiValue::from_iter([mlua::Value::Nil]))
    })
}

/// A text under way, its bytes counted.
struct Made<'a> {
    lua: &'a Lua,
    bytes: Vec<u8>,
    reservation: Option<Reservation>,
}

impl Made<'_> {
    fn add(&mut self, part: &[u8]) -> mlua::Result<()> {
        let wanted = self.bytes.len() + part.len();
        let counted = self.reservation.as_ref().map_or(0, Reservation::bytes);
        if BYTES_RESERVED < wanted && counted < wanted {
            let more =
                Session::of(self.lua)?.reserve(wanted - counted + BYTES_RESERVED.min(wanted))?;
            match &mut self.reservation {
                Some(reservation) => reservation.add(more),
                None => self.reservation = Some(more),
            }
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }
}

type SubstituteArguments = (LuaString, LuaString, mlua::Value, Option<i64>);

fn substitute(
    lua: &Lua,
    (text, pattern, replacement, most): SubstituteArguments,
) -> mlua::Result<(LuaString, i64)> {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let (pattern, anchored) = match pattern.strip_prefix(b"^") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let replacement = Replacement::new(lua, replacement)?;
    let check = || check(lua);
    let mut matcher = Matcher::new(text, pattern, &check);
    let mut made = Made { lua, bytes: Vec::new(), reservation: None };
    let (mut place, mut count, mut last_end) = (0, 0, None);
    while most.is_none_or(|most| count < most) {
        match matcher.at(place)?.filter(|end| last_end != Some(*end)) {
            Some(end) => {
                count += 1;
                replacement.add(&mut made, text, (place, end), matcher.captures())?;
                place = end;
                last_end = Some(end);
            }
            None if place < text.len() => {
                made.add(&text[place..=place])?;
                place += 1;
            }
            None => break,
        }
        if anchored {
            break;
        }
    }
    made.add(&text[place..])?;
    Ok((lua.create_string(&made.bytes)?, count))
}

/// The replacement argument of `gsub`.
enum Replacement {
    Text(LuaString),
    Table(Table),
    Function(Function),
}

impl Replacement {
    fn new(lua: &Lua, value: mlua::Value) -> mlua::Result<Replacement> {
        match value {
            mlua::Value::Table(table) => Ok(Replacement::Table(table)),
            mlua::Value::Function(function) => Ok(Replacement::Function(function)),
            other => {
                let kind = type_name(&other);
                let text = match other {
                    mlua::Value::String(text) => Some(text),
                    mlua::Value::Integer(_) | mlua::Value::Number(_) => lua.coerce_string(other)?,
                    _ => None,
                };
                text.map(Replacement::Text).ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "bad argument #3 to 'gsub' (string/function/table expected, got {kind})"
                    ))
                })
            }
        }
    }

    fn add(
        &self,
        made: &mut Made<'_>,
        text: &[u8],
        (start, end): (usize, usize),
        captures: &[Capture],
    ) -> mlua::Result<()> {
        let whole = Some((start, end));
        let value = match self {
            Replacement::Text(template) => {
                return add_template(made, &template.as_bytes(), text, (start, end), captures);
            }
            Replacement::Table(table) => {
                let first = all_captured(made.lua, text, captures, whole)?.into_iter().next();
                table.get::<mlua::Value>(first.unwrap_or(mlua::Value::Nil))?
            }
            Replacement::Function(function) => {
                function.call::<mlua::Value>(all_captured(made.lua, text, captures, whole)?)?
            }
        };
        match value {
            mlua::Value::Nil | mlua::Value::Boolean(false) => made.add(&text[start..end]),
            mlua::Value::String(part) => made.add(&part.as_bytes()),
            mlua::Value::Integer(_) | mlua::Value::Number(_) => {
                let part = made.lua.coerce_string(value)?;
                part.map_or(Ok(()), |part| made.add(&part.as_bytes()))
            }
            other => {
                let kind = type_name(&other);
                Err(mlua::Error::runtime(format!("invalid replacement value (a {kind})")))
            }
        }
    }
}

/// A template with `%0` for the match, `%1` to `%9` for captures and `%%`.
fn add_template(
    made: &mut Made<'_>,
    template: &[u8],
    text: &[u8],
    (start, end): (usize, usize),
    captures: &[Capture],
) -> mlua::Result<()> {
    let mut rest = template;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        made.add(&rest[..at])?;
        match rest.get(at + 1) {
            Some(b'%') => made.add(b"%")?,
            Some(b'0') => made.add(&text[start..end])?,
            Some(digit) if digit.is_ascii_digit() => {
                let number = usize::from(digit - b'0');
                let capture = match captures.get(number - 1) {
                    None if number == 1 && captures.is_empty() => Capture::Part(start, end),
                    None => {
                        let text = format!("invalid capture index %{number} in replacement string");
                        return Err(mlua::Error::runtime(text));
                    }
                    Some(capture) => *capture,
                };
                match capture {
                    Capture::Part(start, end) => made.add(&text[start..end])?,
                    Capture::Place(place) => made.add((place + 1).to_string().as_bytes())?,
                    Capture::Open(_) => return Err(mlua::Error::runtime("unfinished capture")),
                }
            }
            _ => return Err(mlua::Error::runtime("invalid use of '%' in replacement string")),
        }
        rest = &rest[at + 2..];
    }
    made.add(rest)
}
