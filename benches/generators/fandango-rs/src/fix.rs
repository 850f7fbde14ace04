//! Fills in the parts of a file that follow from others: FANDANGO-RS makes no code of constraints, so that all of a file's
//! meaning is here.

use std::convert::Infallible;
use std::ops::ControlFlow;

use fandango::generation::{Generated, RawSampler, Sampler};
use fandango::typing::{AsNodeMut, Node, Nth, OpaqueMut};
use fandango::visitor::navigation::CountBytes;
use fandango::visitor::write::WriteVisitor;
use fandango::visitor::{VisitMutResult, VisitableChildrenMut, Visitor, VisitorMut};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::grammar::*;
use crate::picture::{Color, Picture};

/// Bit fields of red, green, blue and alpha.
type Fields = [u32; 4];

/// How a pixel is stored.
#[derive(Clone, Copy)]
enum Layout {
    /// In this number of bytes.
    Fields(Fields, usize),
    /// As an entry of the palette, by this number of bits.
    Index(u32),
}

const BGR: Fields = [0xFF_0000, 0xFF00, 0xFF, 0];
const RGB: Fields = [0xFF, 0xFF00, 0xFF_0000, 0];
const ALPHA: u32 = 0xFF00_0000;

/// Samples files.
pub struct Fixer {
    picture: Picture,
    random: SmallRng,
    /// The node of each byte.
    bytes: Vec<nonterminal_byte>,
    // Of the file that is being fixed.
    down: bool,
    layout: Layout,
    /// The number of entries of a palette whose header has it.
    used: usize,
    /// The palette.
    entries: Vec<Color>,
    /// The length of the pixels.
    rows: usize,
}

/// A sampler that always takes one alternative.
struct Always(usize);

impl RawSampler for Always {
    fn sample(&mut self) -> usize {
        self.0
    }

    fn reseed(&mut self, _: u64) {}
}

impl<N> Sampler<N> for Always {
    fn sample_kleene(&mut self) -> usize {
        0
    }

    fn sample_plus(&mut self) -> usize {
        1
    }

    fn sample_optional(&mut self) -> bool {
        false
    }

    fn sample_repetition(&mut self, lower: usize, _: usize) -> usize {
        lower
    }

    fn sample_alternative(&mut self, _: usize) -> usize {
        self.0
    }
}

impl Fixer {
    /// Makes files that mean the picture.
    pub fn new(picture: Picture, random: SmallRng) -> Self {
        let bytes = (0..256).map(|k| Generated::generate(&mut Always(k), &mut (), 0)).collect();
        let layout = Layout::Fields(BGR, 3);
        Self { picture, random, bytes, down: false, layout, used: 0, entries: Vec::new(), rows: 0 }
    }

    /// Returns the bytes of another file.
    pub fn file(&mut self) -> Vec<u8> {
        let mut start = nonterminal_start::generate(&mut self.random, &mut (), 0);
        let Ok(_) = Pass(self).visit_mut(&mut start, 0);
        let length = start.count_bytes();
        let (_, stored, _, offset, _) = start.nth_mut::<0>().children_mut();
        self.number(stored.nth_mut::<0>(), length as u32);
        self.number(offset.nth_mut::<0>(), (length - self.rows) as u32);
        match WriteVisitor::new(Vec::with_capacity(length)).visit(&start, 0) {
            Ok(ControlFlow::Continue(visitor)) => visitor.output(),
            Ok(ControlFlow::Break(never)) | Err(never) => match never {},
        }
    }

    fn number(&self, node: &mut nonterminal_u32, number: u32) {
        let [a, b, c, d] = number.to_le_bytes().map(|byte| self.bytes[usize::from(byte)].clone());
        *node = nonterminal_u32::new(nonterminal_u32_0::new(a, b, c, d));
    }

    fn any(&self, number: u32) -> nonterminal_any {
        let [a, b, c, d] = number.to_le_bytes().map(|byte| self.bytes[usize::from(byte)].clone());
        nonterminal_any::new(nonterminal_any_0::new(a, b, c, d))
    }

    fn nodes(&self, bytes: &[u8]) -> Vec<nonterminal_byte> {
        bytes.iter().map(|byte| self.bytes[usize::from(*byte)].clone()).collect()
    }

    /// The bytes of a row: a multiple of four.
    fn stride(&self) -> usize {
        let bits = match self.layout {
            Layout::Fields(_, size) => 8 * size,
            Layout::Index(bits) => bits as usize,
        };
        (self.picture.width as usize * bits).div_ceil(32) * 4
    }

