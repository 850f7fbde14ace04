// sharp: turned as the file says, at full depth.
import sharp from 'sharp';
import { pam, serve } from './pictures.mjs';

await serve(async (file) => {
    const deep = (await sharp(file).metadata()).depth === 'ushort';
    const picture = sharp(file).rotate().toColourspace(deep ? 'rgb16' : 'srgb');
    const raw = picture.ensureAlpha().raw({ depth: deep ? 'ushort' : 'uchar' });
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    return pam(info.width, info.height, info.channels, deep ? 65535 : 255, samples);
});
