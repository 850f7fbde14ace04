// shapefile, its reader of DBF: a line of names, then a line for each record. It has no types of fields: numbers are
// written in their shortest form.
import { openDbf } from 'shapefile';
import { serve } from './pictures.mjs';

function text(value) {
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return value ? 'T' : 'F';
    if (value instanceof Date) {
        // Midnight, local time.
        const digits = (n) => String(n).padStart(2, '0');
        return `${value.getFullYear()}${digits(value.getMonth() + 1)}${digits(value.getDate())}`;
    }
    return String(value).replace(/ +$/, '');
}

await serve(async (file) => {
    const source = await openDbf(new Uint8Array(file).buffer);
    const lines = [];
    for (;;) {
        const { done, value } = await source.read();
        if (done) break;
        if (lines.length === 0) lines.push(Object.keys(value));
        lines.push(Object.values(value).map(text));
    }
    return Buffer.from(lines.map((line) => line.join('\t') + '\n').join(''));
});
