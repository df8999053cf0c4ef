//! A text with checks answers as it does without, names the same lines, and checks often enough.

use std::cell::Cell;
use std::rc::Rc;

use millrace_testkit::{Rng, run_seeds};
use mlua::{Function, Lua, Value};

use super::{DeadlineChecks, Form, Text, with_checks};
use crate::limits::TOKENS_BETWEEN_CHECKS;

/// A state that counts its checks; from `fail_at` on they fail.
struct Checked {
    lua: Lua,
    checks: DeadlineChecks,
    check_count: Rc<Cell<u64>>,
    fail_at: Rc<Cell<u64>>,
}

impl Checked {
    fn new() -> Checked {
        let lua = Lua::new();
        let (check_count, fail_at) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(u64::MAX)));
        let (counted, limit) = (check_count.clone(), fail_at.clone());
        let check = lua.create_function(move |_, ()| {
            counted.set(counted.get() + 1);
            match counted.get() < limit.get() {
                true => Ok(()),
                false => Err(mlua::Error::runtime("the time is up")),
            }
        });
        let check = check.expect("a state takes a function");
        let behind = lua.create_function(|_, value: Value| Ok(value));
        let behind = behind.expect("a state takes a function");
        let ipairs = lua.globals().get("ipairs").expect("it is there");
        let checks = DeadlineChecks::new(&lua, &check, &ipairs, &behind).expect("it is Lua");
        Checked { lua, checks, check_count, fail_at }
    }

    fn call(&self, function: mlua::Result<Function>) -> String {
        // Both texts fill the same tables.
        let said = function.and_then(|function| function.call::<String>(("first", 2)));
        match said {
            Ok(said) => said,
            Err(error) => {
                let text = error.to_string();
                text.lines().next().unwrap_or_default().to_owned()
            }
        }
    }

    /// The answer or error of a text as it is.
    fn plain(&self, text: &str) -> String {
        self.call(self.lua.load(text).set_name("=text").into_function())
    }

    /// The answer or error of a text with checks, and the number of checks.
    fn seen(&self, text: &str, form: Form) -> (String, u64) {
        let changed = with_checks(text.as_bytes(), form).expect("it is gone through");
        let globals = self.lua.globals();
        let bound: mlua::Table = self.checks.bind.call(globals).expect("it binds");
        let chunk = self.lua.load(changed.clone()).set_name("=text").set_environment(bound);
        let function = chunk.into_function();
        if let Err(error) = &function {
            panic!("{error}\n{text}\n-- became\n{}", String::from_utf8_lossy(&changed));
        }
        let before = self.check_count.get();
        (self.call(function), self.check_count.get() - before)
    }

    fn agree(&self, text: &str) {
        let expected = self.plain(text);
        for form in [Form::Chunked, Form::Counted] {
            let (found, _) = self.seen(text, form);
            assert_eq!(found, expected, "{form:?}\n{text}");
        }
    }
}

