//! No point of an area is lost: coverings against exact distances and boxes.

use std::collections::BTreeSet;

use millrace_model::random::SplitMix64;
use millrace_model::value::Point;
use millrace_testkit::run_seeds;

use super::{Area, CellGrid, Dimensions, EARTH_RADIUS_METRES, PlaneExtent, Space};
use crate::limits::COVERING_RANGES_MAX;
use crate::question::KeyQuestion;

const EARTH: CellGrid = CellGrid { dimensions: Dimensions::Two, space: Space::Geographic };
const EARTH_3D: CellGrid = CellGrid { dimensions: Dimensions::Three, space: Space::Geographic };
const PLANE: CellGrid =
    CellGrid { dimensions: Dimensions::Two, space: Space::Cartesian(PlaneExtent::DEFAULT) };
const ROOM: CellGrid =
    CellGrid { dimensions: Dimensions::Three, space: Space::Cartesian(PlaneExtent::DEFAULT) };

fn point(grid: &CellGrid, coordinates: &[f64]) -> Point {
    Point { srid: grid.srid(), coordinates: coordinates.to_vec() }
}

fn is_candidate(grid: &CellGrid, question: &KeyQuestion, own: &Point) -> bool {
    let mut key = Vec::new();
    grid.key_of(own, &mut key) && question.is_satisfied_by(&BTreeSet::from([key]))
}

/// The distance of two points, as the function of queries computes it.
fn distance(grid: &CellGrid, from: &Point, to: &Point) -> f64 {
    let (from, to) = (&from.coordinates, &to.coordinates);
    if grid.space != Space::Geographic {
        return from.iter().zip(to).map(|(from, to)| (from - to) * (from - to)).sum::<f64>().sqrt();
    }
    let half = |difference: f64| (difference.to_radians() / 2.0).sin().powi(2);
    let share = half(to[1] - from[1])
        + from[1].to_radians().cos() * to[1].to_radians().cos() * half(to[0] - from[0]);
    let angle = 2.0 * share.sqrt().min(1.0).asin();
    match (from.get(2), to.get(2)) {
        (Some(from), Some(to)) => {
            let along = (EARTH_RADIUS_METRES + (from + to) / 2.0) * angle;
            (along * along + (from - to) * (from - to)).sqrt()
        }
        _ => EARTH_RADIUS_METRES * angle,
    }
}

/// Longitudes and latitudes with poles, the longitude 180 and what is close to them.
fn somewhere(random: &mut SplitMix64) -> [f64; 2] {
    let near = |random: &mut SplitMix64, at: f64| {
        at + (random.unit() - 0.5) * 10f64.powi(-(random.below(6) as i32))
    };
    let longitude = match random.below(4) {
        0 => near(random, *random.clone().pick(&[-180.0, 180.0, 0.0])),
        1 => *random.pick(&[-180.0, 180.0, 0.0, -90.0]),
        _ => random.unit() * 360.0 - 180.0,
    };
    let latitude = match random.below(4) {
        0 => near(random, *random.clone().pick(&[-90.0, 90.0, 0.0])),
        1 => *random.pick(&[-90.0, 90.0, 0.0]),
        _ => random.unit() * 180.0 - 90.0,
    };
    [(longitude + 540.0).rem_euclid(360.0) - 180.0, latitude.clamp(-90.0, 90.0)]
}

/// A point at about so many metres.
fn nearby(random: &mut SplitMix64, centre: &[f64; 2], metres: f64) -> [f64; 2] {
    let (bearing, angle) = (random.unit() * std::f64::consts::TAU, metres / EARTH_RADIUS_METRES);
    let own = centre[1].to_radians();
    let latitude =
        (own.sin() * angle.cos() + own.cos() * angle.sin() * bearing.cos()).clamp(-1.0, 1.0).asin();
    let across =
        (bearing.sin() * angle.sin() * own.cos()).atan2(angle.cos() - own.sin() * latitude.sin());
    let longitude = (centre[0] + across.to_degrees() + 540.0).rem_euclid(360.0) - 180.0;
    [longitude, latitude.to_degrees().clamp(-90.0, 90.0)]
}

