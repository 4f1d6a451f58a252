//! Texts that match patterns.

use std::collections::{HashSet, VecDeque};

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::start;
use regex_automata::{Anchored, nfa::thompson};
use svcgen_model::translate_pattern;

/// The maximum number of states in the search for a text.
const MOST_STATES: usize = 20_000;

/// The memory for the states of a pattern, in bytes.
const MOST_MEMORY: usize = 16 << 20;

/// The states of all patterns after a text, and the length of the text in characters.
type SearchState = (Vec<LazyStateID>, usize);

/// A pattern as an automaton.
struct Automaton {
    dfa: DFA,
    cache: Cache,
}

/// The shortest text within limits of length that matches all patterns; of equally short ones, the
/// one with the first bytes in the order of [`bytes()`].
pub(super) fn text_that_matches(patterns: &[&str], least: usize, most: usize) -> Option<String> {
    if patterns.is_empty() {
        return None;
    }
    let automata = patterns.iter().map(|pattern| Automaton::of(pattern));
    let mut automata: Vec<_> = automata.collect::<Option<_>>()?;
    let starts = automata.iter_mut().map(Automaton::start);
    let first: SearchState = (starts.collect::<Option<_>>()?, 0);
    // The length counts only up to the minimum, so that the number of places is finite.
    let mut seen = HashSet::from([first.clone()]);
    let mut places = VecDeque::from([(first, Vec::new())]);
    while let Some(((states, length), text)) = places.pop_front() {
        let is_long = length >= least;
        if is_long && is_match(&mut automata, &states) {
            return String::from_utf8(text).ok();
        }
        for byte in bytes() {
            let begins_character = !(0x80..0xC0).contains(&byte);
            let characters = length + usize::from(begins_character);
            if characters > most {
                continue;
            }
            let Some(next) = next(&mut automata, &states, byte) else {
                continue;
            };
            let counted = if most == usize::MAX {
                characters.min(least)
            } else {
                characters
            };
            let place = (next, counted);
            if seen.len() < MOST_STATES && seen.insert(place.clone()) {
                let mut text = text.clone();
                text.push(byte);
                places.push_back((place, text));
            }
        }
    }
    None
}

/// All bytes, readable ones first.
fn bytes() -> impl Iterator<Item = u8> {
    let first = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9');
    first.chain((b' '..=u8::MAX).filter(|byte| !byte.is_ascii_alphanumeric()))
}

/// The states after a byte; `None` if no matching text continues so.
fn next(automata: &mut [Automaton], states: &[LazyStateID], byte: u8) -> Option<Vec<LazyStateID>> {
    let each = automata.iter_mut().zip(states);
    let next = each.map(|(automaton, state)| {
        let next = automaton
            .dfa
            .next_state(&mut automaton.cache, *state, byte)
            .ok()?;
        (!next.is_dead() && !next.is_quit()).then_some(next)
    });
    next.collect()
}

fn is_match(automata: &mut [Automaton], states: &[LazyStateID]) -> bool {
    let mut each = automata.iter_mut().zip(states);
    each.all(|(automaton, state)| {
        let end = automaton.dfa.next_eoi_state(&mut automaton.cache, *state);
        end.is_ok_and(|end| end.is_match())
    })
}

impl Automaton {
    fn of(pattern: &str) -> Option<Self> {
        let translated = translate_pattern(pattern).ok()?;
        // Ids of states stay valid as long as the cache is not cleared.
        let config = DFA::config()
            .cache_capacity(MOST_MEMORY)
            .minimum_cache_clear_count(Some(0))
            .skip_cache_capacity_check(true);
        let nfa = thompson::Config::new().nfa_size_limit(Some(MOST_MEMORY));
        let dfa = DFA::builder()
            .configure(config)
            .thompson(nfa)
            .build(&translated);
        let dfa = dfa.ok()?;
        let cache = dfa.create_cache();
        Some(Self { dfa, cache })
    }

    fn start(&mut self) -> Option<LazyStateID> {
        let config = start::Config::new().anchored(Anchored::Yes);
        self.dfa.start_state(&mut self.cache, &config).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::text_that_matches;

    #[test]
    fn the_shortest_text_of_a_length_is_found() {
        let rows: &[(&[&str], usize, usize, Option<&str>)] = &[
            (&["[0-9]{5}"], 0, usize::MAX, Some("00000")),
            (&["[A-Z-[AB]]{2}\\d+"], 0, usize::MAX, Some("CC0")),
            (&["[a-z].*", ".*[0-9]"], 0, 3, Some("a0")),
            (&["a*"], 3, usize::MAX, Some("aaa")),
            (&["a|bb"], 2, 2, Some("bb")),
            (&["\\p{IsGreek}{2}"], 0, usize::MAX, Some("\u{370}\u{370}")),
            (&["\\p{IsGreek}{2}"], 2, 2, Some("\u{370}\u{370}")),
            (&["a", "b"], 0, usize::MAX, None),
            (&["aa"], 0, 1, None),
            (&["(ab){1000}c"], 0, 10, None),
            (&["("], 0, usize::MAX, None),
        ];
        for (patterns, least, most, expected) in rows {
            let found = text_that_matches(patterns, *least, *most);
            assert_eq!(found.as_deref(), *expected, "{patterns:?}");
        }
    }
}
