//! What is on its way to the cache while something else is done.
//!
//! What a reader would get wrong: where the processor has no such call that is safe, the value is
//! read instead. Reads that do not depend on each other overlap as well, but whoever asked waits.

/// Lets a value come into the cache, its first line if it has several.
#[inline(always)]
pub(crate) fn fetch<T: Copy>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(*value);
}

/// The same for where a vector's values are.
#[inline(always)]
pub(crate) fn fetch_place<T>(values: &Vec<T>) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(values);
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(values.len());
}
