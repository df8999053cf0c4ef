//! The primitives as the checker `loom` has them, with the faces of the plain ones, and the mutants
//! that a model must find.
//!
//! A wait with a deadline never times out here, so nothing passes because a timeout saved it. The
//! checker sees these primitives only: a thread is never stopped while it holds a plain lock.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering as Order;
use std::time::Duration;

/// As in the standard library, where a value is made by a constant. The checker's own takes no
/// `const`.
macro_rules! local {
    ($(#[$note:meta])* static $name:ident: $type:ty = const $value:block;) => {
        loom::thread_local! { $(#[$note])* static $name: $type = $value; }
    };
}
pub(crate) use local as thread_local;

/// A wrong order or step, injected to show that a model would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// Every atomic is accessed in no order.
    Relaxed,
    /// Fences do nothing.
    NoFence,
    /// A wake-up of all wakes one.
    OneForAll,
    /// A wake-up wakes no thread.
    NoWake,
    /// A step of the model itself is wrong: which, says the model.
    Step,
    /// Another step of it.
    OtherStep,
}

static INJECTED: std::sync::OnceLock<Mutant> = std::sync::OnceLock::new();

/// Injects a mutant for the rest of this process.
pub(crate) fn inject(mutant: Mutant) {
    assert!(INJECTED.set(mutant).is_ok(), "one is injected");
}

/// Whether this mutant is injected.
pub(crate) fn is_injected(mutant: Mutant) -> bool {
    INJECTED.get() == Some(&mutant)
}

/// As in `parking_lot`.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

/// None only while a condition is waited for.
pub(crate) struct MutexGuard<'a, T>(Option<loom::sync::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    pub(crate) fn new(content: T) -> Mutex<T> {
        Mutex(loom::sync::Mutex::new(content))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect("it is never poisoned")))
    }

    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok().map(|guard| MutexGuard(Some(guard)))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().expect("it is held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_deref_mut().expect("it is held")
    }
}

/// As in `parking_lot`.
#[derive(Debug, Default)]
pub(crate) struct Condvar(loom::sync::Condvar);

impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar::default()
    }

    pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let locked = guard.0.take().expect("it is held");
        guard.0 = Some(self.0.wait(locked).expect("it is never poisoned"));
    }

    pub(crate) fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, _at_most: Duration) {
        self.wait(guard);
    }

    pub(crate) fn notify_one(&self) {
        if !is_injected(Mutant::NoWake) {
            self.0.notify_one();
        }
    }

    pub(crate) fn notify_all(&self) {
        match () {
            () if is_injected(Mutant::NoWake) => {}
            () if is_injected(Mutant::OneForAll) => self.0.notify_one(),
            () => self.0.notify_all(),
        }
    }
}

/// As in `parking_lot`. The checker's lock decides which thread may enter, so the plain one that
/// holds the content is free whenever it is taken.
#[derive(Debug, Default)]
pub(crate) struct RecursiveRwLock<T> {
    content: parking_lot::RecursiveRwLock<T>,
    users: Mutex<Users>,
    left: Condvar,
}

#[derive(Debug, Default)]
struct Users {
    readers: u32,
    writes: bool,
}

/// Shared content; None while it is being dropped.
pub(crate) struct RecursiveRwLockReadGuard<'a, T> {
    content: Option<parking_lot::RecursiveRwLockReadGuard<'a, T>>,
    lock: &'a RecursiveRwLock<T>,
}

/// The content for one; None while it is being dropped.
pub(crate) struct RecursiveRwLockWriteGuard<'a, T> {
    content: Option<parking_lot::RecursiveRwLockWriteGuard<'a, T>>,
    lock: &'a RecursiveRwLock<T>,
}

impl<T> RecursiveRwLock<T> {
    pub(crate) fn new(content: T) -> RecursiveRwLock<T> {
        let content = parking_lot::RecursiveRwLock::new(content);
        RecursiveRwLock { content, users: Mutex::default(), left: Condvar::new() }
    }

