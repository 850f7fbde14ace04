// geotiff.js: as RGB, which applies palette and polarity, and alpha.
import { fromArrayBuffer } from 'geotiff';
import { integers, serve } from './pictures.mjs';

await serve(async (file) => {
    const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
    const page = await (await fromArrayBuffer(bytes)).getImage(0);
    const [width, height] = [page.getWidth(), page.getHeight()];
    const samples = await page.readRGB({ interleave: true, enableAlpha: true });
    // If the first extra sample is alpha, it gives all of them.
    return integers(width, height, samples.length / (width * height), 4, samples);
});
