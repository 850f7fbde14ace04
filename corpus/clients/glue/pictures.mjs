// What the Node clients share: how they are asked for pictures, and how they write them.
import fs from 'node:fs';
import readline from 'node:readline';

// Libraries print.
console.log = console.info = console.debug = console.error;

/** A PAM file: `samples` of 0 to `maximum`, 1 to 4 a pixel. */
export function pam(width, height, channels, maximum, samples) {
    const wide = maximum > 255;
    const count = width * height * channels;
    if (samples.length < count) throw new Error(`${samples.length} samples, not ${count}`);
    const data = Buffer.alloc(wide ? 2 * count : count);
    for (let i = 0; i < count; i++) {
        if (wide) data.writeUInt16BE(samples[i], 2 * i);
        else data[i] = samples[i];
    }
    const header =
        `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH ${channels}\nMAXVAL ${maximum}\nENDHDR\n`;
    return Buffer.concat([Buffer.from(header), data]);
}

/**
 * Serves picture files, `make(bytes)`: one to the second file if the command line names two, else,
 * as a worker, what standard input asks for.
 */
export async function serve(make) {
    if (process.argv.length === 4) {
        try {
            fs.writeFileSync(process.argv[3], await make(fs.readFileSync(process.argv[2])));
        } catch (error) {
            console.error(words(error));
            process.exitCode = 1;
        }
        return;
    }
    const answer = (data) => new Promise((done) => process.stdout.write(data, done));
    await answer('ready\n');
    for await (const line of readline.createInterface({ input: process.stdin })) {
        let kind = 'picture';
        let data;
        try {
            data = await make(fs.readFileSync(line.slice(line.indexOf(' ') + 1)));
        } catch (error) {
            kind = 'refused';
            data = Buffer.from(words(error));
        }
        await answer(Buffer.concat([Buffer.from(`${kind} ${data.length}\n`), data]));
    }
    process.exit(0);
}

function words(error) {
    return String(error instanceof Error ? `${error.name}: ${error.message}` : error);
}
