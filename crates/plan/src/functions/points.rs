//! Points: made of maps, their components, and distances between them.
//!
//! A point is flat (`cartesian`) or on the earth (`wgs-84`: longitude, then latitude, in degrees), with two
//! coordinates or three; points of different kinds have no distance.

use std::sync::Arc;

use millrace_model::value::{Point, ValueMap};
use millrace_model::{Error, Result, Value};

use super::Function;
use super::arguments::{bad, double, int, map, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! points_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A point of a map: `x`, `y` and `z`, or `longitude`, `latitude` and `height`, and a reference system by its
            /// name, `crs`, or its number, `srid`. Null if one of them is null.
            PointOf: [1, 1], ALL, Fails::May => points::call;
            /// The distance between two points, on the earth in metres; null between points of different kinds, and of what
            /// is no point.
            Distance: [2, 2], ALL, Fails::Not { truth: false } => points::call;
            /// Whether a point is in a box by its lower left and its upper right; null if one is of another kind, or none.
            IsInBox: [3, 3], ALL, Fails::Not { truth: true } => points::call;
        }
    };
}

/// A coordinate reference system.
struct System {
    name: &'static str,
    srid: u32,
    coordinates: usize,
    is_on_earth: bool,
}

const SYSTEMS: [System; 4] = [
    System { name: "cartesian", srid: 7203, coordinates: 2, is_on_earth: false },
    System { name: "cartesian-3d", srid: 9157, coordinates: 3, is_on_earth: false },
    System { name: "wgs-84", srid: 4326, coordinates: 2, is_on_earth: true },
    System { name: "wgs-84-3d", srid: 4979, coordinates: 3, is_on_earth: true },
];

/// The radius at the equator that other databases use too, in metres.
const EARTH_RADIUS: f64 = 6_378_140.0;

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::PointOf => point_of(function, map(function, &arguments[0])?),
        Function::Distance => {
            let distance = || {
                let [from, to] = [point(&arguments[0])?, point(&arguments[1])?];
                Some(Value::F64(distance(common_system(&[from, to])?, from, to)))
            };
            Ok(distance().unwrap_or_default())
        }
        Function::IsInBox => {
            let is_inside = || {
                let [own, low, high] = [0, 1, 2].map(|number| point(&arguments[number]));
                let (own, low, high) = (own?, low?, high?);
                let system = common_system(&[own, low, high])?;
                Some(Value::Bool(is_in_box(system, own, low, high)))
            };
            Ok(is_inside().unwrap_or_default())
        }
        other => Err(misplaced(other)),
    }
}

fn point(value: &Value) -> Option<&Point> {
    match value {
        Value::Point(point) => Some(point),
        _ => None,
    }
}

/// The system of points that all have the same.
fn common_system(points: &[&Point]) -> Option<&'static System> {
    let system = system_of(points.first()?)?;
    points.iter().all(|point| point.srid == system.srid).then_some(system)
}

/// `None` for a point that does not fit the system it names.
fn system_of(point: &Point) -> Option<&'static System> {
    let fits = |system: &&System| {
        system.srid == point.srid && system.coordinates == point.coordinates.len()
    };
    SYSTEMS.iter().find(fits)
}

fn point_of(function: Function, pairs: &ValueMap) -> Result<Value> {
    let under = |name: &str| {
        pairs.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
    };
    let keys = ["x", "y", "z", "longitude", "latitude", "height", "crs", "srid"];
    let all = keys.map(under);
    if all.iter().flatten().any(|value| value.is_null()) {
        return Ok(Value::Null);
    }
    let [x, y, z, longitude, latitude, height, crs, srid] = all;
    let (first, second, is_on_earth) = match (x, y, longitude, latitude) {
        (Some(x), Some(y), ..) => (x, y, None),
        (_, _, Some(longitude), Some(latitude)) => (longitude, latitude, Some(true)),
        _ => return Err(bad("a point has x and y, or longitude and latitude")),
    };
    let third = z.or(height);
    let coordinates = [Some(first), Some(second), third].into_iter().flatten();
    let coordinates: Vec<f64> =
        coordinates.map(|value| double(function, value)).collect::<Result<_>>()?;
    let named = named_system(function, crs, srid)?;
    let is_on_earth = is_on_earth.unwrap_or_else(|| named.is_some_and(|system| system.is_on_earth));
    let fits = |system: &&System| {
        system.coordinates == coordinates.len() && system.is_on_earth == is_on_earth
    };
    let system = match named {
        Some(system) => fits(&system).then_some(system).ok_or_else(|| misfit(system))?,
        None => SYSTEMS.iter().find(fits).ok_or_else(|| bad("there is no such kind of point"))?,
    };
    let coordinates = if system.is_on_earth { on_earth(coordinates)? } else { coordinates };
    Ok(Value::Point(Arc::new(Point { srid: system.srid, coordinates })))
}