/// Each returns a text that depends on the steps it took.
const SCRIPTS: &[&str] = &[
    "local s = '' for i = 1, 3 do s = s .. i end return s",
    "local s = '' for i = 3, 1, -1 do s = s .. i end return s",
    "local s = '' for i = 1, 0 do s = s .. i end return s .. 'none'",
    "local s = 0 for i = 1, 5000 do s = s + i end return s .. ''",
    "local s = 0 for i = 5000, -5000, -3 do s = s + i end return s .. ''",
    "local s = '' for i = 1.0, 2, 0.25 do s = s .. i .. ' ' end return s",
    "local s = 0 for x = 0, 1, 0.0001 do s = s + x end return s .. ''",
    "local s = '' for i = 1, 2.9 do s = s .. i end return s",
    "local s = '' for i = 3, 1.1, -1 do s = s .. i end return s",
    "local s = '' for i = 1, math.huge do s = s .. i if i == 7 then break end end return s",
    "local s = '' for i = 1, -math.huge, -1 do s = s .. i if i == -7 then break end end return s",
    "local s = '' for i = -1, -math.huge do s = s .. i end return s .. 'none'",
    "local s = '' for i = 1, 0 / 0 do s = s .. i end return s .. 'none'",
    "local s = '' for i = 1.5, math.huge, 1e308 do s = s .. i if i > 1e308 then break end end return s",
    "local s = '' for i = math.huge, math.huge do s = s .. i break end return s",
    "local s = '' for i = 0 / 0, 1 do s = s .. i end return s .. 'none'",
    "local s = '' for i = 1, 3, 0 / 0 do s = s .. i if #s > 9 then break end end return s .. 'end'",
    "local s = '' for i = math.maxinteger - 2, math.maxinteger do s = s .. i end return s",
    "local s = '' for i = math.mininteger + 2, math.mininteger, -1 do s = s .. i end return s",
    "local s = '' for i = 1, math.maxinteger, math.maxinteger // 3 do s = s .. i .. ' ' end return s",
    "local s = '' for i = math.maxinteger, math.mininteger, math.mininteger do s = s .. i end return s",
    "local s = '' for i = 1, math.maxinteger, 1 << 58 do s = s .. i .. ' ' end return s",
    "local s = '' for i = math.mininteger, math.maxinteger, 1 << 61 do s = s .. i .. ' ' end return s",
    "for i = 1, 3, 0 do end return 'no'",
    "for i = 'x', 3 do end return 'no'",
    "for i = 1, {} do end return 'no'",
    "for i = 1, 3, 'y' do end return 'no'",
    "for i = 1, nil do end return 'no'",
    "local s = '' for i = 1, '3' do s = s .. i end return s",
    "local s = '' for i = '1', 3 do s = s .. i end return s",
    "local function two() return 3, 2 end local s = '' for i = 1, two() do s = s .. i end return s",
    "local function two() return 3, 2 end local s = '' for i = two(), 9, two() do s = s .. i end return s",
    "local s = '' for i = 1, 9 do if i % 2 == 0 then goto on end s = s .. i ::on:: end return s",
    "local s = '' for i = 1, 3 do for j = 1, 3 do if j == 2 then break end s = s .. i .. j end end return s",
    "local s = '' for i = 1, 3 do local j = 0 while true do j = j + 1 if j > i then break end s = s .. j end end return s",
    "local s = '' for i = 1, 3 do repeat local j = i if j == 2 then break end s = s .. j until true end return s",
    "for i = 1, 9 do if i == 4 then return 'left at ' .. i end end return 'no'",
    "local f = {} for i = 1, 3 do f[i] = function() i = i + 1 return i end end return f[1]() .. f[1]() .. f[2]()",
    "local s = '' for i = 1, 3 do local x <close> = setmetatable({}, {__close = function() s = s .. 'c' .. i end}) if i == 2 then break end end return s",
    "local s = '' for k, v in ipairs({4, 5, 6}) do s = s .. k .. v end return s",
    "local s = '' for k in ipairs({4, 5, 6}) do s = s .. k end return s",
    "local s = '' for _, _ in ipairs({4, 5}) do s = s .. _ end return s",
    "local s = '' for k, v, w in ipairs({4, 5}) do s = s .. k .. v .. tostring(w) end return s",
    "local s = '' for k, v in ipairs({}) do s = s .. k end return s .. 'none'",
    "local t = {} for i = 1, 3000 do t[i] = i end local s = 0 for k, v in ipairs(t) do s = s + k * v end return s .. ''",
    "local t = {1} local n = 0 for k, v in ipairs(t) do n = n + v if k < 2500 then t[k + 1] = k end end return n .. ''",
    "local t = {1, 2, 3, 4} local s = '' for k, v in ipairs(t) do t[3] = nil s = s .. v k, v = 9, 9 end return s",
    "local t = setmetatable({}, {__index = function(_, k) if k < 5 then return k * k end end}) local s = '' for k, v in ipairs(t) do s = s .. v end return s",
    "local s = '' for k, v in ipairs({1, 2, 3, 4}) do if k == 3 then break end if k == 1 then goto on end s = s .. v ::on:: end return s",
    "for k, v in ipairs() do end return 'no'",
    "for k, v in ipairs(nil) do end return 'no'",
    "local ipairs = function(t) return function(t, k) if k > 0 then return k - 1, t[k] end end, t, #t end local s = '' for k, v in ipairs({4, 5, 6}) do s = s .. k .. v end return s",
    "local ipairs = pairs local s = 0 for k, v in ipairs({a = 1, b = 2}) do s = s + v end return s .. ''",
    "local ipairs = function() return 7 end for k, v in ipairs({}) do end return 'no'",
    "local s = '' for k, v in pairs({7, 8}) do s = s .. k .. v end return s",
    "local s = '' for w in ('a b c'):gmatch('%a') do s = s .. w end return s",
    "local i, s = 0, '' while i < 3 do i = i + 1 s = s .. i end return s",
    "local i, s = 0, '' repeat local d = i > 2 i = i + 1 s = s .. i until d return s",
    "local i, s = 0, '' ::top:: i = i + 1 s = s .. i if i < 4 then goto top end return s",
    "local function f(n) if n == 0 then return 'done' end return f(n - 1) end return f(5000)",
    "local t = {} function t.f(a) return a .. '' end function t:g(...) return self.f(...) end return t:g(5)",
    "return select('#', ...) .. ' ' .. select(1, ...) .. ' ' .. select(2, ...)",
    "x = 5 local s = x .. '' x = nil return s .. tostring(x)",
    "local _ENV = {tostring = tostring} y = 5 return tostring(y)",
    "local s = '' for i = 1, 2 do local _ENV = {s = s} for j = 1, 2 do s = s .. j end _ENV.t = s end return s .. 'x'",
    "local _w1_left = 7 for i = 1, 2 do _w1_left = _w1_left + i end return _w1_left .. ''",
    "local s = [[for i = 1, 2 do]] --[==[ while ]] ]==] for i = 1, 2 do s = s .. i end return s",
    "local s = 'while \\' do' --for\nfor i = 1, 2 do s = s .. \"\\z\n   end\" end return s",
    "local t = {f = function() for i = 1, 2 do end return 3 end, 5, [6] = 7} return t.f() .. t[1] .. t[6]",
    "local function f(x) return x end return f{5}[1] .. f'6' .. f[[7]]",
    "goto over ::back:: do return 'back' end ::over:: goto back",
    "while (function() return false end)() do end return 'fine'",
    "local n = 0 repeat n = n + 1 until n > 3 or (function() return false end)() n = n + 1 return n .. ''",
    "local n = 0 repeat n = n + 1 until n > 3; (function() n = n + 1 end)() return n .. ''",
    "if false then for i = 1, 2 do end elseif true then while false do end else repeat until true end return 'fine'",
    "return ('%d'):format(3) .. #{1, 2} .. ~0 .. 7 // 2 .. (1 ~= 2 and 'y' or 'n')",
    // Lines of errors.
    "local a\nfor i = 1, 3 do\n  if i == 2 then\n    a.b = 1\n  end\nend\nreturn 'no'",
    "local t = {1}\nfor k, v in ipairs(t) do local x = v\n  error('here')\nend",
    "for i = 1,\n  nil\ndo end return 'no'",
    "local function f()\n  for i = 1, 2 do\n    local x = nil + i\n  end\nend\nf()",
    "for k, v in ipairs(\n  undefined.x) do end",
    "for k, v in nil do end",
    "while nil < 1 do\nend",
    "undefined()",
];

