//! Geometries as GeoJSON (RFC 7946), read and written in this one place.
//!
//! ```text
//!   {"type":"Point","coordinates":[1.1,2]}      numbers in the shortest form that reads back, as Dgraph prints them
//!   {'type': 'Point', 'coordinates': [1.1, 2]}  the same, inside a literal of N-Quads
//!   [[[0,0],[1,0],[1,1],[0,0]]]                 coordinates alone, as arguments of functions
//! ```

use std::fmt::Write;

use super::checked::{Coordinates, Geometry, GeometryFault, POINTS_MAX, Polygon, Ring};
use super::scanner::Scanner;

/// Types of GeoJSON that are supported, with the levels of their coordinates.
const TYPES: [(&str, usize); 3] = [("Point", 1), ("Polygon", 3), ("MultiPolygon", 4)];

/// The geometry of an object of GeoJSON. Members besides `type` and `coordinates` say nothing here.
pub fn parse(text: &str) -> Result<Geometry, GeometryFault> {
    let mut scanner = Scanner::new(text);
    scanner.require(b'{', "an object, as {\"type\":\"Point\",\"coordinates\":[1,2]},")?;
    let (mut name, mut coordinates) = (None, None);
    if !scanner.take(b'}') {
        loop {
            let member = scanner.quoted()?;
            scanner.require(b':', "':'")?;
            match member {
                "type" if name.is_none() => name = Some(kind_of(scanner.quoted()?)?),
                "coordinates" if coordinates.is_none() => {
                    coordinates = Some(read_coordinates(&mut scanner)?);
                }
                "type" | "coordinates" => {
                    return scanner.expected("each member once, and not again");
                }
                _ => scanner.skip()?,
            }
            if scanner.take(b'}') {
                break;
            }
            scanner.require(b',', "',' or '}'")?;
        }
    }
    scanner.end()?;
    let Some((name, levels)) = name else { return scanner.expected("a member \"type\"") };
    let Some(read) = coordinates else { return scanner.expected("a member \"coordinates\"") };
    match read {
        Some(geometry) if geometry.type_name() == name => geometry.checked(),
        _ => Err(GeometryFault::Nesting { name, levels }),
    }
}

/// The geometry of coordinates alone, whose type is known by their nesting; or of an object of GeoJSON.
pub fn parse_argument(text: &str) -> Result<Geometry, GeometryFault> {
    let mut scanner = Scanner::new(text);
    if scanner.peek() == Some(b'{') {
        return parse(text);
    }
    let read = read_coordinates(&mut scanner)?;
    scanner.end()?;
    match read {
        Some(geometry) => geometry.checked(),
        None => {
            Scanner::new(text).expected("the coordinates of a point, a polygon or a multipolygon")
        }
    }
}

fn kind_of(name: &str) -> Result<(&'static str, usize), GeometryFault> {
    let found = TYPES.into_iter().find(|(own, _)| *own == name);
    found.ok_or_else(|| GeometryFault::Type(name.chars().take(80).collect()))
}

/// By their nesting; none where no type that is supported has so many levels.
fn read_coordinates(scanner: &mut Scanner<'_>) -> Result<Option<Geometry>, GeometryFault> {
    let mut left = POINTS_MAX;
    Ok(Some(match scanner.depth() {
        0 => return scanner.expected("an array of coordinates"),
        1 => Geometry::Point(scanner.position()?),
        3 => Geometry::Polygon(polygon(scanner, &mut left)?),
        4 => Geometry::MultiPolygon(list(scanner, |scanner| polygon(scanner, &mut left))?),
        _ => {
            scanner.skip()?;
            return Ok(None);
        }
    }))
}

fn polygon(scanner: &mut Scanner<'_>, left: &mut usize) -> Result<Polygon, GeometryFault> {
    list(scanner, |scanner| ring(scanner, left))
}

fn ring(scanner: &mut Scanner<'_>, left: &mut usize) -> Result<Ring, GeometryFault> {
    list(scanner, |scanner| {
        *left = left.checked_sub(1).ok_or(GeometryFault::TooManyPoints)?;
        scanner.position()
    })
}

