/* A worker that reads the format of `repfuzz new`, with a fault behind two conditions on how a file is stored: where
   rows have a certain distance, it reads pixels that begin at certain places one too early. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "repfuzz_edges.h"

static uint8_t file[1 << 20];

__attribute__((noinline)) static int read_rows(const uint8_t *first, int width, int height, int pitch, FILE *picture) {
    fprintf(picture, "P5 %d %d 255\n", width, height);
    for (int row = 0; row < height; row++) fwrite(first + row * pitch, 1, (size_t)width, picture);
    return 0;
}

/* Rows of this distance have a function of their own, as in decoders with fast paths. */
__attribute__((noinline)) static int
read_blocks(const uint8_t *start, unsigned place, int width, int height, int pitch, FILE *picture) {
    if (place % 16 == 3) {
#ifdef CRASH
        abort();
#endif
        return read_rows(start + place - 1, width, height, pitch, picture);
    }
    return read_rows(start + place, width, height, pitch, picture);
}

static int decode(const char *path, FILE *picture, char *message) {
    FILE *in = fopen(path, "rb");
    size_t size = fread(file, 1, sizeof file, in);
    fclose(in);
    unsigned place = file[4] | file[5] << 8 | file[6] << 16 | (unsigned)file[7] << 24;
    int width = file[8] | file[9] << 8, height = file[10] | file[11] << 8, pitch = file[12] | file[13] << 8;
    if (memcmp(file, "PIC1", 4) != 0 || place + (size_t)(height - 1) * pitch + width > size) {
        strcpy(message, "no picture");
        return 1;
    }
    if (pitch % 16 == 5) return read_blocks(file, place, width, height, pitch, picture);
    return read_rows(file + place, width, height, pitch, picture);
}

#ifdef OWN_LOOP
static volatile uint8_t table[256];

/* Prepares something when the first file comes. */
__attribute__((noinline)) static void prepare(void) {
    for (int k = 0; k < 256; k++) table[k] = (uint8_t)k;
}

/* One process for all files. */
int main(void) {
    char line[4096];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char message[REPFUZZ_MESSAGE], *bytes = NULL;
        size_t length = 0;
        FILE *picture = open_memstream(&bytes, &length);
        line[strcspn(line, "\n")] = 0;
        repfuzz_edges_begin();
        if (table[1] == 0) prepare();
        decode(line + 7, picture, message);
        repfuzz_edges_end();
        fclose(picture);
        printf("picture %zu\n", length);
        fwrite(bytes, 1, length, stdout);
        fflush(stdout);
        free(bytes);
    }
    return 0;
}
#else
int main(void) {
    return repfuzz_edges_serve(decode);
}
#endif
