// npyjs: it returns stored elements, and a flag for their order.
import { load } from 'npyjs';
import { encode } from './arrays.mjs';
import { serve } from './pictures.mjs';

await serve(async (file) => {
    const { data, shape, fortranOrder } = await load(file);
    return encode(shape, data, fortranOrder);
});
