//! The predicates by Dgraph's own examples, and the keys by the predicates.

use std::collections::BTreeSet;

use millrace_model::geometry::{Coordinates, Geometry, geojson};
use millrace_model::random::SplitMix64;
use millrace_testkit::run_seeds;

use super::*;
use crate::question::KeyQuestion;

fn geometry_of(text: &str) -> Geometry {
    geojson::parse_argument(text).expect(text)
}

fn accepts(test: GeometryTest, asked: &str, value: &str) -> bool {
    let metres = (test == GeometryTest::Near).then_some(1_000.0);
    let region = Region::new(test, &geometry_of(asked), metres).expect("a question");
    region.accepts(&geometry_of(value)).expect("no limit")
}

fn square(west: f64, south: f64, size: f64) -> String {
    let (east, north) = (west + size, south + size);
    format!(
        "[[[{west},{south}],[{east},{south}],[{east},{north}],[{west},{north}],[{west},{south}]]]"
    )
}

#[test]
fn predicates_mean_what_they_mean_in_dgraph() {
    use GeometryTest::{Contains, Intersects, Near, Within};
    let bay = "[[[-122,37],[-123,37],[-123,38],[-122,38],[-122,37]]]";
    let google = "[-122.082506,37.4249518]";
    for (test, asked, value, wanted) in [
        (Contains, google, google, false),
        (Contains, google, bay, true),
        (Contains, google, "[[[-122,36],[-123,36],[-123,37],[-122,37],[-122,36]]]", false),
        (Intersects, bay, google, true),
        (Intersects, bay, "[-123.082506,37.4249518]", false),
        (
            Intersects,
            bay,
            "[[[-122.1,37.1],[-122.9,37.1],[-122.9,37.9],[-122.1,37.9],[-122.1,37.1]]]",
            true,
        ),
        (Intersects, bay, "[[[-121,36],[-124,36],[-124,39],[-121,39],[-121,36]]]", true),
        (
            Intersects,
            bay,
            "[[[-121.5,36.5],[-122.5,36.5],[-122.5,37.5],[-121.5,37.5],[-121.5,36.5]]]",
            true,
        ),
        (Intersects, bay, "[[[-120,35],[-121,35],[-121,36],[-120,36],[-120,35]]]", false),
        (
            Intersects,
            "[[[-122.4989104270935,37.736953437345356],[-122.50504732131958,37.729096212099975],
               [-122.49515533447264,37.732049133202324],[-122.4989104270935,37.736953437345356]]]",
            "[[[-122.5033039,37.7334601],[-122.503128,37.7335189],[-122.5031222,37.7335205],
               [-122.5030813,37.7335868],[-122.5031511,37.73359],[-122.5031933,37.7335916],
               [-122.5032228,37.7336022],[-122.5032697,37.7335937],[-122.5033194,37.7335874],
               [-122.5033723,37.7335518],[-122.503369,37.7335068],[-122.5033462,37.7334474],
               [-122.5033039,37.7334601]]]",
            false,
        ),
        (Near, google, google, true),
        (Near, google, "[-122.080668,37.426753]", true),
        (Near, google, "[-123.082506,37.4249518]", false),
        (Near, google, bay, true),
        // An area does not lie inside itself, and touches itself.
        (Within, bay, bay, false),
        (Contains, bay, bay, false),
        (Intersects, bay, bay, true),
        (Within, bay, google, true),
    ] {
        assert_eq!(accepts(test, asked, value), wanted, "{test:?} {asked} {value}");
    }
}

#[test]
fn each_area_of_several_counts() {
    use GeometryTest::{Contains, Intersects, Within};
    let two = |first: &str, second: &str| format!("[{first},{second}]");
    let (large, far) = (square(0.0, 0.0, 10.0), square(50.0, 50.0, 5.0));
    let (inside, inside_far) = (square(2.0, 2.0, 1.0), square(51.0, 51.0, 1.0));
    for (test, asked, value, wanted) in [
        (Within, two(&large, &far), two(&inside, &inside_far), true),
        (Within, two(&large, &far), inside_far.clone(), true),
        (Within, large.clone(), two(&inside, &inside_far), false),
        (Contains, two(&inside, &inside_far), two(&large, &far), true),
        (Contains, two(&inside, &inside_far), large.clone(), false),
        (Contains, "[51,51]".into(), two(&large, &far), true),
        (Intersects, two(&square(20.0, 20.0, 1.0), &far), inside_far, true),
        (Intersects, two(&square(20.0, 20.0, 1.0), &far), inside.clone(), false),
    ] {
        assert_eq!(accepts(test, &asked, &value), wanted, "{test:?} {asked} {value}");
    }
    // A hole is filled, but for a point that is contained in the ring of the hole too.
    let holed = "[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]]";
    assert!(accepts(Intersects, &inside, holed));
    assert!(accepts(Contains, "[5,5]", holed));
}

