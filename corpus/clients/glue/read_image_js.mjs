// image-js: at full depth.
import { decode } from 'image-js';
import { pam, serve } from './pictures.mjs';

await serve((file) => {
    let picture = decode(file);
    if (picture.images) [picture] = picture.images;
    if (Array.isArray(picture)) [picture] = picture;
    // Mask: bilevel.
    if (picture.bitDepth === undefined || picture.bitDepth === 1) picture = picture.convertColor('GREY');
    const raw = picture.getRawImage();
    return pam(raw.width, raw.height, raw.channels, 2 ** raw.bitDepth - 1, raw.data);
});
