// netcdfjs: a line for each dimension, attribute and variable of a data set.
import { NetCDFReader } from 'netcdfjs';
import { serve } from './pictures.mjs';

const WRITE = {
    byte: [1, (b, v) => b.writeUInt8(v & 255)],
    char: [1, (b, v) => b.writeUInt8(v & 255)],
    short: [2, (b, v) => b.writeInt16BE(v)],
    int: [4, (b, v) => b.writeInt32BE(v)],
    float: [4, (b, v) => b.writeFloatBE(v)],
    double: [8, (b, v) => b.writeDoubleBE(v)],
};

/** The name of a type and the values in hexadecimal digits. */
function typed(type, value) {
    if (typeof value === 'string') return `${type} ${Buffer.from(value, 'latin1').toString('hex')}`;
    const [size, write] = WRITE[type];
    const digits = [value].flat(Infinity).map((v) => {
        if (typeof v === 'string') return Buffer.from(v, 'latin1').toString('hex');
        const bytes = Buffer.alloc(size);
        write(bytes, v);
        return bytes.toString('hex');
    });
    return `${type} ${digits.join('')}`;
}

await serve((file) => {
    const data = new NetCDFReader(file);
    const records = data.recordDimension;
    const lines = data.dimensions.map((d, id) => (
        `dimension ${d.name} ${id === records.id && d.size === 0 ? `unlimited ${records.length}` : d.size}`
    ));
    for (const a of data.globalAttributes) lines.push(`attribute ${a.name} ${typed(a.type, a.value)}`);
    for (const v of data.variables) {
        const names = v.dimensions.map((id) => data.dimensions[id].name).join(', ');
        lines.push(`variable ${v.name}(${names}) ${typed(v.type, data.getDataVariable(v))}`);
        for (const a of v.attributes) lines.push(`attribute ${v.name}:${a.name} ${typed(a.type, a.value)}`);
    }
    return Buffer.from(lines.map((line) => `${line}\n`).join(''));
});
