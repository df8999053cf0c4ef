//! How many there are of each, by scale: powers through the sizes of the benchmark's data at 0.1 and 1.

/// Vertices and edges that grow with the scale. All else follows from them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) people: u32,
    pub(super) knows: u32,
    pub(super) forums: u32,
    pub(super) members: u32,
    pub(super) posts: u32,
    pub(super) comments: u32,
    pub(super) likes: u32,
    /// Tags of a hundred posts, and of a hundred comments.
    pub(super) post_tags: u32,
    pub(super) comment_tags: u32,
}

impl Sizes {
    pub(super) fn of(scale: f64) -> Sizes {
        let power =
            |at_1: f64, exponent: f64| ((at_1 * scale.powf(exponent)).round() as u32).max(1);
        Sizes {
            people: power(11_000.0, 0.81),
            knows: power(208_000.0, 1.1),
            forums: power(100_000.0, 0.82),
            members: power(1_780_000.0, 1.11),
            posts: power(1_100_000.0, 0.87),
            comments: power(2_200_000.0, 1.12),
            likes: power(2_400_000.0, 1.3),
            post_tags: power(71.0, 0.28),
            comment_tags: power(131.0, 0.02),
        }
    }
}
