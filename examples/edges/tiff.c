/* A worker of libtiff's RGBA interface that publishes the edges of the library. */

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <tiffio.h>

#include "repfuzz_edges.h"

/* The first error of a file. */
static char reason[REPFUZZ_MESSAGE];

static void on_error(const char *module, const char *format, va_list words) {
    (void)module;
    if (reason[0] == 0) vsnprintf(reason, sizeof reason, format, words);
}

static int decode(const char *path, FILE *picture, char *message) {
    uint32_t width = 0, height = 0, *raster = NULL;
    int shown = 0;
    TIFF *tiff = TIFFOpen(path, "r");
    if (tiff != NULL && TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) == 1 &&
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) == 1 && width != 0 && height != 0) {
        raster = malloc((size_t)width * height * sizeof *raster);
        shown = raster != NULL && TIFFReadRGBAImageOriented(tiff, width, height, raster, ORIENTATION_TOPLEFT, 1);
    }
    if (shown) {
        fprintf(picture, "RGBA %u %u\n", width, height);
        for (size_t k = 0; k < (size_t)width * height; k++) {
            putc((int)TIFFGetR(raster[k]), picture);
            putc((int)TIFFGetG(raster[k]), picture);
            putc((int)TIFFGetB(raster[k]), picture);
            putc((int)TIFFGetA(raster[k]), picture);
        }
    } else {
        snprintf(message, REPFUZZ_MESSAGE, "%s", reason);
    }
    free(raster);
    if (tiff != NULL) TIFFClose(tiff);
    return !shown;
}

int main(void) {
    TIFFSetErrorHandler(on_error);
    TIFFSetWarningHandler(NULL);
    return repfuzz_edges_serve(decode);
}
