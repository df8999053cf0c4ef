//! The edits that put deadline checks into a text: counters, and loops made of two.
//!
//! A loop over numbers, or over `ipairs`, becomes a loop of loops. The inner one is as long as may run
//! without a check, so a step costs as much as before. Everything else counts down a local of the
//! chunk. No line begins or ends, so errors name the same lines.

use super::tokens::Token;
use crate::limits::TOKENS_BETWEEN_CHECKS;

/// How far the loops around `ipairs` go: further than any gets.
const FAR: u64 = 1 << 61;

/// The names of the checks' functions in a text; none of them is in it.
pub(super) struct Names(String);

impl Names {
    /// The first that a text does not have.
    pub(super) fn unused(text: &[u8]) -> Names {
        const MARK: &[u8] = b"_w";
        let mut used = std::collections::HashSet::new();
        for (at, _) in text.windows(MARK.len()).enumerate().filter(|(_, part)| *part == MARK) {
            let digits = text[at + MARK.len()..].iter().take_while(|byte| byte.is_ascii_digit());
            let number = digits.take(9).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
            used.insert(number);
        }
        let number = (1..).find(|number| !used.contains(number)).unwrap_or_default();
        Names(format!("_w{number}_"))
    }

    /// The text before the chunk. Its globals are a table with the functions of the checks and the real globals.
    pub(super) fn head(&self) -> String {
        let name = &self.0;
        format!(
            "local {name}left,{name}check,{name}through,{name}numbers,{name}by,{name}each,_ENV=\
             1,_ENV.check,_ENV.through,_ENV.numbers,_ENV.by,_ENV.each,_ENV.globals "
        )
    }
}

/// A loop that becomes a loop of loops.
pub(super) enum Loop<'a> {
    /// `for name = …, last [, step] do`: where the expressions begin, and where the last one does.
    Numbers { name: &'a [u8], begin: usize, last: usize, has_step: bool },
    /// `for names in ipairs(…) do`: where `ipairs` begins, and its bracket.
    Entries { names: Vec<&'a [u8]>, begin: usize, open: Token<'a> },
}

/// An edit that gets its text later.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

/// A loop's places.
pub(super) struct LoopPlaces<'a> {
    head: Place,
    begin: Place,
    found: Loop<'a>,
}

/// The edits of a text.
pub(super) struct Edits<'a> {
    names: &'a Names,
    /// Bytes to be replaced, from and to, and their replacement.
    edits: Vec<(usize, usize, String)>,
    labels: usize,
}

impl<'a> Edits<'a> {
    pub(super) fn new(names: &'a Names) -> Edits<'a> {
        Edits { names, edits: Vec::new(), labels: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.edits.len()
    }

    fn put(&mut self, from: usize, to: usize, text: String) -> Place {
        self.edits.push((from, to, text));
        Place(self.edits.len() - 1)
    }

    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.names.0)
    }

    fn counting(&self, weight: u64) -> String {
        let (left, check) = (self.name("left"), self.name("check"));
        let weight = weight.clamp(1, TOKENS_BETWEEN_CHECKS);
        format!(" {left}={left}-{weight} if not({left}>0)then {left}={check}()end ")
    }

    /// A check before a statement that has so many tokens before it.
    pub(super) fn check(&mut self, at: usize, weight: u64) {
        let text = self.counting(weight);
        self.put(at, at, text);
    }

    /// A place for a check.
    pub(super) fn reserve(&mut self, at: usize) -> Place {
        self.put(at, at, String::new())
    }

    /// Makes a reserved place a check, once the weight that it pays for is known.
    pub(super) fn check_at(&mut self, place: Place, weight: u64) {
        self.edits[place.0].2 = self.counting(weight);
    }

    /// A check beside a value that a token is.
    pub(super) fn check_through(&mut self, token: Token<'_>) {
        let through = self.name("through");
        self.put(token.start, token.start, format!(" {through}("));
        self.put(token.end, token.end, ")".to_owned());
    }

    /// A label that nothing else has.
    pub(super) fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// A `break` out of a loop of loops.
    pub(super) fn leave(&mut self, token: Token<'_>, label: usize) {
        let label = self.name(&format!("done{label}"));
        self.put(token.start, token.end, format!("goto {label}"));
    }

