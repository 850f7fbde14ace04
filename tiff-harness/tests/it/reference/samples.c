/* Decodes the samples of a page of a TIFF file with libtiff: samples FILE [PAGE], from 0.
   Prints width, height, the orientation and the number of samples of a pixel, on one line, then the
   pixels as they are stored, not turned: eight bytes a sample, big-endian. Floating-point samples are
   in double precision. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

static uint16_t bits = 1;
static uint16_t format = SAMPLEFORMAT_UINT;

/* Returns sample `index` of a row: libtiff returns whole bytes in the machine's order. */
static uint64_t sample(const uint8_t *row, uint64_t index)
{
    const uint8_t *at = row + index * (bits / 8);
    switch (bits) {
    case 8: return *at;
    case 16: return *(const uint16_t *)at;
    case 32: return *(const uint32_t *)at;
    case 64: return *(const uint64_t *)at;
    }
    uint64_t value = 0;
    for (uint64_t bit = index * bits; bit < (index + 1) * bits; bit++)
        value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* Returns a sample of `bits` bits as the bits of a double. */
static uint64_t in_double_precision(uint64_t stored)
{
    double value = 0;
    if (bits == 64)
        return stored;
    if (bits == 32) {
        uint32_t narrow = (uint32_t)stored;
        float single;
        memcpy(&single, &narrow, sizeof single);
        value = single;
    } else if (bits == 16) {
        int exponent = stored >> 10 & 31;
        int mantissa = stored & 1023;
        if (exponent == 31)
            value = mantissa == 0 ? INFINITY : NAN;
        else if (exponent == 0)
            value = ldexp(mantissa, -24);
        else
            value = ldexp(mantissa + 1024, exponent - 25);
        value = copysign(value, stored >> 15 ? -1 : 1);
    }
    uint64_t wide;
    memcpy(&wide, &value, sizeof wide);
    return wide;
}

int main(int argc, char **argv)
{
    TIFF *tiff = argc == 2 || argc == 3 ? TIFFOpen(argv[1], "r") : NULL;
    if (tiff == NULL || (argc == 3 && !TIFFSetDirectory(tiff, atoi(argv[2]))))
        return 1;
    uint32_t width = 0, height = 0, across = 0, down = 0;
    uint16_t orientation = 1, samples = 1, planar = 1;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    int tiled = TIFFIsTiled(tiff);
    if (tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
    } else {
        across = width;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &down);
        down = down < height ? down : height;
    }
    uint64_t pixels = (uint64_t)width * height;
    if (pixels == 0 || pixels > (uint64_t)1 << 24 || bits > 64 || across == 0 || down == 0) {
        fputs("no pixels, or too many\n", stderr);
        return 1;
    }
    uint16_t planes = planar == PLANARCONFIG_SEPARATE ? samples : 1;
    uint16_t together = samples / planes;
    tmsize_t size = tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    tmsize_t row = tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
    uint8_t *segment = malloc(size);
    uint64_t *all = calloc(pixels * samples, sizeof *all);
    if (segment == NULL || all == NULL)
        return 1;
    for (uint16_t plane = 0; plane < planes; plane++)
        for (uint32_t top = 0; top < height; top += down)
            for (uint32_t left = 0; left < width; left += across) {
                uint32_t k = tiled ? TIFFComputeTile(tiff, left, top, 0, plane)
                                   : TIFFComputeStrip(tiff, top, plane);
                if ((tiled ? TIFFReadEncodedTile(tiff, k, segment, size)
                           : TIFFReadEncodedStrip(tiff, k, segment, size)) < 0)
                    return 1;
                for (uint32_t y = top; y < height && y - top < down; y++)
                    for (uint32_t x = left; x < width && x - left < across; x++)
                        for (uint16_t s = 0; s < together; s++)
                            all[((uint64_t)y * width + x) * samples + plane + s] =
                                sample(segment + (y - top) * row,
                                       (uint64_t)(x - left) * together + s);
            }
    printf("%" PRIu32 " %" PRIu32 " %u %u\n", width, height, (unsigned)orientation,
           (unsigned)samples);
    int floats = format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32);
    for (uint64_t k = 0; floats && k < pixels * samples; k++)
        all[k] = in_double_precision(all[k]);
    for (uint64_t k = 0; k < pixels * samples; k++)
        for (int shift = 56; shift >= 0; shift -= 8)
            putchar((int)(all[k] >> shift & 0xff));
    free(segment);
    free(all);
    TIFFClose(tiff);
    return 0;
}
