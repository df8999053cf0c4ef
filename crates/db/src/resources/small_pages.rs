//! Small pages of memory for a process that fills much of it once and ends.
//!
//! A load allocates a gigabyte in short-lived buffers. In huge pages the system clears two
//! megabytes at a time, and where memory is lent by a hypervisor it fetches those anew each time, which
//! costs more than the load itself (decision 0040). A server needs huge pages, because it reads its
//! memory at random for a long time; so a library must not do this by itself.

/// While it lives, the process's new memory comes in small pages, if the system supports that.
pub struct SmallPages {
    ends: bool,
}

impl SmallPages {
    /// From now on, for all threads.
    pub fn begin() -> SmallPages {
        SmallPages { ends: begin() }
    }
}

impl Drop for SmallPages {
    fn drop(&mut self) {
        if self.ends {
            end();
        }
    }
}

#[cfg(target_os = "linux")]
fn begin() -> bool {
    use rustix::thread::{disable_transparent_huge_pages, transparent_huge_pages_are_disabled};
    transparent_huge_pages_are_disabled().is_ok_and(|disabled| !disabled)
        && disable_transparent_huge_pages(true).is_ok()
}

#[cfg(target_os = "linux")]
fn end() {
    // It could be switched off, so it can be switched on.
    let _ = rustix::thread::disable_transparent_huge_pages(false);
}

#[cfg(not(target_os = "linux"))]
fn begin() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn end() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::transparent_huge_pages_are_disabled;

    use super::*;

    #[test]
    fn they_are_small_until_the_load_ends() {
        let before = transparent_huge_pages_are_disabled().unwrap();
        {
            let _small = SmallPages::begin();
            let _again = SmallPages::begin();
            assert!(transparent_huge_pages_are_disabled().unwrap());
        }
        assert_eq!(transparent_huge_pages_are_disabled().unwrap(), before);
    }
}
