/* Compares libtiff with itself on files that mean the same:
 *
 *     tiff-check SEED [N]
 *
 * prints each set of choices for which TIFFReadRGBAImageOriented returns another picture than for SEED, reduced to
 * those that matter. The exit status is 1 if there is one, and 2 if it could not be tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <repfuzz.h>
#include <tiffio.h>

/* A file in memory, as libtiff reads it. */
struct file {
    const uint8_t *data;
    toff_t size, at;
};

static tmsize_t read_part(thandle_t handle, void *to, tmsize_t size) {
    struct file *file = handle;
    toff_t left = file->at < file->size ? file->size - file->at : 0;
    tmsize_t count = (toff_t)size < left ? size : (tmsize_t)left;
    if (count > 0) memcpy(to, file->data + file->at, count);
    file->at += count;
    return count;
}

static tmsize_t write_nothing(thandle_t handle, void *from, tmsize_t size) {
    (void)handle, (void)from, (void)size;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t to, int whence) {
    struct file *file = handle;
    return file->at = to + (whence == SEEK_CUR ? file->at : whence == SEEK_END ? file->size : 0);
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) { return ((struct file *)handle)->size; }

/* A decoded picture; pixels are NULL if the file is refused. */
struct picture {
    uint32_t width, height;
    uint32_t *pixels;
};

static struct picture decode(const uint8_t *data, size_t size) {
    struct picture picture = {0, 0, NULL};
    struct file file = {data, size, 0};
    TIFF *tiff = TIFFClientOpen("memory", "rm", &file, read_part, write_nothing, seek, close_nothing, size_of, NULL, NULL);
    if (tiff == NULL) return picture;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &picture.width) && TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &picture.height))
        picture.pixels = calloc((size_t)picture.width * picture.height, sizeof *picture.pixels);
    if (picture.pixels != NULL
        && !TIFFReadRGBAImageOriented(tiff, picture.width, picture.height, picture.pixels, ORIENTATION_TOPLEFT, 1)) {
        free(picture.pixels);
        picture.pixels = NULL;
    }
    TIFFClose(tiff);
    return picture;
}

static bool differs(const uint8_t *data, size_t size, void *context) {
    const struct picture *expected = context;
    struct picture picture = decode(data, size);
    bool same = picture.pixels != NULL && picture.width == expected->width && picture.height == expected->height
        && memcmp(picture.pixels, expected->pixels, sizeof *picture.pixels * picture.width * picture.height) == 0;
    free(picture.pixels);
    return !same;
}

static int fail(const char *why) {
    fprintf(stderr, "error: %s\n", why);
    return 2;
}

/* Tries n variants. Returns the exit status. */
static int compare(const repfuzz_seed *seed, struct picture *expected, long n) {
    enum { MOST = 64 };
    repfuzz_variant *causes[MOST];
    repfuzz_variants *variants;
    int found = 0, status = 0;
    long differing = 0;
    if (repfuzz_variants_new(seed, 1, NULL, &variants) != REPFUZZ_OK) return fail(repfuzz_error());
    for (long k = 0; k < n && status == 0; k++) {
        repfuzz_variant *variant, *least;
        size_t size;
        repfuzz_status made = repfuzz_variants_next(variants, &variant);
        if (made == REPFUZZ_END) break;
        if (made != REPFUZZ_OK) {
            status = fail(repfuzz_error());
            break;
        }
        const uint8_t *data = repfuzz_variant_data(variant, &size);
        if (differs(data, size, expected)) {
            differing++;
            made = repfuzz_seed_shrink(seed, variant, differs, expected, &least);
            bool known = made != REPFUZZ_OK || found == MOST;
            for (int c = 0; c < found && !known; c++)
                known = strcmp(repfuzz_variant_choices(causes[c]), repfuzz_variant_choices(least)) == 0;
            if (known) {
                repfuzz_variant_free(least);
            } else {
                printf("[%s] %s\n", repfuzz_variant_legality(least), repfuzz_variant_choices(least));
                causes[found++] = least;
            }
        }
        repfuzz_variant_free(variant);
    }
    printf("%ld of %ld files are decoded differently\n", differing, n);
    while (found > 0) repfuzz_variant_free(causes[--found]);
    repfuzz_variants_free(variants);
    return status != 0 ? status : differing > 0;
}

int main(int argc, char **argv) {
    static uint8_t data[1 << 24];
    if (argc < 2) return fail("usage: tiff-check SEED [N]");
    FILE *in = fopen(argv[1], "rb");
    if (in == NULL) return fail("the seed cannot be read");
    size_t size = fread(data, 1, sizeof data, in);
    fclose(in);
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);

    struct picture expected = decode(data, size);
    if (expected.pixels == NULL) return fail("libtiff does not read the seed");
    repfuzz_seed *seed;
    int status = repfuzz_seed_open("tiff", data, size, &seed) == REPFUZZ_OK
        ? compare(seed, &expected, argc > 2 ? atol(argv[2]) : 100)
        : fail(repfuzz_error());
    repfuzz_seed_free(seed);
    free(expected.pixels);
    return status;
}
