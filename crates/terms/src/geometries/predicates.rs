//! Which way three points of the sphere turn, and whether two edges cross.
//!
//! A turn is never unknown but of two equal points, and all turns agree with each other, so that counting crossings answers
//! whether a point is inside.

use std::cmp::Ordering;

use robust::{Coord, Coord3D, orient2d, orient3d};

use super::vector::Vector;

/// How two edges lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    No,
    Inside,
    /// They share an end.
    AtVertex,
}

/// 1 where the points turn left, seen from outside, -1 where they turn right, 0 where two of them are equal.
pub(super) fn orientation(a: Vector, b: Vector, c: Vector) -> i8 {
    // Twice what the rounding of three vectors of length 1 can be.
    const ROUNDING: f64 = 4e-16 * 2.0;
    let quick = a.cross(b).dot(c);
    if ROUNDING < quick.abs() {
        return sign(quick);
    }
    if a == b || b == c || c == a {
        return 0;
    }
    match sign(determinant(a, b, c)) {
        0 => orientation_of_shifted(a, b, c),
        exact => exact,
    }
}

/// Exact in its sign.
fn determinant(a: Vector, b: Vector, c: Vector) -> f64 {
    let coord = |Vector([x, y, z]): Vector| Coord3D { x, y, z };
    orient3d(coord(a), coord(b), coord(c), Coord3D { x: 0.0, y: 0.0, z: 0.0 })
}

/// Exact in its sign.
fn minor(first: [f64; 2], second: [f64; 2]) -> f64 {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    orient2d(coord(first), coord(second), Coord { x: 0.0, y: 0.0 })
}

fn sign(number: f64) -> i8 {
    match number.partial_cmp(&0.0) {
        Some(Ordering::Greater) => 1,
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) | None => 0,
    }
}

/// The turn of three points on one great circle after each coordinate was shifted by an amount of its own: the shifts of
/// lesser points (in the order of coordinates) are larger, those of z larger than those of y, and each is infinitely
/// larger than the product of all smaller ones.
fn orientation_of_shifted(a: Vector, b: Vector, c: Vector) -> i8 {
    let mut rows = [a, b, c];
    let mut flips = 1;
    for (low, high) in [(0, 1), (1, 2), (0, 1)] {
        if lexicographic(rows[low], rows[high]).is_gt() {
            rows.swap(low, high);
            flips = -flips;
        }
    }
    let rows = rows.map(|row| row.0);
    // The determinant is a sum over sets of shifts, here from the largest product to the smallest: bit 0 is the shift of
    // the first row's z, bit 1 of its y, and bit 8 of the last row's x.
    let factors = (1u32..1 << 9).filter_map(|shifts| factor_of(&rows, shifts));
    flips * factors.map(sign).find(|sign| *sign != 0).unwrap_or(1)
}

