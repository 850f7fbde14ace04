/*
 * Equivalent files for the tests of decoders. Two files are equivalent if they mean the same, however they store it: a
 * decoder must return the same result for both. These functions turn one file into any number of equivalent ones, of
 * TIFF or of any format that a spec describes. The same seed and numbers give the same files, on any machine.
 *
 * Formats: "tiff", the name of another format that ships ("bmp", "zip"), or the path of a spec that ends in ".rs", or of
 * a pipeline that ends in ".toml". NULL is "tiff".
 *
 * Ownership: an object that a function stores behind its last argument is the caller's, who frees it by the function
 * of its type whose name ends in "_free"; these accept NULL. Objects are independent: a seed may be freed before its
 * variants. A pointer that a function returns is part of the object, and valid until that is freed. Arguments are only
 * read during the call, and are never kept.
 *
 * Errors: a function that returns a status has stored NULL or false behind its last argument unless it is REPFUZZ_OK, and
 * repfuzz_error() describes each status but REPFUZZ_OK and REPFUZZ_END in one line. NULL where an object or a place for
 * one is wanted is REPFUZZ_BAD_ARGUMENT. An internal error is a status as well: nothing is thrown, and the process
 * does not end, unless memory does.
 *
 * Threads: all objects may be used by any thread. Seeds, variants and canonical values are not changed and may be
 * used by several at once, sequences and mutators by one at a time.
 */


#ifndef REPFUZZ_H
#define REPFUZZ_H

/* Made by cbindgen from the sources of repfuzz-c: a change here is lost. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The result of a call.
 */
typedef enum repfuzz_status {
    /**
     * It is done.
     */
    REPFUZZ_OK = 0,
    /**
     * There is no such object, or no further one. It is no error.
     */
    REPFUZZ_END = 1,
    /**
     * An argument is NULL, too long, or no UTF-8.
     */
    REPFUZZ_BAD_ARGUMENT = 2,
    /**
     * There is no such format, or its spec has errors.
     */
    REPFUZZ_BAD_SPEC = 3,
    /**
     * A file is not of the format, or has a feature that is not supported.
     */
    REPFUZZ_BAD_FILE = 4,
    /**
     * Choices are no JSON, or no file that means what the seed means has them.
     */
    REPFUZZ_BAD_CHOICES = 5,
    /**
     * A restriction does not fit the seed.
     */
    REPFUZZ_BAD_RESTRICTION = 6,
    /**
     * An error of this library.
     */
    REPFUZZ_INTERNAL = 7,
} repfuzz_status;

/**
 * A mutator, which builds equivalents of any file that it can read.
 */
typedef struct repfuzz_mutator repfuzz_mutator;

/**
 * A file that was read, whose equivalents can be made.
 */
typedef struct repfuzz_seed repfuzz_seed;

/**
 * A canonical value: equal for two files if and only if they mean the same.
 */
typedef struct repfuzz_canonical repfuzz_canonical;

/**
 * A file that means what its seed means.
 */
typedef struct repfuzz_variant repfuzz_variant;

/**
 * A sequence of files that mean what a seed means.
 */
typedef struct repfuzz_variants repfuzz_variants;

/**
 * Returns true if the test fails on a file. `context` is what the search was given. It must return: to leave by
 * `longjmp` or an exception is undefined.
 */
typedef bool (*repfuzz_fails)(const uint8_t *data, size_t size, void *context);

/**
 * The dimensions that vary. Each member is NULL, or an array of texts with NULL at its end.
 */
typedef struct repfuzz_restriction {
    /**
     * Globs of the dimensions that vary: "orientation", "segment *". All of them vary if there is none.
     */
    const char *const *vary;
    /**
     * Globs of dimensions that do not vary.
     */
    const char *const *without;
    /**
     * Values that dimensions have in every file: "byte order=MM".
     */
    const char *const *fix;
} repfuzz_restriction;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns one line on the last error in this thread; "" if there was none. It is valid until the next error in this
 * thread.
 */
const char *repfuzz_error(void);

/**
 * Returns the version of this library: "0.1.0".
 */
const char *repfuzz_version(void);

/**
 * Returns the bytes of the file, and stores their number at `size`.
 */
const uint8_t *repfuzz_variant_data(const struct repfuzz_variant *variant, size_t *size);

/**
 * Returns the choices in which the file differs from its seed, as JSON: `{"byte order":"MM"}`.
 */
const char *repfuzz_variant_choices(const struct repfuzz_variant *variant);

/**
 * Returns the class of the file by the standard: "baseline" if every reader must accept it, "extension", or
 * "questionable".
 */
const char *repfuzz_variant_legality(const struct repfuzz_variant *variant);

/**
 * Frees a variant.
 */
void repfuzz_variant_free(struct repfuzz_variant *variant);

/**
 * Creates a mutator of files of a format.
 */
enum repfuzz_status repfuzz_mutator_new(const char *format, struct repfuzz_mutator **mutator);

/**
 * Replaces the file in the first `size` bytes of `data` by another one of at most `max_size` bytes that means the same,
 * from the number `seed`. Returns its size. Returns 0, with `data` unchanged, if the file cannot be read or nothing
 * fits: a fuzzer's own mutator then takes over. The arguments are those of LLVMFuzzerCustomMutator.
 */