#[test]
fn no_point_of_a_circle_on_the_earth_is_lost() {
    let (mut within, mut outside) = (0, 0);
    run_seeds(1_500, |_, random| {
        let centre = somewhere(random);
        let radius = random.unit() * 10f64.powi(random.below(9) as i32);
        let area = Area::within_distance(&EARTH, &point(&EARTH, &centre), radius);
        let question = EARTH.question_of(&area);
        assert!(question.condition_count() <= COVERING_RANGES_MAX + 2);
        for _ in 0..30 {
            let share = if random.one_in(3) { 1.0 } else { random.unit() * 1.5 };
            let other = if random.one_in(5) {
                somewhere(random)
            } else {
                nearby(random, &centre, radius * share)
            };
            let other = point(&EARTH, &other);
            let apart = distance(&EARTH, &point(&EARTH, &centre), &other);
            let is_found = is_candidate(&EARTH, &question, &other);
            assert!(is_found || radius < apart, "{centre:?} {radius} {other:?} {apart}");
            within += u32::from(apart <= radius);
            outside += u32::from(!is_found);
        }
    });
    assert!(5_000 < within && 1_000 < outside, "{within} {outside}");
}

#[test]
fn no_point_of_a_ball_above_the_earth_is_lost() {
    let (mut within, mut outside) = (0, 0);
    run_seeds(800, |_, random| {
        let [longitude, latitude] = somewhere(random);
        let height = (random.unit() - 0.5) * 10f64.powi(random.below(9) as i32);
        let radius = random.unit() * 10f64.powi(random.below(9) as i32);
        let centre = point(&EARTH_3D, &[longitude, latitude, height]);
        let question = EARTH_3D.question_of(&Area::within_distance(&EARTH_3D, &centre, radius));
        for _ in 0..30 {
            let share = random.unit();
            let [longitude, latitude] = nearby(random, &[longitude, latitude], radius * share);
            let height = height + (random.unit() * 2.2 - 1.1) * radius;
            let other = point(&EARTH_3D, &[longitude, latitude, height]);
            let apart = distance(&EARTH_3D, &centre, &other);
            let is_found = is_candidate(&EARTH_3D, &question, &other);
            assert!(is_found || radius < apart, "{centre:?} {radius} {other:?} {apart}");
            within += u32::from(apart <= radius);
            outside += u32::from(!is_found);
        }
    });
    assert!(500 < within && 100 < outside, "{within} {outside}");
}

#[test]
fn no_point_of_a_ball_in_a_plane_or_a_room_is_lost() {
    for grid in [PLANE, ROOM] {
        let (mut within, mut outside) = (0, 0);
        run_seeds(800, |_, random| {
            let count = grid.dimension_count();
            // Beyond the extent, too, and at its edges.
            let scale = 10f64.powi(random.below(10) as i32);
            let centre: Vec<f64> = (0..count).map(|_| (random.unit() - 0.5) * scale).collect();
            let radius = random.unit() * scale / 4.0;
            let own = point(&grid, &centre);
            let question = grid.question_of(&Area::within_distance(&grid, &own, radius));
            for _ in 0..30 {
                let other: Vec<f64> =
                    centre.iter().map(|at| at + (random.unit() * 5.0 - 2.5) * radius).collect();
                let other = point(&grid, &other);
                let apart = distance(&grid, &own, &other);
                let is_found = is_candidate(&grid, &question, &other);
                assert!(is_found || radius < apart, "{own:?} {radius} {other:?} {apart}");
                within += u32::from(apart <= radius);
                outside += u32::from(!is_found);
            }
        });
        assert!(500 < within && 100 < outside, "{within} {outside}");
    }
}

