// Jimp: RGBA of 8 bits.
import { Jimp } from 'jimp';
import { pam, serve } from './pictures.mjs';

await serve(async (file) => {
    const { bitmap } = await Jimp.read(file);
    return pam(bitmap.width, bitmap.height, 4, 255, bitmap.data);
});
