//! JanusGraph's predicates on texts and on places, and Dgraph's on the words of texts.
//!
//! What a text passes is said by `terms`, which also asks indexes for them. A value of another kind passes neither a
//! predicate nor its opposite, as in JanusGraph, where keys have types.

use millrace_model::value::Point;
use millrace_model::{Error, Result, Value};

use super::arguments::{bad, misplaced};
use super::texts::patterns;
use super::{Function, GeoTest};

/// The rows of this family; see `functions!`.
macro_rules! janusgraph_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a text passes one of JanusGraph's predicates, the condition behind it. Null for what is no text.
            TextTest(TextTest): [2, 2], ALL, Fails::UnlessBound => janusgraph::text_test;
            /// Whether a text has words, as one of Dgraph's functions asks: the text, the words, and the tag of a language. Null for
            /// what is no text.
            WordTest(WordTest): [3, 3], 1, Fails::UnlessBound => janusgraph::word_test;
            /// Whether a place on the earth lies to a shape as JanusGraph's predicate says: to a point, a circle (its centre
            /// and its radius in kilometres), or a box (its corners). Null for what is no such place.
            GeoTest(GeoTest): [2, 3], ALL, Fails::UnlessBound => janusgraph::geo_test;
        }
    };
}

/// The radius by which JanusGraph makes angles of kilometres.
const EARTH_RADIUS_KM: f64 = 6_371.008_771_4;

/// The reference system of places on the earth.
const WGS_84: u32 = 4_326;

pub(super) fn text_test(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::TextTest(test) = function else { return Err(misplaced(function)) };
    let Value::String(condition) = &arguments[1] else {
        let found = arguments[1].type_name();
        return Err(bad(format!("a predicate on a text takes a text, and no {found}")));
    };
    test.check(condition)?;
    let Value::String(text) = &arguments[0] else { return Ok(Value::Null) };
    let passes = match test.is_pattern() {
        true => patterns::with_whole(condition, |matches| test.accepts(text, condition, matches))?,
        false => test.accepts(text, condition, &mut |_| Ok(false))?,
    };
    Ok(Value::Bool(passes))
}

pub(super) fn word_test(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::WordTest(test) = function else { return Err(misplaced(function)) };
    let (Value::String(wanted), Value::String(language)) = (&arguments[1], &arguments[2]) else {
        return Err(bad(format!("{} takes a text", test.name())));
    };
    let Value::String(text) = &arguments[0] else { return Ok(Value::Null) };
    test.holds(text, wanted, language).map(Value::Bool)
}

pub(super) fn geo_test(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::GeoTest(test) = function else { return Err(misplaced(function)) };
    let coordinates_of = |value: &Value| match value {
        Value::Point(point) => coordinates(point),
        _ => None,
    };
    let geoshape = |value: &Value| coordinates_of(value).ok_or_else(no_geoshape);
    let first = geoshape(&arguments[1])?;
    // The value is looked at last: a wrong shape is an error for any value.
    let own = coordinates_of(&arguments[0]);
    let is_inside: Box<dyn Fn([f64; 2]) -> bool> = match arguments.get(2) {
        // Two points are no inside of each other.
        None => {
            return Ok(own.map_or(Value::Null, |own| {
                let are_equal = own == first;
                Value::Bool(match test {
                    GeoTest::Intersects => are_equal,
                    GeoTest::Disjoint => !are_equal,
                    GeoTest::Within | GeoTest::Contains => false,
                })
            }));
        }
        Some(Value::Point(corner)) => {
            let corner = coordinates(corner).ok_or_else(no_geoshape)?;
            Box::new(move |own| is_in_box(own, first, corner))
        }
        Some(radius) => {
            let radius = radius.as_double().ok_or_else(no_geoshape)?;
            let angle = (radius / EARTH_RADIUS_KM).to_degrees();
            Box::new(move |own| angle_between(own, first) <= angle)
        }
    };
    let Some(own) = own else { return Ok(Value::Null) };
    Ok(Value::Bool(match test {
        GeoTest::Within | GeoTest::Intersects => is_inside(own),
        GeoTest::Disjoint => !is_inside(own),
        // A point contains no circle and no box.
        GeoTest::Contains => false,
    }))
}

fn no_geoshape() -> Error {
    bad("a predicate on places takes a point on the earth, a circle or a box").with_help(
        "write Geoshape.point(latitude, longitude), Geoshape.circle(latitude, longitude, kilometres) \
         or Geoshape.box(south, west, north, east)",
    )
}

/// The longitude and the latitude of a place on the earth.
fn coordinates(point: &Point) -> Option<[f64; 2]> {
    match (point.srid, point.coordinates.as_slice()) {
        (WGS_84, [longitude, latitude]) => Some([*longitude, *latitude]),
        _ => None,
    }
}

