// numpy-parser.
import { fromArrayBuffer } from 'numpy-parser';
import { encode } from './arrays.mjs';
import { serve } from './pictures.mjs';

console.warn = console.error;
await serve((file) => {
    const { data, shape } = fromArrayBuffer(new Uint8Array(file).buffer);
    return encode(shape, data, false);
});
