//! GeoJSON: any text is a geometry or a fault; a geometry that is written is read the same, and has points.

use millrace_model::geometry::geojson::{parse, parse_argument, text};

/// One of each kind, and what a function takes.
const SEEDS: &[&str] = &[
    "{'type':'Point','coordinates':[13.4,52.5]}",
    r#"{"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,52]],[[13.2,52.2],[13.4,52.2],[13.4,52.4],[13.2,52.2]]]}"#,
    r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,0]]],[[[-179.5,89.9],[179.5,89.9],[0,85],[-179.5,89.9]]]]}"#,
    r#"{"type":"Point","coordinates":[1e-7,-0.0,7]}"#,
    "[13.4, 52.5]",
    "[[[0, 0], [2, 0], [2, 2], [0, 0]]]",
];

/// The texts, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads the bytes as a text.
pub fn run(bytes: &[u8]) {
    let own = String::from_utf8_lossy(bytes);
    for read in [parse, parse_argument] {
        let Ok(geometry) = read(&own) else { continue };
        let written = text(&geometry);
        let again = parse(&written).unwrap_or_else(|fault| panic!("{fault:?}: {written} of {own}"));
        assert_eq!(text(&again), written, "{own}");
        assert!(0 < geometry.point_count(), "{own}");
    }
}
