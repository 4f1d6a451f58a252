//! Multipart bodies: the result does not depend on the pieces in which a body arrives.

use svcgen_attachments::internals::{Bounds, Multipart, Part};

const BOUNDS: Bounds = Bounds {
    parts: 10,
    head: 300,
    part: 2000,
    root: 1000,
};

/// Checks an input whose first bytes are the lengths of pieces; the rest is a body with the
/// boundary `b`.
pub fn check(input: &[u8]) {
    let Some((sizes, body)) = input.split_at_checked(2) else {
        return;
    };
    let whole = read(body, &[body.len()]);
    let sizes = [1 + usize::from(sizes[0]), 1 + usize::from(sizes[1]) % 8];
    assert_eq!(whole, read(body, &sizes));
    assert_eq!(whole, read(body, &[1]));
    if let Ok(parts) = whole {
        let lengths: Vec<_> = parts.iter().map(|part| part.bytes.len() as usize).collect();
        assert!(lengths.iter().sum::<usize>() <= body.len());
        assert!((1..=BOUNDS.parts).contains(&parts.len()));
        assert!(lengths.iter().all(|length| *length <= BOUNDS.part));
        assert!(lengths[0] <= BOUNDS.root);
    }
}

fn read(mut body: &[u8], sizes: &[usize]) -> Result<Vec<Part>, String> {
    let mut multipart = Multipart::new("b", None, BOUNDS, None);
    let mut sizes = sizes.iter().cycle();
    while let (false, Some(size)) = (body.is_empty(), sizes.next()) {
        let (piece, rest) = body.split_at(body.len().min(*size));
        multipart.push(piece).map_err(|why| why.to_string())?;
        body = rest;
    }
    multipart.finish()
}
