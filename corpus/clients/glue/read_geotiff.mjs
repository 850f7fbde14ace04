// geotiff.js: as RGB, which applies palette and polarity.
import { fromArrayBuffer } from 'geotiff';
import { pam, serve } from './pictures.mjs';

await serve(async (file) => {
    const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
    const page = await (await fromArrayBuffer(bytes)).getImage(0);
    const [width, height] = [page.getWidth(), page.getHeight()];
    const samples = await page.readRGB({ interleave: true, enableAlpha: true });
    const channels = samples.length / (width * height);
    if (samples instanceof Uint8Array || samples instanceof Uint8ClampedArray) {
        return pam(width, height, channels, 255, samples);
    }
    if (samples instanceof Uint16Array) return pam(width, height, channels, 65535, samples);
    throw new Error(`samples in a ${samples.constructor.name}`);
});
