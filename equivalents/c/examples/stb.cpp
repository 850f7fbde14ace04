// Compares stb_image with itself on files that mean the same:
//
//     stb-check FORMAT SEED [N]
//
// prints each set of choices for which stbi_load_from_memory returns another picture than for SEED, reduced to those that
// matter. FORMAT is bmp, gif, png, pnm or tga. The exit status is 1 if there is one, and 2 if it could not be tried.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <repfuzz.hpp>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#include <stb_image.h>

// Width, height, and RGBA; empty if the file is refused.
static std::vector<int> decode(const std::uint8_t *data, std::size_t size) {
    int width = 0, height = 0;
    stbi_uc *pixels = stbi_load_from_memory(data, static_cast<int>(size), &width, &height, nullptr, 4);
    if (pixels == nullptr) return {};
    std::vector<int> picture = {width, height};
    picture.insert(picture.end(), pixels, pixels + std::size_t{4} * width * height);
    stbi_image_free(pixels);
    return picture;
}

static int compare(const std::string &format, const char *path, std::size_t n) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error(std::string(path) + " cannot be read");
    const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const repfuzz::Seed seed(bytes.data(), bytes.size(), format);
    const auto expected = decode(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
    if (expected.empty()) throw std::runtime_error("stb_image does not read the seed");

    const auto differs = [&](const std::uint8_t *data, std::size_t size) { return decode(data, size) != expected; };
    std::set<std::string> causes;
    std::size_t differing = 0;
    for (const repfuzz::Variant &variant : seed.variants(n)) {
        if (!differs(variant.data(), variant.size())) continue;
        ++differing;
        const auto least = seed.shrink(variant, differs);
        if (least && causes.insert(least->choices()).second)
            std::cout << '[' << least->legality() << "] " << least->choices() << '\n';
    }
    std::cout << differing << " of " << n << " files are decoded differently\n";
    return differing > 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: stb-check FORMAT SEED [N]\n";
        return 2;
    }
    try {
        return compare(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 100);
    } catch (const std::exception &error) {
        std::cerr << "error: " << error.what() << '\n';
        return 2;
    }
}
