//! How one text differs from another, for people.

/// The lines around a change that are shown.
const CONTEXT: usize = 3;

/// The lines between the first and the last difference: `-` for those of `old`, `+` for those of `new`.
pub(crate) fn show(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let before = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let rest = (&old[before..], &new[before..]);
    let after = rest
        .0
        .iter()
        .rev()
        .zip(rest.1.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let first_shown = before.saturating_sub(CONTEXT);
    let (old_end, new_end) = (old.len() - after, new.len() - after);
    let mut text = format!("@@ line {} @@\n", first_shown + 1);
    let context_after = old[old_end..].iter().take(CONTEXT);
    let marked = (old[first_shown..before].iter().map(|line| (' ', line)))
        .chain(old[before..old_end].iter().map(|line| ('-', line)))
        .chain(new[before..new_end].iter().map(|line| ('+', line)))
        .chain(context_after.map(|line| (' ', line)));
    for (mark, line) in marked {
        text.push(mark);
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::show;

    #[test]
    fn only_what_differs_is_shown_with_lines_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        assert_eq!(
            show(old, new),
            "@@ line 2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn lines_can_be_missing_at_the_end() {
        assert_eq!(show("1\n2\n", "1\n"), "@@ line 1 @@\n 1\n-2\n");
        assert_eq!(show("", "1\n"), "@@ line 1 @@\n+1\n");
    }
}
