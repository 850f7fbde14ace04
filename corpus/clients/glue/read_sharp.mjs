// sharp: turned as the file says, at full depth.
import sharp from 'sharp';
import { GlueFailure, integers, serve } from './pictures.mjs';

const ARRAYS = { uchar: Uint8Array, ushort: Uint16Array, uint: Uint32Array };
const GRAY = ['b-w', 'grey16'];

await serve(async (file) => {
    const { space, depth, hasAlpha } = await sharp(file).metadata();
    const Samples = ARRAYS[depth];
    if (!Samples) throw new GlueFailure(`samples of type ${depth}`);
    // Without a colour space for the output, it would be 8 bits.
    const turned = sharp(file).rotate().pipelineColourspace(space).toColourspace(space);
    const { data, info } = await turned.raw({ depth }).toBuffer({ resolveWithObject: true });
    const samples = new Samples(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
    const kept = (GRAY.includes(space) ? 1 : 3) + (hasAlpha ? 1 : 0);
    return integers(info.width, info.height, info.channels, kept, samples);
});
