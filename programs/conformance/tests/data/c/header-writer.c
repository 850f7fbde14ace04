/* Writes a header as gzip does: a long in one piece, by a macro that writes shorts. */
#include <stdio.h>
#define put_byte(c) fputc((c), out)
#define put_short(w) { put_byte((w) & 255); put_byte(((w) >> 8) & 255); }
#define put_long(n) { put_short((n) & 65535); put_short((n) >> 16); }

static FILE *out;

static int compress(FILE *in) {
    int c;
    while ((c = fgetc(in)) != EOF) {
        put_byte(c);
    }
    return 0;
}

/* Called through a pointer, as gzip does. */
static int (*work)(FILE *) = compress;

int main(void) {
    long stamp = 7;
    out = stdout;
    put_byte(31);
    put_byte(139);
    put_long(stamp);
    fprintf(out, "%d %s", 3, "name");
    fwrite(&stamp, 1, sizeof stamp, out); /* conform: out checksum */
    return work(stdin);
}
