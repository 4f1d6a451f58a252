//! Clones of values that contain values of their own type, created in place.

/// Types that emitted code clones field by field, instead of as a whole: large types that contain
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

/// Returns a clone of a value.
pub fn cloned_in_place<T: CloneInPlace>(source: &T) -> T {
    let mut value = T::default();
    value.clone_in_place(source);
    value
}

/// Returns a clone of a value that is small because it is a box, a list or an option.
pub fn new_in_place<T: CloneInPlace>(source: &T) -> T {
    let mut value = new();
    T::clone_in_place(&mut value, source);
    value
}

/// Makes a value a clone of another one, in a stack frame that is released on return.
#[inline(never)]
pub fn clone_value<T: Clone>(value: &mut T, source: &T) {
    value.clone_from(source);
}

/// Returns a clone of a small value. The stack frame for its content is released on return.
#[inline(never)]
pub fn clone_apart<T: Clone>(source: &T) -> T {
    source.clone()
}

/// Creates a value whose parts are created in a frame of their own, on the heap.
#[inline(never)]
fn new<T: Default>() -> T {
    T::default()
}

#[inline(never)]
fn push_new<T: Default>(list: &mut Vec<T>) {
    list.push(T::default());
}
