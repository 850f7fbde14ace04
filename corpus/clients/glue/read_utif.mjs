// UTIF.js, or its fork UTIF2: as RGBA of 8 bits, which is what they offer.
import { createRequire } from 'node:module';
import { pam, serve } from './pictures.mjs';

const { UTIF_PACKAGE } = process.env;
const UTIF = createRequire(import.meta.url)(UTIF_PACKAGE);

await serve((file) => {
    const directories = UTIF.decode(file);
    const page = directories[0];
    UTIF.decodeImage(file, page, directories);
    if (!(page.width > 0)) throw new Error('no picture');
    return pam(page.width, page.height, 4, 255, UTIF.toRGBA8(page));
});
