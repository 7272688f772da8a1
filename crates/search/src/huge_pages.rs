//! Zeroed words in large pages.
//!
//! Searches access memory at random. With pages of 4 KiB each access to a large table misses twice:
//! the entry and its page-table entry. Pages of 2 MiB, where the system has them, avoid the second
//! miss.

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use zerocopy::FromBytes;

type Slice<'a> = &'a mut [AtomicU64];

self_cell!(
    /// Zeroed words; memory is touched only where they are used. They begin at a page.
    pub struct Words {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Slice,
    }
);

impl std::fmt::Debug for Words {
    /// Its size: nobody reads gigabytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Words({})", self.len())
    }
}

impl Words {
    /// This many words, all 0.
    ///
    /// # Panics
    /// If the system does not have the memory.
    pub fn zeroed(length: usize) -> Words {
        let map = MmapMut::map_anon(length.max(1) * 8).expect("memory for a table or a tree");
        // Without large pages everything works, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Words::new(MutBorrow::new(map), |map| {
            let bytes = &mut map.borrow_mut()[..];
            let words = <[AtomicU64]>::mut_from_bytes(bytes).expect("pages hold whole words");
            &mut words[..length]
        })
    }
}

impl Default for Words {
    /// No words.
    fn default() -> Words {
        Words::zeroed(0)
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        self.borrow_dependent()
    }
}