#[test]
fn areas_over_the_antimeridian_and_around_a_pole_are_their_smaller_part() {
    use GeometryTest::{Near, Within};
    let fiji = "[[[177,-20],[-178,-20],[-178,-15],[177,-15],[177,-20]]]";
    let counted_on = "[[[177,-20],[182,-20],[182,-15],[177,-15],[177,-20]]]";
    let arctic = "[[[0,70],[90,70],[180,70],[-90,70],[0,70]]]";
    let reversed = "[[[0,70],[-90,70],[180,70],[90,70],[0,70]]]";
    for (asked, value, wanted) in [
        (fiji, "[179,-17]", true),
        (fiji, "[-179,-17]", true),
        (fiji, "[181,-17]", true),
        (fiji, "[0,-17]", false),
        (counted_on, "[-179,-17]", true),
        (counted_on, "[0,-17]", false),
        (arctic, "[17,89]", true),
        (arctic, "[17,90]", true),
        (arctic, "[17,60]", false),
        (reversed, "[17,89]", true),
        (reversed, "[17,-89]", false),
        (fiji, "[[[179,-18],[-179,-18],[-179,-17],[179,-18]]]", true),
    ] {
        assert_eq!(accepts(Within, asked, value), wanted, "{asked} {value}");
    }
    // A degree of latitude has 111,195 metres.
    let near = |metres: f64| {
        let region = Region::new(Near, &geometry_of("[179.99,0]"), Some(metres)).expect("a circle");
        region.accepts(&geometry_of("[-179.99,0]")).expect("no limit")
    };
    assert!(near(2_230.0) && !near(2_220.0));
}

#[test]
fn questions_by_the_wrong_geometry_or_distance_are_refused() {
    let refused = |test, asked: &str, metres| {
        Region::new(test, &geometry_of(asked), metres).expect_err(asked).detail
    };
    let area = square(0.0, 0.0, 1.0);
    assert_eq!(
        refused(GeometryTest::Near, &area, Some(1.0)),
        "near asks by a point, and not by a Polygon"
    );
    assert_eq!(
        refused(GeometryTest::Within, "[0,0]", None),
        "within asks by a polygon or a multipolygon, and not by a Point"
    );
    assert!(refused(GeometryTest::Intersects, "[0,0]", None).starts_with("intersects asks by"));
    for metres in [0.0, -1.0, f64::NAN] {
        assert!(refused(GeometryTest::Near, "[0,0]", Some(metres)).contains("is above 0"));
    }
    assert!(refused(GeometryTest::Near, "[0,0]", None).contains("a distance in metres"));
}

/// A star around a centre: small or large, anywhere, over the antimeridian and the poles too.
fn star(random: &mut SplitMix64, centre: Coordinates) -> Geometry {
    let size = 0.001 * 30_000f64.powf(random.unit());
    let corners = 3 + random.below(6) as usize;
    let mut ring: Vec<Coordinates> = (0..corners)
        .map(|corner| {
            let angle = std::f64::consts::TAU * corner as f64 / corners as f64;
            let reach = size * (0.3 + 0.7 * random.unit());
            let latitude = (centre[1] + reach * angle.sin()).clamp(-90.0, 90.0);
            [(centre[0] + reach * angle.cos()).clamp(-360.0, 360.0), latitude]
        })
        .collect();
    ring.push(ring[0]);
    Geometry::Polygon(vec![ring]).checked().expect("a ring")
}

fn geometry(random: &mut SplitMix64, centre: Coordinates) -> Geometry {
    match random.below(4) {
        0 => Geometry::Point(centre),
        1 => {
            let stars = [star(random, centre), star(random, [centre[1], centre[1] / 2.0])];
            Geometry::MultiPolygon(stars.iter().flat_map(|own| own.polygons().to_vec()).collect())
        }
        _ => star(random, centre),
    }
}

fn keys(value: &Geometry) -> BTreeSet<Vec<u8>> {
    let mut keys = BTreeSet::new();
    keys_of_geometry(value, &mut |key| {
        assert!(keys.insert(key.to_vec()), "a key comes once");
        Ok(())
    })
    .expect("no limit");
    keys
}

