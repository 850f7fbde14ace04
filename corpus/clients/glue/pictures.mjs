// What the Node clients share: how they are asked for pictures, and how they write them.
import fs from 'node:fs';
import readline from 'node:readline';

// Libraries print.
console.log = console.info = console.debug = console.error;

/** The library has read the file, but the glue cannot say what its result means. */
export class GlueFailure extends Error {}

/** A PAM file: `samples` of 0 to `maximum`, 1 to 4 a pixel. */
export function pam(width, height, channels, maximum, samples) {
    const wide = maximum > 255;
    const count = width * height * channels;
    if (!(channels >= 1 && channels <= 4)) throw new GlueFailure(`${channels} samples a pixel`);
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
 * A PAM file of the first `kept` of `channels` samples a pixel: integers without sign, which use the
 * range of their type unless `maximum` says otherwise.
 */
export function integers(width, height, channels, kept, samples, maximum) {
    const few = Math.min(kept, channels);
    const first = samples.filter((_, at) => at % channels < few);
    if (samples instanceof Uint8Array || samples instanceof Uint8ClampedArray) {
        return pam(width, height, few, maximum ?? 255, first);
    }
    if (samples instanceof Uint16Array) return pam(width, height, few, maximum ?? 65535, first);
    if (samples instanceof Uint32Array) {
        return pam(width, height, few, 65535, first.map((sample) => sample >>> 16));
    }
    throw new GlueFailure(`samples in a ${samples?.constructor?.name}`);
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
    if (error instanceof GlueFailure) return `glue: ${error.message}`;
    return String(error instanceof Error ? `${error.name}: ${error.message}` : error);
}
