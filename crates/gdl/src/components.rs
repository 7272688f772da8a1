//! Strongly connected components of a graph: Tarjan, "Depth-first search and linear graph algorithms", 1972.

/// The components of the graph whose nodes are `0..edges.len()`; a component comes after all those that
/// its edges lead to. Calls nothing recursively, so graphs may be deep.
pub(crate) fn components<E: AsRef<[u32]>>(edges: &[E]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = edges.len();
    let (mut index, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut path, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for root in 0..n as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some(top) = path.last_mut() {
            let (node, edge) = (top.0 as usize, top.1);
            if edge == 0 {
                (index[node], low[node]) = (count, count);
                count += 1;
                stack.push(node as u32);
                on_stack[node] = true;
            }
            if let Some(&next) = edges[node].as_ref().get(edge) {
                top.1 += 1;
                let next = next as usize;
                if index[next] == NEW {
                    path.push((next as u32, 0));
                } else if on_stack[next] {
                    low[node] = low[node].min(index[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above as usize] = low[above as usize].min(low[node]);
            }
            if low[node] == index[node] {
                let start = stack.iter().rposition(|&other| other as usize == node).unwrap_or(0);
                let component = stack.split_off(start);
                component.iter().for_each(|&member| on_stack[member as usize] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_come_first() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![3], vec![0, 4]];
        let mut found = components(&edges);
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
        let chain: Vec<Vec<u32>> = (0..100_000).map(|i| if i == 0 { vec![] } else { vec![i - 1] }).collect();
        assert_eq!(components(&chain).len(), 100_000);
    }
}
