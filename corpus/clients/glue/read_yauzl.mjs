// yauzl: entries in the order of the central directory.
import yauzl from 'yauzl';
import { line } from './archives.mjs';
import { serve } from './pictures.mjs';

await serve((file) => new Promise((done, failed) => {
    yauzl.fromBuffer(file, { lazyEntries: true }, (error, archive) => {
        if (error) return failed(error);
        const out = [];
        archive.on('error', failed);
        archive.on('end', () => done(Buffer.concat(out)));
        archive.on('entry', (entry) => archive.openReadStream(entry, (error, stream) => {
            if (error) return failed(error);
            const parts = [];
            stream.on('error', failed);
            stream.on('data', (part) => parts.push(part));
            stream.on('end', () => {
                out.push(line(entry.fileName, entry.getLastModDate(), Buffer.concat(parts)));
                archive.readEntry();
            });
        }));
        archive.readEntry();
    });
}));
