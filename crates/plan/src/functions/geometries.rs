//! Geometries: whether one lies near, within, around or across another, as Dgraph's functions say; their parts.
//!
//! What the predicates mean is said by `terms`, which also asks indexes for them.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::geometry::Geometry;
use millrace_model::{Result, Value};
use millrace_terms::geometries::{GeometryTest, Region};

use super::Function;
use super::arguments::{bad, double, misplaced};
use crate::base::limits;

/// The rows of this family; see `functions!`.
macro_rules! geometries_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a geometry lies to another one as the mode says; `near` takes metres, too. Null for what is no
            /// geometry.
            GeometryTest(GeometryTest): [2, 3], ALL, Fails::UnlessBound => geometries::test;
        }
    };
}

thread_local! {
    /// Regions that were asked for last, the latest last: a query asks of every row by the same few.
    static READY: RefCell<Vec<Ready>> = const { RefCell::new(Vec::new()) };
}

/// A region with the arguments it was made of.
struct Ready {
    test: GeometryTest,
    asked: Arc<Geometry>,
    metres: Option<u64>,
    region: Arc<Region>,
}

pub(super) fn test(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::GeometryTest(test) = function else { return Err(misplaced(function)) };
    let Value::Geometry(asked) = &arguments[1] else {
        let found = arguments[1].type_name();
        return Err(bad(format!("{function} asks by a geometry, and not by a {found}")));
    };
    let metres = match (test, arguments.get(2)) {
        (GeometryTest::Near, Some(metres)) => Some(double(function, metres)?),
        (GeometryTest::Near, None) => {
            return Err(bad(format!("{function} takes a distance in metres")));
        }
        (GeometryTest::Within | GeometryTest::Contains | GeometryTest::Intersects, None) => None,
        (GeometryTest::Within | GeometryTest::Contains | GeometryTest::Intersects, Some(_)) => {
            return Err(bad(format!("{function} takes no distance")));
        }
    };
    // The value is looked at last: a wrong question is an error for any value.
    let region = region(test, asked, metres)?;
    let Value::Geometry(own) = &arguments[0] else { return Ok(Value::Null) };
    region.accepts(own).map(Value::Bool)
}

/// The region of arguments: made once for all rows that are asked by the same geometry.
fn region(test: GeometryTest, asked: &Arc<Geometry>, metres: Option<f64>) -> Result<Arc<Region>> {
    let bits = metres.map(f64::to_bits);
    let is_same =
        |own: &Ready| own.test == test && own.metres == bits && Arc::ptr_eq(&own.asked, asked);
    READY.with_borrow_mut(|ready| {
        if let Some(own) = ready.iter().rev().find(|own| is_same(own)) {
            return Ok(Arc::clone(&own.region));
        }
        let region = Arc::new(Region::new(test, asked, metres)?);
        if limits::REGIONS_CACHED_MAX <= ready.len() {
            ready.remove(0);
        }
        let (asked, made) = (Arc::clone(asked), Arc::clone(&region));
        ready.push(Ready { test, asked, metres: bits, region: made });
        Ok(region)
    })
}

