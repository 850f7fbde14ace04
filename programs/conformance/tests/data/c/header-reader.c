/* Reads the same header byte by byte. */
#include <stdio.h>
static int get_byte(void) { return getchar(); }
static int try_byte(void) { return getchar(); } /* also at the end */

int main(void) {
    long stamp;
    int number;
    char name[16];
    get_byte();
    get_byte();
    stamp = get_byte();
    stamp |= get_byte() << 8;
    stamp |= get_byte() << 16;
    stamp |= get_byte() << 24;
    if (fscanf(stdin, "%d %15s", &number, name) != 2) {
        return 1;
    }
    /* conform: fread in checksum */
    fread(&stamp, 1, sizeof stamp, stdin);
    while (try_byte() != EOF) {
    }
    return 0;
}
