//! Clones of values that hold values of their own type, made where they stand.

/// What emitted code clones field by field, instead of as a whole: large types that hold
/// themselves. No frame of the recursion holds a value.
pub trait CloneInPlace: Default {
    /// Makes this a clone of `source`.
    fn clone_in_place(&mut self, source: &Self);
}

impl<T: CloneInPlace> CloneInPlace for Box<T> {
    fn clone_in_place(&mut self, source: &Self) {
        (**self).clone_in_place(source);
    }
}

impl<T: CloneInPlace> CloneInPlace for Option<T> {
    fn clone_in_place(&mut self, source: &Self) {
        *self = source.as_ref().map(|_| new());
        if let (Some(value), Some(source)) = (self, source) {
            value.clone_in_place(source);
        }
    }
}

impl<T: CloneInPlace> CloneInPlace for Vec<T> {
    fn clone_in_place(&mut self, source: &Self) {
        self.clear();
        self.reserve_exact(source.len());
        for item in source {
            push_new(self);
            if let Some(last) = self.last_mut() {
                last.clone_in_place(item);
            }
        }
    }
}

/// A clone of a value.
pub fn cloned_in_place<T: CloneInPlace>(source: &T) -> T {
    let mut value = T::default();
    value.clone_in_place(source);
    value
}

/// A clone of a value that is small, as it is a box, a list or an option.
pub fn new_in_place<T: CloneInPlace>(source: &T) -> T {
    let mut value = new();
    T::clone_in_place(&mut value, source);
    value
}

/// Makes a value a clone of another one. The frame that this takes is gone when it returns.
#[inline(never)]
pub fn clone_value<T: Clone>(value: &mut T, source: &T) {
    value.clone_from(source);
}

/// A clone of a small value. The frame that what it holds takes is gone when it returns.
#[inline(never)]
pub fn clone_apart<T: Clone>(source: &T) -> T {
    source.clone()
}

/// A value whose parts are made in a frame of their own, in the heap.
#[inline(never)]
fn new<T: Default>() -> T {
    T::default()
}

#[inline(never)]
fn push_new<T: Default>(list: &mut Vec<T>) {
    list.push(T::default());
}