    /// Places for the head of a loop, up to its `do`.
    pub(super) fn reserve_loop(
        &mut self,
        head: Token<'_>,
        begin: Token<'_>,
        found: Loop<'a>,
    ) -> LoopPlaces<'a> {
        let expressions = match &found {
            Loop::Numbers { begin, .. } | Loop::Entries { begin, .. } => *begin,
        };
        let head = self.put(head.start, expressions, String::new());
        match &found {
            Loop::Numbers { last, .. } => self.put(*last, *last, "(".to_owned()),
            Loop::Entries { open, .. } => self.put(open.start, open.end, ",".to_owned()),
        };
        let begin = self.put(begin.start, begin.end, String::new());
        LoopPlaces { head, begin, found }
    }

    /// The loop of loops, once the weight of a step is known.
    pub(super) fn chunked(
        &mut self,
        places: LoopPlaces<'_>,
        label: usize,
        end: Token<'_>,
        weight: u64,
    ) {
        let weight = weight.clamp(1, TOKENS_BETWEEN_CHECKS);
        let steps = TOKENS_BETWEEN_CHECKS / weight;
        let n = |name: &str| self.name(name);
        let (check, from) = (n("check"), n("from"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (head, begin) = match places.found {
            Loop::Numbers { name, has_step, .. } => {
                let (first, last, stride) = (n("first"), n("last"), n("stride"));
                let (step, reach, to) = (n("step"), n("reach"), n("to"));
                let bounds = n(if has_step { "by" } else { "numbers" });
                let name = text(name);
                let ascending = format!("if {last}-{from}>{reach} then {to}={from}+{reach} end");
                let part = match has_step {
                    false => ascending,
                    true => format!(
                        "if {step}>0 then {ascending} \
                         elseif {last}-{from}<{reach} then {to}={from}+{reach} end"
                    ),
                };
                (
                    format!(
                        "do local {first},{last},{stride},{step},{reach}={bounds}({steps},{weight},"
                    ),
                    format!(
                        "))for {from}={first},{last},{stride} do \
                         local {to}={from} \
                         if {reach} then \
                         {to}={last} if {from}~={first} then {check}()end {part} \
                         else {check}()end \
                         for {name}={from},{to},{step} do "
                    ),
                )
            }
            Loop::Entries { names, .. } => {
                let (count, entries, next) = (n("count"), n("entries"), n("next"));
                let (state, done) = (n("state"), n(&format!("done{label}")));
                let key = text(names[0]);
                let value = names.get(1).map_or(n("value"), |name| text(name));
                let each = n("each");
                (
                    format!("do local {count},{entries},{next},{state}={each}({steps},{weight},"),
                    // The entries of `ipairs` itself come first, in as few instructions as possible.
                    format!(
                        "for {from}=0,{FAR},{count} do \
                         if {from}~=0 then {check}()end \
                         for {key}={from}+1,{from}+{count} do \
                         local {value}={entries}[{key}] \
                         if not {value} then \
                         if {next} then \
                         {key},{value}={next}({state}) \
                         if {key}==nil then goto {done} end {state}={key} \
                         elseif {value}==nil then goto {done} end \
                         end "
                    ),
                )
            }
        };
        let done = n(&format!("done{label}"));
        self.edits[places.head.0].2 = head;
        self.edits[places.begin.0].2 = begin;
        self.put(end.end, end.end, format!(" end ::{done}:: end "));
    }

    /// The text with everything in it.
    pub(super) fn applied(mut self, text: &[u8]) -> Vec<u8> {
        self.edits.sort_by_key(|(from, ..)| *from);
        let more: usize = self.edits.iter().map(|(.., new)| new.len()).sum();
        let head = self.names.head();
        let mut applied = Vec::with_capacity(head.len() + text.len() + more);
        applied.extend_from_slice(head.as_bytes());
        let mut at = 0;
        for (from, to, new) in &self.edits {
            applied.extend_from_slice(&text[at..*from]);
            applied.extend_from_slice(new.as_bytes());
            at = *to;
        }
        applied.extend_from_slice(&text[at..]);
        applied
    }
}
