// Arrays of numbers as the Node clients give them: rows and columns, then the elements.

/**
 * Sizes of an array, at least two, four bytes each, the least significant first; then its elements, a typed array,
 * row by row. Node's typed arrays are little-endian on the machines that repfuzz runs on. With `fortran`, the elements
 * are given column by column.
 */
export function encode(shape, elements, fortran) {
    const sizes = [...shape, ...Array(Math.max(0, 2 - shape.length)).fill(1)];
    const [rows, columns] = sizes;
    let ordered = elements;
    if (fortran) {
        ordered = new elements.constructor(elements.length);
        for (let r = 0; r < rows; r++) {
            for (let c = 0; c < columns; c++) ordered[r * columns + c] = elements[c * rows + r];
        }
    }
    const head = Buffer.alloc(4 * sizes.length);
    sizes.forEach((size, k) => head.writeUInt32LE(size, 4 * k));
    return Buffer.concat([head, Buffer.from(ordered.buffer, ordered.byteOffset, ordered.byteLength)]);
}
