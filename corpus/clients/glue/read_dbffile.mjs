// dbffile: a line of names, then a line for each record.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DBFFile } from 'dbffile';
import { serve } from './pictures.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dbffile-'));
const copy = path.join(folder, 'table.dbf');
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function text(value, { type, decimalPlaces }) {
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return value ? 'T' : 'F';
    if (value instanceof Date) return value.toISOString().slice(0, 10).replaceAll('-', '');
    if (type === 'N') return value.toFixed(decimalPlaces ?? 0);
    return String(value).replace(/ +$/, '');
}

await serve(async (file) => {
    fs.writeFileSync(copy, file);
    const table = await DBFFile.open(copy);
    const lines = [table.fields.map((field) => field.name)];
    for (const record of await table.readRecords()) {
        lines.push(table.fields.map((field) => text(record[field.name], field)));
    }
    return Buffer.from(lines.map((line) => line.join('\t') + '\n').join(''));
});
