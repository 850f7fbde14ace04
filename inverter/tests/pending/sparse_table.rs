//! A sparse table: offset 0 stands for an entry that is zero, any other for a cell.
//@ pending: "x.offsets (element 0) is used before it has a value": the segment's guard asks for the base it gives
//@ incomplete: entries that are equal never share their cell
//@ y {"n": 3, "values": [0, 5, 5]}
//@ y {"n": 1, "values": [0]}
//@ x {"n": 3, "offsets": [0, 2, 1], "cells": [0, 5, 5]}

pub struct Sparse {
    n: u8,
    #[element("entry")]
    offsets: [u8; n],
    cells: [u8],
}

pub struct Table {
    n: u8,
    values: [u8; n],
}

pub fn normalize(x: &Sparse, y: &mut Table) {
    y.n = x.n;
    for k in 0..x.n {
        if x.offsets[k] == 0 {
            y.values[k] = 0;
        } else {
            y.values[k] = x.cells[x.offsets[k]];
        }
    }
}
