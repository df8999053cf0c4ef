//! JanusGraph's predicates of texts and places.

use super::{Replacement, row};

const CONTAINS: &str = "write `TextP.containing('bob')`, which finds parts of words and respects \
                        case; \
                        `TextP.regex('(?i)\\\\bbob\\\\b')` finds a word in any case";
const NOT_CONTAINS: &str = "write `TextP.notContaining('bob')`, which respects case";
const PREFIX: &str =
    "write `TextP.startingWith('bob')`; for a word anywhere, `TextP.regex('(?i)\\\\bbob')`";
const NOT_PREFIX: &str = "write `TextP.notStartingWith('bob')`";
const REGEX: &str =
    "write `TextP.regex('b.*')`, which looks anywhere in the text: `^` and `$` are its ends";
const NOT_REGEX: &str = "write `TextP.notRegex('b.*')`";
const FUZZY: &str = "not supported: write the variants as `TextP.regex('(?i)m[ae]rk?o')`, or keep \
                     another form of the text for search";
const PHRASE: &str = "write `TextP.containing('bob dylan')`, which respects case";
const GEO: &str = "there are no shapes: keep `lat` and `lon` as numbers and write \
                   `has('lat', between(50, 51)).has('lon', between(14, 15))`";

pub(super) static CALLS: &[Replacement] = &[
    row("textContains", "has('name', textContains('bob'))", CONTAINS),
    row("textNotContains", "has('name', textNotContains('bob'))", NOT_CONTAINS),
    row("textContainsPrefix", "has('name', textContainsPrefix('bob'))", PREFIX),
    row("textNotContainsPrefix", "has('name', textNotContainsPrefix('bob'))", NOT_PREFIX),
    row("textContainsRegex", "has('name', textContainsRegex('b.*'))", REGEX),
    row("textNotContainsRegex", "has('name', textNotContainsRegex('b.*'))", NOT_REGEX),
    row("textContainsFuzzy", "has('name', textContainsFuzzy('marko'))", FUZZY),
    row("textNotContainsFuzzy", "has('name', textNotContainsFuzzy('marko'))", FUZZY),
    row("textContainsPhrase", "has('name', textContainsPhrase('bob dylan'))", PHRASE),
    row("textNotContainsPhrase", "has('name', textNotContainsPhrase('bob dylan'))", NOT_CONTAINS),
    row("textPrefix", "has('name', textPrefix('bob'))", "write `TextP.startingWith('bob')`"),
    row("textNotPrefix", "has('name', textNotPrefix('bob'))", NOT_PREFIX),
    row(
        "textRegex",
        "has('name', textRegex('b.*'))",
        "write `TextP.regex('^b.*$')`: without `^` and `$` it \
        looks anywhere in the text",
    ),
    row("textNotRegex", "has('name', textNotRegex('b.*'))", "write `TextP.notRegex('^b.*$')`"),
    row("textFuzzy", "has('name', textFuzzy('marko'))", FUZZY),
    row("textNotFuzzy", "has('name', textNotFuzzy('marko'))", FUZZY),
    row("geoWithin", "has('place', geoWithin(Geoshape.circle(50, 14, 10)))", GEO),
    row("geoIntersect", "has('place', geoIntersect(Geoshape.point(50, 14)))", GEO),
    row("geoDisjoint", "has('place', geoDisjoint(Geoshape.point(50, 14)))", GEO),
    row("geoContains", "has('place', geoContains(Geoshape.point(50, 14)))", GEO),
    row("interval", "has('age', interval(20, 30))", "write `has('age', between(20, 30))`"),
];

pub(super) static CLASSES: &[Replacement] = &[
    row("Text.textContains", "Text.textContains('bob')", CONTAINS),
    row("Text.textNotContains", "Text.textNotContains('bob')", NOT_CONTAINS),
    row("Text.textContainsPrefix", "Text.textContainsPrefix('bob')", PREFIX),
    row("Text.textNotContainsPrefix", "Text.textNotContainsPrefix('bob')", NOT_PREFIX),
    row("Text.textContainsRegex", "Text.textContainsRegex('b.*')", REGEX),
    row("Text.textNotContainsRegex", "Text.textNotContainsRegex('b.*')", NOT_REGEX),
    row("Text.textContainsFuzzy", "Text.textContainsFuzzy('marko')", FUZZY),
    row("Text.textContainsPhrase", "Text.textContainsPhrase('bob dylan')", PHRASE),
    row("Text.textPrefix", "Text.textPrefix('bob')", "write `TextP.startingWith('bob')`"),
    row("Text.textNotPrefix", "Text.textNotPrefix('bob')", NOT_PREFIX),
    row("Text.textRegex", "Text.textRegex('b.*')", "write `TextP.regex('^b.*$')`"),
    row("Text.textNotRegex", "Text.textNotRegex('b.*')", "write `TextP.notRegex('^b.*$')`"),
    row("Text.textFuzzy", "Text.textFuzzy('marko')", FUZZY),
    row("Text.CONTAINS", "Text.CONTAINS", CONTAINS),
    row("Text.PREFIX", "Text.PREFIX", PREFIX),
    row("Text.REGEX", "Text.REGEX", REGEX),
    row("Text.FUZZY", "Text.FUZZY", FUZZY),
    row(
        "Text",
        "Text.textContains('bob')",
        "write a predicate of `TextP`: containing, startingWith, endingWith, \
        regex, and each with `not`",
    ),
    row("Geo", "Geo.geoWithin(Geoshape.circle(50, 14, 10))", GEO),
    row(
        "Geoshape",
        "Geoshape.point(50, 14)",
        "keep `lat` and `lon` as numbers: there are no shapes",
    ),
    row("Cmp", "Cmp.GREATER_THAN", "write `gt(30)`, and likewise `gte`, `lt`, `lte`, `eq`, `neq`"),
    row("Contain", "Contain.IN", "write `within('a', 'b')` or `without('a', 'b')`"),
    row("Compare", "Compare.gt", "write `gt(30)`, and likewise `gte`, `lt`, `lte`, `eq`, `neq`"),
    row("Contains", "Contains.within", "write `within('a', 'b')` or `without('a', 'b')`"),
];
