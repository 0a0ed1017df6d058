//! Edges of polygons by their ends: lists by the smaller end, each of them sorted. Sorting all edges at once
//! takes longer.

/// The end of a list.
const NONE: u32 = u32::MAX;

/// Scratch memory.
#[derive(Default)]
pub(crate) struct SharedEdges {
    /// By vertex, the last edge that has it as its smaller end; [`NONE`] between calls.
    last: Vec<u32>,
    edges: Vec<Edge>,
    /// The edges of one list: the larger end, and the number of the edge.
    list: Vec<u64>,
}

struct Edge {
    ends: [u32; 2],
    /// The edge before it in its list.
    before: u32,
}

impl SharedEdges {
    /// Calls `visit` for each pair of ends with the edges between them, in either direction: the lower halves
    /// of the numbers are the positions of the edges among `edges`, ascending.
    pub(crate) fn for_each(&mut self, edges: impl Iterator<Item = [u32; 2]>, mut visit: impl FnMut(&[u64])) {
        let SharedEdges { last, edges: all, list } = self;
        all.clear();
        for [from, to] in edges {
            let ends @ [low, _] = [from.min(to), from.max(to)];
            if low as usize >= last.len() {
                last.resize(low as usize + 1, NONE);
            }
            let before = std::mem::replace(&mut last[low as usize], all.len() as u32);
            all.push(Edge { ends, before });
        }
        for Edge { ends: [low, _], .. } in &*all {
            let mut at = std::mem::replace(&mut last[*low as usize], NONE);
            list.clear();
            while let Some(edge) = all.get(at as usize) {
                list.push(u64::from(edge.ends[1]) << 32 | u64::from(at));
                at = edge.before;
            }
            list.sort_unstable();
            list.chunk_by(|one, other| one >> 32 == other >> 32).for_each(&mut visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_in_both_directions() {
        let mut shared = SharedEdges::default();
        for _ in 0..2 {
            let mut found = Vec::new();
            let edges = [[0, 1], [1, 2], [2, 0], [7, 2], [2, 1], [1, 0], [1, 2]];
            shared.for_each(edges.into_iter(), |edges| {
                found.push(edges.iter().map(|&edge| edge as u32).collect::<Vec<_>>());
            });
            assert_eq!(found, [vec![0, 5], vec![2], vec![1, 4, 6], vec![3]]);
        }
    }
}
