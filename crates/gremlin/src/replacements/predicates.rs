//! Predicates of JanusGraph and Java that are written otherwise, and shapes that are not there.

use super::{Replacement, row};

const OTHER_AREAS: &str = "only points, circles and boxes are there: ask by a box around it, \
                     `geoWithin(Geoshape.box(50, 14, 51, 15))`, and let the program test the rest";

pub(super) static CALLS: &[Replacement] =
    &[row("interval", "has('age', interval(20, 30))", "write `has('age', between(20, 30))`")];

pub(super) static CLASSES: &[Replacement] = &[
    row(
        "Text.CONTAINS",
        "Text.CONTAINS",
        "write the predicate: `has('name', textContains('bob'))`",
    ),
    row("Text.PREFIX", "Text.PREFIX", "write the predicate: `has('name', textPrefix('bob'))`"),
    row("Text.REGEX", "Text.REGEX", "write the predicate: `has('name', textRegex('b.*'))`"),
    row("Text.FUZZY", "Text.FUZZY", "write the predicate: `has('name', textFuzzy('marko'))`"),
    row(
        "Geo.WITHIN",
        "Geo.WITHIN",
        "write the predicate: `has('place', geoWithin(Geoshape.circle(50, 14, 10)))`",
    ),
    row("Geoshape.line", "Geoshape.line(coordinates)", OTHER_AREAS),
    row("Geoshape.polygon", "Geoshape.polygon(coordinates)", OTHER_AREAS),
    row("Geoshape.geoshape", "Geoshape.geoshape(shape)", OTHER_AREAS),
    row(
        "Geoshape.fromWkt",
        "Geoshape.fromWkt('POINT (14 50)')",
        "write `Geoshape.point(50, 14)`: the latitude stands first there",
    ),
    row("Cmp", "Cmp.GREATER_THAN", "write `gt(30)`, and likewise `gte`, `lt`, `lte`, `eq`, `neq`"),
    row("Contain", "Contain.IN", "write `within('a', 'b')` or `without('a', 'b')`"),
    row("Compare", "Compare.gt", "write `gt(30)`, and likewise `gte`, `lt`, `lte`, `eq`, `neq`"),
    row("Contains", "Contains.within", "write `within('a', 'b')` or `without('a', 'b')`"),
];
