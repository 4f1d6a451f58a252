//! The strongly connected components of a graph, by Kosaraju's algorithm without recursion.

/// The component of each node, as the index of one of its nodes. `next` contains the successors of
/// each node.
pub(super) fn components(next: &[Vec<usize>]) -> Vec<usize> {
    let mut before = vec![Vec::new(); next.len()];
    for (node, onward) in next.iter().enumerate() {
        onward.iter().for_each(|to| before[*to].push(node));
    }
    let mut component = vec![usize::MAX; next.len()];
    for root in order_of_leaving(next).into_iter().rev() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if component[node] == usize::MAX {
                component[node] = root;
                open.extend(&before[node]);
            }
        }
    }
    component
}

/// The nodes in postorder of a depth-first search.
pub(super) fn order_of_leaving(next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut left = Vec::with_capacity(next.len());
    let mut open: Vec<_> = (0..next.len()).rev().map(|node| (node, false)).collect();
    while let Some((node, is_done)) = open.pop() {
        if is_done {
            left.push(node);
        } else if !std::mem::replace(&mut seen[node], true) {
            open.push((node, true));
            open.extend(next[node].iter().map(|onward| (*onward, false)));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn nodes_that_lead_to_each_other_are_one_component() {
        let edges = [
            vec![1],
            vec![2, 3],
            vec![0],
            vec![4],
            vec![3, 5],
            vec![],
            vec![6],
        ];
        let found = components(&edges);
        let same = |one: usize, other: usize| found[one] == found[other];
        assert!(same(0, 1) && same(1, 2) && same(3, 4));
        assert!(!same(0, 3) && !same(4, 5) && !same(5, 6));
    }

    #[test]
    fn long_ways_are_gone_without_recursion() {
        let last = 200_000;
        let edges: Vec<_> = (0..last).map(|node| vec![(node + 1) % last]).collect();
        let found = components(&edges);
        assert!(found.iter().all(|component| *component == found[0]));
    }
}