fn list<T>(
    scanner: &mut Scanner<'_>,
    mut read: impl FnMut(&mut Scanner<'_>) -> Result<T, GeometryFault>,
) -> Result<Vec<T>, GeometryFault> {
    let mut entries = Vec::new();
    scanner.array(|scanner| {
        if POINTS_MAX <= entries.len() {
            return Err(GeometryFault::TooManyPoints);
        }
        entries.push(read(scanner)?);
        Ok(())
    })?;
    entries.shrink_to_fit();
    Ok(entries)
}

/// A geometry as an object of GeoJSON, without white space.
pub fn text(geometry: &Geometry) -> String {
    let mut out = String::with_capacity(48 + 40 * geometry.point_count());
    write(&mut out, geometry);
    out
}

/// Appends the same.
pub fn write(out: &mut String, geometry: &Geometry) {
    out.push_str("{\"type\":\"");
    out.push_str(geometry.type_name());
    out.push_str("\",\"coordinates\":");
    match geometry {
        Geometry::Point(position) => write_position(out, position),
        Geometry::Polygon(rings) => write_polygon(out, rings),
        Geometry::MultiPolygon(polygons) => write_list(out, polygons, |out, polygon| {
            write_polygon(out, polygon);
        }),
    }
    out.push('}');
}

fn write_polygon(out: &mut String, rings: &[Ring]) {
    write_list(out, rings, |out, ring| write_list(out, ring, write_position));
}

fn write_position(out: &mut String, position: &Coordinates) {
    write_list(out, position, |out, coordinate| write_number(out, *coordinate));
}

fn write_list<T>(out: &mut String, entries: &[T], write: impl Fn(&mut String, &T)) {
    out.push('[');
    for (place, entry) in entries.iter().enumerate() {
        if 0 < place {
            out.push(',');
        }
        write(out, entry);
    }
    out.push(']');
}

/// As Go's encoder of JSON writes doubles, of which no coordinate is large.
fn write_number(out: &mut String, number: f64) {
    let is_small = number != 0.0 && number.abs() < 1e-6;
    let written = if is_small { write!(out, "{number:e}") } else { write!(out, "{number}") };
    debug_assert!(written.is_ok(), "a text takes all that is written");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(text: &str) -> String {
        parse(text).expect_err(text).to_string()
    }

    #[test]
    fn texts_are_read_and_written_as_dgraph_does() {
        for (written, plain) in [
            (
                "{'type':'Point', 'coordinates':[1.10001, 2.000001]}",
                r#"{"type":"Point","coordinates":[1.10001,2.000001]}"#,
            ),
            (r#" { "coordinates" : [ 1.10 , 2 ] , "type" : "Point" } "#, r#"{"type":"Point","coordinates":[1.1,2]}"#),
            (
                "{'type':'Point','coordinates':[-0,1e-7]}",
                r#"{"type":"Point","coordinates":[-0,1e-7]}"#,
            ),
            (
                "{'type':'Point','coordinates':[1e2,0.000001]}",
                r#"{"type":"Point","coordinates":[100,0.000001]}"#,
            ),
            (
                "{'type':'Polygon', 'coordinates': [[[0, 0],[2, 0],[2, 2],[0, 2],[0, 0]]]}",
                r#"{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}"#,
            ),
            (
                "{'type':'MultiPolygon','coordinates':[[[[0,0],[2,0],[2,2],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]],
                  'bbox':[0,{'a b':[null,true,-1.5e3]},'x,}'],\"crs\":null}",
                r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#,
            ),
        ] {
            let geometry = parse(written).expect(written);
            assert_eq!(text(&geometry), plain);
            assert_eq!(parse(plain), Ok(geometry));
        }
    }

    #[test]
    fn coordinates_alone_have_the_type_of_their_nesting() {
        let of = |text: &str| parse_argument(text).map(|geometry| geometry.type_name());
        assert_eq!(of("[1.0, 2.0]"), Ok("Point"));
        assert_eq!(of("[[[0,0],[1,0],[1,1],[0,0]]]"), Ok("Polygon"));
        assert_eq!(of(" [ [ [ [0,0],[1,0],[1,1],[0,0] ] ] ] "), Ok("MultiPolygon"));
        assert_eq!(of("{'type':'Point','coordinates':[1,2]}"), Ok("Point"));
        for wrong in ["", "1,2", "[[0,0],[1,0]]", "[[[[[0,0]]]]]", "[1,2] x", "[1,2"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_geometry_is_refused_by_what_is_wrong_with_it() {
        for (text, fault) in [
            (
                "{'type':'LineString','coordinates':[[0,0],[1,1]]}",
                "type 'LineString' is not supported",
            ),
            (
                "{'coordinates':[[0,0],[1,1]],'type':'MultiPoint'}",
                "type 'MultiPoint' is not supported",
            ),
            (
                "{'type':'GeometryCollection','geometries':[]}",
                "'GeometryCollection' is not supported",
            ),
            (
                "{'type':'Point','coordinates':[[[0,0],[1,1],[1,0],[0,0]]]}",
                "1 levels of arrays, as a Point",
            ),
            (
                "{'type':'Polygon','coordinates':[[0,0],[1,1],[1,0],[0,0]]}",
                "3 levels of arrays, as a Polygon",
            ),
            (
                "{'type':'Polygon','coordinates':[[[0,0],[1,1],[1,0],[2,2]]]}",
                "ends where it begins",
            ),
            ("{'type':'Polygon','coordinates':[[[0,0],[1,1],[0,0]]]}", "this one has 3"),
            (
                "{'type':'Polygon','coordinates':[[[0,0],[1,1],3,[0,0]]]}",
                "expected an array at byte 46",
            ),
            (
                "{'type':'Point','coordinates':[0,91]}",
                "a latitude is from -90 to 90 degrees, and 91",
            ),
            ("{'type':'Point','coordinates':[0,1,2]}", "this one has 3 numbers"),
            ("{'type':'Point','coordinates':[]}", "this one has 0 numbers"),
            ("{'type':'Point','coordinates':[NaN,0]}", "expected a number"),
            ("{'type':'Point','coordinates':[1e999,0]}", "a longitude"),
            ("{'type':'Point','coordinates':[1-2,0]}", "expected a number"),
            ("{'type':'Point','coordinates':[0,0]", "expected ',' or '}'"),
            ("{'type':'Point','coordinates':[0,0]} x", "expected the end"),
            ("{'type':'Point'}", "a member \"coordinates\""),
            ("{'coordinates':[0,0]}", "a member \"type\""),
            ("{'type':'Point','type':'Point','coordinates':[0,0]}", "each member once"),
            ("{'type':'Point", "a closing quote"),
            ("{}", "a member \"type\""),
            ("{'a':}", "expected a value"),
            ("Point", "an object"),
            ("", "an object"),
        ] {
            let refused = refuse(text);
            assert!(refused.contains(fault), "{text}: {refused}");
        }
    }

    #[test]
    fn a_text_of_any_length_and_depth_is_refused_early() {
        let ring = "[[0,0],[1,0],[1,1],[0,0]]";
        let rings = vec![ring; 40_000].join(",");
        let refused = refuse(&format!("{{'type':'Polygon','coordinates':[{rings}]}}"));
        assert!(refused.contains("65536 positions at most"), "{refused}");
        let empty = vec!["[]"; 400_000].join(",");
        let refused = refuse(&format!("{{'type':'Polygon','coordinates':[[[0,0]],{empty}]}}"));
        assert!(refused.contains("65536 positions at most"), "{refused}");
        for deep in ["[".repeat(1 << 20), "{'a':".repeat(1 << 18)] {
            assert!(refuse(&format!("{{'a':{deep}")).contains("expected a value"));
            assert!(parse_argument(&deep).is_err());
        }
    }
}
