//! Points of the sphere as vectors of length 1, and their angles.

use millrace_model::geometry::Coordinates;

/// A vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vector(pub(super) [f64; 3]);

impl Vector {
    /// Where longitude 0 meets the equator, longitude 90, and the north pole are the axes.
    pub(super) fn of_position([longitude, latitude]: Coordinates) -> Vector {
        let (longitude, latitude) = (longitude.to_radians(), latitude.to_radians());
        let along = latitude.cos();
        Vector([longitude.cos() * along, longitude.sin() * along, latitude.sin()])
    }

    /// From -π/2 to π/2.
    pub(super) fn latitude(self) -> f64 {
        let [x, y, z] = self.0;
        z.atan2((x * x + y * y).sqrt())
    }

    /// Above -π, up to π.
    pub(super) fn longitude(self) -> f64 {
        let longitude = self.0[1].atan2(self.0[0]);
        if longitude == -std::f64::consts::PI { std::f64::consts::PI } else { longitude }
    }

    pub(super) fn plus(self, other: Vector) -> Vector {
        Vector([0, 1, 2].map(|axis| self.0[axis] + other.0[axis]))
    }

    pub(super) fn minus(self, other: Vector) -> Vector {
        Vector([0, 1, 2].map(|axis| self.0[axis] - other.0[axis]))
    }

    pub(super) fn times(self, factor: f64) -> Vector {
        Vector(self.0.map(|coordinate| coordinate * factor))
    }

    pub(super) fn dot(self, other: Vector) -> f64 {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    pub(super) fn cross(self, other: Vector) -> Vector {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The same direction with the length 1; of no direction itself.
    pub(super) fn normalized(self) -> Vector {
        let length = self.length();
        if length == 0.0 { self } else { self.times(1.0 / length) }
    }

    /// The angle between two.
    pub(super) fn angle(self, other: Vector) -> f64 {
        self.cross(other).length().atan2(self.dot(other))
    }

    /// A direction at a right angle, the same for the same point: around it, edges are in an order that begins there. It
    /// is seldom one that edges have.
    pub(super) fn reference(self) -> Vector {
        let [x, y, z] = self.0.map(f64::abs);
        let mut other = [0.012, 0.0053, 0.00457];
        let largest = if y < x && z < x {
            0
        } else if x <= y && z < y {
            1
        } else {
            2
        };
        other[(largest + 2) % 3] = 1.0;
        self.cross(Vector(other)).normalized()
    }
}
