// JSZip: dates are in UTC.
import JSZip from 'jszip';
import { line } from './archives.mjs';
import { serve } from './pictures.mjs';

await serve(async (file) => {
    const archive = await JSZip.loadAsync(file, { checkCRC32: true });
    const out = [];
    for (const entry of Object.values(archive.files)) {
        if (entry.dir) continue;
        out.push(line(entry.name, entry.date, await entry.async('nodebuffer')));
    }
    return Buffer.concat(out);
});
