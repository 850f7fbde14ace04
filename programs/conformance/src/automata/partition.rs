//! Partitions of numbered elements that are refined by marking some of the elements (Valmari and Lehtinen, *Efficient
//! Minimization of DFAs with Partial Transition Functions*, 2008).

/// A partition of the numbers below a size into blocks.
#[derive(Debug)]
pub struct Partition {
    /// The elements. The elements of a block are adjacent, and its marked elements come first.
    elements: Vec<usize>,
    /// The position of each element.
    position: Vec<usize>,
    /// The block of each element.
    block: Vec<usize>,
    blocks: Vec<Block>,
    /// The blocks with marked elements.
    touched: Vec<usize>,
}

/// The positions of a block's elements.
#[derive(Debug, Clone, Copy)]
struct Block {
    first: usize,
    past: usize,
    marked: usize,
}

impl Partition {
    /// Creates one block of all elements, or no block if there are no elements.
    pub fn whole(size: usize) -> Self {
        let blocks =
            if size == 0 { vec![] } else { vec![Block { first: 0, past: size, marked: 0 }] };
        let all: Vec<usize> = (0..size).collect();
        Self { elements: all.clone(), position: all, block: vec![0; size], blocks, touched: vec![] }
    }

    /// The blocks of elements with equal keys.
    pub fn by_key(keys: &[u32]) -> Self {
        let mut partition = Self::whole(keys.len());
        partition.elements.sort_by_key(|element| keys[*element]);
        partition.blocks.clear();
        for position in 0..keys.len() {
            let element = partition.elements[position];
            let is_new = position == 0 || keys[partition.elements[position - 1]] != keys[element];
            if is_new {
                partition.blocks.push(Block { first: position, past: position, marked: 0 });
            }
            let number = partition.blocks.len() - 1;
            partition.blocks[number].past = position + 1;
            partition.position[element] = position;
            partition.block[element] = number;
        }
        partition
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The block of an element.
    pub fn block(&self, element: usize) -> usize {
        self.block[element]
    }

    /// The elements of a block.
    pub fn elements(&self, block: usize) -> &[usize] {
        let Block { first, past, .. } = self.blocks[block];
        &self.elements[first..past]
    }

    /// Marks an element.
    pub fn mark(&mut self, element: usize) {
        let number = self.block[element];
        let block = &mut self.blocks[number];
        let (from, to) = (self.position[element], block.first + block.marked);
        if from < to {
            return;
        }
        if block.marked == 0 {
            self.touched.push(number);
        }
        block.marked += 1;
        self.elements.swap(from, to);
        self.position[self.elements[from]] = from;
        self.position[element] = to;
    }

    /// Splits the blocks that have some marked elements; the smaller part becomes a new block. Afterwards, no element
    /// is marked.
    pub fn split(&mut self) {
        while let Some(number) = self.touched.pop() {
            let Block { first, past, marked } = self.blocks[number];
            let middle = first + marked;
            self.blocks[number].marked = 0;
            if middle == past {
                continue;
            }
            let (kept, new) = match marked <= past - middle {
                true => ((middle, past), (first, middle)),
                false => ((first, middle), (middle, past)),
            };
            self.blocks[number] = Block { first: kept.0, past: kept.1, marked: 0 };
            for element in &self.elements[new.0..new.1] {
                self.block[*element] = self.blocks.len();
            }
            self.blocks.push(Block { first: new.0, past: new.1, marked: 0 });
        }
    }
}
