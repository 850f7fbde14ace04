// image-js: at full depth.
import { decode } from 'image-js';
import { integers, serve } from './pictures.mjs';

await serve((file) => {
    let picture = decode(file);
    if (picture.images) [picture] = picture.images;
    if (Array.isArray(picture)) [picture] = picture;
    // Mask: bilevel.
    if (picture.bitDepth === undefined || picture.bitDepth === 1) picture = picture.convertColor('GREY');
    const raw = picture.getRawImage();
    const maximum = raw.bitDepth < 8 ? 2 ** raw.bitDepth - 1 : undefined;
    return integers(raw.width, raw.height, raw.channels, 4, raw.data, maximum);
});
