// The classes of repfuzz.hpp, with exceptions and threads:
//
//     api TIFF
//
// prints nothing, or the line of a check that fails.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "repfuzz.hpp"

#define CHECK(holds)                                                    \
    do {                                                                \
        if (!(holds)) {                                                 \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #holds);    \
            std::exit(1);                                               \
        }                                                               \
    } while (0)

using File = std::vector<char>;

static File copied(const repfuzz::Variant &variant) { return File(variant.data(), variant.data() + variant.size()); }

static std::vector<File> files(const repfuzz::Seed &seed, std::uint64_t run) {
    std::vector<File> all;
    for (const repfuzz::Variant &variant : seed.variants(5, run)) all.push_back(copied(variant));
    return all;
}

template <class Call> static std::string thrown(repfuzz_status status, Call call) {
    try {
        call();
    } catch (const repfuzz::Error &error) {
        CHECK(error.status() == status);
        return error.what();
    }
    return "nothing is thrown";
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    std::ifstream in(argv[1], std::ios::binary);
    const File tiff((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const repfuzz::Seed seed(tiff.data(), tiff.size());

    // The same numbers give the same files, in any thread.
    const std::vector<File> once = files(seed, 1);
    CHECK(once.size() == 5 && once != files(seed, 2));
    std::vector<File> there;
    std::thread other([&] {
        there = files(seed, 1);
        CHECK(std::string(repfuzz_error()).empty());
        CHECK(thrown(REPFUZZ_BAD_CHOICES, [&] { seed.replay("{}}"); }).find("choices") == 0);
    });
    CHECK(files(seed, 1) == once);
    other.join();
    CHECK(there == once);
    CHECK(std::string(repfuzz_error()).empty());

    const repfuzz::Canonical picture = seed.normalize();
    CHECK(picture.samples() != nullptr && picture.text() == nullptr);
    for (const File &file : once) {
        CHECK(seed.equals(file.data(), file.size()));
        CHECK(repfuzz::equal(tiff.data(), tiff.size(), file.data(), file.size()));
        const repfuzz::Canonical again = repfuzz::normalize(file.data(), file.size());
        CHECK(again.width() == picture.width() && again.height() == picture.height());
        CHECK(std::memcmp(again.samples(), picture.samples(), 8 * picture.width() * picture.height()) == 0);
    }

    repfuzz::Restriction restriction;
    restriction.fix = {"byte order=MM"};
    repfuzz::Variants big = seed.variants(3, 1, restriction);
    int count = 0;
    for (const auto &variant : big) {
        CHECK(variant.data()[0] == 'M' && seed.replay(variant.choices()).size() == variant.size());
        ++count;
    }
    CHECK(count == 3 && !big.next());

    // A decoder that reads only little-endian files.
    const auto fails = [](const std::uint8_t *data, std::size_t) { return data[0] == 'M'; };
    auto found = seed.variants(1, 1, restriction).next();
    CHECK(found);
    const auto least = seed.shrink(*found, fails);
    CHECK(least && least->choices() == std::string("{\"byte order\":\"MM\"}"));
    const auto again = seed.shrink(least->data(), least->size(), fails);
    CHECK(again && again->choices() == std::string(least->choices()));
    CHECK(!seed.shrink(*found, [](const std::uint8_t *, std::size_t) { return false; }));
    int asked = 0;
    try {
        seed.shrink(*found, [&](const std::uint8_t *, std::size_t) -> bool {
            if (++asked == 2) throw std::string("of the decoder");
            return true;
        });
        CHECK(!"nothing is thrown");
    } catch (const std::string &text) {
        CHECK(text == "of the decoder" && asked == 2);
    }

    CHECK(thrown(REPFUZZ_BAD_FILE, [] { repfuzz::Seed("II*", 3); }) != "");
    const auto within = [&](std::uint64_t size) { repfuzz::Seed(tiff.data(), tiff.size(), "tiff", size); };
    CHECK(thrown(REPFUZZ_BAD_FILE, [&] { within(1); }).find("may be made of a file") != std::string::npos);
    CHECK(thrown(REPFUZZ_BAD_FILE, [&] { within(1u << 20); }) == "nothing is thrown");
    CHECK(thrown(REPFUZZ_BAD_SPEC, [] { repfuzz::Mutator("no"); }).find("no format") == 0);
    std::vector<std::uint8_t> room(1 << 16);
    std::memcpy(room.data(), tiff.data(), tiff.size());
    const std::size_t size = repfuzz::Mutator().mutate(room.data(), tiff.size(), room.size(), 5);
    CHECK(size > 0 && seed.equals(room.data(), size));
    CHECK(seed.dimensions().size() > 10);
}
