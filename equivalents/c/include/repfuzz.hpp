/*
 * Equivalent files for the tests of decoders, in C++17: repfuzz.h as classes that free their objects and throw
 * repfuzz::Error.
 *
 *     repfuzz::Seed seed(bytes.data(), bytes.size());
 *     for (const repfuzz::Variant &variant : seed.variants(100))
 *         if (decode(variant.data(), variant.size()) != expected) std::cerr << variant.choices() << '\n';
 */
#ifndef REPFUZZ_HPP
#define REPFUZZ_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "repfuzz.h"

namespace repfuzz {

/* An error, with its status and one line. */
class Error : public std::runtime_error {
public:
    explicit Error(repfuzz_status status) : std::runtime_error(repfuzz_error()), status_(status) {}
    repfuzz_status status() const noexcept { return status_; }

private:
    repfuzz_status status_;
};

namespace detail {

struct Free {
    void operator()(repfuzz_seed *it) const noexcept { repfuzz_seed_free(it); }
    void operator()(repfuzz_variants *it) const noexcept { repfuzz_variants_free(it); }
    void operator()(repfuzz_variant *it) const noexcept { repfuzz_variant_free(it); }
    void operator()(repfuzz_canonical *it) const noexcept { repfuzz_canonical_free(it); }
    void operator()(repfuzz_mutator *it) const noexcept { repfuzz_mutator_free(it); }
};

template <class T> using Owned = std::unique_ptr<T, Free>;

/* Throws unless the call is done or has nothing to return. */
inline bool check(repfuzz_status status) {
    if (status != REPFUZZ_OK && status != REPFUZZ_END) throw Error(status);
    return status == REPFUZZ_OK;
}

/* Calls with a place for an object, and owns that. It is empty at REPFUZZ_END. */
template <class T, class Call> Owned<T> made(Call call) {
    T *it = nullptr;
    check(call(&it));
    return Owned<T>(it);
}

} // namespace detail

/* A file that means what its seed means. */
class Variant {
public:
    explicit Variant(detail::Owned<repfuzz_variant> it) : it_(std::move(it)) { data_ = repfuzz_variant_data(it_.get(), &size_); }

    const std::uint8_t *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    /* The choices in which it differs from its seed, as JSON. */
    const char *choices() const noexcept { return repfuzz_variant_choices(it_.get()); }
    /* "baseline", "extension" or "questionable". */
    const char *legality() const noexcept { return repfuzz_variant_legality(it_.get()); }
    const repfuzz_variant *get() const noexcept { return it_.get(); }

private:
    detail::Owned<repfuzz_variant> it_;
    const std::uint8_t *data_ = nullptr;
    std::size_t size_ = 0;
};

/* A canonical value: equal for two files if and only if they mean the same. */
class Canonical {
public:
    explicit Canonical(detail::Owned<repfuzz_canonical> it) : it_(std::move(it)) {
        samples_ = repfuzz_canonical_samples(it_.get(), &width_, &height_);
    }

    /* Four samples a pixel, row after row; null if it is no picture. */
    const std::uint16_t *samples() const noexcept { return samples_; }
    std::uint32_t width() const noexcept { return width_; }
    std::uint32_t height() const noexcept { return height_; }
    /* A value that is no picture, in one line; null for a picture. */
    const char *text() const noexcept { return repfuzz_canonical_text(it_.get()); }

private:
    detail::Owned<repfuzz_canonical> it_;
    const std::uint16_t *samples_ = nullptr;
    std::uint32_t width_ = 0, height_ = 0;
};

/* The dimensions that vary, by globs, and values that dimensions have in every file: "byte order=MM". */
struct Restriction {
    std::vector<std::string> vary, without, fix;
};

/* The first files of a sequence, for a loop. It can be gone through once. */
class Variants {
public:
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Variant;
        using difference_type = std::ptrdiff_t;
        using pointer = const Variant *;
        using reference = const Variant &;

        explicit iterator(Variants *of) : of_(of) { ++*this; }
        reference operator*() const { return *of_->current_; }
        pointer operator->() const { return &*of_->current_; }
        iterator &operator++() {
            if (of_ != nullptr && !of_->advance()) of_ = nullptr;
            return *this;
        }
        bool operator==(const iterator &other) const noexcept { return of_ == other.of_; }
        bool operator!=(const iterator &other) const noexcept { return of_ != other.of_; }

    private:
        Variants *of_;
    };

    Variants(detail::Owned<repfuzz_variants> it, std::size_t n) : it_(std::move(it)), left_(n) {}

    iterator begin() { return iterator(this); }
    iterator end() { return iterator(nullptr); }
    /* The next file; none if there are no more. */
    std::optional<Variant> next() {
        if (left_ == 0) return std::nullopt;
        --left_;
        auto made = detail::made<repfuzz_variant>([&](repfuzz_variant **to) { return repfuzz_variants_next(it_.get(), to); });
        if (made == nullptr) return std::nullopt;
        return Variant(std::move(made));
    }

private:
    bool advance() {
        current_ = next();
        return current_.has_value();
    }

    detail::Owned<repfuzz_variants> it_;
    std::size_t left_;
    std::optional<Variant> current_;
};

