/* The decoder of ../src/lib.rs, with its fault, as a target for AFL++:
 *
 *     target SEED FILE
 *
 * aborts if FILE is decoded to another result than SEED. It does not check that both mean the same: the
 * mutator builds only such files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

struct sprite {
    size_t width, height;
    unsigned char gray[MOST];
};

static size_t number(const unsigned char *at) { return at[0] | (size_t)at[1] << 8; }

/* Returns true if the file of size bytes is a sprite. */
static int decode(const unsigned char *file, size_t size, struct sprite *sprite) {
    if (size < 12 || memcmp(file, "SPR1", 4) != 0) return 0;
    sprite->width = number(file + 4);
    sprite->height = number(file + 6);
    size_t pixels = file[8]; /* The fault: number(file + 8) would be right. */
    if (sprite->width == 0 || sprite->height == 0) return 0;
    if (sprite->width * sprite->height > MOST) return 0;
    if (pixels + sprite->width * sprite->height > size) return 0;
    for (size_t row = 0; row < sprite->height; row++) {
        size_t stored = file[10] == 1 ? sprite->height - 1 - row : row;
        memcpy(sprite->gray + row * sprite->width, file + pixels + stored * sprite->width, sprite->width);
    }
    return 1;
}

static int read_and_decode(const char *path, struct sprite *sprite) {
    static unsigned char file[MOST];
    FILE *in = fopen(path, "rb");
    if (in == NULL) return 0;
    size_t size = fread(file, 1, sizeof file, in);
    fclose(in);
    return decode(file, size, sprite);
}

int main(int argc, char **argv) {
    static struct sprite seed, other;
    if (argc != 3 || !read_and_decode(argv[1], &seed)) {
        fprintf(stderr, "usage: target SEED FILE\n");
        return 2;
    }
    if (!read_and_decode(argv[2], &other)) return 1;
    if (seed.width != other.width || seed.height != other.height
        || memcmp(seed.gray, other.gray, seed.width * seed.height) != 0) {
        fprintf(stderr, "it is stored otherwise, and decoded otherwise\n");
        abort();
    }
    return 0;
}
