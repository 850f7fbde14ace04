// adm-zip
import AdmZip from 'adm-zip';
import { line } from './archives.mjs';
import { serve } from './pictures.mjs';

await serve((file) => Buffer.concat(
    // It sorts entries by name when it writes, not when it reads.
    new AdmZip(file).getEntries().map((e) => line(e.entryName, e.header.time, e.getData())),
));