fn lexicographic(left: Vector, right: Vector) -> Ordering {
    let pairs = left.0.iter().zip(&right.0);
    let mut orders = pairs.filter_map(|(left, right)| left.partial_cmp(right));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// What a product of shifts is multiplied by in the determinant; none where two are of one row or of one column.
fn factor_of(rows: &[[f64; 3]; 3], shifts: u32) -> Option<f64> {
    let mut column_of = [None; 3];
    let mut is_taken = [false; 3];
    for bit in (0..9).filter(|bit| shifts >> bit & 1 == 1) {
        let (row, column) = (bit / 3, 2 - bit % 3);
        if column_of[row].is_some() || is_taken[column] {
            return None;
        }
        column_of[row] = Some(column);
        is_taken[column] = true;
    }
    let free_rows: Vec<usize> = (0..3).filter(|row| column_of[*row].is_none()).collect();
    let free_columns: Vec<usize> = (0..3).filter(|column| !is_taken[*column]).collect();
    free_rows.iter().zip(&free_columns).for_each(|(row, column)| column_of[*row] = Some(*column));
    let columns = column_of.map(Option::unwrap_or_default);
    let inversions = [(0, 1), (0, 2), (1, 2)].into_iter();
    let is_odd = inversions.filter(|(low, high)| columns[*high] < columns[*low]).count() % 2 == 1;
    let left = match (&free_rows[..], &free_columns[..]) {
        ([], []) => 1.0,
        ([row], [column]) => rows[*row][*column],
        ([first, second], [low, high]) => minor(
            [rows[*first][*low], rows[*first][*high]],
            [rows[*second][*low], rows[*second][*high]],
        ),
        _ => return None,
    };
    Some(if is_odd { -left } else { left })
}

/// Whether the edges from `o` to `a`, `b` and `c` come in this order, counterclockwise. Equal ones come together.
pub(super) fn are_in_order(a: Vector, b: Vector, c: Vector, o: Vector) -> bool {
    let turns = [orientation(b, o, a) != -1, orientation(c, o, b) != -1, orientation(a, o, c) == 1];
    2 <= turns.into_iter().filter(|own| *own).count()
}

/// How the edge from `a` to `b` lies to the one from `c` to `d`.
pub(super) fn crossing(a: Vector, b: Vector, c: Vector, d: Vector) -> Crossing {
    let side = -orientation(a, b, c);
    let other = orientation(a, b, d);
    if side == -other && other != 0 {
        return Crossing::No;
    }
    if a == c || a == d || b == c || b == d {
        return Crossing::AtVertex;
    }
    if a == b || c == d {
        return Crossing::No;
    }
    let is_inside = other == side && -orientation(c, d, b) == side && orientation(c, d, a) == side;
    if is_inside { Crossing::Inside } else { Crossing::No }
}

/// Whether edges that share an end count as crossing there: as if the shared end was in the part of the plane that the
/// reference direction is in.
fn crosses_at_vertex(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    if a == b || c == d {
        false
    } else if a == c {
        b == d || are_in_order(a.reference(), d, b, a)
    } else if b == d {
        are_in_order(b.reference(), c, a, b)
    } else if a == d {
        b == c || are_in_order(a.reference(), c, b, a)
    } else if b == c {
        are_in_order(b.reference(), d, a, b)
    } else {
        false
    }
}

/// Whether one edge crosses the other, inside or at a shared end.
pub(super) fn crosses(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    match crossing(a, b, c, d) {
        Crossing::No => false,
        Crossing::Inside => true,
        Crossing::AtVertex => crosses_at_vertex(a, b, c, d),
    }
}

/// Whether the vertex `b` counts as inside a boundary that goes over `a`, `b` and `c`.
pub(super) fn contains_vertex(a: Vector, b: Vector, c: Vector) -> bool {
    !are_in_order(b.reference(), c, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    /// Points that are often on one great circle, or equal.
    fn points(random: &mut millrace_model::random::SplitMix64) -> [Vector; 4] {
        let mut point = || {
            let steps = [0, 1].map(|_| random.below(7) as f64 * 30.0 - 90.0);
            Vector::of_position([2.0 * steps[0], steps[1]])
        };
        [point(), point(), point(), point()]
    }

    #[test]
    fn orientations_agree_with_each_other_on_one_great_circle_too() {
        run_seeds(3_000, |_, random| {
            let [a, b, c, _] = points(random);
            let turned = orientation(a, b, c);
            assert_eq!(turned, orientation(b, c, a));
            assert_eq!(turned, -orientation(c, b, a));
            assert_eq!(turned == 0, a == b || b == c || c == a);
        });
        let on_equator = [0.0, 10.0, 20.0].map(|longitude| Vector::of_position([longitude, 0.0]));
        let [a, b, c] = on_equator;
        assert_eq!(determinant(a, b, c), 0.0);
        assert_ne!(orientation(a, b, c), 0);
    }

    #[test]
    fn crossings_do_not_depend_on_the_order_of_edges_and_ends() {
        run_seeds(3_000, |_, random| {
            let [a, b, c, d] = points(random);
            let own = crossing(a, b, c, d);
            assert_eq!(own, crossing(b, a, c, d));
            if a != b && c != d {
                assert_eq!(own, crossing(c, d, a, b));
            }
            let at_vertex = |a, b, c, d| {
                (crossing(a, b, c, d) == Crossing::AtVertex).then(|| crosses(a, b, c, d))
            };
            assert_eq!(at_vertex(a, b, c, d), at_vertex(b, a, d, c));
            let shared = [a == c, a == d, b == c, b == d].into_iter().filter(|is| *is).count();
            if shared == 1 && a != b && c != d {
                let of_first = at_vertex(a, b, c, d).map(|is| !is);
                assert!(of_first.is_none() || of_first == at_vertex(c, d, a, b));
            }
        });
    }

    #[test]
    fn a_vertex_is_in_exactly_one_of_the_wedges_around_it() {
        run_seeds(500, |_, random| {
            let count = 3 + random.below(5) as usize;
            let centre = Vector::of_position([random.unit() * 360.0, random.unit() * 178.0 - 89.0]);
            let east = centre.reference();
            let north = centre.cross(east);
            let spoke = |place: usize| {
                let angle = std::f64::consts::TAU * place as f64 / count as f64;
                let aside = east.times(angle.cos()).plus(north.times(angle.sin()));
                centre.plus(aside.times(0.01)).normalized()
            };
            let wedges = (0..count)
                .filter(|place| contains_vertex(spoke((place + 1) % count), centre, spoke(*place)));
            assert_eq!(wedges.count(), 1);
        });
    }
}
