// tiff, the decoder of image-js: samples as it gives them, with its palette.
import { decode } from 'tiff';
import { pam, serve } from './pictures.mjs';

await serve((file) => {
    const page = decode(file)[0];
    const { width, height, data, palette, bitsPerSample: bits } = page;
    if (data instanceof Float32Array || data instanceof Float64Array) {
        throw new Error('samples that are no integers');
    }
    if (palette) {
        const samples = new Uint16Array(3 * width * height);
        for (let i = 0; i < width * height; i++) samples.set(palette[data[i]], 3 * i);
        return pam(width, height, 3, 65535, samples);
    }
    const channels = data.length / (width * height);
    if (bits > 16) return pam(width, height, channels, 65535, data.map((v) => v >>> 16));
    return pam(width, height, channels, 2 ** bits - 1, data);
});
