//! PRINT: tokens → formatted text.

mod layout;

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use layout::layout;
use proc_macro2::TokenStream;

/// The number of parts for each additional thread.
const PARTS_A_THREAD: usize = 8;

/// The maximum number of threads that print one file: each holds the tokens of its part.
const MOST_THREADS: usize = 8;

/// The text of each part of a file: its items, with an empty line before each. Each thread has an
/// emitter of its own, as tokens stay on their thread.
pub(crate) fn parts<E: FnMut(usize) -> Vec<TokenStream>>(
    parts: usize,
    emitter: impl Fn() -> E + Sync,
) -> impl Iterator<Item = String> {
    let left = AtomicUsize::new(parts);
    let work = || {
        let mut emit = emitter();
        let mut texts = Vec::new();
        // The last parts are the longest, and start first.
        let take = |left: usize| left.checked_sub(1);
        while let Ok(left) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            let number = left - 1;
            texts.push((number, print(emit(number))));
        }
        texts
    };
    let mut texts = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads(parts)).map_while(start).collect();
        let mut texts = work();
        for other in others {
            texts.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        texts
    });
    texts.sort_unstable_by_key(|(number, _)| *number);
    texts.into_iter().map(|(_, text)| text)
}

/// The number of threads that print a number of parts. The compiler's tokens, which macros use,
/// exist on the macro's thread alone.
fn threads(parts: usize) -> usize {
    if proc_macro::is_available() {
        return 1;
    }
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    processors
        .min(MOST_THREADS)
        .min(parts.div_ceil(PARTS_A_THREAD))
}

/// The text of items, with an empty line before each.
pub(crate) fn print(items: impl IntoIterator<Item = TokenStream>) -> String {
    let mut text = String::new();
    for item in items {
        let file = syn::parse2(item).expect("every emitter makes items");
        text.push('\n');
        text.push_str(&layout(&file));
    }
    text
}

#[cfg(test)]
mod tests {
    use quote::{format_ident, quote};

    use super::*;

    #[test]
    fn parts_are_in_order_whichever_thread_prints_them() {
        let emitter = || {
            |number| {
                let name = format_ident!("PART_{number}");
                vec![quote! { const #name: usize = #number; }]
            }
        };
        for (number, text) in parts(1_000, emitter).enumerate() {
            let expected = format!("\nconst PART_{number}: usize = {number}usize;\n");
            assert_eq!(text, expected);
        }
    }

    #[test]
    #[should_panic(expected = "part 3")]
    fn a_panic_of_a_part_is_one_of_all() {
        let emitter = || {
            |number| {
                assert_ne!(number, 3, "part {number}");
                Vec::new()
            }
        };
        parts(100, emitter).for_each(drop);
    }
}
