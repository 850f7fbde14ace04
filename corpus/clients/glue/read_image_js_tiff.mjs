// tiff, the decoder of image-js: samples as it gives them, with its palette.
import { decode } from 'tiff';
import { GlueFailure, integers, pam, serve } from './pictures.mjs';

const RGB = 2;

await serve((file) => {
    const page = decode(file)[0];
    const { width, height, data, palette, bitsPerSample: bits } = page;
    if (palette) {
        const samples = new Uint16Array(3 * width * height);
        for (let i = 0; i < width * height; i++) {
            if (!palette[data[i]]) throw new GlueFailure(`no colour ${data[i]}`);
            samples.set(palette[data[i]], 3 * i);
        }
        return pam(width, height, 3, 65535, samples);
    }
    const kept = (page.type === RGB ? 3 : 1) + (page.alpha ? 1 : 0);
    const maximum = bits < 8 ? 2 ** bits - 1 : undefined;
    return integers(width, height, data.length / (width * height), kept, data, maximum);
});