#[test]
fn scripts_answer_and_fail_with_checks_as_without() {
    let state = Checked::new();
    for text in SCRIPTS {
        state.agree(text);
    }
}

/// Scripts that never end, or as good as never.
const ENDLESS: &[&str] = &[
    "while true do end",
    "repeat until false",
    "::a:: goto a",
    "for i = 1, math.huge do end",
    "for i = 1, math.maxinteger do end",
    "for i = 1.0, math.huge do end",
    "for i = math.huge, math.huge do end",
    "for i = 1e308, math.huge, 1e308 do end",
    "for i = -math.huge, 1 do end",
    "for i = 1, math.huge, 1e-300 do end",
    "for i = 1, -math.huge, -1 do end",
    "for i = math.mininteger, math.maxinteger do end",
    "for i = math.maxinteger, math.mininteger, -1 do end",
    "for i = '1', 1e15 do end",
    "for i = 1.5, '1e999', 1e308 do end",
    "for i = 1,\n math.huge do end",
    "for i = 1, 1000 do for j = 1, 1000 do for k = 1, 1000 do for l = 1, 1000 do break end end end end",
    "local t = {1} for k, v in ipairs(t) do t[k + 1] = v end",
    "for k, v in ipairs(setmetatable({}, {__index = function() return 1 end})) do end",
    "local ipairs = function() return function() return 1 end end for k, v in ipairs({}) do end",
    "for _ in function() return 1 end do end",
    "local function f() return f() end f()",
    "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
    "coroutine.wrap(function() while true do end end)()",
    "while true do coroutine.wrap(function() coroutine.yield() end)() end",
    "local f = function() for i = 1, 1e9 do for j = 1, 1e9 do end end end f()",
    "local i = 0 ::a:: i = i + 1 if i > 0 then goto a end",
    "while true do for i = 1, 900 do if i == 899 then goto on end end ::on:: end",
];