/// The angle between two places, in degrees, by the haversine formula.
fn angle_between(from: [f64; 2], to: [f64; 2]) -> f64 {
    if from == to {
        return 0.0;
    }
    let ([from_longitude, from_latitude], [to_longitude, to_latitude]) =
        (from.map(f64::to_radians), to.map(f64::to_radians));
    let half = |difference: f64| (difference * 0.5).sin().powi(2);
    let across = from_latitude.cos() * to_latitude.cos() * half(from_longitude - to_longitude);
    let share = (half(from_latitude - to_latitude) + across).min(1.0);
    (2.0 * share.sqrt().atan2((1.0 - share).sqrt())).to_degrees()
}

/// Edges are inside. A box whose west lies east of its east goes over the longitude 180, which is also -180.
fn is_in_box(own: [f64; 2], [west, south]: [f64; 2], [east, north]: [f64; 2]) -> bool {
    let [longitude, latitude] = own;
    let east = if east < west { east + 360.0 } else { east };
    let turned = [longitude, longitude + 360.0, longitude - 360.0];
    (south..=north).contains(&latitude) && turned.iter().any(|own| (west..=east).contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::TextTest;
    use std::sync::Arc;

    fn text(test: TextTest, text: &str, condition: &str) -> Result<Value> {
        Function::TextTest(test).call(&[text.into(), condition.into()])
    }

    #[test]
    fn patterns_of_java_match_whole_texts_and_whole_words() {
        for (test, own, pattern, passes) in [
            (TextTest::Regex, "over", "o.*r", true),
            (TextTest::Regex, "over", "ove", false),
            (TextTest::Regex, "fully funny", "(fu[l]*y) (fu[l]*y)", false),
            (TextTest::Regex, "1funny", r"\dfu\w*", true),
            (TextTest::ContainsRegex, "This world", "wor[ld]{1,2}", true),
            (TextTest::ContainsRegex, "This world", "wor[l]+", false),
            (TextTest::ContainsRegex, "This world", "t.*", true),
            (TextTest::ContainsRegex, "This world", "T.*", false),
        ] {
            assert_eq!(text(test, own, pattern), Ok(passes.into()), "{own} {pattern}");
        }
        text(TextTest::Regex, "a", "(").expect_err("no pattern");
        text(TextTest::ContainsRegex, "a", "(").expect_err("no pattern, though no word either");
    }

    #[test]
    fn what_is_no_text_passes_neither_and_a_bad_condition_is_an_error() {
        let test = Function::TextTest(TextTest::Contains);
        assert_eq!(test.call(&[42.into(), "42".into()]), Ok(Value::Null));
        test.call(&[42.into(), " ".into()]).expect_err("blank");
        test.call(&["42".into(), 42.into()]).expect_err("no text");
    }

    fn at(latitude: f64, longitude: f64) -> Value {
        Value::Point(Arc::new(Point { srid: WGS_84, coordinates: vec![longitude, latitude] }))
    }

    fn passes(own: &Value, geoshape: &[Value]) -> [Result<Value>; 4] {
        let tests = [GeoTest::Within, GeoTest::Intersects, GeoTest::Disjoint, GeoTest::Contains];
        tests.map(|test| {
            let mut arguments = vec![own.clone()];
            arguments.extend_from_slice(geoshape);
            Function::GeoTest(test).call(&arguments)
        })
    }

    #[test]
    fn points_lie_inside_or_outside() {
        let truths = |truths: [bool; 4]| truths.map(|truth| Ok(Value::Bool(truth)));
        let (inside, outside) =
            (truths([true, true, false, false]), truths([false, false, true, false]));
        // A degree of latitude is 111.195 kilometres.
        let circle = |radius: f64| [at(50.0, 14.0), radius.into()];
        assert_eq!(passes(&at(51.0, 14.0), &circle(111.2)), inside);
        assert_eq!(passes(&at(51.0, 14.0), &circle(111.1)), outside);
        let round = [at(-1.0, 170.0), at(1.0, -170.0)];
        for longitude in [170.0, 180.0, -180.0, -170.0] {
            assert_eq!(passes(&at(1.0, longitude), &round), inside, "{longitude}");
        }
        assert_eq!(passes(&at(0.0, 0.0), &round), outside);
        assert_eq!(passes(&at(2.0, 180.0), &round), outside);
        assert_eq!(passes(&at(0.0, 180.0), &[at(-1.0, -180.0), at(1.0, -170.0)]), inside);
        assert_eq!(passes(&at(1.0, 2.0), &[at(1.0, 2.0)]), truths([false, true, false, false]));
        assert_eq!(passes(&at(1.0, 2.0), &[at(1.0, 3.0)]), outside);
    }

    #[test]
    fn what_is_no_point_passes_neither_and_a_bad_argument_is_an_error() {
        let flat = Value::Point(Arc::new(Point { srid: 7_203, coordinates: vec![1.0, 2.0] }));
        for own in [flat.clone(), "here".into(), Value::Null] {
            assert_eq!(passes(&own, &[at(1.0, 2.0)]), [const { Ok(Value::Null) }; 4]);
        }
        for geoshape in [vec![flat], vec!["x".into()], vec![at(1.0, 2.0), "x".into()]] {
            passes(&at(1.0, 2.0), &geoshape)[0].clone().expect_err("no shape");
        }
    }
}
