//! Questions at random in Gremlin: JanusGraph's predicates, TinkerPop's, orders.

use millrace_testkit::Rng;

use super::values::{Regime, text};
use super::world::Step;

const TEXT_TESTS: [&str; 12] = [
    "textContains",
    "textNotContains",
    "textContainsPrefix",
    "textContainsRegex",
    "textContainsFuzzy",
    "textContainsPhrase",
    "textPrefix",
    "textNotPrefix",
    "textRegex",
    "textFuzzy",
    "textNotFuzzy",
    "textNotRegex",
];

fn text_test(rng: &mut Rng) -> String {
    let name = *rng.pick(&TEXT_TESTS);
    let argument = text(rng, 4);
    match rng.below(3) {
        0 => {
            let names = ["containing", "startingWith", "endingWith", "notContaining", "regex"];
            format!("TextP.{}({argument})", rng.pick(&names))
        }
        1 if name.contains("Regex") => format!("{name}('[ab]+.*')"),
        _ => format!("{name}({argument})"),
    }
}

fn geo_test(rng: &mut Rng) -> String {
    let mut at = || {
        let latitude = [-90.0, 90.0, 0.0, 1.5, -0.5, 89.0][rng.index(6)];
        let longitude = [-180.0, 180.0, 179.5, 0.0, 1.25, -179.0][rng.index(6)];
        (latitude, longitude)
    };
    let ((south, west), (north, east)) = (at(), at());
    let (south, north): (f64, f64) = (f64::min(south, north), f64::max(south, north));
    let shape = match rng.below(3) {
        0 => format!("Geoshape.point({south:?}, {west:?})"),
        1 => {
            let radius = rng.pick(&["1", "120.0", "9000", "20015"]);
            format!("Geoshape.circle({south:?}, {west:?}, {radius})")
        }
        _ => format!("Geoshape.box({south:?}, {west:?}, {north:?}, {east:?})"),
    };
    let name = rng.pick(&["geoWithin", "geoIntersect", "geoDisjoint", "geoContains"]);
    format!("{name}({shape})")
}

fn number(rng: &mut Rng) -> String {
    match rng.chance(0.5) {
        true => (rng.below(9) as i64 - 3).to_string(),
        false => format!("{}.5", rng.below(9) as i64 - 3),
    }
}

fn plain_test(rng: &mut Rng, regime: Regime) -> String {
    let mut value = || match regime == Regime::Texts || rng.chance(0.3) {
        true => text(rng, 3),
        false => number(rng),
    };
    let (one, other) = (value(), value());
    let tests = [
        "eq(@)",
        "neq(@)",
        "gt(@)",
        "lte(@)",
        "within(@, #)",
        "without(@)",
        "between(@, #)",
        "inside(@, #)",
        "outside(@, #)",
    ];
    rng.pick(&tests).replace('@', &one).replace('#', &other)
}

fn test(rng: &mut Rng, regime: Regime, depth: u32) -> String {
    if depth != 0 && rng.chance(0.25) {
        let (one, other) = (test(rng, regime, depth - 1), test(rng, regime, depth - 1));
        return match rng.below(3) {
            0 => format!("{one}.and({other})"),
            1 => format!("{one}.or({other})"),
            _ => format!("P.not({one})"),
        };
    }
    match (regime, rng.below(4)) {
        (Regime::Texts, 0..=2) | (Regime::Mixed, 0) => text_test(rng),
        (Regime::Points, 0..=2) | (Regime::Mixed, 1) => geo_test(rng),
        _ => plain_test(rng, regime),
    }
}

/// A question.
pub(super) fn question(rng: &mut Rng, regime: Regime) -> Step {
    let start = rng.pick(&[
        "g.V().hasLabel('P')",
        "g.V().hasLabel('P')",
        "g.V()",
        "g.E().hasLabel('R')",
        "g.V().hasLabel('P').has('a', 1)",
    ]);
    let tests = (0..1 + rng.below(2)).map(|_| format!(".has('v', {})", test(rng, regime, 1)));
    let tests: String = tests.collect();
    let (end, is_ordered) = match rng.below(6) {
        0 => (".count()", true),
        1 => (".order().by('i').values('i')", true),
        2 => (".not(__.has('v', 3)).values('i')", false),
        _ => (".values('i')", false),
    };
    Step::Same { language: "gremlin", text: format!("{start}{tests}{end}"), is_ordered }
}
