// nifti-reader-js: it gives the header and the stored bytes.
import { isNIFTI, readHeader, readImage } from 'nifti-reader-js';
import { GlueFailure, serve } from './pictures.mjs';

const kinds = { 2: ['getUint8', 1], 4: ['getInt16', 2], 8: ['getInt32', 4], 512: ['getUint16', 2], 768: ['getUint32', 4] };

await serve((file) => {
    const stored = new Uint8Array(file).buffer;
    if (!isNIFTI(stored)) throw new Error('it is no NIfTI');
    const header = readHeader(stored);
    const image = new DataView(readImage(header, stored));
    const [method, size] = kinds[header.datatypeCode] ?? [];
    if (!method) throw new GlueFailure(`type ${header.datatypeCode}`);
    const sizes = header.dims.slice(1, 4);
    const count = sizes.reduce((product, n) => product * n, 1);
    const slope = header.scl_slope || 1;
    const intercept = header.scl_slope ? header.scl_inter : 0;
    const out = Buffer.alloc(12 + 4 * count);
    sizes.forEach((n, k) => out.writeUInt32LE(n, 4 * k));
    for (let k = 0; k < count; k++) {
        out.writeInt32LE(image[method](k * size, header.littleEndian) * slope + intercept, 12 + 4 * k);
    }
    return out;
});
