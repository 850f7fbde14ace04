// stb_image shows all files that mean the same as one picture. FORMAT is the name of their format.

#include <cstdlib>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#include "stb_image.h"

#include "equivalents_libfuzzer.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

namespace {

// Larger pictures take time and show nothing else.
constexpr int64_t kMostPixels = 1 << 20;

int Decode(const uint8_t *file, size_t size, equivalents_result *result) {
    int width = 0, height = 0, channels = 0;
    const int length = static_cast<int>(size);
    if (!stbi_info_from_memory(file, length, &width, &height, &channels)) return 0;
    if (static_cast<int64_t>(width) * height > kMostPixels) return 0;
    stbi_uc *pixels = stbi_load_from_memory(file, length, &width, &height, &channels, 4);
    if (pixels == nullptr) return 0;
    equivalents_put(result, &width, sizeof width);
    equivalents_put(result, &height, sizeof height);
    equivalents_put(result, pixels, static_cast<size_t>(width) * height * 4);
    stbi_image_free(pixels);
    return 1;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***argv) {
    if (equivalents_init(FORMAT, (*argv)[0]) != 0) std::exit(1);
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    const size_t made = equivalents_mutate(data, size, max_size, seed);
    return made != 0 ? made : LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    equivalents_check(data, size, Decode);
    return 0;
}
