// libtiff's RGBA interface shows all files that mean the same as one picture.

#include <cstdlib>
#include <cstring>
#include <vector>

#include <tiffio.h>

#include "equivalents_libfuzzer.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

namespace {

// Larger pictures take time and show nothing else.
constexpr uint64_t kMostPixels = 1 << 20;

struct Memory {
    const uint8_t *bytes;
    toff_t size;
    toff_t place;
};

tmsize_t Read(thandle_t handle, void *out, tmsize_t size) {
    auto *memory = static_cast<Memory *>(handle);
    if (size < 0 || memory->place >= memory->size) return 0;
    const toff_t left = memory->size - memory->place;
    const toff_t count = static_cast<toff_t>(size) < left ? static_cast<toff_t>(size) : left;
    std::memcpy(out, memory->bytes + memory->place, count);
    memory->place += count;
    return static_cast<tmsize_t>(count);
}

tmsize_t Write(thandle_t, void *, tmsize_t) { return 0; }

toff_t Seek(thandle_t handle, toff_t offset, int whence) {
    auto *memory = static_cast<Memory *>(handle);
    const toff_t from = whence == SEEK_CUR ? memory->place : whence == SEEK_END ? memory->size : 0;
    memory->place = from + offset;
    return memory->place;
}

int Close(thandle_t) { return 0; }

toff_t Size(thandle_t handle) { return static_cast<Memory *>(handle)->size; }

int Decode(const uint8_t *file, size_t size, equivalents_result *result) {
    Memory memory{file, size, 0};
    // "m": nothing is mapped.
    TIFF *tiff = TIFFClientOpen("file", "rm", &memory, Read, Write, Seek, Close, Size, nullptr, nullptr);
    if (tiff == nullptr) return 0;
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    const uint64_t pixels = static_cast<uint64_t>(width) * height;
    int read = 0;
    if (pixels != 0 && pixels <= kMostPixels) {
        std::vector<uint32_t> raster(pixels);
        read = TIFFReadRGBAImageOriented(tiff, width, height, raster.data(), ORIENTATION_TOPLEFT, 1);
        equivalents_put(result, &width, sizeof width);
        equivalents_put(result, &height, sizeof height);
        equivalents_put(result, raster.data(), pixels * sizeof(uint32_t));
    }
    TIFFClose(tiff);
    return read;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***argv) {
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    if (equivalents_init("tiff", (*argv)[0]) != 0) std::exit(1);
    // The interface does not exchange width and height, and it shows an unspecified sample as alpha.
    equivalents_keep("orientation");
    equivalents_keep("samples_per_pixel");
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