#[test]
fn endless_scripts_check_until_they_are_ended() {
    for text in ENDLESS {
        for form in [Form::Chunked, Form::Counted] {
            let state = Checked::new();
            state.fail_at.set(200);
            let (said, check_count) = state.seen(&format!("{text} return 'ended'"), form);
            // A `pcall` that swallows it is checked elsewhere; these check again at once.
            assert!(said.contains("the time is up"), "{form:?} {text}: {said}");
            assert!(199 <= check_count, "{form:?} {text}: {check_count} checks");
        }
    }
}

#[test]
fn the_number_of_checks_follows_the_number_of_steps() {
    let state = Checked::new();
    for (text, steps) in [
        ("for i = 1, 100000 do end", 100_000),
        ("local n = 0 for i = 1, 100000 do n = n + i end", 100_000),
        ("for i = 1, 1000 do for j = 1, 100 do end end", 100_000),
        (
            "local t = {} for i = 1, 100 do t[i] = i end for i = 1, 1000 do for _, v in ipairs(t) do end end",
            100_000,
        ),
        ("local i = 0 while i < 100000 do i = i + 1 end", 100_000),
        ("local function f() end for i = 1, 100000 do f() end", 100_000),
    ] {
        let (said, check_count) = state.seen(&format!("{text} return 'ended'"), Form::Chunked);
        assert_eq!(said, "ended", "{text}");
        let least = steps / TOKENS_BETWEEN_CHECKS;
        assert!(
            (least * 9 / 10..50 * least).contains(&check_count),
            "{text}: {check_count} checks"
        );
    }
}

#[test]
fn long_texts_without_a_loop_have_checks_too() {
    let state = Checked::new();
    let lines = |line: &str| line.repeat(20_000);
    for (text, least) in [
        (format!("local x = 1 {} return 'ended'", lines("x = x + 1 ")), 50),
        (format!("local function f() end {} return 'ended'", lines("f() ")), 30),
        (format!("local function f() end {} return 'ended'", lines("f 'x'\n")), 30),
        (format!("local t = {{{}}} return 'ended'", lines("#('x' .. 'y'), ")), 5),
        (format!("local x = 0 {} return 'ended'", "+ 1 ".repeat(150)), 0),
    ] {
        let (said, check_count) = state.seen(&text, Form::Chunked);
        assert_eq!(said, "ended");
        assert!(least <= check_count, "{check_count} checks: {}", &text[..80]);
    }
    // A long list of plain values is no work.
    let values = format!("local t = {{{}}} return 'ended'", lines("{1, 'a', id = 2}, "));
    assert_eq!(state.seen(&values, Form::Chunked).0, "ended");
    let names = format!("return #{{{}}}", lines("x .. x, "));
    let refused = with_checks(names.as_bytes(), Form::Chunked).expect_err("no check fits in");
    assert!(refused.why.contains("too long a statement"), "{refused:?}");
}

#[test]
fn loops_that_nest_too_deep_for_the_locals_of_a_function_count_down() {
    let state = Checked::new();
    let depth = 40;
    let begin: String = (0..depth).map(|level| format!("for i{level} = 1, 1 do ")).collect();
    let nested = format!("local n = 0 {begin} n = n + 1 {} return n .. ''", "end ".repeat(depth));
    let locals: String = (0..180).map(|number| format!("local l{number} = {number} ")).collect();
    let many = format!("{locals} local s = '' for i = 1, 2 do s = s .. i end return s .. l179");
    for (text, expected) in [(nested, "1"), (many, "12179")] {
        assert!(
            state
                .lua
                .load(with_checks(text.as_bytes(), Form::Chunked).expect("it is gone through"))
                .into_function()
                .is_err()
        );
        let text = Text { bytes: text.as_bytes(), name: "=text" };
        let compiled = state.checks.compile(&state.lua, &text, &state.lua.globals());
        assert_eq!(state.call(compiled), expected);
    }
}