fn named_system(
    function: Function,
    crs: Option<&Value>,
    srid: Option<&Value>,
) -> Result<Option<&'static System>> {
    let found = match (crs, srid) {
        (None, None) => return Ok(None),
        (Some(name), _) => {
            let name = text(function, name)?;
            SYSTEMS.iter().find(|system| system.name.eq_ignore_ascii_case(name))
        }
        (None, Some(srid)) => {
            let srid = int(function, srid)?;
            SYSTEMS.iter().find(|system| i64::from(system.srid) == srid)
        }
    };
    let unknown = || {
        let known: Vec<String> =
            SYSTEMS.iter().map(|system| format!("{} ({})", system.name, system.srid)).collect();
        bad("this coordinate reference system is not known")
            .with_help(format!("use one of {}", known.join(", ")))
    };
    found.map(Some).ok_or_else(unknown)
}

fn misfit(system: &System) -> Error {
    let names = if system.is_on_earth { "longitude and latitude, or x and y" } else { "x and y" };
    let count = system.coordinates;
    bad(format!("a point of {} has {count} coordinates, by {names}", system.name))
}

/// A longitude beyond half a circle goes round; a latitude beyond a pole is an error.
fn on_earth(mut coordinates: Vec<f64>) -> Result<Vec<f64>> {
    let (longitude, latitude) = (coordinates[0], coordinates[1]);
    if !(-90.0..=90.0).contains(&latitude) {
        return Err(bad(format!("a latitude is from -90 to 90, and {latitude} is not")));
    }
    if !longitude.is_finite() {
        return Err(bad(format!("a longitude is from -180 to 180, and {longitude} is not")));
    }
    if !(-180.0..=180.0).contains(&longitude) {
        coordinates[0] = (longitude + 180.0).rem_euclid(360.0) - 180.0;
    }
    Ok(coordinates)
}

/// A component of a point by its name; `None` if no point has one of that name.
pub(super) fn component(point: &Point, name: &str) -> Option<Result<Value>> {
    let system = system_of(point);
    let (number, is_on_earth) = match name {
        "x" => (0, false),
        "y" => (1, false),
        "z" => (2, false),
        "longitude" => (0, true),
        "latitude" => (1, true),
        "height" => (2, true),
        "srid" => return Some(Ok(Value::I64(i64::from(point.srid)))),
        "crs" => {
            return system.map(|system| Ok(Value::string(system.name)));
        }
        _ => return None,
    };
    let is_there = !is_on_earth || system.is_some_and(|system| system.is_on_earth);
    let found = point.coordinates.get(number).filter(|_| is_there);
    let missing = || bad(format!("{} has no {name}", text_of(point)));
    Some(found.map(|coordinate| Value::F64(*coordinate)).ok_or_else(missing))
}

/// The call that makes the point.
pub(super) fn text_of(point: &Point) -> String {
    let names = ["x", "y", "z"].iter().zip(&point.coordinates);
    let coordinates: Vec<String> =
        names.map(|(name, coordinate)| format!("{name}: {coordinate:?}")).collect();
    let system = match system_of(point) {
        Some(system) => format!("crs: '{}'", system.name),
        None => format!("srid: {}", point.srid),
    };
    format!("point({{{}, {system}}})", coordinates.join(", "))
}

fn distance(system: &System, from: &Point, to: &Point) -> f64 {
    let (from, to) = (&from.coordinates, &to.coordinates);
    if !system.is_on_earth {
        let squares = from.iter().zip(to).map(|(from, to)| (from - to) * (from - to));
        return squares.sum::<f64>().sqrt();
    }
    // The haversine formula, on a sphere as high as the mean of both.
    let [from_longitude, from_latitude] = [from[0], from[1]].map(f64::to_radians);
    let [to_longitude, to_latitude] = [to[0], to[1]].map(f64::to_radians);
    let half = |difference: f64| (difference / 2.0).sin().powi(2);
    let share = half(to_latitude - from_latitude)
        + from_latitude.cos() * to_latitude.cos() * half(to_longitude - from_longitude);
    let angle = 2.0 * share.sqrt().min(1.0).asin();
    match (from.get(2), to.get(2)) {
        (Some(from), Some(to)) => {
            let along = (EARTH_RADIUS + (from + to) / 2.0) * angle;
            (along * along + (from - to) * (from - to)).sqrt()
        }
        _ => EARTH_RADIUS * angle,
    }
}