    pub(crate) fn read(&self) -> RecursiveRwLockReadGuard<'_, T> {
        let mut users = self.users.lock();
        while users.writes {
            self.left.wait(&mut users);
        }
        users.readers += 1;
        let content = Some(self.content.try_read().expect("nobody writes"));
        RecursiveRwLockReadGuard { content, lock: self }
    }

    pub(crate) fn write(&self) -> RecursiveRwLockWriteGuard<'_, T> {
        let mut users = self.users.lock();
        while users.writes || users.readers != 0 {
            self.left.wait(&mut users);
        }
        users.writes = true;
        let content = Some(self.content.try_write().expect("nobody has it"));
        RecursiveRwLockWriteGuard { content, lock: self }
    }
}

impl<T> Deref for RecursiveRwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.content.as_deref().expect("it is held")
    }
}

impl<T> Deref for RecursiveRwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.content.as_deref().expect("it is held")
    }
}

impl<T> DerefMut for RecursiveRwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.content.as_deref_mut().expect("it is held")
    }
}

impl<T> Drop for RecursiveRwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        let mut users = self.lock.users.lock();
        self.content = None;
        users.readers -= 1;
        self.lock.left.0.notify_all();
    }
}

impl<T> Drop for RecursiveRwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        let mut users = self.lock.users.lock();
        self.content = None;
        users.writes = false;
        self.lock.left.0.notify_all();
    }
}

/// As in the standard library; a thread that finds it set sees every write before that.
#[derive(Debug, Default)]
pub(crate) struct OnceLock<T> {
    content: std::sync::OnceLock<T>,
    setting: Mutex<()>,
    is_set: atomic::AtomicBool,
}

impl<T> OnceLock<T> {
    pub(crate) fn new() -> OnceLock<T> {
        let is_set = atomic::AtomicBool::new(false);
        OnceLock { content: std::sync::OnceLock::new(), setting: Mutex::default(), is_set }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.is_set.load(Order::Acquire).then(|| self.content.get()).flatten()
    }

    pub(crate) fn set(&self, content: T) -> Result<(), T> {
        let setting = self.setting.lock();
        let outcome = self.content.set(content);
        self.is_set.store(true, Order::Release);
        drop(setting);
        outcome
    }

    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        let setting = self.setting.lock();
        let content = self.content.get_or_init(make);
        self.is_set.store(true, Order::Release);
        drop(setting);
        content
    }
}

/// As in the standard library.
pub(crate) mod atomic {
    pub(crate) use std::sync::atomic::Ordering;

    use super::{Mutant, is_injected};

    /// As in the standard library.
    pub(crate) fn fence(order: Ordering) {
        if !is_injected(Mutant::NoFence) {
            loom::sync::atomic::fence(order);
        }
    }

    fn planned(order: Ordering) -> Ordering {
        if is_injected(Mutant::Relaxed) { Ordering::Relaxed } else { order }
    }

    macro_rules! atomics {
        ($($name:ident of $value:ty: $($change:ident $(-> $old:ty)?),*;)*) => { $(
            /// As in the standard library.
            #[derive(Debug, Default)]
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                pub(crate) fn new(value: $value) -> $name {
                    $name(loom::sync::atomic::$name::new(value))
                }

                pub(crate) fn load(&self, order: Ordering) -> $value {
                    self.0.load(planned(order))
                }

                $(pub(crate) fn $change(&self, value: $value, order: Ordering) $(-> $old)? {
                    self.0.$change(value, planned(order))
                })*
            }
        )* };
    }

    atomics! {
        AtomicBool of bool: store, swap -> bool;
        AtomicU32 of u32: fetch_add -> u32, fetch_sub -> u32;
        AtomicU64 of u64: store, fetch_add -> u64, fetch_sub -> u64, fetch_or -> u64,
            fetch_and -> u64, fetch_max -> u64, fetch_min -> u64;
        AtomicUsize of usize: fetch_add -> usize, fetch_sub -> usize;
    }
}
