//! Hilbert's curve in two and three dimensions (J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings
//! 707, 2004).
//!
//! The algorithm works from the highest bit down, so the index of a cell of a coarse grid is the beginning of the index
//! of every cell within it; a test checks that, since coverings depend on it.

/// The index of a cell with `bits` bits for each coordinate, of 32 at most: its number along the curve.
pub(crate) fn curve_index<const N: usize>(mut axes: [u32; N], bits: u32) -> u128 {
    if bits == 0 {
        return 0;
    }
    let mut bit = 1u32 << (bits - 1);
    while 1 < bit {
        let below = bit - 1;
        for axis in 0..N {
            if axes[axis] & bit != 0 {
                axes[0] ^= below;
            } else {
                let swapped = (axes[0] ^ axes[axis]) & below;
                axes[0] ^= swapped;
                axes[axis] ^= swapped;
            }
        }
        bit >>= 1;
    }
    // Gray's code of the whole.
    for axis in 1..N {
        axes[axis] ^= axes[axis - 1];
    }
    let mut flipped = 0;
    let mut bit = 1u32 << (bits - 1);
    while 1 < bit {
        if axes[N - 1] & bit != 0 {
            flipped ^= bit - 1;
        }
        bit >>= 1;
    }
    let mut curve_index = 0;
    for bit in (0..bits).rev() {
        for axis in axes {
            curve_index = curve_index << 1 | u128::from((axis ^ flipped) >> bit & 1);
        }
    }
    curve_index
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    #[test]
    fn each_step_of_the_curve_goes_to_a_neighbour() {
        let mut cells: Vec<(u128, [u32; 2])> =
            (0..256).map(|n| [n % 16, n / 16]).map(|axes| (curve_index(axes, 4), axes)).collect();
        cells.sort_unstable();
        assert!(cells.iter().zip(0..).all(|((curve_index, _), number)| *curve_index == number));
        let steps = cells.windows(2).map(|pair| {
            let [from, to] = [pair[0].1, pair[1].1];
            from[0].abs_diff(to[0]) + from[1].abs_diff(to[1])
        });
        assert!(steps.into_iter().all(|step| step == 1));
        let mut cells: Vec<(u128, [u32; 3])> = (0..512)
            .map(|n| [n % 8, n / 8 % 8, n / 64])
            .map(|axes| (curve_index(axes, 3), axes))
            .collect();
        cells.sort_unstable();
        let steps = cells
            .windows(2)
            .map(|pair| (0..3).map(|axis| pair[0].1[axis].abs_diff(pair[1].1[axis])).sum::<u32>());
        assert!(steps.into_iter().all(|step| step == 1));
    }

    #[test]
    fn the_index_of_a_coarse_cell_begins_that_of_its_finer_cells() {
        run_seeds(500, |_, random| {
            let bits = 1 + random.below(32) as u32;
            let flat = [random.next_u64() as u32, random.next_u64() as u32];
            let coarse = flat.map(|axis| (u64::from(axis) >> (32 - bits)) as u32);
            assert_eq!(curve_index(coarse, bits), curve_index(flat, 32) >> (2 * (32 - bits)));
            let solid = [flat[0], flat[1], random.next_u64() as u32];
            let coarse = solid.map(|axis| (u64::from(axis) >> (32 - bits)) as u32);
            assert_eq!(curve_index(coarse, bits), curve_index(solid, 32) >> (3 * (32 - bits)));
        });
    }
}
