//! The primitives themselves. Names only.

pub(crate) use std::sync::OnceLock;
pub(crate) use std::thread_local;

pub(crate) use parking_lot::{
    Condvar, Mutex, MutexGuard, RecursiveRwLock, RecursiveRwLockReadGuard,
    RecursiveRwLockWriteGuard,
};

/// As in the standard library.
pub(crate) mod atomic {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
}
