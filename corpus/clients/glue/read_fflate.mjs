// fflate: names and contents; it returns no dates.
import { unzipSync } from 'fflate';
import { serve } from './pictures.mjs';

await serve((file) => Buffer.concat(
    Object.entries(unzipSync(file)).flatMap(([name, content]) => [
        Buffer.from(`${name} ${content.length}\n`),
        content,
    ]),
));
