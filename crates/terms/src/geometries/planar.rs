//! A ring as straight lines on the map of longitude and latitude. Points on a line are in it.

use millrace_model::geometry::Coordinates;
use robust::{Coord, orient2d};

/// Whether a position is in a closed ring, or on it.
pub(super) fn is_in_ring(ring: &[Coordinates], at: Coordinates) -> bool {
    let mut is_inside = false;
    for pair in ring.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        if is_on(from, to, at) {
            return true;
        }
        // A ray to the east crosses the line if one end is above, and the other is not.
        let (low, high) = if from[1] < to[1] { (from, to) } else { (to, from) };
        if low[1] <= at[1] && at[1] < high[1] {
            is_inside ^= 0.0 < orientation_of(low, high, at);
        }
    }
    is_inside
}

fn is_on(from: Coordinates, to: Coordinates, at: Coordinates) -> bool {
    (0..2).all(|axis| {
        let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        (low..=high).contains(&at[axis])
    }) && orientation_of(from, to, at) == 0.0
}

/// Above 0 to the left of the line; exact in its sign.
fn orientation_of(from: Coordinates, to: Coordinates, at: Coordinates) -> f64 {
    let coord = |[x, y]: Coordinates| Coord { x, y };
    orient2d(coord(from), coord(to), coord(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_ring_are_in_it() {
        let ring = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0], [0.0, 0.0]];
        let reversed: Vec<Coordinates> = ring.iter().rev().copied().collect();
        for (at, is_in) in [
            ([1.0, 1.0], true),
            ([3.0, 1.0], true),
            ([2.0, 1.0], true),
            ([2.0, 0.0], true),
            ([0.0, 2.0], true),
            ([4.0, 4.0], true),
            ([3.0, 2.5], true),
            ([2.0, 1.5], false),
            ([2.0, 4.0], false),
            ([-1.0, 0.0], false),
            ([5.0, 0.0], false),
            ([-1.0, 4.0], false),
            ([1.0, 2.6], false),
        ] {
            assert_eq!(is_in_ring(&ring, at), is_in, "{at:?}");
            assert_eq!(is_in_ring(&reversed, at), is_in, "{at:?}");
        }
    }
}
