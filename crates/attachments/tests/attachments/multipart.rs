//! The reader of multipart bodies.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use svcgen_attachments::internals::{Bounds, Multipart, Part};

const BOUNDS: Bounds = Bounds {
    parts: 8,
    head: 200,
    part: 4000,
    root: 3000,
};

fn read(body: &[u8], sizes: &[usize]) -> Result<Vec<Part>, String> {
    let mut multipart = Multipart::new("b", None, BOUNDS, None);
    let (mut rest, mut sizes) = (body, sizes.iter().cycle());
    while !rest.is_empty() {
        let (piece, after) =
            rest.split_at(sizes.next().unwrap().min(&rest.len()).max(&1).to_owned());
        multipart.push(piece).map_err(|why| why.to_string())?;
        rest = after;
    }
    multipart.finish()
}

/// Bytes that resemble the end of a part.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "\r\n--b", "\r\n--", "--b", "\r", "\n", "-", "b", "\r\n--bb", " ", "\0", "text",
    ];
    let piece = prop::sample::select(pieces.to_vec());
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes())
}

/// Returns the contents of the parts, by a simple reader of whole bodies.
fn expected(body: &[u8]) -> Option<Vec<Vec<u8>>> {
    let body = [b"\r\n", body].concat();
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(found) = body[at..]
        .windows(5)
        .position(|window| window == b"\r\n--b")
    {
        let (start, end) = (at + found, at + found + 5);
        at = end;
        let rest = &body[end..];
        let blanks = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
        if rest.starts_with(b"--") {
            lines.push((start, end));
            break;
        } else if blanks <= 64 && rest[blanks..].starts_with(b"\r\n") {
            lines.push((start, end + blanks + 2));
        }
    }
    let is_ended = lines
        .last()
        .is_some_and(|(_, end)| body[*end..].starts_with(b"--"));
    let parts = lines.windows(2).map(|pair| {
        let ((_, start), (end, _)) = (pair[0], pair[1]);
        // The empty line may end where the next delimiter begins.
        let part = &body[start..end + 2];
        let head = part.windows(4).position(|window| window == b"\r\n\r\n");
        let content = match head {
            _ if part.starts_with(b"\r\n") => start + 2,
            Some(head) => start + head + 4,
            None => return None,
        };
        Some(body[content.min(end)..end].to_vec())
    });
    let parts = parts.collect::<Option<Vec<_>>>()?;
    (is_ended && !parts.is_empty()).then_some(parts)
}

proptest! {
    #[test]
    fn pieces_change_nothing(
        contents in prop::collection::vec(content(), 0..4),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        sizes in prop::collection::vec(1usize..40, 1..5),
    ) {
        let mut body = Vec::new();
        for content in &contents {
            body.extend_from_slice(b"--b\r\nX: y\r\n\r\n");
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--b--\r\n");
        if is_cut {
            body.truncate(cut.index(body.len()));
        }
        let whole = read(&body, &[usize::MAX]);
        prop_assert_eq!(&whole, &read(&body, &sizes));
        prop_assert_eq!(&whole, &read(&body, &[1]));
        if let Ok(parts) = whole {
            let found: Vec<_> = parts.into_iter().map(|part| part.bytes.into_vec().unwrap()).collect();
            prop_assert_eq!(Some(found), expected(&body));
        }
    }

    #[test]
    fn contents_without_a_boundary_are_found_again(
        contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..5),
        sizes in prop::collection::vec(1usize..400, 1..5),
    ) {
        prop_assume!(contents.iter().all(|content| !content.windows(3).any(|window| window == b"--b")));
        let parts = contents.iter().map(|content| [b"--b\r\n\r\n", &**content, b"\r\n"].concat());
        let body = [parts.collect::<Vec<_>>().concat(), b"--b--".to_vec()].concat();
        let found = read(&body, &sizes).unwrap();
        let found: Vec<_> = found.into_iter().map(|part| part.bytes.into_vec().unwrap()).collect();
        prop_assert_eq!(found, contents);
    }
}