fn finds(question: &KeyQuestion, keys: &BTreeSet<Vec<u8>>) -> bool {
    match question {
        KeyQuestion::Key(key) => keys.contains(key),
        KeyQuestion::Any(parts) => parts.iter().any(|part| finds(part, keys)),
        other => panic!("not asked here: {other:?}"),
    }
}

#[test]
fn what_a_predicate_accepts_the_keys_find() {
    let (accepted, missed) = (std::cell::Cell::new([0u32; 4]), std::cell::Cell::new(0u32));
    run_seeds(1_500, |seed, random| {
        let centre = [
            [0.0, 180.0, -180.0, 179.9, 45.0, random.unit() * 700.0 - 350.0]
                [random.below(6) as usize],
            [0.0, 90.0, -90.0, 89.9, 45.0, random.unit() * 180.0 - 90.0][random.below(6) as usize],
        ];
        let beside = [
            centre[0] + 0.01 * random.below(3) as f64,
            (centre[1] + 0.01 * random.below(3) as f64).min(90.0),
        ];
        let value = geometry(random, beside);
        let keys = keys(&value);
        assert!((2..2_200).contains(&keys.len()), "{} keys", keys.len());
        let tests = [
            GeometryTest::Near,
            GeometryTest::Within,
            GeometryTest::Contains,
            GeometryTest::Intersects,
        ];
        for (place, test) in tests.into_iter().enumerate() {
            let asked = match test {
                GeometryTest::Near => Geometry::Point(centre),
                GeometryTest::Contains => geometry(random, centre),
                GeometryTest::Within | GeometryTest::Intersects => star(random, centre),
            };
            let metres = Some(10f64.powf(random.unit() * 7.0));
            let region = Region::new(test, &asked, metres).expect("a question");
            let found = finds(&question_of_geometries(&region).expect("no limit"), &keys);
            let is_accepted = region.accepts(&value).expect("no limit");
            assert!(found || !is_accepted, "seed {seed}: {test:?} {asked:?} of {value:?}");
            let mut counts = accepted.get();
            counts[place] += u32::from(is_accepted);
            accepted.set(counts);
            missed.set(missed.get() + u32::from(!found));
        }
    });
    assert!(accepted.get().iter().all(|count| 50 < *count), "{:?}", accepted.get());
    assert!(300 < missed.get(), "{} were excluded by their keys", missed.get());
}

#[test]
fn a_point_has_a_key_of_each_level_and_a_country_few() {
    let point = keys(&geometry_of("[-122.082506,37.4249518]"));
    assert_eq!(point.len(), 15);
    let country = keys(&geometry_of("[[[-5,42],[8,43],[7,49],[2,51],[-4,48],[-5,42]]]"));
    assert!((20..150).contains(&country.len()), "{}", country.len());
}

#[test]
fn what_lies_inside_is_what_lies_inside_on_a_map_of_little_areas() {
    run_seeds(300, |_, random| {
        let centre = [random.unit() * 300.0 - 150.0, random.unit() * 120.0 - 60.0];
        let Geometry::Polygon(mut rings) = star(random, centre) else { panic!("no polygon") };
        // On a hundred metres the sphere is flat.
        let flat =
            |at: Coordinates| [0, 1].map(|axis| centre[axis] + (at[axis] - centre[axis]) * 1e-4);
        rings[0].iter_mut().for_each(|at| *at = flat(*at));
        let area = Geometry::Polygon(rings.clone());
        let region = Region::new(GeometryTest::Within, &area, None).expect("a question");
        for _ in 0..50 {
            let size = 3e-3 * random.unit();
            let at = [
                centre[0] + size * (random.unit() - 0.5),
                centre[1] + size * (random.unit() - 0.5),
            ];
            let on_map = planar::is_in_ring(&rings[0], at);
            let inside = region.accepts(&Geometry::Point(at)).expect("no limit");
            if on_map != inside {
                // Only right at a line may they differ.
                let nearest =
                    rings[0].windows(2).map(|line| distance(line, at)).fold(f64::MAX, f64::min);
                assert!(nearest < 1e-7, "{at:?} in {rings:?}");
            }
        }
    });
}

/// From a line to a position, in degrees of the map.
fn distance(line: &[Coordinates], at: Coordinates) -> f64 {
    let way = [line[1][0] - line[0][0], line[1][1] - line[0][1]];
    let from = [at[0] - line[0][0], at[1] - line[0][1]];
    let length = way[0] * way[0] + way[1] * way[1];
    let share = ((from[0] * way[0] + from[1] * way[1]) / length).clamp(0.0, 1.0);
    (from[0] - share * way[0]).hypot(from[1] - share * way[1])
}
