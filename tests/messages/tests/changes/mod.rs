//! Random changes of values.

use serde_json::Value as Json;

/// Texts that are easily lost on the way.
const TEXTS: &[&str] = &[
    "",
    " ",
    "\r\n",
    "\t",
    "]]>",
    "<b a='1'>&amp;",
    "&#13;",
    "a,b",
    "%41+=&",
    "\u{e9}\u{fffd}\u{10ffff}",
    "null",
    "[1]",
    "{}",
    "\"\\",
    "Red",
    "true",
    "0",
    "-1",
    "2024-02-29",
    "NaN",
];

/// A generator of numbers (xorshift) with any seed except 0.
pub struct Random(pub u64);

impl Random {
    /// Returns a number below another.
    pub fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

/// Changes a value at a random place.
pub fn change(json: &mut Json, random: &mut Random) {
    match json {
        Json::Object(map) if !map.is_empty() && random.next(8) > 0 => {
            let index = random.next(map.len());
            if let Some((key, value)) = map.iter_mut().nth(index) {
                if random.next(6) == 0 {
                    let key = key.clone();
                    map.remove(&key);
                } else {
                    change(value, random);
                }
            }
        }
        Json::Array(items) if !items.is_empty() => match random.next(6) {
            0 => items.clear(),
            1 => {
                let index = random.next(items.len());
                items.remove(index);
            }
            2 => {
                let item = items[random.next(items.len())].clone();
                items.push(item);
            }
            3 => {
                let index = random.next(items.len());
                items[index] = Json::Null;
            }
            _ => {
                let index = random.next(items.len());
                change(&mut items[index], random);
            }
        },
        Json::String(text) => match random.next(4) {
            0 => *json = Json::Null,
            1 => text.push_str(TEXTS[random.next(TEXTS.len())]),
            _ => *json = Json::from(TEXTS[random.next(TEXTS.len())]),
        },
        Json::Number(_) => {
            let numbers = [
                0_i64,
                -1,
                1,
                127,
                255,
                65_535,
                i64::from(i32::MIN),
                i64::MAX,
            ];
            *json = match random.next(10) {
                index if index < numbers.len() => Json::from(numbers[index]),
                8 => Json::from(0.1),
                _ => Json::Null,
            };
        }
        Json::Bool(value) => *value = !*value,
        other => *other = Json::Null,
    }
}
