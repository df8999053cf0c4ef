//! Points as Neo4j's importer writes them: `{x: 1.5, y: 2}`, `{latitude: 55.6, longitude: 13}`,
//! with `z` or `height` for a third coordinate and `crs` or `srid` to name the system.

use crate::error::excerpt;
use millrace_model::Value;
use millrace_model::value::Point;
use std::sync::Arc;

const WGS_84: u32 = 4326;
const WGS_84_3D: u32 = 4979;
const CARTESIAN: u32 = 7203;
const CARTESIAN_3D: u32 = 9157;

/// A point with all coordinates of its system.
pub fn parse_point(text: &str) -> Result<Value, String> {
    parse_point_in(text, None)
}

/// The same, of a system where the text names none and its coordinates are not of another one.
pub fn parse_point_in(text: &str, usual: Option<u32>) -> Result<Value, String> {
    read(text, usual).map(|point| Value::Point(Arc::new(point))).ok_or_else(|| {
        format!(
            "expected a point, as {{x: 1, y: 2}} or {{latitude: 55.6, longitude: 13}}, found '{}'",
            excerpt(text)
        )
    })
}

/// The system of a name or number that is known.
pub fn coordinate_system(word: &str) -> Option<u32> {
    let known = [WGS_84, WGS_84_3D, CARTESIAN, CARTESIAN_3D];
    srid_of(word).or_else(|| word.parse().ok().filter(|srid| known.contains(srid)))
}

fn read(text: &str, usual: Option<u32>) -> Option<Point> {
    let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let (mut x, mut y, mut z, mut srid, mut on_earth) = (None, None, None, None, false);
    for part in inside.split(',') {
        let (key, value) = part.split_once(':')?;
        let value = value.trim().trim_matches(['\'', '"']);
        let key = key.trim().trim_matches(['\'', '"']).to_ascii_lowercase();
        if value == "null" && matches!(key.as_str(), "z" | "height") {
            // APOC writes a third coordinate that is not there.
            continue;
        }
        on_earth |= matches!(key.as_str(), "latitude" | "longitude" | "height");
        match key.as_str() {
            "x" | "longitude" => x = Some(value.parse().ok()?),
            "y" | "latitude" => y = Some(value.parse().ok()?),
            "z" | "height" => z = Some(value.parse().ok()?),
            "srid" => srid = Some(value.parse().ok()?),
            "crs" => srid = Some(srid_of(value)?),
            _ => return None,
        }
    }
    let (x, y): (f64, f64) = (x?, y?);
    let usual = usual.filter(|srid| !on_earth || matches!(*srid, WGS_84 | WGS_84_3D));
    let srid = srid.or(usual).unwrap_or(match (on_earth, z.is_some()) {
        (true, false) => WGS_84,
        (true, true) => WGS_84_3D,
        (false, false) => CARTESIAN,
        (false, true) => CARTESIAN_3D,
    });
    let coordinates = [x, y].into_iter().chain(z).collect();
    fits(srid, y, z).then_some(Point { srid, coordinates })
}

fn srid_of(name: &str) -> Option<u32> {
    match name.to_ascii_lowercase().as_str() {
        "wgs-84" => Some(WGS_84),
        "wgs-84-3d" => Some(WGS_84_3D),
        "cartesian" => Some(CARTESIAN),
        "cartesian-3d" => Some(CARTESIAN_3D),
        _ => None,
    }
}

fn fits(srid: u32, y: f64, z: Option<f64>) -> bool {
    let on_earth = (-90.0..=90.0).contains(&y);
    match srid {
        WGS_84 => z.is_none() && on_earth,
        WGS_84_3D => z.is_some() && on_earth,
        CARTESIAN => z.is_none(),
        CARTESIAN_3D => z.is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_follows_from_the_names_or_is_stated() {
        let read = |text: &str| read(text, None).map(|point| (point.srid, point.coordinates));
        assert_eq!(read("{x: 1, y: 2.5}"), Some((CARTESIAN, vec![1.0, 2.5])));
        assert_eq!(read("{latitude:2.5, longitude:1.0}"), Some((WGS_84, vec![1.0, 2.5])));
        assert_eq!(read("{x:1, y:2.5, z:3}"), Some((CARTESIAN_3D, vec![1.0, 2.5, 3.0])));
        assert_eq!(read("{x:1, y:2.5, crs:'WGS-84'}"), Some((WGS_84, vec![1.0, 2.5])));
        let apoc = "{\"crs\":\"wgs-84\",\"latitude\":2.5,\"longitude\":1.0,\"height\":null}";
        assert_eq!(read(apoc), Some((WGS_84, vec![1.0, 2.5])));
    }

    #[test]
    fn a_usual_system_is_that_of_points_without_one() {
        let read = |text: &str| read(text, Some(WGS_84)).map(|point| point.srid);
        assert_eq!(read("{x:1, y:2}"), Some(WGS_84));
        assert_eq!(read("{x:1, y:2, crs:cartesian}"), Some(CARTESIAN));
        assert_eq!(read("{x:1, y:2, z:3}"), None);
        assert_eq!(super::read("{latitude:1, longitude:2}", Some(CARTESIAN)).unwrap().srid, WGS_84);
        assert_eq!(coordinate_system("WGS-84-3D"), Some(WGS_84_3D));
        assert_eq!((coordinate_system("7203"), coordinate_system("1")), (Some(CARTESIAN), None));
    }

    #[test]
    fn a_point_off_its_system_is_refused() {
        for text in ["{x:1}", "{x:1,y:a}", "1 2", "{latitude:91, longitude:0}", "{x:1,y:2,srid:5}"]
        {
            assert!(parse_point(text).is_err(), "{text}");
        }
    }
}
