//! Diagnostics of the reader of YAML.

use super::{Content, Node, Slot, Tree, parse};

fn tree(text: &str) -> Tree {
    parse("x.yaml", text.as_bytes()).expect("YAML")
}

fn refused(text: &str) -> String {
    let diagnostics = parse("x.yaml", text.as_bytes()).expect_err("no YAML");
    let one = diagnostics.iter().next().expect("it is said");
    let span = one.spans().next().expect("it has a span");
    format!("{:?} {}", span.start, one.message())
}

fn nodes<'t>(node: &'t Node, all: &mut Vec<&'t Node>) {
    all.push(node);
    if let Content::Collection(collection) = &node.content {
        let within = collection.slots.iter().flat_map(Slot::nodes);
        within.for_each(|node| nodes(node, all));
    }
}

#[test]
fn nodes_know_their_places() {
    let text =
        "é: { 'b' : [ x y, \"😀\" ], c: }\r\nd:\r\n  - |\r\n    e\r\n  - f\r\n    g\r\nh: &i k\r\n";
    let (tree, mut all) = (tree(text), Vec::new());
    nodes(&tree.root, &mut all);
    let is_collection = |node: &&&Node| matches!(node.content, Content::Collection(_));
    let written = |node: &&Node| &text[node.start.byte..node.end.byte];
    let scalars: Vec<_> = all
        .iter()
        .filter(|node| !is_collection(node))
        .map(written)
        .collect();
    let expected = [
        "é",
        "'b'",
        "x y",
        "\"😀\"",
        "c",
        "",
        "d",
        "e\r\n ",
        "f\r\n    g",
        "h",
        "k",
    ];
    assert_eq!(scalars, expected);
    let braces: Vec<_> = all
        .iter()
        .filter(is_collection)
        .map(|node| (node.start.line, node.start.column))
        .collect();
    assert_eq!(braces, [(1, 0), (1, 3), (1, 11), (3, 2)]);
    assert!(
        all.iter()
            .zip(0..)
            .all(|(node, number)| node.id.0 == number)
    );
}

#[test]
fn texts_are_what_stands_there_and_nothing_is_none() {
    let text = "[no, 1.10, ~, null, '', \"\\u00e9\", { a: , b }]";
    let Content::Collection(list) = &tree(text).root.content else {
        panic!("it is a list");
    };
    let texts = list
        .slots
        .iter()
        .filter_map(|slot| match &slot.value.content {
            Content::Scalar { text, .. } => Some(text.as_str()),
            _ => None,
        });
    assert_eq!(
        texts.collect::<Vec<_>>(),
        ["no", "1.10", "~", "null", "", "é"]
    );
    let Content::Collection(map) = &list.slots[6].value.content else {
        panic!("it is a map");
    };
    let is_nothing = |slot: &Slot| matches!(slot.value.content, Content::Nothing);
    assert!(map.slots.iter().all(is_nothing));
}

#[test]
fn aliases_know_their_targets() {
    let tree = tree("- &a x\n- *a\n- &a y\n- *a\n");
    let Content::Collection(list) = &tree.root.content else {
        panic!("it is a list");
    };
    let targets = list.slots.iter().map(|slot| slot.value.target().id.0);
    assert_eq!(targets.collect::<Vec<_>>(), [1, 1, 3, 3]);
    for (text, complaint) in [
        (
            "- *a\n- &a x\n",
            "(1, 3) there is nothing before this that `*a` could repeat",
        ),
        (
            "a: &a [b, *a]\n",
            "(1, 11) `*a` stands within what it repeats",
        ),
        (
            "&a { *a : b }\n",
            "(1, 6) `*a` stands within what it repeats",
        ),
    ] {
        assert_eq!(refused(text), complaint);
    }
}

#[test]
fn what_aliases_repeat_is_counted() {
    let text = |aliases: usize| {
        // Two lists, and ten nodes for each time that the inner one is read.
        format!(
            "[&a [1, 2, 3, 4, 5, 6, 7, 8, 9], {}]",
            "*a, ".repeat(aliases)
        )
    };
    let most = 500_000 / 10 - 2;
    tree(&text(most));
    let said = refused(&text(most + 1));
    assert!(
        said.ends_with("a definition has at most 500000 nodes"),
        "{said}"
    );
}

#[test]
fn comments_are_kept_however_many() {
    let text = format!("{}a: # b\n  - c\n#d", "# e \n".repeat(1_000));
    let comments = tree(&text).comments;
    assert_eq!(comments.len(), 1_002);
    assert_eq!(
        (comments[0].text.as_str(), comments[999].start.line),
        ("# e", 1_000)
    );
    assert_eq!(
        (comments[1_000].text.as_str(), comments[1_001].text.as_str()),
        ("# b", "#d")
    );
}
