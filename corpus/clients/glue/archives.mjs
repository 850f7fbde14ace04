// Archives as the Node clients give them: a line for each file, then its content.

/** A file: its name, the date of its last change in local time, its content. */
export function line(name, date, content) {
    const two = (n) => String(n).padStart(2, '0');
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
    return Buffer.concat([Buffer.from(`${name} ${day} ${time} ${content.length}\n`), content]);
}
