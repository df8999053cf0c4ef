//! Tests of values that an index of made keys may narrow, and what each asks of an index.
//!
//! A test with another value than it is for asks for everything: its rows are scanned, and the filter says what is wrong.

use millrace_model::value::Point;
use millrace_model::{KeyId, Result, Value};
use millrace_plan::Function;
use millrace_plan::functions::{GeoTest, GeometryTest, WordTest};
use millrace_terms::cells::{Area, CellGrid, EARTH_RADIUS_METRES, question_of_points};
use millrace_terms::geometries::{Region, question_of_geometries};
use millrace_terms::{KeyExtractor, KeyQuestion, trigrams};

use crate::context::Resolved;

/// A test of the values of a key. Its own values are numbers of the path's expressions.
#[derive(Debug)]
pub(crate) struct MadeTest {
    pub(crate) key: Resolved<KeyId>,
    pub(crate) kind: TestKind,
    pub(crate) values: Vec<usize>,
}

/// What is tested.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TestKind {
    /// The value equals another one.
    Equal,
    /// The text contains another one, begins or ends with it.
    Part,
    /// The text passes a test of a pattern, or one of JanusGraph's.
    Text(Function),
    /// The text has words as one of Dgraph's functions asks.
    Words(WordTest),
    /// The distance from a point is below a bound.
    Near,
    /// The point is between two corners.
    InBox,
    /// The point lies to a shape as one of JanusGraph's predicates says.
    Geo(GeoTest),
    /// The geometry lies to another one as one of Dgraph's functions says.
    Geometry(GeometryTest),
}

/// Bytes of a text that are asked for: they narrow as well as all do, and a text may be of any length.
const ASKED_BYTES_MAX: usize = 256;

/// The radius by which JanusGraph makes distances of angles, in metres.
const JANUSGRAPH_RADIUS_METRES: f64 = 6_371_008.771_4;

impl TestKind {
    /// The test that a function is of its first argument.
    pub(super) fn of(function: Function) -> Option<TestKind> {
        match function {
            Function::StartsWith | Function::EndsWith | Function::Contains => Some(TestKind::Part),
            Function::Matches | Function::MatchesWhole | Function::TextTest(_) => {
                Some(TestKind::Text(function))
            }
            Function::WordTest(test) => Some(TestKind::Words(test)),
            Function::IsInBox => Some(TestKind::InBox),
            Function::GeoTest(test) => Some(TestKind::Geo(test)),
            Function::GeometryTest(test) => Some(TestKind::Geometry(test)),
            _ => None,
        }
    }

    /// What it asks an index for, to a person.
    pub(super) fn label(self) -> &'static str {
        match self {
            TestKind::Equal | TestKind::Part | TestKind::Text(_) | TestKind::Words(_) => "texts in",
            TestKind::Near | TestKind::InBox | TestKind::Geo(_) => "points in",
            TestKind::Geometry(_) => "geometries in",
        }
    }

    /// Whether an index with keys of this kind may narrow it.
    pub(super) fn is_served_by(self, extractor: &KeyExtractor) -> bool {
        let is_of_points = matches!(extractor, KeyExtractor::Points | KeyExtractor::Cells(_));
        let is_of_trigrams = matches!(extractor, KeyExtractor::Trigrams(_));
        let is_of_geometries = matches!(extractor, KeyExtractor::Geometries);
        match self {
            TestKind::Equal => is_of_trigrams || is_of_points || is_of_geometries,
            TestKind::Part => is_of_trigrams,
            TestKind::Text(Function::TextTest(test)) => test.is_served_by(extractor),
            TestKind::Text(_) => is_of_trigrams,
            TestKind::Words(test) => test.is_served_by(extractor),
            TestKind::Near | TestKind::InBox => is_of_points,
            TestKind::Geo(GeoTest::Within | GeoTest::Intersects) => is_of_points,
            TestKind::Geo(GeoTest::Disjoint | GeoTest::Contains) => false,
            TestKind::Geometry(_) => is_of_geometries,
        }
    }

    /// Whether some values make it fail.
    pub(super) fn may_fail(self) -> bool {
        match self {
            TestKind::Equal | TestKind::Part | TestKind::Near | TestKind::InBox => false,
            TestKind::Text(_) | TestKind::Words(_) | TestKind::Geo(_) | TestKind::Geometry(_) => {
                true
            }
        }
    }

    /// Fails where the test fails for every value, whatever index is asked.
    pub(super) fn check(self, values: &[Value]) -> Result<()> {
        let probe = match self {
            TestKind::Equal | TestKind::Part | TestKind::Near | TestKind::InBox => return Ok(()),
            TestKind::Text(function) => (function, Value::from("")),
            TestKind::Words(test) => (Function::WordTest(test), Value::from("")),
            TestKind::Geo(test) => (Function::GeoTest(test), Value::Null),
            TestKind::Geometry(test) => (Function::GeometryTest(test), Value::from("")),
        };
        let (function, own) = probe;
        let arguments: Vec<Value> = std::iter::once(own).chain(values.iter().cloned()).collect();
        function.call(&arguments).map(drop)
    }

    /// What it asks an index with keys of this kind.
    pub(super) fn question(
        self,
        extractor: &KeyExtractor,
        values: &[Value],
    ) -> Result<KeyQuestion> {
        Ok(match (self, values) {
            (TestKind::Equal, [Value::String(text)]) => match extractor {
                KeyExtractor::Trigrams(case) => trigrams::of_literal(beginning(text), *case),
                _ => KeyQuestion::Everything,
            },
            (TestKind::Equal, [value @ (Value::Point(_) | Value::Geometry(_))]) => {
                extractor.equal_to(value, None)?
            }
            (TestKind::Part, [Value::String(text)]) => match extractor {
                KeyExtractor::Trigrams(case) => trigrams::of_literal(beginning(text), *case),
                _ => KeyQuestion::Everything,
            },
            (TestKind::Text(function), [Value::String(condition)]) => {
                let pattern = function.read_pattern(condition)?;
                match (function, extractor, pattern) {
                    (Function::TextTest(test), _, pattern) => {
                        test.question(extractor, pattern.as_deref().unwrap_or(condition))?
                    }
                    (_, KeyExtractor::Trigrams(case), Some(pattern)) => {
                        trigrams::of_pattern(&pattern, *case)?
                    }
                    _ => KeyQuestion::Everything,
                }
            }
            (TestKind::Words(test), [Value::String(wanted), Value::String(language)]) => {
                test.question(extractor, wanted, language)?
            }
            (TestKind::Near, [Value::Point(centre), bound]) => match bound.as_double() {
                Some(bound) => {
                    of_area(extractor, centre, |grid| Area::within_distance(grid, centre, bound))
                }
                None => KeyQuestion::Everything,
            },
            (TestKind::InBox, [Value::Point(low), Value::Point(high)]) => {
                of_area(extractor, low, |grid| Area::within_box(grid, low, high))
            }
            (TestKind::Geo(_), values) => of_geo(extractor, values),
            (TestKind::Geometry(test), values) => of_geometry(test, extractor, values)?,
            _ => KeyQuestion::Everything,
        })
    }
}

