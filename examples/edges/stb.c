/* A worker of stb_image that publishes its edges. Only the library is compiled for them: the worker's own code has
   nothing to do with how a file is stored. */

#include <stdint.h>
#include <stdio.h>

#include "repfuzz_edges.h"
#include "stb_image.h"

static int decode(const char *path, FILE *picture, char *message) {
    int width = 0, height = 0, channels = 0;
    /* 16 bits are asked of files that have them. */
    if (stbi_is_16_bit(path)) {
        uint16_t *samples = stbi_load_16(path, &width, &height, &channels, 4);
        if (samples == NULL) return snprintf(message, REPFUZZ_MESSAGE, "%s", stbi_failure_reason()), 1;
        fprintf(picture, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n", width, height);
        for (size_t k = 0; k < (size_t)width * height * 4; k++) {
            putc(samples[k] >> 8, picture);
            putc(samples[k] & 255, picture);
        }
        stbi_image_free(samples);
        return 0;
    }
    stbi_uc *samples = stbi_load(path, &width, &height, &channels, 4);
    if (samples == NULL) return snprintf(message, REPFUZZ_MESSAGE, "%s", stbi_failure_reason()), 1;
    fprintf(picture, "RGBA %d %d\n", width, height);
    fwrite(samples, 4, (size_t)width * height, picture);
    stbi_image_free(samples);
    return 0;
}

int main(void) {
    return repfuzz_edges_serve(decode);
}
