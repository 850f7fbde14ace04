// ImageMagick 7 as WebAssembly, which has 8 bits a sample: the first page, turned as the file says.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { ImageMagick, MagickReadSettings, initializeImageMagick } from '@imagemagick/magick-wasm';
import { pam, serve } from './pictures.mjs';

const { resolve } = createRequire(import.meta.url);
await initializeImageMagick(fs.readFileSync(resolve('@imagemagick/magick-wasm/magick.wasm')));

await serve((file) => {
    const settings = new MagickReadSettings({ format: 'TIFF', frameIndex: 0, frameCount: 1 });
    return ImageMagick.read(file, settings, (picture) => {
        picture.autoOrient();
        const { width, height } = picture;
        return picture.getPixels((pixels) =>
            pam(width, height, 4, 255, pixels.toByteArray(0, 0, width, height, 'RGBA')),
        );
    });
});
