/* Decodes a page of a TIFF file with libtiff: decode FILE [PAGE], from 0.
   Prints width, height, the orientation and whether colors are multiplied by alpha, on one line,
   then the pixels as they are stored, not turned: four bytes each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiffio.h>

int main(int argc, char **argv)
{
    TIFF *tiff = argc == 2 || argc == 3 ? TIFFOpen(argv[1], "r") : NULL;
    if (tiff == NULL || (argc == 3 && !TIFFSetDirectory(tiff, atoi(argv[2]))))
        return 1;
    uint32_t width = 0, height = 0;
    uint16_t orientation = 1, samples = 1, extras = 0, *extra = NULL;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra);
    uint64_t pixels = (uint64_t)width * height;
    if (pixels == 0 || pixels > (uint64_t)1 << 26) {
        fputs("no pixels, or too many\n", stderr);
        return 1;
    }
    /* Gray stays as it is, beside alpha that is not associated. */
    int stays = samples == 2 && extras > 0 && extra[0] == EXTRASAMPLE_UNASSALPHA;
    uint32_t *raster = malloc(pixels * 4);
    /* The file's own orientation: then libtiff turns nothing. */
    if (raster == NULL
        || !TIFFReadRGBAImageOriented(tiff, width, height, raster, orientation, 1))
        return 1;
    printf("%" PRIu32 " %" PRIu32 " %u %d\n", width, height, (unsigned)orientation, !stays);
    for (uint64_t k = 0; k < pixels; k++) {
        putchar(TIFFGetR(raster[k]));
        putchar(TIFFGetG(raster[k]));
        putchar(TIFFGetB(raster[k]));
        putchar(TIFFGetA(raster[k]));
    }
    free(raster);
    TIFFClose(tiff);
    return 0;
}