/// The question for the points in an area of the reference system of a point.
fn of_area(
    extractor: &KeyExtractor,
    point: &Point,
    area: impl FnOnce(&CellGrid) -> Area,
) -> KeyQuestion {
    match extractor {
        KeyExtractor::Points => question_of_points(point.srid, area),
        KeyExtractor::Cells(grid) if grid.srid() == point.srid => grid.question_of(&area(grid)),
        _ => KeyQuestion::Everything,
    }
}

/// The question for the geometries that pass a test by a geometry, and by metres.
fn of_geometry(
    test: GeometryTest,
    extractor: &KeyExtractor,
    values: &[Value],
) -> Result<KeyQuestion> {
    let (KeyExtractor::Geometries, Some(Value::Geometry(asked))) = (extractor, values.first())
    else {
        return Ok(KeyQuestion::Everything);
    };
    let metres = values.get(1).and_then(Value::as_double);
    question_of_geometries(&Region::new(test, asked, metres)?)
}

/// The question for the places in a shape of JanusGraph: a point, a circle, or a box.
fn of_geo(extractor: &KeyExtractor, values: &[Value]) -> KeyQuestion {
    let Some(Value::Point(first)) = values.first() else { return KeyQuestion::Everything };
    match &values[1..] {
        [] => of_area(extractor, first, |grid| Area::within_distance(grid, first, 0.0)),
        [Value::Point(corner)] => {
            let boxes = boxes_of(first, corner).into_iter().map(|(low, high)| {
                of_area(extractor, &low, |grid| Area::within_box(grid, &low, &high))
            });
            KeyQuestion::any(boxes)
        }
        [radius] => match radius.as_double() {
            // The same angle, on the sphere by which areas are made.
            Some(kilometres) => {
                let angle = kilometres * 1_000.0 / JANUSGRAPH_RADIUS_METRES;
                of_area(extractor, first, |grid| {
                    Area::within_distance(grid, first, angle * EARTH_RADIUS_METRES)
                })
            }
            None => KeyQuestion::Everything,
        },
        _ => KeyQuestion::Everything,
    }
}

/// A box, and the meridian of 180 degrees under its other name where the box has it.
fn boxes_of(low: &Point, high: &Point) -> Vec<(Point, Point)> {
    let meridian = |longitude: f64| {
        let at = |corner: &Point| {
            let mut corner = corner.clone();
            corner.coordinates[0] = longitude;
            corner
        };
        (at(low), at(high))
    };
    let mut boxes = vec![(low.clone(), high.clone())];
    if low.coordinates.first() == Some(&-180.0) {
        boxes.push(meridian(180.0));
    }
    if high.coordinates.first() == Some(&180.0) {
        boxes.push(meridian(-180.0));
    }
    boxes
}

/// So much of a text, in whole characters.
fn beginning(text: &str) -> &str {
    let end = (0..=text.len().min(ASKED_BYTES_MAX)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