fn is_in_box(system: &System, own: &Point, low: &Point, high: &Point) -> bool {
    let bounds = low.coordinates.iter().zip(&high.coordinates);
    own.coordinates.iter().zip(bounds).enumerate().all(|(number, (own, (low, high)))| {
        // A box on the earth may go over the longitude 180.
        if number == 0 && system.is_on_earth && high < low {
            low <= own || own <= high
        } else {
            low <= own && own <= high
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(pairs: &[(&str, Value)]) -> Result<Value> {
        let pairs = pairs.iter().map(|(key, value)| (Value::from(*key), value.clone())).collect();
        Function::PointOf.call(&[Value::map(pairs)])
    }

    fn flat(x: f64, y: f64) -> Value {
        made(&[("x", x.into()), ("y", y.into())]).expect("a point")
    }

    fn earth(longitude: f64, latitude: f64) -> Value {
        made(&[("longitude", longitude.into()), ("latitude", latitude.into())]).expect("a point")
    }

    fn of(point: &Value, name: &str) -> Result<Value> {
        Function::Component.call(&[point.clone(), name.into()])
    }

    #[test]
    fn the_coordinates_and_the_names_decide_the_system() {
        let (one, two) = (|| Value::I64(1), || Value::F64(2.0));
        for (pairs, srid) in [
            (vec![("x", one()), ("y", two())], 7203),
            (vec![("x", one()), ("y", two()), ("z", one())], 9157),
            (vec![("x", one()), ("y", two()), ("crs", "WGS-84".into())], 4326),
            (vec![("longitude", one()), ("latitude", two()), ("height", one())], 4979),
            (vec![("x", one()), ("y", two()), ("srid", Value::I64(4326))], 4326),
        ] {
            let point = made(&pairs).expect("a point");
            assert_eq!(of(&point, "srid"), Ok(Value::I64(srid)), "{pairs:?}");
            assert_eq!(of(&point, "x"), Ok(1.0.into()), "{pairs:?}");
        }
        assert_eq!(made(&[("x", one()), ("y", Value::Null)]), Ok(Value::Null));
        for wrong in [
            vec![("x", one())],
            vec![("x", one()), ("y", "2".into())],
            vec![("x", one()), ("y", two()), ("crs", "flat".into())],
            vec![("x", one()), ("y", two()), ("crs", "cartesian-3d".into())],
            vec![("longitude", one()), ("latitude", two()), ("crs", "cartesian".into())],
            vec![("longitude", one()), ("latitude", Value::I64(91))],
        ] {
            made(&wrong).expect_err("no point");
        }
        assert_eq!(of(&earth(190.0, 0.0), "longitude"), Ok((-170.0).into()));
    }

    #[test]
    fn a_point_has_the_components_of_its_system() {
        assert_eq!(of(&earth(1.0, 2.0), "latitude"), Ok(2.0.into()));
        assert_eq!(of(&earth(1.0, 2.0), "crs"), Ok("wgs-84".into()));
        of(&flat(1.0, 2.0), "latitude").expect_err("a flat point has none");
        of(&flat(1.0, 2.0), "z").expect_err("two coordinates");
        of(&flat(1.0, 2.0), "colour").expect_err("no point has one");
        let Value::Point(point) = flat(1.0, 2.5) else { panic!("no point") };
        assert_eq!(text_of(&point), "point({x: 1.0, y: 2.5, crs: 'cartesian'})");
    }

    #[test]
    fn distances_are_straight_or_along_the_earth() {
        let distance = |from: Value, to: Value| Function::Distance.call(&[from, to]);
        assert_eq!(distance(flat(0.0, 0.0), flat(3.0, 4.0)), Ok(5.0.into()));
        assert_eq!(distance(flat(0.0, 0.0), earth(3.0, 4.0)), Ok(Value::Null));
        assert_eq!(distance(Value::Null, flat(3.0, 4.0)), Ok(Value::Null));
        let Ok(Value::F64(quarter)) = distance(earth(0.0, 0.0), earth(90.0, 0.0)) else {
            panic!("no distance")
        };
        assert!((quarter - EARTH_RADIUS * std::f64::consts::FRAC_PI_2).abs() < 1e-6, "{quarter}");
        assert_eq!(distance(1.into(), flat(0.0, 0.0)), Ok(Value::Null));
    }

    #[test]
    fn a_box_on_the_earth_may_go_round() {
        let is_in = |own, low, high| Function::IsInBox.call(&[own, low, high]);
        let yes = Ok(Value::Bool(true));
        assert_eq!(is_in(flat(1.0, 1.0), flat(0.0, 0.0), flat(1.0, 2.0)), yes);
        assert_eq!(is_in(flat(1.0, 3.0), flat(0.0, 0.0), flat(1.0, 2.0)), Ok(false.into()));
        assert_eq!(is_in(earth(-179.0, 0.0), earth(170.0, -1.0), earth(-170.0, 1.0)), yes);
        assert_eq!(
            is_in(earth(0.0, 0.0), earth(170.0, -1.0), earth(-170.0, 1.0)),
            Ok(false.into())
        );
        assert_eq!(is_in(earth(0.0, 0.0), flat(0.0, 0.0), flat(1.0, 1.0)), Ok(Value::Null));
    }
}