#[test]
fn no_point_of_a_box_is_lost() {
    for grid in [EARTH, EARTH_3D, PLANE, ROOM] {
        let (mut within, mut outside) = (0, 0);
        run_seeds(600, |_, random| {
            let mut corner = || {
                let mut coordinates = somewhere(random).to_vec();
                coordinates
                    .extend((2..grid.dimension_count()).map(|_| (random.unit() - 0.5) * 1e7));
                coordinates
            };
            let (low, mut high) = (corner(), corner());
            for axis in 1..high.len() {
                high[axis] = high[axis].max(low[axis]);
            }
            let question = grid.question_of(&Area::within_box(
                &grid,
                &point(&grid, &low),
                &point(&grid, &high),
            ));
            for number in 0..30 {
                let mut other = corner();
                if number < 4 {
                    other = if number % 2 == 0 { low.clone() } else { high.clone() };
                }
                let is_within = (0..other.len()).all(|axis| {
                    let (low, high) = (low[axis], high[axis]);
                    if axis == 0 && high < low && grid.space == Space::Geographic {
                        low <= other[axis] || other[axis] <= high
                    } else {
                        low <= other[axis] && other[axis] <= high
                    }
                });
                let is_found = is_candidate(&grid, &question, &point(&grid, &other));
                assert!(is_found || !is_within, "{low:?} {high:?} {other:?}");
                within += u32::from(is_within);
                outside += u32::from(!is_found);
            }
        });
        assert!(1_000 < within && 1_000 < outside, "{within} {outside}");
    }
}

#[test]
fn a_small_circle_excludes_most_of_its_surroundings() {
    let centre = [13.377, 52.518];
    let question =
        EARTH.question_of(&Area::within_distance(&EARTH, &point(&EARTH, &centre), 1_000.0));
    let mut random = SplitMix64::new(1);
    let mut candidates = 0;
    for _ in 0..2_000 {
        let at = centre.map(|own| own + (random.unit() - 0.5) * 0.2);
        candidates += u32::from(is_candidate(&EARTH, &question, &point(&EARTH, &at)));
    }
    // The square is 302 square kilometres and the circle 3.1: 1 of 96.
    assert!((10..40).contains(&candidates), "{candidates} of 2000");
}

#[test]
fn areas_without_points_find_only_irregular_ones() {
    let corner = |x, y| point(&EARTH, &[x, y]);
    let nothing = KeyQuestion::Key(super::IRREGULAR.to_vec());
    let areas = [
        Area::within_box(&EARTH, &corner(0.0, 10.0), &corner(1.0, 5.0)),
        Area::within_box(&EARTH, &point(&PLANE, &[0.0, 0.0]), &corner(1.0, 5.0)),
        Area::within_box(&EARTH, &corner(f64::NAN, 0.0), &corner(1.0, 5.0)),
        Area::within_distance(&EARTH, &corner(0.0, 0.0), -1.0),
        Area::within_distance(&EARTH, &point(&ROOM, &[0.0; 3]), 1.0),
    ];
    assert!(areas.iter().all(|area| EARTH.question_of(area) == nothing));
}

#[test]
fn odd_numbers_lose_no_point() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 0.0, -0.0, 1e-308, 91.0];
    run_seeds(500, |_, random| {
        for grid in [EARTH, EARTH_3D, PLANE, ROOM] {
            let mut some = || {
                let coordinates = (0..grid.dimension_count()).map(|_| *random.pick(&odd));
                point(&grid, &coordinates.collect::<Vec<_>>())
            };
            let (centre, other) = (some(), some());
            let radius = *random.pick(&odd);
            let question = grid.question_of(&Area::within_distance(&grid, &centre, radius));
            let is_within = distance(&grid, &centre, &other) <= radius;
            assert!(
                is_candidate(&grid, &question, &other) || !is_within,
                "{centre:?} {radius} {other:?}"
            );
        }
    });
}