#[test]
fn odd_bodies_are_read_as_their_senders_mean_them() {
    for (body, contents) in [
        // A preamble, blanks after the boundary, an epilogue.
        ("to whom\r\n--b \t \r\n\r\n1\r\n--b--\r\nmore", vec!["1"]),
        // Parts without heads, and empty parts.
        (
            "--b\r\n\r\n\r\n--b\r\n\r\n--b\r\n\r\n2\r\n--b--",
            vec!["", "", "2"],
        ),
        // Lines that begin with the boundary.
        (
            "--b\r\n\r\n1\r\n--bc\r\n--b c\r\n--b--",
            vec!["1\r\n--bc\r\n--b c"],
        ),
        // A folded head, encodings.
        (
            "--b\r\nContent-Transfer-Encoding:\r\n base64\r\n\r\nQUJD\r\n--b\r\ncontent-transfer-encoding: Quoted-Printable\r\n\r\n=41=\r\nB\r\n--b--",
            vec!["ABC", "AB"],
        ),
    ] {
        for sizes in [&[usize::MAX][..], &[1], &[2, 5]] {
            let parts = read(body.as_bytes(), sizes).unwrap();
            let found: Vec<_> = parts
                .iter()
                .map(|part| String::from_utf8_lossy(part.bytes.in_memory().unwrap()))
                .collect();
            assert_eq!(found, contents, "{body}");
        }
    }
}

#[test]
fn bounds_hold_whatever_the_pieces() {
    let part = "--b\r\n\r\nx\r\n";
    let long = |length| "x".repeat(length);
    for (body, why) in [
        (format!("{}--b--", part.repeat(9)), "has more than 8 parts"),
        (
            format!("{}\r\n--b--", long(201)),
            "More than 200 bytes stand before or after",
        ),
        (
            format!("{part}--b--{}", long(201)),
            "More than 200 bytes stand before or after",
        ),
        (
            format!("--b\r\nA: {}\r\n\r\n\r\n--b--", long(201)),
            "Part 1 of the multipart body has a head of more than 200 bytes",
        ),
        (
            format!("--b\r\nA: {}", long(201)),
            "Part 1 of the multipart body has a head of more than 200 bytes",
        ),
        (
            format!("--b\r\n\r\n{}\r\n--b--", long(3001)),
            "Part 1 of the multipart body has more than 3000 bytes",
        ),
        (
            format!("{part}--b\r\n\r\n{}\r\n--b--", long(4001)),
            "Part 2 of the multipart body has more than 4000 bytes",
        ),
    ] {
        for sizes in [&[usize::MAX][..], &[1], &[7, 100]] {
            let error = read(body.as_bytes(), sizes).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
    let most = format!(
        "--b\r\n\r\n{}\r\n--b\r\n\r\n{}\r\n--b--",
        long(3000),
        long(4000)
    );
    assert_eq!(read(most.as_bytes(), &[11]).unwrap().len(), 2);
    let longest_head = format!("--b\r\nA: {}\r\n\r\nx\r\n--b--", long(197));
    assert_eq!(read(longest_head.as_bytes(), &[1]).unwrap().len(), 1);
}

#[test]
fn a_long_head_in_short_pieces_takes_linear_time() {
    let bounds = Bounds {
        head: 1 << 20,
        ..BOUNDS
    };
    let body = format!("--b\r\nA: {}\r\n\r\nx\r\n--b--", "x".repeat(1_000_000));
    let begun = Instant::now();
    let mut multipart = Multipart::new("b", None, bounds, None);
    for byte in body.as_bytes() {
        multipart.push(&[*byte]).unwrap();
    }
    assert_eq!(multipart.finish().unwrap().len(), 1);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn a_delimiter_with_a_colon_is_no_field_of_a_head() {
    for (head, is_read) in [("A: b\r\n\r\n\r\n", true), ("A: b\r\n", false), ("", false)] {
        let body = format!("--b:c\r\n{head}--b:c\r\n\r\n2\r\n--b:c--");
        let mut multipart = Multipart::new("b:c", None, BOUNDS, None);
        let read = multipart.push(body.as_bytes());
        let refused = read.err().map(|why| why.to_string());
        let why = "Part 1 of the multipart body has a head that no empty line ends.";
        assert_eq!(refused.as_deref(), (!is_read).then_some(why), "{head}");
    }
}