/// A member of its GeoJSON by its name: `type` or `coordinates`; `None` of another.
pub(super) fn component(geometry: &Geometry, name: &str) -> Option<Result<Value>> {
    let Value::Map(pairs) = geometry.as_map() else { return None };
    let found = pairs.iter().find(|(key, _)| key.as_str() == Some(name));
    found.map(|(_, value)| Ok(value.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::geometry::geojson;

    fn geometry(text: &str) -> Value {
        Value::from(geojson::parse_argument(text).expect(text))
    }

    /// Places, a square, and areas around San Francisco and New York, by name.
    fn geometries() -> Vec<(&'static str, Value)> {
        let places = [
            ("Michonne", "[1.1, 2]"),
            ("Glenn Rhee", "[1.10001, 2.000001]"),
            ("Daryl Dixon", "[1.1, 2]"),
            ("Rick Grimes", "[[[0, 0],[2, 0],[2, 2],[0, 2],[0, 0]]]"),
            ("Googleplex", "[-122.082506, 37.4249518]"),
            ("Shoreline Amphitheater", "[-122.080668, 37.426753]"),
            ("San Carlos Airport", "[-122.2527428, 37.513653]"),
            (
                "SF Bay area",
                "[[[-121.6, 37.1],[-122.4, 37.3],[-122.6, 37.8],[-122.5, 38.3],[-121.9, 38],[-121.6, 37.1]]]",
            ),
            (
                "Mountain View",
                "[[[-122.06, 37.37],[-122.1, 37.36],[-122.12, 37.4],[-122.11, 37.43],[-122.04, 37.43],[-122.06, 37.37]]]",
            ),
            (
                "San Carlos",
                "[[[-122.25, 37.49],[-122.28, 37.49],[-122.27, 37.51],[-122.25, 37.52],[-122.25, 37.49]]]",
            ),
            (
                "New York",
                "[[[[-74.29504394531249, 40.19146303804063],[-74.59716796875, 40.39258071969131],
                    [-74.6466064453125, 40.20824570152502],[-74.454345703125, 40.06125658140474],
                    [-74.28955078125, 40.17467622056341],[-74.29504394531249, 40.19146303804063]]],
                  [[[-74.102783203125, 40.8595252289932],[-74.2730712890625, 40.718119379753446],
                    [-74.0478515625, 40.66813955408042],[-73.98193359375, 40.772221877329024],
                    [-74.102783203125, 40.8595252289932]]]]",
            ),
        ];
        places.map(|(name, text)| (name, geometry(text))).to_vec()
    }

    fn passing(test: GeometryTest, asked: &str, metres: Option<f64>) -> Vec<&'static str> {
        let asked = geometry(asked);
        let passes = |value: &Value| {
            let arguments =
                [value.clone(), asked.clone()].into_iter().chain(metres.map(Value::F64));
            let passed = Function::GeometryTest(test).call(&arguments.collect::<Vec<_>>());
            passed == Ok(Value::Bool(true))
        };
        geometries().iter().filter(|(_, value)| passes(value)).map(|(name, _)| *name).collect()
    }

    #[test]
    fn geometries_pass_the_tests_that_they_pass_in_dgraph() {
        use GeometryTest::{Contains, Intersects, Near, Within};
        let near = |asked, metres| passing(Near, asked, Some(metres));
        assert_eq!(near("[1.0, 1.0]", 1.0), ["Rick Grimes"]);
        let around = ["Michonne", "Glenn Rhee", "Daryl Dixon", "Rick Grimes"];
        assert_eq!(near("[1.1,2.0]", 5.001), around);
        assert_eq!(near("[1.1,2.0]", 1.0), ["Michonne", "Daryl Dixon", "Rick Grimes"]);
        assert_eq!(
            near("[-122.082506, 37.4249518]", 1_000.0),
            ["Googleplex", "Shoreline Amphitheater", "SF Bay area", "Mountain View"]
        );
        let inner = "[[[1.0,1.0], [1.9,1.0], [1.9, 1.9], [1.0, 1.9], [1.0, 1.0]]]";
        assert_eq!(passing(Contains, inner, None), ["Rick Grimes"]);
        assert_eq!(
            passing(Contains, "[-122.082506, 37.4249518]", None),
            ["SF Bay area", "Mountain View"]
        );
        let kite = "[[[0.0,0.0], [2.0,0.0], [1.5, 3.0], [0.0, 2.0], [0.0, 0.0]]]";
        assert_eq!(passing(Intersects, kite, None), around);
        let mountain_view =
            "[[[-122.06, 37.37], [-122.1, 37.36], [-122.12, 37.4], [-122.11, 37.43],
            [-122.04, 37.43], [-122.06, 37.37]]]";
        assert_eq!(passing(Within, mountain_view, None), ["Googleplex", "Shoreline Amphitheater"]);
        // One area has California, the other nothing.
        let states = "[[[[-124.4,42],[-120,42],[-120,39],[-114.6,35],[-114.7,32.7],[-117.1,32.5],[-120.6,34.6],
            [-122.9,37.0],[-124.4,40.4],[-124.4,42]]],[[[-160,22],[-154,18],[-156,21],[-160,22]]]]";
        let western = [
            "Googleplex",
            "Shoreline Amphitheater",
            "San Carlos Airport",
            "SF Bay area",
            "Mountain View",
            "San Carlos",
        ];
        assert_eq!(passing(Within, states, None), western);
    }

    #[test]
    fn a_wrong_question_is_an_error_and_another_value_is_unknown() {
        let point = || geometry("[0,0]");
        let square = || geometry("[[[0,0],[1,0],[1,1],[0,1],[0,0]]]");
        let call = |test, arguments: &[Value]| Function::GeometryTest(test).call(arguments);
        let near = |arguments: &[Value]| call(GeometryTest::Near, arguments);
        assert_eq!(near(&["here".into(), point(), 5.0.into()]), Ok(Value::Null));
        assert_eq!(near(&[Value::Null, point(), 5.0.into()]), Ok(Value::Null));
        assert_eq!(near(&[point(), point(), 5i64.into()]), Ok(true.into()));
        for wrong in [
            near(&["here".into(), "there".into(), 5.0.into()]),
            near(&[point(), point()]),
            near(&[point(), point(), "far".into()]),
            near(&[point(), point(), 0.0.into()]),
            near(&[point(), square(), 1.0.into()]),
            call(GeometryTest::Within, &[point(), point()]),
            call(GeometryTest::Within, &[point(), square(), 12.2.into()]),
            call(GeometryTest::Intersects, &[point()]),
        ] {
            wrong.expect_err("a wrong question");
        }
    }

    #[test]
    fn a_geometry_has_the_members_of_its_geojson() {
        let part = |name: &str| Function::Component.call(&[geometry("[1,2.5]"), name.into()]);
        assert_eq!(part("type"), Ok("Point".into()));
        assert_eq!(part("coordinates"), Ok(Value::list(vec![1.0.into(), 2.5.into()])));
        part("x").expect_err("GeoJSON has none");
    }
}
