//! Which things lead back to one another: the strongly connected components of a graph, by Tarjan's algorithm without recursion.

/// The number of the component of each node; `next` gives where a node leads. Nodes have one number exactly if each leads to the other.
pub(super) fn components(nodes: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut search = Search {
        next,
        visited: vec![usize::MAX; nodes],
        lowest: vec![0; nodes],
        component: vec![usize::MAX; nodes],
        open: Vec::new(),
        found: 0,
        components: 0,
    };
    for node in 0..nodes {
        if search.visited[node] == usize::MAX {
            search.visit(node);
        }
    }
    search.component
}

struct Search<N> {
    next: N,
    /// The turn in which each node was found.
    visited: Vec<usize>,
    /// The first found node that each is known to lead back to.
    lowest: Vec<usize>,
    component: Vec<usize>,
    /// The nodes whose component is not known yet.
    open: Vec<usize>,
    found: usize,
    components: usize,
}

impl<N: Fn(usize) -> Vec<usize>> Search<N> {
    fn visit(&mut self, root: usize) {
        let mut path = vec![(root, self.enter(root))];
        while let Some((node, onward)) = path.last_mut() {
            let node = *node;
            match onward.pop() {
                Some(next) if self.visited[next] == usize::MAX => {
                    let onward = self.enter(next);
                    path.push((next, onward));
                }
                Some(next) if self.component[next] == usize::MAX => {
                    self.lowest[node] = self.lowest[node].min(self.visited[next]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(node);
                    if let Some((before, _)) = path.last() {
                        self.lowest[*before] = self.lowest[*before].min(self.lowest[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) -> Vec<usize> {
        self.visited[node] = self.found;
        self.lowest[node] = self.found;
        self.found += 1;
        self.open.push(node);
        (self.next)(node)
    }

    fn leave(&mut self, node: usize) {
        if self.lowest[node] < self.visited[node] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.components;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
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
        let found = components(edges.len(), |node| edges[node].clone());
        let same = |one: usize, other: usize| found[one] == found[other];
        assert!(same(0, 1) && same(1, 2) && same(3, 4));
        assert!(!same(0, 3) && !same(4, 5) && !same(5, 6));
    }

    #[test]
    fn long_ways_are_gone_without_recursion() {
        let last = 200_000;
        let found = components(last, |node| vec![(node + 1) % last]);
        assert!(found.iter().all(|component| *component == found[0]));
    }
}