/* A file that is read once, and whose equivalents are wanted many times. */
class Seed {
public:
    /* The format is the name of one that ships, or the path of a spec. The file may take `max_size` bytes once it is
     * decoded: 8 for each pixel of a picture. */
    Seed(const void *data, std::size_t size, const std::string &format = "tiff", std::uint64_t max_size = 1u << 28)
        : it_(detail::made<repfuzz_seed>([&](repfuzz_seed **to) {
              return repfuzz_seed_open_within(format.c_str(), static_cast<const std::uint8_t *>(data), size, max_size, to);
          })) {}

    /* The first n files that mean the same. All randomness comes from the number `run`. */
    Variants variants(std::size_t n = 100, std::uint64_t run = 1, const Restriction &restriction = {}) const {
        const auto vary = texts(restriction.vary), without = texts(restriction.without), fix = texts(restriction.fix);
        const repfuzz_restriction limits = {vary.data(), without.data(), fix.data()};
        return Variants(detail::made<repfuzz_variants>([&](repfuzz_variants **to) {
                            return repfuzz_variants_new(it_.get(), run, &limits, to);
                        }),
                        n);
    }

    /* The file that differs from this one in these choices only, and means the same. */
    Variant replay(const std::string &choices) const {
        return Variant(detail::made<repfuzz_variant>(
            [&](repfuzz_variant **to) { return repfuzz_seed_replay(it_.get(), choices.c_str(), to); }));
    }

    /* Whether a file means the same. */
    bool equals(const void *data, std::size_t size) const {
        bool equal = false;
        detail::check(repfuzz_seed_equals(it_.get(), static_cast<const std::uint8_t *>(data), size, &equal));
        return equal;
    }

    Canonical normalize() const {
        return Canonical(detail::made<repfuzz_canonical>(
            [&](repfuzz_canonical **to) { return repfuzz_seed_normalize(it_.get(), to); }));
    }

    /* The dimensions in which files that mean the same differ. */
    std::vector<std::string> dimensions() const {
        std::vector<std::string> names;
        while (const char *name = repfuzz_seed_dimension(it_.get(), names.size())) names.emplace_back(name);
        return names;
    }

    /* The file that differs least from this one and for which `fails(data, size)` is still true; none if the variant does
     * not fail when it is built again. An exception of `fails` ends the search, and is thrown. */
    template <class Fails> std::optional<Variant> shrink(const Variant &variant, Fails &&fails) const {
        return shrunk(std::forward<Fails>(fails), [&](repfuzz_fails call, void *context, repfuzz_variant **to) {
            return repfuzz_seed_shrink(it_.get(), variant.get(), call, context, to);
        });
    }

    /* The same for a file that was made elsewhere. */
    template <class Fails> std::optional<Variant> shrink(const void *data, std::size_t size, Fails &&fails) const {
        return shrunk(std::forward<Fails>(fails), [&](repfuzz_fails call, void *context, repfuzz_variant **to) {
            return repfuzz_seed_shrink_file(it_.get(), static_cast<const std::uint8_t *>(data), size, call, context, to);
        });
    }

    const repfuzz_seed *get() const noexcept { return it_.get(); }

private:
    static std::vector<const char *> texts(const std::vector<std::string> &all) {
        std::vector<const char *> pointers;
        for (const std::string &one : all) pointers.push_back(one.c_str());
        pointers.push_back(nullptr);
        return pointers;
    }

    template <class Fails, class Search> static std::optional<Variant> shrunk(Fails &&fails, Search search) {
        struct Asked {
            std::remove_reference_t<Fails> &fails;
            std::exception_ptr thrown;
        } asked{fails, nullptr};
        const repfuzz_fails call = [](const std::uint8_t *data, std::size_t size, void *context) {
            auto &it = *static_cast<Asked *>(context);
            // No exception may pass the library: after one, nothing fails any more, and the search ends soon.
            if (it.thrown != nullptr) return false;
            try {
                return static_cast<bool>(it.fails(data, size));
            } catch (...) {
                it.thrown = std::current_exception();
                return false;
            }
        };
        auto least = detail::made<repfuzz_variant>([&](repfuzz_variant **to) { return search(call, &asked, to); });
        if (asked.thrown != nullptr) std::rethrow_exception(asked.thrown);
        if (least == nullptr) return std::nullopt;
        return Variant(std::move(least));
    }

    detail::Owned<repfuzz_seed> it_;
};

/* Whether two files mean the same. */
inline bool equal(const void *one, std::size_t one_size, const void *other, std::size_t other_size,
                  const std::string &format = "tiff") {
    return Seed(one, one_size, format).equals(other, other_size);
}

/* The canonical value of a file. */
inline Canonical normalize(const void *data, std::size_t size, const std::string &format = "tiff") {
    return Seed(data, size, format).normalize();
}

/* A custom mutator for a fuzz target. */
class Mutator {
public:
    explicit Mutator(const std::string &format = "tiff")
        : it_(detail::made<repfuzz_mutator>(
              [&](repfuzz_mutator **to) { return repfuzz_mutator_new(format.c_str(), to); })) {}

    /* As LLVMFuzzerCustomMutator; 0 if the file cannot be read or nothing fits. */
    std::size_t mutate(std::uint8_t *data, std::size_t size, std::size_t max_size, unsigned int seed) noexcept {
        return repfuzz_mutate(it_.get(), data, size, max_size, seed);
    }

private:
    detail::Owned<repfuzz_mutator> it_;
};

} // namespace repfuzz

#endif
