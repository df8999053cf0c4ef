//! The bytes of a geometry; their form is with those of all values.

use millrace_model::geometry::{Coordinates, Geometry, POINTS_MAX, Polygon, Ring};

use super::put_u64;
use super::reader::{Reader, Result as Decoded};

/// Bytes of a position.
const POSITION_BYTES: usize = 16;
/// Bytes of a ring: its count, and four positions.
const RING_BYTES_MIN: usize = 8 + 4 * POSITION_BYTES;
/// Bytes of a polygon: its count, and a ring.
const POLYGON_BYTES_MIN: usize = 8 + RING_BYTES_MIN;

pub(super) fn put_geometry(bytes: &mut Vec<u8>, geometry: &Geometry) {
    bytes.push(geometry.type_number());
    match geometry {
        Geometry::Point(position) => put_position(bytes, position),
        Geometry::Polygon(rings) => put_polygon(bytes, rings),
        Geometry::MultiPolygon(polygons) => {
            put_u64(bytes, polygons.len() as u64);
            polygons.iter().for_each(|rings| put_polygon(bytes, rings));
        }
    }
}

fn put_polygon(bytes: &mut Vec<u8>, rings: &[Ring]) {
    put_u64(bytes, rings.len() as u64);
    for ring in rings {
        put_u64(bytes, ring.len() as u64);
        ring.iter().for_each(|position| put_position(bytes, position));
    }
}

fn put_position(bytes: &mut Vec<u8>, position: &Coordinates) {
    position.iter().for_each(|coordinate| bytes.extend_from_slice(&coordinate.to_le_bytes()));
}

/// A geometry that is not well formed is damage.
pub(super) fn take_geometry(reader: &mut Reader<'_>) -> Decoded<Geometry> {
    let mut left = POINTS_MAX;
    let taken = match reader.u8()? {
        0 => Geometry::Point(take_position(reader)?),
        1 => Geometry::Polygon(take_polygon(reader, &mut left)?),
        2 => {
            let count = reader.count(POLYGON_BYTES_MIN)?;
            let polygons = (0..count).map(|_| take_polygon(reader, &mut left));
            Geometry::MultiPolygon(polygons.collect::<Decoded<_>>()?)
        }
        _ => return Err(reader.malformed("a geometry has an unknown type")),
    };
    taken.checked().map_err(|_| reader.malformed("a geometry is damaged"))
}

fn take_polygon(reader: &mut Reader<'_>, left: &mut usize) -> Decoded<Polygon> {
    let count = reader.count(RING_BYTES_MIN)?;
    let rings = (0..count).map(|_| {
        let count = reader.count(POSITION_BYTES)?;
        *left =
            left.checked_sub(count).ok_or_else(|| reader.malformed("a geometry is too large"))?;
        (0..count).map(|_| take_position(reader)).collect()
    });
    rings.collect()
}

fn take_position(reader: &mut Reader<'_>) -> Decoded<Coordinates> {
    Ok([reader.f64()?, reader.f64()?])
}