    /// A palette in any order, some of whose entries are not used or there twice, as bytes.
    fn palette(&mut self, count: usize, size: usize) -> Vec<nonterminal_byte> {
        let colors = &self.picture.colors;
        self.entries.clone_from(colors);
        while self.entries.len() < count {
            self.entries.extend(colors.choose(&mut self.random));
        }
        self.entries.shuffle(&mut self.random);
        let mut bytes = Vec::with_capacity(count * size);
        for [red, green, blue] in &self.entries {
            bytes.extend([*blue, *green, *red, self.random.random()].iter().take(size));
        }
        self.nodes(&bytes)
    }

    /// The pixels, with any bits beside them.
    fn data(&mut self) -> Vec<nonterminal_byte> {
        let (stride, height) = (self.stride(), self.picture.rows.len());
        let mut bytes = vec![0; stride * height];
        self.random.fill(&mut bytes[..]);
        let places: Vec<Vec<u8>> = match self.layout {
            Layout::Fields(..) => Vec::new(),
            Layout::Index(_) => (self.picture.colors.iter())
                .map(|c| {
                    (0u8..=255)
                        .zip(&self.entries)
                        .filter(|(_, e)| *e == c)
                        .map(|(k, _)| k)
                        .collect()
                })
                .collect(),
        };
        for (k, row) in self.picture.rows.iter().enumerate() {
            let at = stride * if self.down { k } else { height - 1 - k };
            let stored = &mut bytes[at..at + stride];
            match self.layout {
                Layout::Fields(fields, size) => {
                    for (pixel, stored) in row.iter().zip(stored.chunks_exact_mut(size)) {
                        let used = fields.iter().fold(0, |used, field| used | field);
                        let samples = fields.iter().zip(pixel).filter(|(_, sample)| **sample > 0);
                        let number = samples.fold(fields[3], |number, (field, _)| number | field);
                        for (byte, (number, used)) in stored
                            .iter_mut()
                            .zip(number.to_le_bytes().into_iter().zip(used.to_le_bytes()))
                        {
                            *byte = *byte & !used | number;
                        }
                    }
                }
                Layout::Index(bits) => {
                    for (k, pixel) in row.iter().enumerate() {
                        let color = self.picture.colors.partition_point(|color| color < pixel);
                        let Some(index) = places[color].choose(&mut self.random) else { continue };
                        match bits {
                            8 => stored[k] = *index,
                            _ if k % 2 == 0 => stored[k / 2] = stored[k / 2] & 15 | index << 4,
                            _ => stored[k / 2] = stored[k / 2] & 0xF0 | index,
                        }
                    }
                }
            }
        }
        self.rows = bytes.len();
        self.nodes(&bytes)
    }

    /// Takes indices of this number of bits, and the length of a palette for them.
    fn index(&mut self, bits: u32) {
        self.layout = Layout::Index(bits);
        self.used = self.random.random_range(self.picture.colors.len()..=1 << bits);
    }

    /// Bit fields as they are stored.
    fn fields(&self) -> [nonterminal_any; 4] {
        match self.layout {
            Layout::Fields(fields, _) => fields.map(|field| self.any(field)),
            Layout::Index(_) => [0; 4].map(|field| self.any(field)),
        }
    }

    /// The nodes of a number of 16 bits.
    fn short(&self, n: u32) -> [nonterminal_byte; 2] {
        let [low, high, _, _] = n.to_le_bytes().map(usize::from);
        [self.bytes[low].clone(), self.bytes[high].clone()]
    }

    fn height(&self) -> u32 {
        if self.down { self.picture.height.wrapping_neg() } else { self.picture.height }
    }
}

/// Returns the layout of the bit fields that a rule stands for; `None` for other rules.
fn fields_of(node: &TypeMut<'_>) -> Option<Layout> {
    let (fields, bytes) = match node {
        TypeMut::nonterminal_bgr(_) => (BGR, 3),
        TypeMut::nonterminal_bgrx(_) => (BGR, 4),
        TypeMut::nonterminal_rgbx(_) => (RGB, 4),
        TypeMut::nonterminal_xbgr(_) => (BGR.map(|field| field << 8), 4),
        TypeMut::nonterminal_bgra(_) => ([BGR[0], BGR[1], BGR[2], ALPHA], 4),
        TypeMut::nonterminal_rgba(_) => ([RGB[0], RGB[1], RGB[2], ALPHA], 4),
        TypeMut::nonterminal_x565(_) => ([0xF800, 0x7E0, 0x1F, 0], 2),
        TypeMut::nonterminal_x444(_) => ([0xF00, 0xF0, 0xF, 0], 2),
        TypeMut::nonterminal_x555(_) => ([0x7C00, 0x3E0, 0x1F, 0], 2),
        TypeMut::nonterminal_x1555(_) => ([0x7C00, 0x3E0, 0x1F, 0x8000], 2),
        _ => return None,
    };
    Some(Layout::Fields(fields, bytes))
}