#[test]
fn errors_of_compiling_are_those_of_the_text() {
    let state = Checked::new();
    for text in [
        "for i = 1 do end",
        "x y",
        "break",
        "local x = = 1",
        "goto nowhere",
        "for i in do end",
        "'a",
    ] {
        let text = Text { bytes: text.as_bytes(), name: "=text" };
        let plain = state.lua.load(text.bytes).set_name("=text").into_function();
        let checked = state.checks.compile(&state.lua, &text, &state.lua.globals());
        let message =
            |function: mlua::Result<Function>| function.err().map(|error| error.to_string());
        assert_eq!(message(checked), message(plain));
    }
}

/// A random block of a program over the locals `a`, `b` and `s`, `deep` loops within others.
fn block(rng: &mut Rng, deep: u64, in_loop: bool) -> String {
    let count = rng.range(1..4);
    let statements: Vec<String> = (0..count).map(|_| statement(rng, deep, in_loop)).collect();
    let between = *rng.pick(&[" ", "\n", "; "]);
    statements.join(between)
}

fn number(rng: &mut Rng) -> String {
    let numbers = ["a % 7", "b % 5", "0", "1", "3", "-2", "6.0", "2.5", "#s % 4", "1200"];
    (*rng.pick(&numbers)).to_owned()
}

fn condition(rng: &mut Rng) -> String {
    let sign = rng.pick(&["<", "==", "~=", ">="]);
    format!("{} {sign} {}", number(rng), number(rng))
}

fn statement(rng: &mut Rng, deep: u64, in_loop: bool) -> String {
    let kinds = if deep == 0 { 4 } else { 11 };
    match rng.below(kinds) {
        0 => "a = a + 1".to_owned(),
        1 => "b = (a * 3 + b) % 100".to_owned(),
        2 => format!("note('{}')", rng.pick(&["x", "y"])),
        3 if in_loop => format!("if {} then break end", condition(rng)),
        3 => format!("if {} then b = 1 else b = 2 end", condition(rng)),
        4 => {
            let step = rng.pick(&["", ", 1", ", -1", ", 2", ", 0.5", ", -400"]);
            let (first, last) = (number(rng), number(rng));
            let inner = block(rng, deep - 1, true);
            format!("for i = {first}, {last}{step} do note(i) {inner} end")
        }
        5 => {
            let names = rng.pick(&["k, v", "k", "_, a"]);
            let list = rng.pick(&["{1, 2, 3}", "{}", "{s, b, nil, 4}", "few"]);
            format!("for {names} in ipairs({list}) do {} end", block(rng, deep - 1, true))
        }
        6 => {
            let (test, inner) = (condition(rng), block(rng, deep - 1, true));
            format!("do local n = 0 while n < 4 and {test} do n = n + 1 {inner} end end")
        }
        7 => {
            let (inner, test) = (block(rng, deep - 1, true), condition(rng));
            format!("do local n = 0 repeat n = n + 1 {inner} until n > 3 or {test} end")
        }
        8 => {
            let inner = block(rng, deep - 1, false);
            format!("do local function f(x) {inner} return x end note(f(a)) end")
        }
        9 => {
            let (test, inner) = (condition(rng), block(rng, deep - 1, false));
            format!("for i = 1, 4 do if {test} then goto on end {inner} ::on:: end")
        }
        _ => {
            let (test, inner) = (condition(rng), block(rng, deep - 1, in_loop));
            format!("if {test} then {inner} elseif {} then a = 0 end", condition(rng))
        }
    }
}

#[test]
fn random_programs_do_the_same_with_checks_and_without() {
    let state = Checked::new();
    run_seeds(300, |_, rng| {
        let body = block(rng, 3, false);
        // The program reports its steps as a number, since they may be many.
        let text = format!(
            "local a, b, s, steps, few = 1, 2, 'xy', 0, {{5, 6}} \
             local function note(x) \
               steps = steps + 1 if steps > 20000 then error('enough') end \
               b = (b * 31 + #tostring(x) + (tonumber(x) or 7) // 1) % 9973 \
             end\n{body}\nreturn a .. ' ' .. b .. ' ' .. steps"
        );
        state.agree(&text);
    });
}
