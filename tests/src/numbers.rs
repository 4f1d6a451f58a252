//! Numbers that look random and are the same for the same seed.

/// Repeatable numbers (xorshift64*).
#[derive(Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Returns the generator for a seed.
    pub fn of_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number from 0 to `end`, exclusive.
    ///
    /// # Panics
    ///
    /// `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % end
    }

    /// Returns an index into a collection of a length.
    ///
    /// # Panics
    ///
    /// The collection is empty.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Returns one of several values.
    ///
    /// # Panics
    ///
    /// There is no value.
    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.index(values.len())]
    }
}
