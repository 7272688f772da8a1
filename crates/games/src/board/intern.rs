//! Tables that belong to the parameters of a game, made once and shared by all its positions.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Mutex;

/// A shared table: as small and as cheap to copy as a pointer; equal exactly when it is the same
/// table.
#[derive(Debug)]
pub struct Interned<T: 'static>(&'static T);

impl<T> Interned<T> {
    /// The table itself, which outlives the position that shares it.
    #[inline]
    pub fn get(self) -> &'static T {
        self.0
    }
}

impl<T> Clone for Interned<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Interned<T> {}

impl<T> Deref for Interned<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> PartialEq for Interned<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl<T> Eq for Interned<T> {}

impl<T> Hash for Interned<T> {
    /// Adds nothing: positions that meet in one map belong to one game.
    #[inline]
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The table of type `T` for `parameters`, made at the first call; it lives as long as the process.
pub fn intern<T: Any + Send + Sync>(parameters: &[u32], make: impl FnOnce() -> T) -> Interned<T> {
    type Tables = HashMap<(TypeId, Vec<u32>), &'static (dyn Any + Send + Sync)>;
    static TABLES: Mutex<Option<Tables>> = Mutex::new(None);
    let mut tables = TABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let entry = tables
        .get_or_insert_default()
        .entry((TypeId::of::<T>(), parameters.to_vec()))
        .or_insert_with(|| Box::leak(Box::new(make())));
    Interned(entry.downcast_ref().expect("the entry was made for this type"))
}