/// A pass over a file, in the order of its bytes.
struct Pass<'a>(&'a mut Fixer);

impl<'t> VisitorMut<TypeMut<'t>> for Pass<'_> {
    type Continue = Self;
    type Break = Infallible;
    type Error = Infallible;

    fn visit_mut<'p, N>(self, node: &'p mut N, _: usize) -> VisitMutResult<Self, TypeMut<'t>>
    where
        N: Node<TypeMut<'p> = TypeMut<'t>>,
        TypeMut<'t>: From<&'p mut N> + AsNodeMut<N>,
    {
        let fixer = &mut *self.0;
        let node = node.opaque_mut();
        if let Some(layout) = fields_of(&node) {
            fixer.layout = layout;
            return Ok(ControlFlow::Continue(self));
        }
        match node {
            TypeMut::nonterminal_up(_) => fixer.down = false,
            TypeMut::nonterminal_down(_) => fixer.down = true,
            TypeMut::nonterminal_index_8(_) => fixer.index(8),
            TypeMut::nonterminal_index_4(_) => fixer.index(4),
            TypeMut::nonterminal_w(w) => fixer.number(w.nth_mut::<0>(), fixer.picture.width),
            TypeMut::nonterminal_h(h) => fixer.number(h.nth_mut::<0>(), fixer.picture.height),
            TypeMut::nonterminal_w16(w) => {
                let [low, high] = fixer.short(fixer.picture.width);
                *w = nonterminal_w16::new(nonterminal_w16_0::new(low, high));
            }
            TypeMut::nonterminal_h16(h) => {
                let [low, high] = fixer.short(fixer.picture.height);
                *h = nonterminal_h16::new(nonterminal_h16_0::new(low, high));
            }
            TypeMut::nonterminal_height(height) => {
                fixer.number(height.nth_mut::<0>(), fixer.height())
            }
            TypeMut::nonterminal_all_rows(rows) => {
                let length = fixer.stride() as u32 * fixer.picture.height;
                fixer.number(rows.nth_mut::<0>(), length);
            }
            TypeMut::nonterminal_masks(masks) => {
                let [red, green, blue, _] = fixer.fields();
                *masks = nonterminal_masks::new(nonterminal_any12::new(nonterminal_any12_0::new(
                    red, green, blue,
                )));
            }
            TypeMut::nonterminal_alpha(alpha) => {
                let [_, _, _, field] = fixer.fields();
                *alpha = nonterminal_alpha::new(field);
            }
            TypeMut::nonterminal_used(used) => fixer.number(used.nth_mut::<0>(), fixer.used as u32),
            TypeMut::nonterminal_important(important) => {
                let count = fixer.random.random_range(0..=fixer.picture.colors.len());
                fixer.number(important.nth_mut::<0>(), count as u32);
            }
            TypeMut::nonterminal_palette_8(palette) => {
                *palette.nth_mut::<0>().children_mut() = fixer.palette(fixer.used, 4);
            }
            TypeMut::nonterminal_palette_4(palette) => {
                *palette.nth_mut::<0>().children_mut() = fixer.palette(fixer.used, 4);
            }
            TypeMut::nonterminal_short_palette_8(palette) => {
                *palette.nth_mut::<0>().children_mut() = fixer.palette(256, 3)
            }
            TypeMut::nonterminal_short_palette_4(palette) => {
                *palette.nth_mut::<0>().children_mut() = fixer.palette(16, 3)
            }
            TypeMut::nonterminal_gap(gap) => {
                let mut bytes = [0; 32];
                fixer.random.fill(&mut bytes);
                let count = fixer.random.random_range(0..=bytes.len());
                *gap.nth_mut::<0>().children_mut() = fixer.nodes(&bytes[..count]);
            }
            TypeMut::nonterminal_data(data) => *data.nth_mut::<0>().children_mut() = fixer.data(),
            // They have no meaning.
            TypeMut::nonterminal_any(_)
            | TypeMut::nonterminal_any12(_)
            | TypeMut::nonterminal_any16(_) => {}
            other => return other.visit_each_mut(self),
        }
        Ok(ControlFlow::Continue(self))
    }
}
