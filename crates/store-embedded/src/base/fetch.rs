//! Prefetching: values come into the cache while something else is done.
//!
//! On a processor without a safe prefetch call the value is read instead. Independent reads overlap
//! as well, but the caller waits for them.

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
