//! Vectors in one array, and those of the greatest products with another.

use super::split;

/// Numbers that are added side by side.
const LANES: usize = 16;

/// Vectors of one length, one after the other.
#[derive(Debug)]
pub struct VectorArray {
    dimensions: usize,
    numbers: Vec<f32>,
}

impl VectorArray {
    /// Those of an array, each made one of length 1.
    pub fn new(dimensions: usize, mut numbers: Vec<f32>) -> VectorArray {
        for vector in numbers.chunks_exact_mut(dimensions) {
            normalize(vector);
        }
        VectorArray { dimensions, numbers }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.dimensions
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// One of them.
    pub fn vector(&self, number: usize) -> &[f32] {
        &self.numbers[number * self.dimensions..][..self.dimensions]
    }

    /// The numbers of so many with the greatest cosines, greatest first.
    pub fn nearest(&self, query: &[f32], count: usize, threads: usize) -> Vec<u32> {
        let mut query = query.to_vec();
        normalize(&mut query);
        let parts = split(self.len(), threads, |range| {
            let mut best: Vec<(f32, u32)> = Vec::with_capacity(count + 1);
            for number in range {
                let near = product(self.vector(number), &query);
                if best.len() < count || best.last().is_some_and(|(farthest, _)| *farthest < near) {
                    let at = best.partition_point(|(other, _)| near <= *other);
                    best.insert(at, (near, number as u32));
                    best.truncate(count);
                }
            }
            best
        });
        let mut best = parts.concat();
        best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        best.truncate(count);
        best.into_iter().map(|(_, number)| number).collect()
    }
}

fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|own| f64::from(*own) * f64::from(*own)).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|own| *own = (f64::from(*own) / length) as f32);
}

fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (pieces, rest) = one.as_chunks::<LANES>();
    let (others, other_rest) = other.as_chunks::<LANES>();
    for (piece, other) in pieces.iter().zip(others) {
        for lane in 0..LANES {
            sums[lane] += piece[lane] * other[lane];
        }
    }
    let rest: f32 = rest.iter().zip(other_rest).map(|(one, other)| one * other).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_those_of_the_least_angles_whatever_the_threads() {
        let angles = [0.1_f32, 1.2, 0.4, -0.2, 3.0, 0.3, -2.0];
        let numbers: Vec<f32> = angles
            .iter()
            .enumerate()
            .flat_map(|(own, angle)| {
                let length = 1.0 + own as f32;
                [length * angle.cos(), length * angle.sin()]
            })
            .collect();
        let array = VectorArray::new(2, numbers);
        for threads in [1, 2, 3] {
            assert_eq!(array.nearest(&[2.0, 0.0], 4, threads), [0, 3, 5, 2]);
        }
        assert_eq!(array.nearest(&[2.0, 0.0], 40, 2).len(), 7);
    }
}