size_t repfuzz_mutate(struct repfuzz_mutator *mutator,
                      uint8_t *data,
                      size_t size,
                      size_t max_size,
                      uint32_t seed);

/**
 * Frees a mutator.
 */
void repfuzz_mutator_free(struct repfuzz_mutator *mutator);

/**
 * Reads a file whose equivalents are wanted.
 */
enum repfuzz_status repfuzz_seed_open(const char *format,
                                      const uint8_t *data,
                                      size_t size,
                                      struct repfuzz_seed **seed);

/**
 * Reads a file whose equivalents are wanted, and that may take `max_size` bytes once it is decoded: 8 for each pixel of a
 * picture. Elsewhere the limit is 256 MiB.
 */
enum repfuzz_status repfuzz_seed_open_within(const char *format,
                                             const uint8_t *data,
                                             size_t size,
                                             uint64_t max_size,
                                             struct repfuzz_seed **seed);

/**
 * Frees a seed. Its variants and sequences remain.
 */
void repfuzz_seed_free(struct repfuzz_seed *seed);

/**
 * Returns the name of a dimension in which files that mean what the seed means differ; NULL after the last. The first
 * call for a format that a spec describes makes some hundred files.
 */
const char *repfuzz_seed_dimension(const struct repfuzz_seed *seed,
                                   size_t index);

/**
 * Builds the file that differs from the seed in these choices only, and means the same. They are an object of JSON, as
 * `repfuzz_variant_choices` returns it and the program repfuzz prints it.
 */
enum repfuzz_status repfuzz_seed_replay(const struct repfuzz_seed *seed,
                                        const char *choices,
                                        struct repfuzz_variant **variant);

/**
 * Decides whether a file means what the seed means.
 */
enum repfuzz_status repfuzz_seed_equals(const struct repfuzz_seed *seed,
                                        const uint8_t *data,
                                        size_t size,
                                        bool *equal);

/**
 * Decides whether two files mean the same.
 */
enum repfuzz_status repfuzz_equal(const char *format,
                                  const uint8_t *one,
                                  size_t one_size,
                                  const uint8_t *other,
                                  size_t other_size,
                                  bool *equal);

/**
 * Finds the file that differs least from the seed and still fails, as `variant` does. It is REPFUZZ_END if `variant` does not
 * fail when it is built again.
 */
enum repfuzz_status repfuzz_seed_shrink(const struct repfuzz_seed *seed,
                                        const struct repfuzz_variant *variant,
                                        repfuzz_fails fails,
                                        void *context,
                                        struct repfuzz_variant **least);

/**
 * Finds the file that differs least from the seed and still fails, as a file does that was made elsewhere, such as by
 * `repfuzz_mutate`. It is REPFUZZ_END if that means something else, or does not fail when it is built again.
 */
enum repfuzz_status repfuzz_seed_shrink_file(const struct repfuzz_seed *seed,
                                             const uint8_t *data,
                                             size_t size,
                                             repfuzz_fails fails,
                                             void *context,
                                             struct repfuzz_variant **least);

/**
 * Makes the canonical value of a seed.
 */
enum repfuzz_status repfuzz_seed_normalize(const struct repfuzz_seed *seed,
                                           struct repfuzz_canonical **canonical);

/**
 * Makes the canonical value of a file: equal for two files if and only if they mean the same.
 */
enum repfuzz_status repfuzz_normalize(const char *format,
                                      const uint8_t *data,
                                      size_t size,
                                      struct repfuzz_canonical **canonical);

/**
 * Returns the samples of a picture, row after row in display orientation, and stores its size; NULL if the value is no
 * picture. A pixel is red, green, blue and alpha, not premultiplied; a sample `v` of 8 bits is `v * 257`. Of a TIFF file
 * with several pages it is the first.
 */
const uint16_t *repfuzz_canonical_samples(const struct repfuzz_canonical *canonical,
                                          uint32_t *width,
                                          uint32_t *height);

/**
 * Returns a value that is no picture in one line: as JSON, or of a TIFF file whose samples are no colors a summary
 * with a digest. NULL for a picture.
 */
const char *repfuzz_canonical_text(const struct repfuzz_canonical *canonical);

/**
 * Frees a canonical value.
 */
void repfuzz_canonical_free(struct repfuzz_canonical *canonical);

/**
 * Begins a sequence of files that mean what the seed means. All randomness comes from the number `run`. If
 * `restriction` is NULL, all dimensions vary.
 */
enum repfuzz_status repfuzz_variants_new(const struct repfuzz_seed *seed,
                                         uint64_t run,
                                         const struct repfuzz_restriction *restriction,
                                         struct repfuzz_variants **variants);

/**
 * Builds the next file. A sequence has no end, but it is REPFUZZ_END if a hundred attempts in a row give no file:
 * `repfuzz_error` returns the reason of the last one.
 */
enum repfuzz_status repfuzz_variants_next(struct repfuzz_variants *variants,
                                          struct repfuzz_variant **variant);

/**
 * Frees a sequence. Its files remain.
 */
void repfuzz_variants_free(struct repfuzz_variants *variants);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* REPFUZZ_H */
